import { createDocsTree, type DocsTree } from "../../../generators/generators.ts";
import { type Included, readAsciidoc } from "../../../markdown/asciidoc/asciidoc.ts";
import type { SourceItem } from "../../source-reader.ts";
import type { ReadableFile } from "./tree-file.ts";
import { writtenItem } from "./written-item.ts";

/** What a page in AsciiDoc may include: the files beside it. */
export type AsciidocFiles = Pick<DocsTree, "has" | "text" | "unread">;

/** The files that pages of a tree may include. */
export const asciidocFiles = (
  files: readonly ReadableFile[],
  { fileBytesMax, signal }: { fileBytesMax: number; signal?: AbortSignal | undefined },
): AsciidocFiles =>
  createDocsTree(
    files.filter(({ sizeBytes }) => sizeBytes <= fileBytesMax),
    signal,
  );

/** A page in AsciiDoc, made Markdown when it is read. */
export const asciidocItem = (
  file: Pick<ReadableFile, "location" | "read">,
  { path, found, tree }: { path: string; found: string; tree: AsciidocFiles },
): SourceItem =>
  writtenItem(file, {
    path,
    found,
    format: "md",
    async write(text) {
      const include = (target: string, from: string) => included(tree, target, from);
      const page = await readAsciidoc(text, { location: file.location, include });
      // JSON is YAML.
      return { text: `---\n${JSON.stringify(page.data)}\n---\n${page.markdown}`, faults: page.faults };
    },
  });

async function included(tree: AsciidocFiles, target: string, from: string): Promise<Included | string> {
  const location = locationBeside(from, target);
  const text = location === undefined ? undefined : await tree.text(location);
  if (location !== undefined && text !== undefined) return { location, text };
  return location !== undefined && tree.has(location) ? "cannot be read as text" : "is not in this source";
}

/** Where a target lies that is written beside a file; undefined outside of the source. */
function locationBeside(from: string, target: string): string | undefined {
  if (target.startsWith("/")) return undefined;
  const segments = from.split("/").slice(0, -1);
  for (const name of target.replaceAll("\\", "/").split("/")) {
    if (name === "" || name === ".") continue;
    if (name !== "..") segments.push(name);
    else if (segments.pop() === undefined) return undefined;
  }
  return segments.join("/");
}
