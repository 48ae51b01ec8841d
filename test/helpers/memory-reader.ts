import type { Skipped, SourceReader } from "../../src/reading/source-reader.ts";

/** A source that is text by path. What is an Error is thrown in the place of that page. */
export function memoryReader(
  files: Readonly<Record<string, string | Error>>,
  skipped: Skipped[] = [],
): SourceReader {
  return {
    async *list() {
      yield* skipped;
      for (const [path, text] of Object.entries(files)) {
        if (text instanceof Error) throw text;
        yield {
          path,
          location: `${path}.md`,
          found: "test",
          format: "md",
          read: async () => new TextEncoder().encode(text),
        };
      }
    },
  };
}
