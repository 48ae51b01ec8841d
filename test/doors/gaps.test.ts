import { afterEach, describe, expect, test } from "bun:test";
import { databaseOf } from "../helpers/database-of.ts";
import type { DocentOptions } from "../helpers/docent.ts";
import { startFakeOllama } from "../helpers/fake-ollama.ts";
import { type GapDoor, startGapDoor } from "../helpers/gap-door.ts";

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

async function start(options: DocentOptions = {}): Promise<GapDoor> {
  const door = await startGapDoor(options);
  open.push(door);
  return door;
}

async function startWithModel(text: string): Promise<GapDoor> {
  const ollama = startFakeOllama({ reply: { text } });
  open.push({ close: () => ollama.stop() });
  return start({ ollama: ollama.url });
}

const SCIM = "How do I set up SCIM provisioning?";

describe("gaps", () => {
  test("put questions of one meaning together, the most frequent first, with what is known of them", async () => {
    const door = await start();
    for (const text of ["Is there a Kubernetes operator?", SCIM, "scim provisioning setup", SCIM])
      await door.asked(text);
    await door.asked("How do I install Acme on Linux?");
    const { gaps, hasMore, nextCursor, waiting } = await door.list();
    expect(gaps).toMatchObject([
      { question: SCIM, examples: ["scim provisioning setup"], count: 3, state: "open", askedAgain: null },
      { question: "Is there a Kubernetes operator?", examples: [], count: 1, state: "open" },
    ]);
    expect(gaps[0]?.lastAskedAt).toBe("2026-01-02T03:04:09.000Z");
    expect({ hasMore, nextCursor, waiting }).toEqual({ hasMore: false, nextCursor: null, waiting: 0 });
  });

  test("keep their ids while questions come in", async () => {
    const door = await start();
    await door.asked(SCIM);
    const before = (await door.list()).gaps[0]?.id;
    await door.asked("scim provisioning");
    await door.asked("Can I set up SCIM provisioning?");
    const after = (await door.list()).gaps[0];
    expect(after).toMatchObject({ id: before, count: 3 });
  });

  test("say why there was no answer, and which page is nearest", async () => {
    const door = await startWithModel("I do not know: the documentation does not say.");
    await door.asked("How do I install Acme on Linux?");
    await door.asked("qwxzv blorptastic?");
    const { gaps } = await door.list();
    const by = (text: string) => gaps.find((gap) => gap.question.includes(text));
    expect(by("Linux")).toMatchObject({ reason: "declined", nearest: { path: "guide/install" } });
    expect(by("Linux")?.nearest?.relevance).toBeGreaterThan(0.4);
    expect(by("blorp")).toMatchObject({ reason: "nothing_near", nearest: null });
  });

  test("below the gate no responder ran", async () => {
    const door = await start();
    await door.asked(
      "does linux or anybody deliver a hot cheese sandwich with tomatoes and onions in paris tonight",
    );
    const [gap] = (await door.list()).gaps;
    expect(gap).toMatchObject({ reason: "below_gate", nearest: { title: expect.any(String) } });
    expect(gap?.nearest?.relevance).toBeLessThan(0.4);
  });

  test("what only touches on a question is quoted behind a sentence that says so, and is a gap", async () => {
    const door = await start();
    const { turnId } = await door.asked("does linux deliver a cheese sandwich tonight");
    const turn = databaseOf(door.app)
      .query<{ outcome: string; answer: string }, [string]>("SELECT outcome, answer FROM turns WHERE id = ?")
      .get(turnId);
    expect(turn?.outcome).toBe("touched");
    expect(turn?.answer).toStartWith("The documentation doesn't say this outright. What comes nearest:");
    const [gap] = (await door.list()).gaps;
    expect(gap).toMatchObject({ reason: "below_gate", count: 1, nearest: { path: "guide/install" } });
    const { body } = await door.analytics("GET", "/acme/overview");
    expect(body).toMatchObject({ numbers: { outcomes: { touched: 1, quoted: 0 }, answeredShare: 0 } });
  });

  test("an answer that its reader disliked is one until its reader changes that", async () => {
    const door = await start();
    const { turnId } = await door.asked("How do I install Acme on Linux?");
    expect((await door.list()).gaps).toEqual([]);
    door.rate(turnId, false);
    expect((await door.list()).gaps).toMatchObject([{ reason: "disliked", count: 1 }]);
    door.rate(turnId, true);
    expect((await door.list()).gaps).toEqual([]);
  });

  test("a question that was sent again counts once", async () => {
    const door = await start();
    const { threadId } = await door.asked(SCIM);
    await door.asked(SCIM, { threadId });
    expect((await door.list()).gaps).toMatchObject([{ count: 1 }]);
  });

  test("a follow-up is shown as the whole question that it stands for", async () => {
    const door = await start();
    const { threadId } = await door.asked("How do I configure SCIM provisioning for Okta?");
    const messages = [
      { id: "q1", role: "user", content: "How do I configure SCIM provisioning for Okta?" },
      { id: "a1", role: "assistant", content: "The docs do not say." },
      { id: "q2", role: "user", content: "and for Azure?" },
    ].map((message) => ({ ...message, parts: [{ type: "text", text: message.content }] }));
    await door.asked("", { threadId, messages });
    const questions = (await door.list()).gaps.map((gap) => gap.question);
    expect(questions).toHaveLength(2);
    expect(questions.find((text) => text.includes("Azure"))).toInclude("SCIM");
  });

  test("are listed by state and by time, page by page", async () => {
    const door = await start();
    for (const text of ["What is a flux capacitor?", "Is there a Zapier integration?", SCIM])
      await door.asked(text);
    const all = (await door.list()).gaps;
    await door.set(all[0]?.id ?? "", "dismissed");
    expect((await door.list("?state=dismissed")).gaps).toMatchObject([{ id: all[0]?.id }]);
    expect((await door.list("?state=open")).gaps).toHaveLength(2);
    expect((await door.list("?dateFrom=2026-01-02T03:04:07Z")).gaps).toHaveLength(2);
    expect((await door.list("?dateTo=2026-01-02T03:04:07Z")).gaps).toHaveLength(1);
    const first = await door.list("?limit=2");
    expect(first.hasMore).toBe(true);
    const rest = await door.list(`?limit=2&cursor=${first.nextCursor}`);
    expect([...first.gaps, ...rest.gaps].map(({ id }) => id)).toEqual(all.map(({ id }) => id));
    expect(rest).toMatchObject({ hasMore: false, nextCursor: null });
  });

  test("a page that is hidden by now is not named", async () => {
    const door = await start();
    await door.asked("How do I uninstall Acme?");
    const path = (await door.list()).gaps[0]?.nearest?.path;
    expect(path).toBeString();
    databaseOf(door.app).query("UPDATE pages SET hidden = TRUE").run();
    expect((await door.list()).gaps[0]?.nearest).toBeNull();
  });
});

