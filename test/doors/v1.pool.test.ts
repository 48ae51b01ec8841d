import { afterEach, describe, expect, test } from "bun:test";
import { databaseOf } from "../helpers/database-of.ts";
import { type Part, partsOf, question, startDocent, type TestDocent, textOf } from "../helpers/docent.ts";
import { type FakeOllama, startFakeOllama } from "../helpers/fake-ollama.ts";
import { recorded } from "../helpers/fake-ollama-recorded.ts";
import { type FakeReply, refusals } from "../helpers/fake-ollama-replies.ts";

// Two Ollama servers behind one Docent: each fault, what the reader saw of it, what was stored and what was logged.

const ASKED = question("How do I install Acme on Linux?");
const ANSWER = "Run the installer [1].";
const LONG = { text: "word ".repeat(30).split(/(?<= )/), tokenMs: 5 };
/** Long enough for a server that is well, and for the first import of what drives the model. */
const SHORT = { first_byte_seconds: "2" };
const open: { close(): Promise<void> }[] = [];
let ahead = 0;

afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

/** The servers, and a Docent that has looked at them, as the start banner does. */
async function start(replies: FakeReply[], settings: Record<string, string> = {}) {
  ahead = 0;
  const servers = replies.map((reply) => startFakeOllama({ reply }));
  const docent = await startDocent({
    clock: () => Date.now() + ahead,
    settings: {
      ollama_urls: servers.map(({ port }) => `127.0.0.1:${port}`).join(","),
      answer_cache_answers: "0",
      ...settings,
    },
  });
  for (const server of servers) open.push({ close: () => server.stop() });
  open.unshift(docent);
  await docent.app.parts.answers.ollama.describe();
  const [a, b] = servers;
  if (a === undefined) throw new Error("there is no server");
  return { a, b: b ?? a, docent };
}

/** Asks, and tells what has come so far each time that more comes. */
async function ask(docent: TestDocent, fp = "anonymous", onMore: (wire: string) => void = () => {}) {
  const reply = await docent.post({ ...ASKED, fp });
  let wire = "";
  for await (const more of reply.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    wire += more;
    onMore(wire);
  }
  const parts = reply.ok ? partsOf(wire) : [];
  return { status: reply.status, wire, parts, text: reply.ok ? textOf(wire) : "" };
}
const turns = ({ app }: TestDocent) =>
  databaseOf(app)
    .query<{ outcome: string | null; answer: string; responder: string | null; model: string | null }, []>(
      "SELECT outcome, answer, responder, model FROM turns ORDER BY created_at, id",
    )
    .all();
const lastTurn = (docent: TestDocent) => turns(docent).at(-1);
const statuses = (parts: Part[]) =>
  parts.flatMap(({ code, value }) =>
    code === "2" && JSON.stringify(value).includes('"status"') ? [value] : [],
  );
const waitingAt = (position: number) => [{ type: "status", status: "waiting", position }];
const logged = ({ logged }: TestDocent) => logged.join("");

/** The reader got a whole answer by a model, and that is what is stored. */
async function expectAnswered(docent: TestDocent): Promise<void> {
  const { text, parts } = await ask(docent);
  expect(text).toStartWith("Run the installer");
  expect(parts.at(-1)?.code).toBe("d");
  expect(lastTurn(docent)).toMatchObject({ outcome: "answered", responder: "ollama", model: "tiny:latest" });
}

/** Time passes until a server that failed is tried in the background, and is found to be well. */
async function recover(docent: TestDocent, server: FakeOllama): Promise<void> {
  ahead += 120_000;
  await ask(docent);
  await server.until(() => logged(docent).includes("an Ollama server is used again"));
}

