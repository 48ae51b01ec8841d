import { withQuartoIncludes } from "../../../generators/generators.ts";
import type { SourceItem } from "../../source-reader.ts";
import type { IncludedFiles } from "./included-files.ts";
import type { ReadableFile } from "./tree-file.ts";
import { writtenItem } from "./written-item.ts";

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
