import { afterEach, describe, expect, test } from "bun:test";
import { type FakeOllama, type FakeOllamaOptions, startFakeOllama } from "../../helpers/fake-ollama.ts";
import { body, clientOf, drain, never, textOf } from "./helpers.ts";

let ollama: FakeOllama;
const start = (options?: FakeOllamaOptions) => {
  ollama = startFakeOllama(options);
  return clientOf(ollama.url);
};
afterEach(() => ollama.stop());

test("a reply comes line by line, and ends with its counts", async () => {
  const client = start({ reply: { text: ["Run ", "make", "."], promptTokens: 77 } });
  const { values, error } = await drain(client.chat(body, never));
  expect(error).toBeUndefined();
  expect(values.map((line) => line.content)).toEqual(["Run ", "make", ".", ""]);
  expect(values.at(-1)).toMatchObject({ done: true, doneReason: "stop", promptTokens: 77, outputTokens: 3 });
});

describe("however the lines are cut into chunks, the text is whole", () => {
  test.each(["line", "split", "joined", "unterminated"] as const)("%s", async (framing) => {
    const client = start({ reply: { text: ["Größe: ", "日本語 ", "🙂."], framing } });
    const { values, error } = await drain(client.chat(body, never));
    expect(error).toBeUndefined();
    expect(textOf(values)).toBe("Größe: 日本語 🙂.");
  });
});

test("a null content is no content", async () => {
  const client = start({ reply: { text: "Yes.", nullContent: true } });
  const { values, error } = await drain(client.chat(body, never));
  expect(error).toBeUndefined();
  expect(textOf(values)).toBe("Yes.");
});

test("counts may be missing", async () => {
  const client = start({ reply: { withoutMetrics: true } });
  const { values } = await drain(client.chat(body, never));
  expect(values.at(-1)).toMatchObject({ done: true, promptTokens: undefined, outputTokens: undefined });
});

test("a reason to be done is as good as done", async () => {
  const client = start({ reply: { text: "Yes.", end: "done-reason", doneReason: "length" } });
  const { values, error } = await drain(client.chat(body, never));
  expect(error).toBeUndefined();
  expect(values.at(-1)).toMatchObject({ done: true, doneReason: "length" });
});

test("thoughts are told apart from the answer", async () => {
  const client = start({
    models: [{ name: "tiny:latest", capabilities: ["completion", "thinking"] }],
    reply: { thinking: ["Hm. ", "So."], text: "Yes." },
  });
  const { values } = await drain(client.chat({ ...body, think: true }, never));
  expect(values.map((line) => line.thinking).join("")).toBe("Hm. So.");
  expect(textOf(values)).toBe("Yes.");
});

test("the request is what was asked for, streamed, and names no origin", async () => {
  const client = start();
  await drain(client.chat(body, never));
  const [chat] = ollama.chats;
  expect<unknown>(chat?.body).toEqual({ ...body, stream: true });
  expect(chat?.headers.get("origin")).toBeNull();
  expect(chat?.headers.get("host")).toBe(new URL(ollama.url).host);
});

test("an Ollama that answered a moment ago is not asked whether it is there", async () => {
  const client = start();
  await drain(client.chat(body, never));
  await drain(client.chat(body, never));
  expect(ollama.requests.map(({ path }) => path)).toEqual(["/api/version", "/api/chat", "/api/chat"]);
});

test("a preload is a chat without messages, with the same options", async () => {
  const client = start();
  const { messages, ...rest } = body;
  await client.preload(rest, never);
  expect<unknown>(ollama.loads[0]?.body).toEqual({ ...body, messages: [], stream: true });
  expect(ollama.chats).toEqual([]);
});

test("version, list, description and what runs are read", async () => {
  const client = start({
    models: [{ name: "tiny:latest", capabilities: ["completion", "vision"] }],
    version: "0.32.15",
  });
  expect(await client.version()).toBe("0.32.15");
  expect((await client.tags()).map(({ name }) => name)).toEqual(["tiny:latest"]);
  expect((await client.show("tiny:latest")).capabilities).toEqual(["completion", "vision"]);
  expect(await client.running()).toEqual([]);
});

test("an address with a path is kept", async () => {
  start();
  const outer = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: (request) =>
      fetch(ollama.url + new URL(request.url).pathname.replace(/^\/gpu/, ""), { proxy: false }),
  });
  expect(await clientOf(`http://127.0.0.1:${outer.port}/gpu`).version()).toBe("0.24.0");
  await outer.stop(true);
});

test("prompts do not go to the proxy that the environment names", async () => {
  const client = start();
  const { HTTP_PROXY: before } = process.env;
  Object.assign(process.env, { HTTP_PROXY: "http://127.0.0.1:1" });
  try {
    expect((await drain(client.chat(body, never))).error).toBeUndefined();
  } finally {
    if (before === undefined) Reflect.deleteProperty(process.env, "HTTP_PROXY");
    else Object.assign(process.env, { HTTP_PROXY: before });
  }
});
