import { short } from "./pdfjs.ts";

/** What was found of a document's pages. */
export interface PageNotes {
  all: number;
  /** How many of them are read; the first ones. */
  read: number;
  /** Those without a single letter. */
  empty: number[];
  /** Those most of whose letters have no meaning. */
  unknown: number[];
  broken: { page: number; why: string }[];
  characters: number;
  /** Those of them that have no meaning. */
  unknownCharacters: number;
}

/** Why a document has nothing to read, where it has not. */
export function whyNothing({
  all,
  read,
  empty,
  broken,
  characters,
  unknownCharacters,
}: PageNotes): string | undefined {
  if (all === 0) return "is damaged: it has no pages";
  if (characters === 0) {
    const [first] = broken;
    if (first !== undefined && empty.length === 0) return `is damaged: ${short(first.why)}`;
    return `has no text: a scan of ${read === 1 ? "one page" : `${read} pages`}`;
  }
  if (characters - unknownCharacters < 0.1 * characters)
    return "has no text that can be read: its fonts don't say which letters they show";
  return undefined;
}

/** What is not read of a document that is read otherwise. */
export function pageFaults({ all, read, empty, unknown, broken }: PageNotes): string[] {
  const faults: string[] = [];
  if (read < all) faults.push(`has ${all} pages: those after page ${read} are not read`);
  if (empty.length > 0) faults.push(`has no text on ${pagesIn(empty)}: pictures or scans`);
  if (unknown.length > 0)
    faults.push(
      `has letters without a meaning on ${pagesIn(unknown)}: their fonts don't say which they show`,
    );
  const [first] = broken;
  if (first !== undefined)
    faults.push(`is damaged on ${pagesIn(broken.map(({ page }) => page))}: ${short(first.why)}`);
  return faults;
}

const RANGES_MAX = 12;

/** `page 3`, `pages 1, 4-9 and 12`. */
function pagesIn(pages: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const page of pages) {
    const last = ranges.at(-1);
    if (last !== undefined && last[1] === page - 1) last[1] = page;
    else ranges.push([page, page]);
  }
  const said = ranges.slice(0, RANGES_MAX).map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`));
  if (ranges.length > RANGES_MAX) return `${pages.length} pages, ${said.join(", ")} and others`;
  const end = said.pop() ?? "";
  return `${pages.length === 1 ? "page" : "pages"} ${said.length === 0 ? end : `${said.join(", ")} and ${end}`}`;
}
