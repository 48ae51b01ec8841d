import { join } from "node:path";
import { isSkipped, type SourceReader } from "@docent/reading/source-reader";
import { canonicalPath } from "../question.ts";
import type { Dataset, Entry } from "./datasets.ts";

/** A part of a set's pages, as a source of a site. */
interface SetSource {
  location: string;
  language: string;
  reader: SourceReader;
}

/** The source readers for a set's pages: its folder, a folder for each language, or its entries. */
export function readersOf(
  { docs, languages, entries, folder }: Dataset,
  readFolder: (root: string) => SourceReader,
): SetSource[] {
  if (docs === undefined) {
    return [{ location: folder, language: "", reader: createEntryReader(entries) }];
  }
  if (languages.length === 0) return [{ location: docs, language: "", reader: readFolder(docs) }];
  return languages.map((language) => {
    const location = join(docs, language);
    return { location, language, reader: below(language, readFolder(location)) };
  });
}

/** The same pages with a folder before their paths, so that a path means the same page in every language. */
function below(folder: string, reader: SourceReader): SourceReader {
  return {
    async *list(context) {
      for await (const item of reader.list(context)) {
        yield isSkipped(item) ? item : { ...item, path: `${folder}/${item.path}` };
      }
    },
  };
}

function createEntryReader(entries: readonly Entry[]): SourceReader {
  return {
    async *list() {
      for (const { id, title, text } of entries) {
        yield {
          path: canonicalPath(id),
          location: id,
          found: "corpus",
          format: "md",
          read: async () =>
            new TextEncoder().encode(`---\ntitle: ${JSON.stringify(title)}\n---\n\n${text}\n`),
        };
      }
    },
  };
}