describe("a documented gap", () => {
  const PAGE = "# SCIM provisioning\n\nTo set up SCIM provisioning, open Settings and copy the SCIM token.\n";

  test("is asked again after the next ingest, not before, and reported as answered", async () => {
    const door = await start();
    await door.asked(SCIM);
    const id = (await door.list()).gaps[0]?.id ?? "";
    expect(await door.set(id, "documented")).toMatchObject({ state: "documented", askedAgain: null });
    expect((await door.list()).gaps[0]?.askedAgain).toBeNull();
    await door.write("scim.md", PAGE);
    const [gap] = (await door.list()).gaps;
    expect(gap).toMatchObject({ id, state: "documented", askedAgain: { answered: true, path: "scim" } });
    expect(gap?.askedAgain?.relevance).toBeGreaterThanOrEqual(0.4);
  });

  test("is reported as not answered where the new pages do not say it, and asked again with each ingest", async () => {
    const door = await start();
    await door.asked(SCIM);
    const id = (await door.list()).gaps[0]?.id ?? "";
    await door.set(id, "documented");
    await door.write("other.md", "# Colours\n\nThe logo is green.\n");
    expect((await door.list()).gaps[0]?.askedAgain).toMatchObject({ answered: false });
    await door.write("scim.md", PAGE);
    expect((await door.list()).gaps[0]?.askedAgain).toMatchObject({ answered: true });
    expect(await door.set(id, "open")).toMatchObject({ state: "open", askedAgain: null });
  });

  test("is answered by a curated answer too", async () => {
    const door = await start();
    await door.asked(SCIM);
    await door.set((await door.list()).gaps[0]?.id ?? "", "documented");
    const { parts } = door.app;
    const markdown = `---\nquestions:\n  - ${SCIM}\n---\n\nAsk us for the token.\n`;
    await parts.answers.curated.add(await parts.people.sites.get("acme"), {
      name: "scim",
      markdown,
      version: "",
      language: "",
    });
    await door.write("other.md", "# Colours\n\nThe logo is green.\n");
    expect((await door.list()).gaps[0]?.askedAgain).toMatchObject({ answered: true, curated: "scim" });
  });

  test("where a model had declined, only a passage that it did not have counts", async () => {
    const door = await startWithModel("I do not know: the documentation does not say.");
    await door.asked("How do I install Acme on Linux?");
    await door.set((await door.list()).gaps[0]?.id ?? "", "documented");
    await door.write("other.md", "# Colours\n\nThe logo is green.\n");
    expect((await door.list()).gaps[0]?.askedAgain).toMatchObject({ answered: false });
    await door.write(
      "linux.md",
      "# Install Acme on Linux\n\nHow to install Acme on Linux: run the installer.\n",
    );
    expect((await door.list()).gaps[0]?.askedAgain).toMatchObject({ answered: true });
  });

  test("counts what is asked after that", async () => {
    const door = await start();
    await door.asked(SCIM);
    await door.set((await door.list()).gaps[0]?.id ?? "", "documented");
    await door.asked(SCIM);
    expect((await door.list()).gaps[0]).toMatchObject({ count: 2, countSince: 1 });
  });
});

