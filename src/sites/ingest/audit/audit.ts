import type { RunSigns } from "@docent/kernel/text/lost-links/run-signs";
import type { Passage } from "@docent/reading/markdown/page";

/** What is noticed, page by page, of how a source was read. */
export interface Audit {
  /** A file became a page. */
  page(location: string): void;
  /** A page was read. */
  read(page: { passages: readonly Pick<Passage, "text">[] }): void;
  /** A file of a source is no page, and its docs say nothing of it. */
  beside(location: string): void;
  /** Files that git is told to ignore, and that could be pages. */
  ignored(files: number): void;
  signs(): RunSigns;
}

/** What people write docs in. */
const WRITTEN = /\.(?:mdx?|markdown|rst|adoc|asciidoc|qmd|rmd|org)$/i;
/** What the folder of all docs is called, of those that hold pages. */
const DOCS = /^(?:docs?|documentation|content|website)$/i;
/** No page in any docs: what is beside them for their authors. */
const FOR_AUTHORS =
  /(?:^|\/)(?:_[^/]*|\.[^/]*|readme|changelog|changes|contributing|license|code_of_conduct|security|summary|agents|claude)(?:\.[^/]*)?$/i;
const FOLDERS_NAMED = 5;

export function createAudit(): Audit {
  const written: string[] = [];
  const beside: string[] = [];
  const beginnings = new Map<string, number>();
  let ignored = 0;
  let pages = 0;
  let blank = 0;
  let passages = 0;
  return {
    page(location) {
      if (WRITTEN.test(location)) written.push(location);
    },
    read(page) {
      pages += 1;
      if (page.passages.every(({ text }) => text.trim() === "")) blank += 1;
      for (const { text } of page.passages) {
        passages += 1;
        const beginning = beginningOf(text);
        if (beginning !== undefined) beginnings.set(beginning, (beginnings.get(beginning) ?? 0) + 1);
      }
    },
    beside(location) {
      if (WRITTEN.test(location) && !FOR_AUTHORS.test(location)) beside.push(location);
    },
    ignored(files) {
      ignored += files;
    },
    signs() {
      const folders = new Set(written.map(folderOfDocs));
      const left = beside.filter((location) => isBelowOneOf(folders, location));
      const [beginning, alike] = [...beginnings].sort(([, a], [, b]) => b - a)[0] ?? ["", 0];
      return {
        files: written.length + left.length + ignored,
        became: written.length,
        ignored,
        folders: largestFolders(left),
        pages,
        blank,
        passages,
        alike,
        beginning,
      };
    },
  };
}

/** The folder that a page's docs are in: the outermost that is called so, or else its own. */
function folderOfDocs(location: string): string {
  const parts = location.split("/").slice(0, -1);
  const at = parts.findIndex((part) => DOCS.test(part));
  return (at < 0 ? parts : parts.slice(0, at + 1)).join("/");
}

function isBelowOneOf(folders: ReadonlySet<string>, location: string): boolean {
  const parts = location.split("/").slice(0, -1);
  // What lies beside a page at the top is none of a folder's.
  if (parts.length === 0) return folders.has("");
  return parts.some((_, index) => folders.has(parts.slice(0, index + 1).join("/")));
}

/** The folders that hold most of some files. */
function largestFolders(locations: readonly string[]): string[] {
  const counts = Map.groupBy(locations, (location) => location.replace(/\/?[^/]*$/, "") || ".");
  return [...counts]
    .sort(([, a], [, b]) => b.length - a.length)
    .slice(0, FOLDERS_NAMED)
    .map(([folder, { length }]) => `${folder} (${length})`);
}

/** A mark of some program's, which nobody reads: with brackets in or around one word. */
const MARK =
  /^[^\s[\](){}<>`]{0,20}(?:\[[^\s\]]{1,80}\]|\{[^\s}]{1,80}\}|<[^\s>]{1,80}>|%[^\s%]{1,80}%)[^\s\p{L}]{0,3}$/u;

/** What a passage begins with, as far as others could begin so: a mark without what differs in it. */
function beginningOf(text: string): string | undefined {
  const [line = ""] = text.trimStart().split("\n", 1);
  const first = line.trim();
  if (!MARK.test(first)) return undefined;
  return first.replace(/(?<=[[{<%]).+(?=[\]}>%])/u, "…");
}
