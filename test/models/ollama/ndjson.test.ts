import { expect, test } from "bun:test";
import { readNdjson } from "../../../src/models/ollama/client/chat.ts";
import { OllamaFault } from "../../../src/models/ollama/faults.ts";

async function* chunksOf(...chunks: (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield typeof chunk === "string" ? new TextEncoder().encode(chunk) : chunk;
}

const read = (...chunks: (string | Uint8Array)[]) => Array.fromAsync(readNdjson(chunksOf(...chunks)));

async function faultOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => undefined,
    (thrown) => thrown,
  );
  return error instanceof OllamaFault ? error.kind : String(error);
}

test("several lines in one chunk are several values", async () => {
  expect(await read('{"a":1}\n{"a":2}\n')).toEqual([{ a: 1 }, { a: 2 }]);
});

test("a line over several chunks is one value, even when a character is cut in two", async () => {
  const bytes = new TextEncoder().encode('{"a":"héllo 🙂"}\n{"a":"日本"}\n');
  const single = Array.from(bytes, (byte) => Uint8Array.of(byte));
  expect(await read(...single)).toEqual([{ a: "héllo 🙂" }, { a: "日本" }]);
});

test("a last line without its newline counts", async () => {
  expect(await read('{"a":1}\n{"a"', ":2}")).toEqual([{ a: 1 }, { a: 2 }]);
});

test("blank lines and carriage returns are nothing", async () => {
  expect(await read('\n\r\n{"a":1}\r\n\n  \n')).toEqual([{ a: 1 }]);
});

test("no bytes are no values", async () => {
  expect(await read()).toEqual([]);
});

test("a line that is not JSON is a protocol fault, after the lines before it", async () => {
  const seen: unknown[] = [];
  const work = (async () => {
    for await (const value of readNdjson(chunksOf('{"a":1}\n<html>\n'))) seen.push(value);
  })();
  expect(await faultOf(work)).toBe("protocol");
  expect(seen).toEqual([{ a: 1 }]);
});

test("a line that never ends is refused, and not kept", async () => {
  async function* endless() {
    while (true) yield new Uint8Array(100).fill(0x20);
  }
  const work = Array.fromAsync(readNdjson(endless(), { lineCharactersMax: 1000 }));
  expect(await faultOf(work)).toBe("protocol");
});
