import { letOthersRun } from "@docent/kernel/lib/event-loop";
import type { NamedPassage } from "../search-store.ts";
import { matchName } from "./match-name.ts";
import { ADDRESS, createBeginnings, formsOf, formsOfPage, type NameForm } from "./names.ts";
import type { Named } from "./order-names.ts";
import { type Spelling, wordAt } from "./spelling.ts";
import type { Typed } from "./typed.ts";

/** A page of which a name is. */
interface NamedPage {
  path: string;
  language: string;
}

/** What a page or a section is called. */
export interface Name {
  passageId: number;
  page: NamedPage;
  anchor: string;
  /** As it is written, in lower case. */
  written: string;
  /** 0 for a page, and more for a section the deeper it is. */
  level: number;
  forms: readonly NameForm[];
  /** Where it is among the site's names. */
  position: number;
}

/** Finds names by what was typed. */
export interface NameList {
  size: number;
  /** Words that many titles begin with. */
  beginnings: ReadonlySet<string>;
  find(typed: Typed): Promise<Named[]>;
  /** Whether so many pages have a section of this name that it says of none what it is about: "Options", `--json`. */
  isCommon(name: Name): boolean;
  /** The words of all names that begin with a letter. */
  wordsWith(letter: string): readonly string[];
}

/** Names that begin alike in one of their words are looked through together. */
const KEY_LETTERS = 3;
/** So many are compared with what was typed; a letter or two may be in far more. */
const COMPARED_MAX = 2000;
/** So many names are known of a site: of a larger one, those of its pages and of the sections that come first. */
const NAMES_MAX = 50_000;
/** A name that more pages have is common. */
const PAGES_MAX = 3;
/** Take about a millisecond: so many names to compare, and so many passages to read names of. */
const AT_ONCE = 500;
const READ_AT_ONCE = 50;

export async function createNameList(passages: AsyncIterable<readonly NamedPassage[]>): Promise<NameList> {
  const { names, beginnings, pagesOf } = await readNames(passages);
  const byKey = new Map<string, number[]>();
  const words = new Map<string, Set<string>>();
  // Pages first: where there are too many to compare, these are.
  const pagesFirst: Name[] = [
    ...names.filter(({ level }) => level === 0),
    ...names.filter(({ level }) => level > 0),
  ];
  for (const [index, { forms }] of pagesFirst.entries()) {
    if (index % READ_AT_ONCE === 0) await letOthersRun();
    const [whole, ...others] = forms;
    const ofAddress = others.find(({ part }) => part === ADDRESS);
    for (const form of [whole, ofAddress]) if (form) addWords(form.spelling, index, byKey, words);
  }
  const sorted = new Map([...words].map(([letter, own]) => [letter, [...own]]));
  return {
    size: names.length,
    beginnings,
    wordsWith: (letter) => sorted.get(letter) ?? [],
    async find(typed) {
      const found: Named[] = [];
      let compared = 0;
      for (const index of candidates(typed, byKey)) {
        if (++compared % AT_ONCE === 0) await letOthersRun();
        const name = pagesFirst[index];
        const match = name && matchName(typed, name.forms);
        if (name && match) found.push({ name, match });
      }
      return found;
    },
    isCommon: (name) => (pagesOf.get(lettersOf(name))?.count ?? 0) > PAGES_MAX,
  };
}

const lettersOf = ({ forms }: Pick<Name, "forms">) => forms[0]?.spelling.letters ?? "";

function addWords(
  { letters, starts }: Spelling,
  index: number,
  byKey: Map<string, number[]>,
  words: Map<string, Set<string>>,
): void {
  for (const [at, start] of starts.entries()) {
    const key = letters.slice(start, start + KEY_LETTERS);
    const own = byKey.get(key);
    if (own === undefined) byKey.set(key, [index]);
    else if (own.at(-1) !== index) own.push(index);
    const letter = letters[start] ?? "";
    const known = words.get(letter) ?? new Set();
    words.set(letter, known.add(wordAt({ letters, starts }, at)));
  }
}

