import { describe, expect, test } from "bun:test";
import { withoutOwnThings } from "../../../src/finding/search/asking/asking.ts";
import { withoutCircumstances } from "../../../src/finding/search/asking/circumstances.ts";
import { withoutOwnThingsTold } from "../../../src/finding/search/story/story.ts";

const without = (question: string, known: readonly string[] = []) =>
  withoutCircumstances(question, (token) => known.includes(token))
    .replace(/\s+/g, " ")
    .replace(/ ([?.,])/g, "$1")
    .trim();

const QUESTION = "How do I reset a password?";

describe("what a question tells of the reader's own is not asked of the docs", () => {
  test.each([
    "How do I reset a password (request id 550e8400-e29b-41d4-a716-446655440000)?",
    "How do I reset a password at 2026-11-01T10:22:33Z?",
    "How do I reset a password (I get 19.9499999999999)?",
    "How do I reset a password in /srv/acme/shop/config.yml?",
    String.raw`How do I reset a password in C:\Users\joe\app.ini?`,
    "How do I reset a password on build-7.corp.acme.example?",
    "How do I reset a password on nas.local?",
    "How do I reset a password at 10.20.30.40:8080?",
    "How do I reset a password with version 9.87.65?",
    "How do I reset a password (version 9.87)?",
    "How do I reset a password for joe@acme.example?",
    "How do I reset a password for order number 20391884?",
    "How do I reset a password since commit 9f8e7d6c?",
    "How do I reset a password with req_8f7a6b5c4d?",
  ])("%p", (question) => {
    expect(without(question).replace(/ (?:in|for)\?/, "?")).toBe(QUESTION);
  });

  test("a name of their own, as it says, or as its form tells", () => {
    expect(without("How do I pause the job billing-prod, and the others go on?")).toBe(
      "How do I pause the job, and the others go on?",
    );
    expect(without("in the compose on host nuc7, where does it go?")).toBe(
      "in the compose on, where does it go?",
    );
    expect(without("restart portal-eu from registry.acme.internal:5000/team/portal:stable")).toBe("restart");
    expect(without("run it as uid 112 on mydomain.tld/jf")).toBe("run it as");
    expect(without("Can our AcmeShopRunner reset a password?")).toBe("Can reset a password?");
    expect(without("Can AcmeShopRunner reset a password?")).toBe("Can AcmeShopRunner reset a password?");
  });

  test("a name that joins words as programs do, and a firm", () => {
    expect(without("until then gpu3 shall take nothing more from thumbnails_hd, the others go on")).toBe(
      "until then gpu3 shall take nothing more from, the others go on",
    );
    expect(without("acme.billing.tasks.send must go out at midnight")).toBe("must go out at midnight");
    expect(without("we need 75 of them for the auditors at Brandt & Vogel")).toBe(
      "we need 75 of them for the auditors",
    );
  });

  test("but not one that is asked about by what it is called", () => {
    for (const question of [
      "what does the option worker_max_memory do",
      "how do I use acme.billing.tasks.send",
      "does task_always_eager work in production",
      "TypeError: send_invoices() takes 2 arguments",
    ])
      expect(without(question)).toBe(question);
  });

  test("but what the docs know is: a path, a version, an address of theirs", () => {
    const question = "What is in /etc/nginx/conf.d of 1.22.333 at 127.0.0.1?";
    expect(without(question, ["/etc/nginx/conf.d", "1.22.333", "127.0.0.1"])).toBe(question);
    expect(without(question, ["/etc/nginx/conf.d"])).toBe("What is in /etc/nginx/conf.d of?");
  });

  test("and names of programs, formats, options and numbers are no circumstances", () => {
    for (const question of [
      "Does it work with LDAP, Node.js 22, socket.io and Python 3.11?",
      "How do I set --max-old-space-size=4096 in app.json?",
      "Why do I get error 404 or E1234 on port 8096 after 30 days?",
      "Is my Mac or our LDAP supported, and/or S3?",
      "What does v2 of the API cost?",
      "What is 17% of 2,350?",
      "Is the read-only user a built-in one, and host networking on by default?",
      "Does the container start on-demand, with server side-rendering and node http2?",
    ])
      expect(without(question)).toBe(question);
  });

  test("a question of nothing else stays as it is", () => {
    expect(without("550e8400-e29b-41d4-a716-446655440000")).toBe("550e8400-e29b-41d4-a716-446655440000");
    expect(without("what is 10.20.30.40?")).toBe("what is 10.20.30.40?");
  });
});

describe("what passages have is the docs' own", () => {
  const there = ["lib", "app", "storag", "shop", "18", "40", "9", "87", "65"];
  const docs = {
    frequencies: async (terms: readonly string[]) =>
      new Map(terms.filter((term) => there.includes(term)).map((term) => [term, 3])),
    phraseFrequency: async (phrase: readonly string[]) => (phrase.join(" ") === "lib app storag" ? 1 : 0),
  };

  test("within a longer name too, and never by pieces that stand anywhere", async () => {
    const told = [
      "how do I move /lib/app/storage since 18:40",
      "how do I move /lib/shop/app",
      "how do I move it with 9.87.65",
    ];
    const rest = ["how do I move /lib/app/storage", "how do I move", "how do I move it"];
    expect(await withoutOwnThings(told, docs)).toEqual(rest);
  });

  test("in each sentence of a story, and not in what a program said", async () => {
    const said = { kind: "said" as const, text: "It broke on 2026-11-20 in the night" };
    const error = { kind: "error" as const, text: "E12: port busy at 10.0.3.7" };
    const { lines } = await withoutOwnThingsTold({ lines: [said, error] }, docs);
    expect(lines).toEqual([{ ...said, text: "It broke in the night" }, error]);
  });
});
