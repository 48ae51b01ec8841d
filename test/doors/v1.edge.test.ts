import { afterEach, describe, expect, test } from "bun:test";
import { connect, type Socket } from "node:net";
import { z } from "zod";
import {
  type DocentOptions,
  onceLetIn,
  question,
  startDocent,
  type TestDocent,
  textOf,
} from "../helpers/docent.ts";
import { startFakeOllama } from "../helpers/fake-ollama.ts";
import { ownMs } from "../helpers/own-time.ts";

// What careless clients, and those that mean harm, do to a connection and with a body.

const ASKED = question("How do I install Acme on Linux?");
const [MESSAGE] = ASKED.messages;
const detailsSchema = z.object({ details: z.array(z.object({ path: z.string() })) });

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

async function start(options: DocentOptions = {}): Promise<TestDocent> {
  const docent = await startDocent(options);
  open.push(docent);
  return docent;
}

/** A connection on which a request with such a body has begun. */
async function begin({ url, key }: TestDocent, length: number, sent: string): Promise<Socket> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const socket = connect(Number(new URL(url).port), "127.0.0.1", resolve);
  socket.on("error", () => {});
  await promise;
  socket.write(
    `POST /v1/assistant/acme/message HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${key}\r\n` +
      `content-type: application/json\r\ncontent-length: ${length}\r\n\r\n${sent}`,
  );
  // Long enough for the server to have begun to read.
  await Bun.sleep(30);
  return socket;
}

describe("a body that never ends", () => {
  test("gives its place back when its sender goes, and is no fault of ours in the log", async () => {
    const docent = await start({ settings: { address_streams: "2" } });
    for (let index = 0; index < 4; index++) (await begin(docent, 500, '{"fp"')).resetAndDestroy();
    expect((await onceLetIn(() => docent.post(ASKED))).status).toBe(200);
    expect(docent.logged.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  });

  test("is given up after a time", async () => {
    const docent = await start({ settings: { address_streams: "1", body_seconds: "5" } });
    // The doors are open: what comes while they open is let in side by side.
    expect(await (await docent.post(ASKED)).text()).not.toBe("");
    const socket = await begin(docent, 500, '{"fp"');
    const received: string[] = [];
    socket.on("data", (chunk) => received.push(chunk.toString()));
    const drip = setInterval(() => socket.write(" "), 100);
    const isGivenUp = () => received.join("").includes("400 Bad Request");
    // It has the place from when the server begins to read it.
    let status = 0;
    while (status !== 429 && !isGivenUp()) {
      const reply = await docent.post(ASKED);
      await reply.text();
      status = reply.status;
    }
    expect(status).toBe(429);
    while (!isGivenUp()) await Bun.sleep(10);
    clearInterval(drip);
    expect((await onceLetIn(() => docent.post(ASKED))).status).toBe(200);
    socket.destroy();
  });

  test("does not hold up a server that stops", async () => {
    const docent = await startDocent({ settings: { shutdown_seconds: "0", body_seconds: "3600" } });
    const socket = await begin(docent, 500, '{"fp"');
    // Held up, it would take as long as the body may.
    await docent.close();
    socket.destroy();
  });
});

/** What takes longer with the square of the length takes minutes. */
const AT_ONCE_MS = 3000;

describe("a body that is wrong in very many places", () => {
  const many = (length: number) => Array.from({ length }, () => 0);
  const BODIES: [name: string, body: (length: number) => unknown][] = [
    ["messages", (length) => ({ fp: "x", messages: many(length) })],
    ["parts", (length) => ({ fp: "x", messages: [{ ...MESSAGE, parts: many(length) }] })],
    ["contexts", (length) => ({ ...ASKED, context: many(length > 10_000 ? length : 100) })],
    [
      "parts of messages",
      (length) => ({
        fp: "x",
        messages: Array.from({ length: length / 1000 }, () => ({ ...MESSAGE, parts: many(1000) })),
      }),
    ],
  ];
  for (const [name, bodyOf, length] of BODIES.flatMap(([name, bodyOf]) =>
    [5000, 2_000_000].map((length) => [`${length} ${name}`, bodyOf, length] as const),
  )) {
    test(`is refused at once, with the first of them: ${name}`, async () => {
      const docent = await start();
      const sent = JSON.stringify(bodyOf(length));
      let status = 0;
      let text = "";
      const computedMs = await ownMs(async () => {
        const reply = await docent.post(sent);
        status = reply.status;
        text = await reply.text();
      });
      expect(computedMs).toBeLessThan(AT_ONCE_MS);
      expect(status).toBe(length > 10_000 ? 413 : 400);
      expect(text.length).toBeLessThan(10_000);
      if (status === 400) expect(detailsSchema.parse(JSON.parse(text)).details[0]?.path).toMatch(/\[0\]/);
    });
  }
});

describe("text that is made to be slow", () => {
  const LONG = 100_000;
  const TEXTS: [name: string, text: string][] = [
    ["dashes", "-".repeat(LONG)],
    ["underscores", "_".repeat(LONG)],
    ["line ends", `a${"\n".repeat(LONG - 2)}b`],
    ["half links", "[[1]](".repeat(LONG / 6)],
    ["suggestions", "\n```suggestions\n".repeat(LONG / 16)],
  ];
  for (const [name, text] of TEXTS) {
    test(`does not hold up the others: ${name}`, async () => {
      const docent = await start();
      const said = { ...MESSAGE, content: text };
      const earlier = Array.from({ length: 20 }, (_, index) => ({
        ...said,
        id: `m${index}`,
        role: "assistant",
      }));
      const computedMs = await ownMs(async () => {
        const reply = await docent.post({ fp: "x", messages: [...earlier, said] });
        await reply.text();
        expect(reply.status).toBe(200);
      });
      expect(computedMs).toBeLessThan(AT_ONCE_MS);
    });
  }
});

test("an answer that the server's end cuts off says so", async () => {
  const ollama = startFakeOllama({ reply: { text: ["Run ", "the "], end: "hang" } });
  const docent = await startDocent({ ollama: ollama.url, settings: { shutdown_seconds: "0" } });
  const reply = await docent.post(ASKED);
  let wire = "";
  const reading = (async () => {
    for await (const chunk of reply.body ?? []) wire += new TextDecoder().decode(chunk);
  })();
  // Of the answer: the passages before it have the word, too.
  await ollama.until(() => /^0:"[^\n]*the /m.test(wire));
  await docent.close();
  await reading;
  expect(textOf(wire)).toStartWith("Run the");
  expect(wire).toMatch(/\n3:"[^\n]+"\n$/);
  await ollama.stop();
});

test("a port that another server has is refused", async () => {
  const first = await start();
  const port = new URL(first.url).port;
  await expect(startDocent({ settings: { port } })).rejects.toThrow("cannot listen");
});
