import { describe, expect, test } from "bun:test";
import { textStream } from "../../src/doors/analytics/export.ts";

function opened(count: number, fault?: Error) {
  const seen = { made: 0, ended: 0, finished: false };
  const stop = new AbortController();
  async function* texts() {
    try {
      for (; seen.made < count; seen.made++) yield `line ${seen.made}\n`;
      if (fault) throw fault;
    } finally {
      seen.finished = true;
    }
  }
  const stream = textStream(texts(), { signal: stop.signal, onEnd: () => seen.ended++ });
  return { stream, stop, seen };
}

describe("texts as a body", () => {
  test("arrive whole, and end", async () => {
    const { stream, seen } = opened(3);
    expect(await new Response(stream).text()).toBe("line 0\nline 1\nline 2\n");
    expect(seen).toEqual({ made: 3, ended: 1, finished: true });
  });

  test("are made as they are read: none wait in memory for a slow reader", async () => {
    const { stream, seen } = opened(1000);
    const reader = stream.getReader();
    for (let read = 0; read < 5; read++) await reader.read();
    await Bun.sleep(5);
    expect(seen.made).toBeLessThan(8);
    await reader.cancel();
    expect(seen).toMatchObject({ ended: 1, finished: true });
  });

  test("that fail are cut off, so that nobody takes them for the whole", async () => {
    const { stream, seen } = opened(2, new Error("the disk failed"));
    expect(new Response(stream).text()).rejects.toThrow("the disk failed");
    while (seen.ended === 0) await Bun.sleep(1);
    expect(seen.ended).toBe(1);
  });

  test("end when they are stopped, read on or not", async () => {
    for (const isReadOn of [true, false]) {
      const { stream, stop, seen } = opened(1000);
      const reader = stream.getReader();
      await reader.read();
      stop.abort(new Error("the server stops"));
      if (isReadOn) expect(Array.fromAsync(readAll(reader))).rejects.toThrow("the server stops");
      while (!seen.finished) await Bun.sleep(1);
      expect(seen.ended).toBe(1);
    }
  });
});

async function* readAll(reader: { read(): Promise<{ done: boolean }> }) {
  for (let next = await reader.read(); !next.done; next = await reader.read()) yield next;
}
