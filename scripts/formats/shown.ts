import { type ParsedPage, parsePage } from "../../src/reading/markdown/page.ts";
import { isSkipped } from "../../src/reading/source-reader.ts";
import { createFolderReader } from "../../src/reading/sources/folder/folder.ts";
import { listContext } from "../../test/helpers/list-context.ts";
import type { ComparedPage } from "../generators/shown-words.ts";

const FILE_BYTES_MAX = 50_000_000;

/** The words that another program shows of each file. */
export type Published = Readonly<Record<string, readonly string[]>>;

/** Reads a folder's pages as a run reads them, beside what was published of them. */
export async function compareFiles(folder: string, published: Published): Promise<ComparedPage[]> {
  const shown = await shownOf(folder, new Set(Object.keys(published)));
  return Object.entries(published).flatMap(([path, lines]) => {
    const page = shown.get(path);
    return page === undefined ? [] : [{ path, lines, page }];
  });
}

/** What is shown of each file. What a document is cut into follows it, also where that stands in other files. */
async function shownOf(folder: string, files: ReadonlySet<string>): Promise<ReadonlyMap<string, ParsedPage>> {
  const shown = new Map<string, ParsedPage>();
  let file = "";
  const reader = createFolderReader({ root: folder, fileBytesMax: FILE_BYTES_MAX });
  for await (const item of reader.list(listContext())) {
    if (isSkipped(item)) continue;
    const { path, format, location } = item;
    const page = parsePage(new TextDecoder().decode(await item.read()), { fallbackTitle: path, format });
    const own = location.replace(/#.*$/, "");
    if (files.has(own)) file = own;
    const before = shown.get(file);
    shown.set(file, before === undefined ? page : joined(before, page));
  }
  return shown;
}

const joined = (before: ParsedPage, { title, passages }: ParsedPage): ParsedPage => ({
  ...before,
  passages: [
    ...before.passages,
    ...passages.map((passage) => ({ ...passage, headingPath: [title, ...passage.headingPath] })),
  ],
});
