/** A page's text, as readers see it. */
export interface PageText {
  path: string;
  text: string;
}

/** Finds the pages that contain something literally, in any case. */
export interface Occurrences {
  pagesWith(thing: string): string[];
}

const WORD = /[\p{L}\p{N}_]+/gu;
const WORD_CHARACTER = /[\p{L}\p{N}_]/u;
const MARK = /[^\p{L}\p{N}_\s.,;:!?()[\]{}"'“”‘’`]/u;

/**
 * Text in lower case on one line: a phrase may be broken anywhere, and `operator <<` is written with or
 * without the space.
 */
const flatten = (text: string): string =>
  text
    .toLowerCase()
    .replace(/\s+/g, " ")
    .replace(/(?<=\boperator) (?=[-+*/%<>=!&|~^])/g, "");

/** Looks only at the pages with the rarest of the thing's words. */
export function createOccurrences(pages: readonly PageText[]): Occurrences {
  const flat = pages.map(({ path, text }) => ({ path, text: flatten(text) }));
  const pagesOfWord = new Map<string, typeof flat>();
  for (const page of flat) {
    for (const word of new Set(page.text.match(WORD))) {
      const known = pagesOfWord.get(word);
      if (known) known.push(page);
      else pagesOfWord.set(word, [page]);
    }
  }
  return {
    pagesWith(thing) {
      const wanted = flatten(thing);
      const byWord = (wanted.match(WORD) ?? []).map((word) => pagesOfWord.get(word) ?? []);
      const fewest = byWord.toSorted((a, b) => a.length - b.length)[0] ?? flat;
      return fewest.filter(({ text }) => occursIn(text, wanted)).map(({ path }) => path);
    },
  };
}

/** Whether it stands there on its own, not within a longer name. */
function occursIn(text: string, thing: string): boolean {
  for (let at = text.indexOf(thing); at >= 0; at = text.indexOf(thing, at + 1)) {
    const before = text[at - 1] ?? " ";
    const behind = text[at + thing.length] ?? " ";
    if (isApart(before, thing[0] ?? "") && isApart(behind, thing.at(-1) ?? "")) return true;
  }
  return false;
}

/** A mark at either end must not touch a word or another mark; a letter must not touch a word. */
function isApart(beside: string, end: string): boolean {
  if (WORD_CHARACTER.test(beside)) return false;
  return WORD_CHARACTER.test(end) || !MARK.test(beside);
}