/**
 * The names that have the beginning of the first word that was typed: however a name's words are joined, it begins where one
 * of them does. Where those are too many, the names with the rarest beginning of a word.
 */
function candidates({ words }: Typed, byKey: ReadonlyMap<string, number[]>): Iterable<number> {
  const lists = words.map((word) => namesWith(word.slice(0, KEY_LETTERS), byKey));
  const [first = new Set()] = lists;
  if (first.size < COMPARED_MAX) return first;
  return lists.reduce((rarest, list) => (list.size < rarest.size ? list : rarest), first);
}

function namesWith(key: string, byKey: ReadonlyMap<string, number[]>): Set<number> {
  if (key.length === KEY_LETTERS) return new Set(byKey.get(key)?.slice(0, COMPARED_MAX));
  const found = new Set<number>();
  for (const [other, own] of byKey) {
    if (!other.startsWith(key)) continue;
    for (const index of own) {
      if (found.size >= COMPARED_MAX) return found;
      found.add(index);
    }
  }
  return found;
}

/** The names of pages and sections, in the order of the site, and how many pages have each. */
async function readNames(batches: AsyncIterable<readonly NamedPassage[]>) {
  const passages: NamedPassage[] = [];
  for await (const batch of batches) passages.push(...batch);
  const beginnings = await readBeginnings(passages);
  const names: Name[] = [];
  const pagesOf = new Map<string, { path: string; count: number }>();
  let page: NamedPage = { path: "", language: "" };
  let pageId: number | undefined;
  let seen = new Set<string>();
  for (const [index, passage] of passages.entries()) {
    if (index % READ_AT_ONCE === 0) await letOthersRun();
    // A page comes with all of its passages.
    const isNew = passage.pageId !== pageId;
    if (isNew) {
      seen = new Set();
      page = { path: passage.path, language: passage.language };
      pageId = passage.pageId;
    }
    for (const name of [...(isNew ? [pageNameOf(passage, beginnings)] : []), ...sectionNamesOf(passage)]) {
      const key = `${name.level} ${name.anchor}`;
      if (seen.has(key) || name.forms.length === 0 || (name.level > 0 && names.length >= NAMES_MAX)) continue;
      seen.add(key);
      names.push({ ...name, page, position: names.length });
      const letters = lettersOf(name);
      const own = pagesOf.get(letters);
      // A page in several versions is one.
      if (own?.path !== page.path) pagesOf.set(letters, { path: page.path, count: (own?.count ?? 0) + 1 });
    }
  }
  return { names, beginnings, pagesOf };
}

async function readBeginnings(passages: readonly NamedPassage[]): Promise<Set<string>> {
  const beginnings = createBeginnings();
  let last: number | undefined;
  for (const [index, { pageId, title }] of passages.entries()) {
    if (index % AT_ONCE === 0) await letOthersRun();
    if (pageId !== last) beginnings.add(title);
    last = pageId;
  }
  return beginnings.common();
}

type ReadName = Omit<Name, "page" | "position">;

function pageNameOf(passage: NamedPassage, beginnings: ReadonlySet<string>): ReadName {
  const { passageId, path, title, sections } = passage;
  const [first] = sections;
  const anchor = first !== undefined && isTitle(first.headings, title) ? first.anchor : "";
  const forms = formsOfPage(title, path, beginnings);
  return { passageId, anchor, written: title.toLowerCase(), level: 0, forms };
}

const sectionNamesOf = ({ passageId, title, sections }: NamedPassage): ReadName[] =>
  sections
    .filter(({ headings }) => !isTitle(headings, title))
    .map(({ anchor, headings }) => {
      const own = headings.at(-1) ?? "";
      const level = headings[0] === title ? headings.length - 1 : headings.length;
      return { passageId, anchor, written: own.toLowerCase(), level, forms: formsOf(own) };
    });

const isTitle = ([first, ...others]: readonly string[], title: string) =>
  first === undefined || (first === title && others.length === 0);
