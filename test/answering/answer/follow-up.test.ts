import { describe, expect, test } from "bun:test";
import { completeQuestion, toSearchText } from "../../../src/answering/answer/follow-up/follow-up.ts";
import type { PastMessage } from "../../../src/answering/answer/responder.ts";

/** Messages that alternate, the reader's first. */
const conversation = (...texts: string[]): PastMessage[] =>
  texts.map((text, index) => ({ role: index % 2 === 0 ? "user" : "assistant", text }));
const HISTORY = conversation("How do I install the command line tool?", "Run npm install.");
const LINUX = conversation("How do I install Acme on Linux?", "With apt. [[1]](/install/linux#with-apt)");
const queryOf = (question: string, history: PastMessage[]) => completeQuestion(question, history).query;

describe("what is searched for", () => {
  test("a question that stands alone is searched as it is", () => {
    expect(toSearchText("Which environment variables configure the proxy?", HISTORY, [])).toBe(
      "Which environment variables configure the proxy?",
    );
  });

  for (const question of ["And on Windows?", "yes", "what about Docker?", "why?"]) {
    test(`"${question}" is searched together with the question before it`, () => {
      expect(toSearchText(question, HISTORY, [])).toContain("install the command line tool");
    });
  }

  test("a first question has nothing before it", () => {
    expect(toSearchText("yes", [], [])).toBe("yes");
    expect(toSearchText("How do I remove it?", conversation("thanks"), [])).toBe("How do I remove it?");
  });

  test("what the reader selected is searched for", () => {
    const selected = { kind: "textSelection" as const, text: "idempotency keys" };
    expect(toSearchText("What does this mean?", [], [selected])).toContain("idempotency keys");
  });

  test("an attached file is not searched for", () => {
    const attached = { kind: "attachment" as const, text: "long log file" };
    expect(toSearchText("Why does my build fail with this log?", [], [attached])).not.toContain("long log");
  });
});

