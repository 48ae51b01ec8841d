import { decodeText } from "@docent/kernel/text/decode-bytes";
import { withQuartoIncludes } from "../../generators/generators.ts";
import type { Authored } from "../../markdown/kept-words/kept-words.ts";
import type { PlainText, SourceItem } from "../../source-reader.ts";
import type { IncludedFiles } from "./included-files.ts";
import { authoredAs } from "./page-file.ts";
import type { ReadableFile } from "./tree-file.ts";

/** How a page is written anew when it is read, with what it takes from the files beside it. */
export interface PageWriting {
  path: string;
  found: string;
  /** What it is then. */
  format: SourceItem["format"];
  /** What it is before. */
  from: PlainText["format"];
  write(text: string): Promise<{ text: string; faults: readonly string[] }>;
}

/** Has no validator: a file that the page takes in may have changed although its own has not. */
export function writtenItem(
  { location, read }: Pick<ReadableFile, "location" | "read">,
  { path, found, format, from, write }: PageWriting,
): SourceItem {
  const faults: string[] = [];
  let authored: Authored | undefined;
  return {
    path,
    location,
    found,
    format,
    faults,
    authored: () => authored,
    async plain() {
      const text = decodeText(await read(), { html: false })?.text;
      return text === undefined ? undefined : { text, format: from };
    },
    async read() {
      const bytes = await read();
      const text = decodeText(bytes, { html: false })?.text;
      // What is no text says so for itself.
      if (text === undefined) return bytes;
      const written = authoredAs(location);
      authored = written === undefined ? undefined : { text, format: written };
      const page = await write(text);
      faults.push(...page.faults);
      return new TextEncoder().encode(page.text);
    },
  };
}

/** A page of Quarto or R Markdown with the files beside it that it takes in. */
export const quartoItem = (
  file: Pick<ReadableFile, "location" | "read">,
  { path, found, tree }: { path: string; found: string; tree: IncludedFiles },
): SourceItem =>
  writtenItem(file, {
    path,
    found,
    format: "qmd",
    from: "qmd",
    write: (text) => withQuartoIncludes(tree, { location: file.location, text }),
  });
