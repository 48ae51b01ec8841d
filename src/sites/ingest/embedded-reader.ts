import type { SourceReader } from "@docent/reading/source-reader";

/** Pages that are inside the program: file names with their Markdown. */
export function createEmbeddedReader(files: Readonly<Record<string, string>>): SourceReader {
  return {
    async *list() {
      for (const [location, text] of Object.entries(files)) {
        const path = location.replace(/\.md$/, "").replace(/(^|\/)index$/, "");
        yield {
          path,
          location,
          found: "inside the program",
          format: "md",
          read: async () => new TextEncoder().encode(text),
        };
      }
    },
  };
}
