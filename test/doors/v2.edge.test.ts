import { afterEach, describe, expect, test } from "bun:test";
import { databaseOf } from "../helpers/database-of.ts";
import { type DocentOptions, onceLetIn, startDocent, type TestDocent } from "../helpers/docent.ts";
import { type FakeOllama, startFakeOllama } from "../helpers/fake-ollama.ts";
import { ownMs } from "../helpers/own-time.ts";
import { chunksOf, questionV2, textOfChunks, userMessage } from "../helpers/ui-message.ts";

// Slow models, readers who leave, and bodies that are made to be slow.

const ASKED = questionV2("How do I install Acme on Linux?");

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

async function start(options: DocentOptions = {}): Promise<{ docent: TestDocent; ollama: FakeOllama }> {
  const ollama = startFakeOllama();
  const docent = await startDocent({ ollama: ollama.url, ...options });
  open.push(docent, { close: () => ollama.stop() });
  return { docent, ollama };
}

/** Reads the stream until it has said that. */
async function readUntil(reader: ReadableStreamDefaultReader<Uint8Array>, said: string): Promise<string> {
  const decoder = new TextDecoder();
  let wire = "";
  while (!wire.includes(said)) {
    const { done, value } = await reader.read();
    if (done) throw new Error(`never said ${said}: ${wire}`);
    wire += decoder.decode(value, { stream: true });
  }
  return wire;
}

async function readerOf(asked: Promise<Response>) {
  const reader = (await asked).body?.getReader();
  if (!reader) throw new Error("a reply without a body");
  return reader;
}

describe("a quiet model", () => {
  test("is waited for with signs of life that no client takes for an event", async () => {
    const { docent, ollama } = await start({ settings: { heartbeat_seconds: "1" } });
    ollama.replyWith({ text: ["Run ", "it [1]."], end: "hang" });
    const reader = await readerOf(docent.post(ASKED, { version: "v2" }));
    const wire = await readUntil(reader, ": ping\n\n");
    const [before = ""] = wire.split(": ping\n\n");
    expect(textOfChunks(chunksOf(`${before}data: [DONE]\n\n`))).toStartWith("Run");
    await reader.cancel();
  });
});

describe("a reader who leaves", () => {
  for (const [when, text] of [
    ["while the model writes", ["Run ", "it."]],
    ["before its first word", []],
  ] as const) {
    test(`${when} stops the model, and what was written is kept`, async () => {
      const { docent, ollama } = await start();
      ollama.replyWith({ text: [...text], end: "hang" });
      const leaving = new AbortController();
      const reader = await readerOf(docent.post(ASKED, { version: "v2", signal: leaving.signal }));
      await readUntil(reader, text.length > 0 ? "text-delta" : "tool-output-available");
      await ollama.until(() => ollama.chats.length === 1);
      leaving.abort();
      await ollama.until(() => ollama.chats[0]?.aborted === true);
      const outcomes = () =>
        databaseOf(docent.app).query<{ outcome: string | null }, []>("SELECT outcome FROM turns").all();
      await ollama.until(() => outcomes()[0]?.outcome !== null);
      expect(outcomes()).toEqual([{ outcome: "stopped" }]);
    });
  }

  test("gives its place back", async () => {
    const { docent, ollama } = await start({ settings: { address_streams: "1" } });
    ollama.replyWith({ text: "Run ", end: "hang" }, { text: "Run it [1]." });
    const leaving = new AbortController();
    const reader = await readerOf(docent.post(ASKED, { version: "v2", signal: leaving.signal }));
    await readUntil(reader, "text-delta");
    expect((await docent.post(ASKED, { version: "v2" })).status).toBe(429);
    leaving.abort();
    await ollama.until(() => ollama.chats[0]?.aborted === true);
    const reply = await onceLetIn(() => docent.post(ASKED, { version: "v2" }));
    expect(chunksOf(await reply.text()).at(-1)?.type).toBe("finish");
  });
});