describe("a follow-up takes what it leaves unsaid from the conversation", () => {
  test.each([
    ["And on Windows?", "How do I install Acme on Windows?"],
    ["what about Docker?", "How do I install Acme on Docker?"],
    ["Thanks! And on macOS?", "How do I install Acme on macOS?"],
    ["no, I meant Ubuntu", "How do I install Acme on Ubuntu?"],
    ["und unter Windows?", "How do I install Acme on Windows?"],
  ])("%s: another one of its kind takes the place of the first", (question, query) => {
    expect(queryOf(question, LINUX)).toBe(query);
  });

  test("what is to be done otherwise now is not searched for any more", () => {
    const query = queryOf("How do I remove it?", HISTORY);
    expect(query).toBe("command line tool: How do I remove it?");
  });

  test("a list of alternatives gives way as a whole", () => {
    const both = conversation("How do I install Acme on Linux or macOS?", "With a package.");
    expect(queryOf("and on Windows?", both)).toBe("How do I install Acme on Windows?");
  });

  test("where the question says little, the pages that answered it are named", () => {
    const history = conversation(
      "How do I get told?",
      "By hooks. [[1]](https://docs.acme.dev/guide/webhooks#retry-policy)",
    );
    expect(queryOf("can I change that?", history)).toContain("webhooks");
    const listed = conversation("How do I get told?", "By hooks.\n\nSources: [Webhook deliveries](/x/y)");
    expect(queryOf("can I change that?", listed)).toContain("webhook deliveries");
  });

  test("where the question says what it is about, pages that were cited, perhaps by mistake, are not named", () => {
    const cited = (first: string) =>
      conversation(first, "So. [[1]](https://docs.acme.dev/start/windows#at-log-in)");
    expect(queryOf("and if it fails?", cited("How can I leave some folders out of the archive?"))).toBe(
      "leave some folders out of the archive: if it fails?",
    );
    expect(queryOf("and if it fails?", cited("How often does Acme look for changes?"))).toBe(
      "Acme look for changes: if it fails?",
    );
  });

  test("a single word says what a question is about where the cited page has it too", () => {
    const codecs = conversation("Which codecs are there?", "Two. [[1]](/guide/calling#codecs)");
    expect(queryOf("and the default?", codecs)).toBe("codecs: the default?");
    const option = conversation("what does ack_late do", "It waits. [[1]](/faq#retry-or-ack-late)");
    expect(queryOf("and if it is killed?", option)).toBe("ack_late: if it is killed?");
  });

  test("a yes asks for what was offered", () => {
    const history = conversation(
      "Are hooks signed?",
      "Yes [[1]](/hooks). Would you like me to show you how to verify a signature?\n\n```suggestions\n(Hooks)[/hooks]\n```",
    );
    for (const yes of ["yes", "Yes please!", "sure, go ahead", "ja, gerne", "はい", "好的"]) {
      expect(queryOf(yes, history)).toBe("verify a signature");
    }
  });

  test("the second one is the answer's second one", () => {
    const history = conversation(
      "How can I deploy?",
      "Choose:\n\n1. a **container** [[1]](/c)\n2. a systemd unit [[2]](/s)",
    );
    expect(queryOf("the second one", history)).toBe("a systemd unit");
    expect(queryOf("How do I update option 1?", history)).toBe("a container: How do I update option 1?");
    expect(queryOf("the first one", conversation("How?", "Without a list."))).not.toContain("list");
  });

  test("what was denied is replaced", () => {
    const history = conversation("How do I run it behind a foo proxy?", "So.");
    expect(queryOf("no, not a foo proxy, a bar proxy", history)).toBe("How do I run it behind a bar proxy?");
  });

  test("a topic is found behind follow-ups and thanks", () => {
    const history = [
      ...LINUX,
      ...conversation("And on Windows?", "With winget.", "thanks!", "You are welcome."),
    ];
    expect(queryOf("And on macOS?", history)).toBe("How do I install Acme on macOS?");
  });

  test("a change of subject is where the next follow-up looks", () => {
    const history = [...LINUX, ...conversation("How are webhook payloads signed?", "With an HMAC.")];
    expect(queryOf("why?", history)).toContain("webhook payloads signed");
    expect(queryOf("why?", history)).not.toContain("Linux");
  });
});

describe("nothing is dragged into a question that stands alone", () => {
  test.each([
    "Is it possible to export the history as CSV?",
    "If a job fails, how do I run it again?",
    "Are there Prometheus metrics?",
    "How do I make sure that the backup is encrypted?",
    "What are the rate limits?",
    "And how do I sign in with OpenID Connect?",
    "E1234",
    "it says: `ENOENT: no such file`",
    "thanks, that helps",
    "no thanks",
    "How many pages fit into one site at the most?",
  ])("%s", (question) => {
    expect(completeQuestion(question, LINUX)).toEqual({ query: question, leans: false });
  });
});

describe("whatever is posted", () => {
  const HOSTILE = [
    "[".repeat(200_000),
    "[[1]](".repeat(30_000),
    "- ".repeat(100_000),
    "\n".repeat(200_000),
    "`".repeat(200_000),
    "yes ".repeat(100_000),
    "and ".repeat(100_000),
    `${"ok, ".repeat(99)}x`,
    "1. a\n".repeat(50_000),
    "?!".repeat(100_000),
    `[${"%".repeat(150)}](/%E0%A4%A#%)`,
    "\ud83d\ude00".repeat(300),
    "那么它".repeat(100),
    "a".repeat(400),
  ];

  test("a query stays well-formed and, where it was completed, short", () => {
    for (const hostile of HOSTILE) {
      for (const question of ["And on Windows?", "why?", "yes", "the second one", hostile]) {
        const { query, leans } = completeQuestion(question, conversation(hostile, hostile, hostile, hostile));
        expect(query.isWellFormed()).toBe(true);
        if (leans) expect(query.length).toBeLessThan(1500);
        else expect(query).toBe(question);
      }
    }
  });

  test("the same conversation always gives the same query", () => {
    const [first, second] = [1, 2].map(() => queryOf("And on Windows?", LINUX));
    expect(first).toBe(second);
  });
});
