import { withQuartoIncludes } from "../../../generators/generators.ts";
import { decodeText } from "../../../text/decode-bytes.ts";
import type { SourceItem } from "../../source-reader.ts";
import type { AsciidocFiles } from "./asciidoc-item.ts";
import type { ReadableFile } from "./tree-file.ts";

/**
 * A page of Quarto or R Markdown with the files beside it that it takes in. It has no validator: one of these may have
 * changed although its own has not.
 */
export function quartoItem(
  { location, read }: Pick<ReadableFile, "location" | "read">,
  { path, found, tree }: { path: string; found: string; tree: AsciidocFiles },
): SourceItem {
  const faults: string[] = [];
  return {
    path,
    location,
    found,
    format: "qmd",
    faults,
    async read() {
      const bytes = await read();
      const text = decodeText(bytes, { html: false })?.text;
      // What is no text says so for itself.
      if (text === undefined) return bytes;
      const page = await withQuartoIncludes(tree, { location, text });
      faults.push(...page.faults);
      return new TextEncoder().encode(page.text);
    },
  };
}
