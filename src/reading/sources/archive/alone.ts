import type { AsciidocReader } from "../../markdown/asciidoc/asciidoc.ts";
import type { SourceItem } from "../../source-reader.ts";
import {
  asciidocBooks,
  asciidocItem,
  includedFiles,
  manualItem,
  manualNames,
  orgItem,
  orgPages,
  podItem,
  podPages,
  quartoItem,
  type ReadableFile,
} from "../files/files.ts";

/** The formats of files that are made Markdown without any other file. */
const FORMATS = ["man", "org", "pod", "adoc", "qmd"] as const;
type AloneFormat = (typeof FORMATS)[number];

export const isAlone = (format: string): format is AloneFormat => FORMATS.some((each) => each === format);

interface Place {
  path: string;
  found: string;
  format: AloneFormat;
  asciidoc: AsciidocReader;
}

/** What is not held cannot be included. */
const NOTHING = includedFiles([], { fileBytesMax: 0 });

/** A page that is made without any other file. */
export function itemAlone(
  file: Pick<ReadableFile, "location" | "read">,
  { path, found, format, asciidoc }: Place,
): SourceItem {
  const place = { path, found };
  switch (format) {
    case "man":
      return manualItem(file, { ...place, names: manualNames([], new Map()) });
    case "org":
      return orgItem(file, { ...place, tree: NOTHING, others: orgPages([], NOTHING) });
    case "pod":
      return podItem(file, { ...place, pods: podPages([], NOTHING) });
    case "adoc":
      return asciidocItem(file, { ...place, books: asciidocBooks([], NOTHING), asciidoc });
    case "qmd":
      return quartoItem(file, { ...place, tree: NOTHING });
  }
}
