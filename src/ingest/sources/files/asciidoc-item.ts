import { createDocsTree, type DocsTree } from "../../../generators/generators.ts";
import { type Included, readAsciidoc } from "../../../markdown/asciidoc/asciidoc.ts";
import { decodeText } from "../../../text/decode-bytes.ts";
import type { SourceItem } from "../../source-reader.ts";
import type { ReadableFile } from "./tree-file.ts";

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

/**
 * A page in AsciiDoc, made Markdown when it is read. It has no validator: a file that it includes may have changed
 * although its own has not.
 */
export function asciidocItem(
  { location, read }: Pick<ReadableFile, "location" | "read">,
  { path, found, tree }: { path: string; found: string; tree: AsciidocFiles },
): SourceItem {
  const faults: string[] = [];
  return {
    path,
    location,
    found,
    format: "md",
    faults,
    async read() {
      const bytes = await read();
      const text = decodeText(bytes, { html: false })?.text;
      // What is no text says so for itself.
      if (text === undefined) return bytes;
      const include = (target: string, from: string) => included(tree, target, from);
      const page = await readAsciidoc(text, { location, include });
      faults.push(...page.faults);
      // JSON is YAML.
      return new TextEncoder().encode(`---\n${JSON.stringify(page.data)}\n---\n${page.markdown}`);
    },
  };
}

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