describe("who may see and change gaps", () => {
  const GAP = "01KE0000000000000000000000";

  test("each key gets what it may, and what it may not see does not exist", async () => {
    const door = await start();
    await door.asked(SCIM);
    const id = (await door.list()).gaps[0]?.id ?? "";
    const documented = { body: { state: "documented" } };
    for (const [as, method, path, status] of [
      ["none", "GET", "/acme/gaps", 401],
      ["assistant", "GET", "/acme/gaps", 401],
      ["ownRead", "GET", "/acme/gaps", 200],
      ["serverRead", "GET", "/acme/gaps", 200],
      ["other", "GET", "/acme/gaps", 404],
      ["own", "GET", "/rival/gaps", 404],
      ["own", "GET", "/nowhere/gaps", 404],
      ["none", "POST", `/acme/gaps/${id}`, 401],
      ["assistant", "POST", `/acme/gaps/${id}`, 401],
      ["ownRead", "POST", `/acme/gaps/${id}`, 403],
      ["other", "POST", `/acme/gaps/${id}`, 404],
      ["other", "POST", `/rival/gaps/${id}`, 404],
      ["own", "POST", `/acme/gaps/${GAP}`, 404],
      ["own", "POST", `/acme/gaps/${id}`, 200],
    ] as const) {
      const reply = await door.analytics(method, path, { as, ...(method === "POST" ? documented : {}) });
      expect([as, method, path, reply.status]).toEqual([as, method, path, status]);
      expect(reply.headers.get("access-control-allow-origin")).toBeNull();
      if (status === 404) expect(reply.body).toMatchObject({ error: "Not found", code: "not_found" });
    }
    expect((await door.list("", "server")).gaps).toMatchObject([{ state: "documented" }]);
  });

  test("a query that cannot be is refused with the name of its fault", async () => {
    const door = await start({ docs: null });
    for (const [query, fault] of [
      ["?limit=0", "limit"],
      ["?limit=1001", "limit"],
      ["?limit=ten", "limit"],
      ["?state=closed", "state"],
      ["?state=open&state=open", "state"],
      ["?dateFrom=yesterday", "dateFrom"],
      ["?dateTo=2026-13-01", "dateTo"],
      ["?cursor=nonsense", "cursor"],
      ["?cursor=W10", "cursor"],
    ] as const) {
      const { status, body } = await door.analytics("GET", `/acme/gaps${query}`);
      expect([query, status]).toEqual([query, 400]);
      expect(body).toMatchObject({ error: expect.stringContaining(fault), details: [{ path: fault }] });
    }
  });

  test("a client that leaves in the middle is no fault of the server", async () => {
    const door = await start();
    for (let turn = 0; turn < 5; turn++) await door.asked(`What is a ${"xyzzy".slice(turn)} number ${turn}?`);
    const leave = new AbortController();
    const left = fetch(`${door.url}/v1/analytics/acme/gaps`, {
      headers: { authorization: `Bearer ${door.keys.own}` },
      signal: leave.signal,
    });
    setImmediate(() => leave.abort());
    await left.then((reply) => reply.text()).catch(() => {});
    expect((await door.list()).waiting).toBe(0);
    expect(door.logged.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  });

  test("whatever is sent, the server answers, and never with a fault of its own", async () => {
    const door = await start({ docs: null });
    await door.asked(SCIM);
    const random = seeded(7);
    const pick = (all: readonly string[]) => all[Math.floor(random() * all.length)] ?? "";
    const odd = [
      "",
      "null",
      "{}",
      "[]",
      '{"state":"open","x":1}',
      '{"state":1}',
      "{",
      '{"state":"documented"}',
      "\u0000",
    ];
    const ids = [
      GAP,
      "..",
      "%2e%2e",
      "%00",
      "a%2Fb",
      "%ff",
      "'; DROP TABLE gaps; --",
      "💥",
      "x".repeat(3000),
    ];
    const names = ["limit", "cursor", "dateFrom", "dateTo", "state", "__proto__", "limit[]"];
    const values = [
      "1",
      "-1",
      "1e9",
      "NaN",
      "2026-01-01",
      "9999999-01-01",
      "W1tdXQ",
      "WzEsMSwieCJd",
      "%00",
      "open",
      "💥",
    ];
    for (let round = 0; round < 1500; round++) {
      const query = `?${pick(names)}=${pick(values)}&${pick(names)}=${pick(values)}`;
      const isRead = random() < 0.5;
      const reply = isRead
        ? await door.analytics("GET", `/acme/gaps${query}`)
        : await door.analytics("POST", `/acme/gaps/${encodeURI(pick(ids)).replaceAll("%25", "%")}`, {
            body: pick(odd),
            headers: { "content-type": random() < 0.9 ? "application/json" : "text/plain" },
          });
      expect([200, 400, 404, 415]).toContain(reply.status);
      expect(reply.text).not.toMatch(/SQL|zod|\.ts\b|at \w+ \(/);
    }
  });
});

/** Numbers that look random and are the same in every run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
