import { afterEach, expect, test } from "bun:test";
import { OllamaFault } from "../../../src/models/ollama/faults.ts";
import { type FakeOllama, startFakeOllama } from "../../helpers/fake-ollama.ts";
import { appError, body, clientOf, drain, never, textOf } from "./helpers.ts";

let ollama: FakeOllama | undefined;
afterEach(() => ollama?.stop());

function kindOf(error: unknown): string {
  const { cause } = appError(error);
  if (cause instanceof OllamaFault) return cause.kind;
  throw new Error(`not a fault: ${cause}`);
}

test("a server that takes the call and says nothing costs the connect clock, not the first byte's", async () => {
  const silent = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
  const client = clientOf(`http://127.0.0.1:${silent.port}`, {
    connectMs: 50,
    firstByteMs: 60_000,
  });
  const { error } = await drain(client.chat(body, never));
  silent.stop(true);
  expect(appError(error).code).toBe("unavailable");
  expect(kindOf(error)).toBe("connect_timeout");
});

test("a slow load is waited for, far beyond the connect clock", async () => {
  ollama = startFakeOllama({ reply: { text: "Yes.", firstTokenMs: 400 } });
  const client = clientOf(ollama.url, { connectMs: 200, idleMs: 200 });
  const { values, error } = await drain(client.chat(body, never));
  expect(error).toBeUndefined();
  expect(textOf(values)).toBe("Yes.");
});

test("a first word that never comes is given up, told upstream, and not retried", async () => {
  ollama = startFakeOllama({ reply: { firstTokenMs: 60_000 } });
  const { error } = await drain(clientOf(ollama.url, { firstByteMs: 50 }).chat(body, never));
  expect(appError(error).code).toBe("unavailable");
  expect(kindOf(error)).toBe("first_byte_timeout");
  await ollama.until(() => ollama?.chats[0]?.aborted === true);
  expect(ollama.chats).toHaveLength(1);
});

test("a stream that falls silent is a failure, and told upstream", async () => {
  ollama = startFakeOllama({ reply: { text: ["One ", "two "], end: "hang" } });
  const { values, error } = await drain(clientOf(ollama.url, { idleMs: 50 }).chat(body, never));
  expect(textOf(values)).toBe("One two ");
  expect(appError(error).code).toBe("model_failed");
  expect(kindOf(error)).toBe("idle_timeout");
  await ollama.until(() => ollama?.chats[0]?.aborted === true);
});

test("the time that the consumer takes is not the model's", async () => {
  ollama = startFakeOllama({ reply: { text: ["One ", "two ", "three."] } });
  const lines: string[] = [];
  for await (const line of clientOf(ollama.url, { idleMs: 400 }).chat(body, never)) {
    lines.push(line.content);
    // Longer than the model may be silent, and than a busy machine needs to hand over what has come.
    if (lines.length === 1) await Bun.sleep(500);
  }
  expect(lines.join("")).toBe("One two three.");
});
