import type { ListContext, Remembered } from "../../src/reading/source-reader.ts";

/** What a reader is given by a first run, or by one that remembers these locations. */
export function listContext(
  signal: AbortSignal = new AbortController().signal,
  remembered: Readonly<Record<string, Remembered>> = {},
): ListContext {
  return {
    signal,
    remembered: (location) => remembered[location],
    settled: () => (Object.keys(remembered).length === 0 ? undefined : new Map(Object.entries(remembered))),
    keepDocs: () => {},
  };
}
