import { expect, test } from "bun:test";
import { PassThrough } from "node:stream";
import { readLines } from "../../../src/doors/mcp/stdio/line-transport.ts";

/** The lines that are read of these pieces. */
async function linesOf(pieces: (string | Buffer)[]): Promise<string[]> {
  const input = new PassThrough();
  const lines: string[] = [];
  const ended = Promise.withResolvers<void>();
  readLines(input, (line) => lines.push(line), ended.resolve);
  for (const piece of pieces) input.write(piece);
  input.end();
  await ended.promise;
  return lines;
}

test("lines are read wherever the pieces are cut, also within a character", async () => {
  const whole = Buffer.from('{"a":"ü"}\r\n\n{"b":"日本"}\n{"c":1}');
  const expected = ['{"a":"ü"}', '{"b":"日本"}', '{"c":1}'];
  expect(await linesOf([whole])).toEqual(expected);
  expect(await linesOf([...whole].map((byte) => Buffer.from([byte])))).toEqual(expected);
});

test("a line over the bound ends the reading, and what came before it is there", async () => {
  const long = "x".repeat(1_048_576);
  const lines = await linesOf(["first\n", ...Array.from({ length: 11 }, () => long), "\nlast\n"]);
  expect(lines).toEqual(["first"]);
});
