import { createDocsTree, type DocsTree } from "../../generators/generators.ts";
import type { ReadableFile } from "./tree-file.ts";

/** What a page may include: the files beside it. */
export type IncludedFiles = Pick<DocsTree, "has" | "text" | "unread">;

/** The files that pages of a tree may include. */
export const includedFiles = (
  files: readonly ReadableFile[],
  { fileBytesMax, signal }: { fileBytesMax: number; signal?: AbortSignal | undefined },
): IncludedFiles =>
  createDocsTree(
    files.filter(({ sizeBytes }) => sizeBytes <= fileBytesMax),
    signal,
  );

/** A file that another one includes; a string says why it is not taken. */
export async function includedFrom(
  tree: IncludedFiles,
  target: string,
  from: string,
): Promise<{ location: string; text: string } | string> {
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
