import { readAsciidoc } from "../../../markdown/asciidoc/asciidoc.ts";
import type { SourceItem } from "../../source-reader.ts";
import { type IncludedFiles, includedFrom } from "./included-files.ts";
import { madeItem } from "./made-item.ts";
import type { ReadableFile } from "./tree-file.ts";

/** A page in AsciiDoc, with what it includes. */
export function asciidocItem(
  file: Pick<ReadableFile, "location" | "read">,
  { path, found, tree }: { path: string; found: string; tree: IncludedFiles },
): SourceItem {
  const include = (target: string, from: string) => includedFrom(tree, target, from);
  return madeItem(file, { path, found, format: "md" }, (text) =>
    readAsciidoc(text, { location: file.location, include }),
  );
}
