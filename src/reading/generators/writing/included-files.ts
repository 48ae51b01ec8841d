import type { DocsTree } from "../docs-tree.ts";

/** The files that can be taken in. */
type IncludedTree = Pick<DocsTree, "has" | "text" | "unread">;

/** What a page takes in. A file may take in others, many times each, and all of it may be anybody's. */
export interface Inclusions {
  tree: IncludedTree;
  charactersLeft: number;
  filesLeft: number;
  words: Readonly<Record<Obstacle, string>>;
}

/** Why a file is not taken in. */
type Obstacle = "outside" | "missing" | "loop" | "deep" | "long" | "binary" | "unread";

/** Each completes "intro.md, which it includes, …". */
const WORDS: Readonly<Record<Obstacle, string>> = {
  outside: "is not in this source",
  missing: "is not in this source",
  loop: "includes itself",
  deep: "is nested too deeply",
  long: "makes the page too long",
  binary: "is no text",
  unread: "cannot be read",
};

const DEEP_MAX = 10;
const CHARACTERS_MAX = 5_000_000;
const FILES_MAX = 2_000;

/** What a page has not yet taken in. `words` are those that a generator's own marks want. */
export const createInclusions = (
  tree: IncludedTree,
  words: Partial<Record<Obstacle, string>> = {},
): Inclusions => ({
  tree,
  charactersLeft: CHARACTERS_MAX,
  filesLeft: FILES_MAX,
  words: { ...WORDS, ...words },
});

/** A file that is taken in, or why it is not. */
type Included = { location: string; text: string; fault?: undefined } | { fault: string };

/**
 * Reads a file that a page takes in; `location` is undefined for one outside of the source. `above` are the page and
 * the files that the file is named in, the outermost first.
 */
export async function readIncluded(
  inclusions: Inclusions,
  location: string | undefined,
  above: readonly string[],
): Promise<Included> {
  const { tree, words } = inclusions;
  if (location === undefined) return { fault: words.outside };
  if (!tree.has(location)) return { fault: words.missing };
  if (above.includes(location)) return { fault: words.loop };
  if (above.length > DEEP_MAX) return { fault: words.deep };
  inclusions.filesLeft -= 1;
  if (inclusions.filesLeft < 0 || inclusions.charactersLeft <= 0) return { fault: words.long };
  const text = await tree.text(location);
  if (text === undefined) return { fault: tree.unread().has(location) ? words.unread : words.binary };
  inclusions.charactersLeft -= text.length;
  return inclusions.charactersLeft < 0 ? { fault: words.long } : { location, text };
}

/** A text that is put into a page; "" where there would be too much in it. */
export function takenIn(inclusions: Inclusions, text: string): string {
  inclusions.charactersLeft -= text.length;
  return inclusions.charactersLeft < 0 ? "" : text;
}