describe("a server that dies in mid-stream", () => {
  test("is an honest end for its reader, nothing for the next one, and is used again when it is back", async () => {
    const { a, b, docent } = await start([{ text: ["Half of "], end: "hang" }, { text: ANSWER }]);
    const begun = Promise.withResolvers<void>();
    const reading = ask(docent, "anonymous", (wire) => {
      if (wire.includes("Half")) begun.resolve();
    });
    await begun.promise;
    await a.stop();
    const { text, parts } = await reading;
    expect(text).toStartWith("Half of");
    expect(parts.at(-1)).toEqual({ code: "3", value: expect.stringContaining("broke off") });
    expect(lastTurn(docent)).toMatchObject({ outcome: "failed", answer: "Half of " });
    expect(b.chats).toEqual([]);

    await expectAnswered(docent);
    expect(b.chats).toHaveLength(1);
    expect(logged(docent)).toContain("an Ollama server is left alone for a while");

    a.restart();
    a.replyWith({ text: ANSWER });
    await recover(docent, a);
    b.replyWith(refusals.busy);
    const asked = a.chats.length;
    await expectAnswered(docent);
    expect(a.chats.length).toBeGreaterThan(asked);
  });
});

describe("a server that hangs before its first word", () => {
  test("costs its reader a share of the patience, and the next ones nothing", async () => {
    const { a, b, docent } = await start([{ firstTokenMs: 60_000 }, { text: ANSWER }], SHORT);
    await expectAnswered(docent);
    expect([a.chats.length, b.chats.length]).toEqual([1, 1]);
    await a.until(() => a.chats[0]?.aborted === true);
    expect(logged(docent)).toContain("a question is moved to another Ollama server");
    await expectAnswered(docent);
    expect([a.chats.length, b.chats.length]).toEqual([1, 2]);
  });

  test("as all the others do, is an answer by quoting within the whole patience", async () => {
    const { docent, a, b } = await start([{ firstTokenMs: 60_000 }, { firstTokenMs: 60_000 }], SHORT);
    const { parts } = await ask(docent);
    expect(parts.at(-1)?.code).toBe("d");
    expect(lastTurn(docent)).toMatchObject({ outcome: "quoted", responder: "extractive" });
    await a.until(() => [...a.chats, ...b.chats].every(({ aborted }) => aborted));
  });
});

test("a server that lists a model which it does not have is left alone, and its reader does not notice", async () => {
  const { a, b, docent } = await start([refusals.notFound, { text: ANSWER }]);
  await expectAnswered(docent);
  await expectAnswered(docent);
  expect([a.chats.length, b.chats.length]).toEqual([1, 2]);
  expect(logged(docent)).not.toContain('"level":"error"');
});

test.each(["refused-load-killed", "chat-killed-reading"])(
  "a server whose runner dies before its first word (%s): the other answers, and the reader does not notice",
  async (recording) => {
    const { a, b, docent } = await start([recorded(recording), { text: ANSWER }]);
    await expectAnswered(docent);
    await expectAnswered(docent);
    expect([a.chats.length, b.chats.length]).toEqual([1, 2]);
    expect(logged(docent)).toContain("a question is moved to another Ollama server");
  },
);

describe("a server that answers 503 for a minute", () => {
  test("is left alone, longer each time, and used again after it", async () => {
    const { a, b, docent } = await start([refusals.busy, { text: ANSWER }]);
    const endsAt = 60_000;
    a.script(() => (ahead < endsAt ? refusals.busy : { text: ANSWER }));
    for (; ahead < endsAt; ahead += 2000) await expectAnswered(docent);
    expect(a.chats.length).toBeLessThan(10);
    expect(b.chats).toHaveLength(30);
    await recover(docent, a);
    b.replyWith(refusals.busy);
    await expectAnswered(docent);
  });

  test("as all the others do, is an answer by quoting, and by the model after it", async () => {
    const { a, b, docent } = await start([refusals.busy, refusals.busy]);
    const { parts } = await ask(docent);
    expect(parts.at(-1)?.code).toBe("d");
    expect(lastTurn(docent)).toMatchObject({ outcome: "quoted", responder: "extractive", model: null });
    for (const server of [a, b]) server.replyWith({ text: ANSWER });
    await expectAnswered(docent);
  });
});

