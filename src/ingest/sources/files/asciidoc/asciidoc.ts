import type { AsciidocReader } from "../../../../markdown/asciidoc/asciidoc.ts";
import type { SourceItem } from "../../../source-reader.ts";
import { madeItem } from "../made-item.ts";
import type { ReadableFile } from "../tree-file.ts";
import type { AsciidocBooks } from "./books.ts";

export { asciidocBooks } from "./books.ts";

/** A page in AsciiDoc, with what it includes. */
export function asciidocItem(
  file: Pick<ReadableFile, "location" | "read">,
  {
    path,
    found,
    books,
    asciidoc,
  }: { path: string; found: string; books: AsciidocBooks; asciidoc: AsciidocReader },
): SourceItem {
  return madeItem(file, { path, found, format: "md", from: "adoc" }, async (text) =>
    asciidoc.page(await books.textOf(file.location, text), await books.placeOf(file.location)),
  );
}