describe("an answer that does not come to its end", () => {
  test("because the model broke off says so in the stream, after what was written", async () => {
    const { docent, ollama } = await start();
    ollama.replyWith({ text: "Half of ", end: "error" });
    const reply = await docent.post(ASKED, { version: "v2" });
    const wire = await reply.text();
    expect(reply.status).toBe(200);
    expect(wire).not.toContain("UPSTREAM-SECRET");
    const chunks = chunksOf(wire);
    expect(chunks.slice(-2).map(({ type }) => type)).toEqual(["text-end", "error"]);
    expect(textOfChunks(chunks)).toStartWith("Half of");
  });

  test("because the server stops says so in the stream", async () => {
    const ollama = startFakeOllama({ reply: { text: ["Run ", "the "], end: "hang" } });
    const docent = await startDocent({ ollama: ollama.url, settings: { shutdown_seconds: "0" } });
    const wire = docent.post(ASKED, { version: "v2" }).then((reply) => reply.text());
    await ollama.until(() => ollama.chats.length === 1);
    await docent.close();
    expect(chunksOf(await wire).at(-1)).toMatchObject({
      type: "error",
      errorText: expect.stringContaining("stopping"),
    });
    await ollama.stop();
  });
});

/** What takes longer with the square of the length takes minutes. */
const AT_ONCE_MS = 5000;

describe("a body that is wrong in very many places is refused at once", () => {
  const many = <T>(length: number, item: T) => Array.from({ length }, () => item);
  const CASES: [name: string, body: unknown][] = [
    ["messages", { fp: "x", messages: many(1_000_000, 0) }],
    ["parts", { fp: "x", messages: [userMessage("", { parts: many(1_000_000, 0) })] }],
    ["contexts", { ...ASKED, context: many(1_000_000, 0) }],
    ["groups", { ...ASKED, filter: { groups: many(1_000_000, 0) } }],
    ["parts of messages", { fp: "x", messages: many(1000, userMessage("", { parts: many(1000, 0) })) }],
  ];
  test.each(CASES)("%s", async (_, body) => {
    const { docent } = await start();
    const sent = JSON.stringify(body);
    const computedMs = await ownMs(async () => {
      const reply = await docent.post(sent, { version: "v2" });
      expect(reply.status).toBe(413);
      expect((await reply.text()).length).toBeLessThan(10_000);
    });
    expect(computedMs).toBeLessThan(AT_ONCE_MS);
  });
});

describe("a body that is as large as it may be does not hold up the others", () => {
  const words = Array.from({ length: 14_000 }, (_, index) => `w${((index * 7919) % 100_003).toString(36)}`);
  const text = words.join(" ").slice(0, 99_000);
  const said = (index: number) =>
    userMessage(text, { id: `m${index}`, role: index % 2 ? "assistant" : "user" });
  const CASES: [name: string, body: unknown, status: number][] = [
    ["one long question", questionV2(text), 200],
    [
      "a long question in many parts",
      { fp: "x", messages: [userMessage("", { parts: Array.from({ length: 45 }, () => said(0).parts[0]) })] },
      400,
    ],
    [
      "a long conversation",
      {
        fp: "x",
        messages: [...Array.from({ length: 45 }, (_, index) => said(index)), userMessage("And on Linux?")],
      },
      200,
    ],
    [
      "many short messages",
      {
        fp: "x",
        messages: Array.from({ length: 4000 }, (_, i) =>
          userMessage("Hi", i % 2 ? { role: "assistant" } : {}),
        ),
      },
      200,
    ],
  ];
  test.each(CASES)("%s", async (_, body, status) => {
    const docent = await startDocent();
    open.push(docent);
    const sent = JSON.stringify(body);
    expect(sent.length).toBeLessThan(5_000_000);
    const computedMs = await ownMs(async () => {
      const reply = await docent.post(sent, { version: "v2" });
      await reply.text();
      expect(reply.status).toBe(status);
    });
    expect(computedMs).toBeLessThan(AT_ONCE_MS);
  });
});