test("all servers gone is an answer by quoting, and by the model when one is back", async () => {
  const { a, b, docent } = await start([{ text: ANSWER }, { text: ANSWER }]);
  await expectAnswered(docent);
  await Promise.all([a.stop(), b.stop()]);
  expect((await ask(docent)).parts.at(-1)?.code).toBe("d");
  expect(lastTurn(docent)).toMatchObject({ outcome: "quoted" });
  b.restart();
  ahead += 60_000;
  await expectAnswered(docent);
});

describe("a reader who waits", () => {
  test("sees the place in the line, before the answer, and the fallback is quoted after queue_seconds", async () => {
    const { a, docent } = await start([{ firstTokenMs: 60_000 }], {
      queue_seconds: "1",
    });
    const leaving = new AbortController();
    const holding = docent.post(ASKED, { signal: leaving.signal }).then((reply) => reply.text());
    await a.until(() => a.chats.length === 1);
    const { parts } = await ask(docent, "second");
    expect(statuses(parts)).toEqual([waitingAt(1)]);
    expect(parts.at(-1)?.code).toBe("d");
    expect(lastTurn(docent)).toMatchObject({ outcome: "quoted", responder: "extractive" });
    leaving.abort();
    await holding.catch(() => {});
  });

  test("hears each change of the place, and no other reader's ten questions are in the way", async () => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const { a, docent } = await start([{ ...LONG, beforeToken: () => held }]);
    const first = ask(docent, "ann");
    await a.until(() => a.chats.length === 1);
    const order: string[] = [];
    /** Who has heard that they wait. */
    const inLine = new Set<string>();
    const asking = async (fp: string, name = fp) => {
      const answer = await ask(docent, fp, () => inLine.add(name));
      order.push(fp);
      return answer;
    };
    const more = ["one", "two", "three"].map((name) => asking("ann", name));
    await a.until(() => inLine.size === 3);
    const last = asking("ben");
    await a.until(() => inLine.has("ben"));
    release();
    const ben = await last;
    expect(order).toEqual(["ben"]);
    expect(statuses(ben.parts)).toEqual([waitingAt(1)]);
    const waits = (await Promise.all(more)).map(({ parts }) => statuses(parts).at(-1));
    expect(waits).toEqual([waitingAt(1), waitingAt(1), waitingAt(1)]);
    expect((await first).text).toStartWith("word word");
  });

  test("and finds the line full is told so by a status, where the fallback is an error", async () => {
    const { a, docent } = await start([{ firstTokenMs: 60_000 }], {
      queue_length: "0",
      fallback: "error",
    });
    const leaving = new AbortController();
    const holding = docent.post(ASKED, { signal: leaving.signal }).then((reply) => reply.text());
    await a.until(() => a.chats.length === 1);
    expect((await ask(docent, "second")).status).toBe(503);
    leaving.abort();
    await holding.catch(() => {});
  });
});

test("twelve readers on two servers, one of which dies: each of them has an honest end", async () => {
  const { a, docent } = await start([LONG, LONG]);
  const asking = Array.from({ length: 12 }, (_, index) => ask(docent, `reader-${index}`));
  await a.until(() => a.chats.length >= 2);
  await a.stop();
  const ends = (await Promise.all(asking)).map(({ parts }) => parts.at(-1)?.code);
  expect(ends.filter((code) => code === "d").length).toBeGreaterThanOrEqual(11);
  expect(ends.every((code) => code === "d" || code === "3")).toBe(true);
  const outcomes = turns(docent).map(({ outcome }) => outcome);
  expect(outcomes).toHaveLength(12);
  expect(outcomes.every((outcome) => outcome === "answered" || outcome === "failed")).toBe(true);
});

test("a server that is no address ends the start, by the name of its setting", async () => {
  const starting = startDocent({ settings: { ollama_urls: "127.0.0.1:11434 ftp://gpu.internal" } });
  expect(await starting.catch((error) => error.message)).toContain("ollama_urls is not an address");
});
