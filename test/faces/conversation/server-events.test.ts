import { describe, expect, test } from "bun:test";
import { createServerEvents } from "../../../src/faces/conversation/stream.ts";
import { seededRandom } from "../../../src/measuring/eval/seeded-random.ts";

const encode = (text: string) => new TextEncoder().encode(text);

function read(bytes: Uint8Array, cuts: readonly number[]): string[] {
  const events = createServerEvents();
  const edges = [0, ...cuts, bytes.length];
  return edges.slice(1).flatMap((end, at) => events.write(bytes.subarray(edges[at], end)));
}

describe("server-sent events", () => {
  const WIRE =
    ': ping\n\ndata: {"a":"é漢🙂"}\n\nevent: x\nid: 1\ndata:one\ndata: two\n\n: ping\r\n\r\ndata: crlf\r\n\r\ndata: cr\r\rdata: last\n\n';
  const EVENTS = ['{"a":"é漢🙂"}', "one\ntwo", "crlf", "cr", "last"];

  test("are read whole: comments and other fields say nothing, lines of data are joined", () => {
    expect(read(encode(WIRE), [])).toEqual(EVENTS);
  });

  test("may be cut at every byte, in the middle of a character too", () => {
    const bytes = encode(WIRE);
    for (let cut = 0; cut <= bytes.length; cut++)
      expect({ cut, events: read(bytes, [cut]) }).toEqual({ cut, events: EVENTS });
    expect(
      read(
        bytes,
        Array.from(bytes, (_, at) => at),
      ),
    ).toEqual(EVENTS);
  });

  test("and at any number of places at once", () => {
    const random = seededRandom(3);
    const bytes = encode(WIRE.repeat(3));
    for (let round = 0; round < 200; round++) {
      const cuts = Array.from({ length: 8 }, () => Math.floor(random() * bytes.length)).sort((a, b) => a - b);
      expect(read(bytes, cuts)).toEqual([...EVENTS, ...EVENTS, ...EVENTS]);
    }
  });

  test("one that is not ended is none, and bytes that are no text harm nothing", () => {
    expect(read(encode("data: x\n"), [])).toEqual([]);
    expect(read(new Uint8Array([...encode("data: a"), 0xff, 0xfe, ...encode("b\n\n")]), [])).toEqual([
      "a\ufffd\ufffdb",
    ]);
  });

  test("one that never ends is refused and not gathered", () => {
    const piece = encode("x".repeat(1_000_000));
    const endless = () => {
      const events = createServerEvents();
      for (let count = 0; count < 6; count++) events.write(piece);
    };
    const lines = () => {
      const events = createServerEvents();
      for (let count = 0; count < 6; count++) events.write(encode(`data: ${"x".repeat(1_000_000)}\n`));
    };
    expect(endless).toThrow("too large");
    expect(lines).toThrow("too large");
  });
});
