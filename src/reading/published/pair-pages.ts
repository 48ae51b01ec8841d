import { alignHeadings, headingKey } from "@docent/kernel/text/align-headings/align-headings";
import { normalizePath } from "../page/page-path.ts";

/** A page whose address is looked for by what it says. */
export interface UnpairedPage {
  /** What its source says. */
  path: string;
  title: string;
  headings: readonly string[];
}

/** The share of headings that have to agree, in order, for two pages to be one. */
const AGREEMENT_MIN = 0.6;
/** A title alone says little, such as "Introduction", unless the addresses end in the same name. */
const COMMON_MIN = 2;
/** How much better than the next best a pair has to be. */
const MARGIN = 0.05;
/** What an address that is alike counts beside the headings. */
const PATH_WEIGHT = 0.3;
/** Of the pages that share a heading, those with most of them are compared in order. */
const COMPARED_MAX = 12;
/** A heading that so many pages have says of none which it is. */
const SHARED_MAX = 200;

/** Pairs paths with those of published pages: as they are written, or else as they are without an ending and in any case. */
export function pairByPath(
  own: Iterable<string>,
  published: readonly { path: string }[],
): ReadonlyMap<string, string> {
  const paths = [...new Set(own)];
  const theirs = new Set(published.map(({ path }) => path));
  const pairs = new Map(paths.filter((path) => theirs.has(path)).map((path) => [path, path]));
  const waiting = Map.groupBy(
    paths.filter((path) => !pairs.has(path)),
    plainForm,
  );
  const free = Map.groupBy(
    [...theirs].filter((path) => !pairs.has(path)),
    plainForm,
  );
  for (const [form, [path, ...others]] of waiting) {
    const [found, ...more] = free.get(form) ?? [];
    if (path !== undefined && found !== undefined && others.length + more.length === 0)
      pairs.set(path, found);
  }
  return pairs;
}

const plainForm = (path: string) => normalizePath(path).toLowerCase();

interface Pair {
  own: number;
  other: number;
  score: number;
}

/**
 * Pairs pages by their titles and headings: those that agree best, where nothing else agrees nearly as well. Undecided pages
 * are left, and nothing is paired twice. The result has places of the second list by those of the first.
 */
export function pairByWords(
  own: readonly UnpairedPage[],
  others: readonly UnpairedPage[],
): ReadonlyMap<number, number> {
  const left = own.map(namesOf);
  const right = others.map(namesOf);
  const candidates = candidatesFor(left, right);
  const pairs: Pair[] = [];
  for (const [index, page] of own.entries())
    for (const other of candidates(index)) {
      const { agreement, common } = agreementOf(left[index] ?? [], right[other] ?? []);
      const path = others[other]?.path ?? "";
      const isKnown = common >= COMMON_MIN || lastNameOf(path) === lastNameOf(page.path);
      if (agreement < AGREEMENT_MIN || !isKnown) continue;
      const near = nearness(page.path, path);
      pairs.push({ own: index, other, score: agreement + PATH_WEIGHT * near });
    }
  return decided(pairs);
}

/** What a page is called by: its title, and its headings in order. */
function namesOf({ title, headings }: UnpairedPage): string[] {
  const names = headings.map(headingKey);
  const first = headingKey(title);
  return first === "" || names[0] === first ? names : [first, ...names];
}

function agreementOf(a: readonly string[], b: readonly string[]): { agreement: number; common: number } {
  const common = alignHeadings(a, b).filter((place) => place !== undefined).length;
  return { agreement: (2 * common) / (a.length + b.length || 1), common };
}

/** Finds the pages that have most headings in common with one, the rare ones counting more. */
function candidatesFor(left: readonly string[][], right: readonly string[][]) {
  const named = right.flatMap((names, page) => [...new Set(names)].map((name) => ({ name, page })));
  const having = Map.groupBy(named, ({ name }) => name);
  return (index: number): number[] => {
    const weights = new Map<number, number>();
    for (const name of new Set(left[index])) {
      const pages = having.get(name) ?? [];
      if (pages.length > SHARED_MAX) continue;
      for (const { page } of pages) weights.set(page, (weights.get(page) ?? 0) + 1 / pages.length);
    }
    const ranked = [...weights].sort(([, a], [, b]) => b - a);
    return ranked.slice(0, COMPARED_MAX).map(([page]) => page);
  };
}

/** How much of two addresses is the same, from 0 to 1: their last names count as much as all others. */
function nearness(a: string, b: string): number {
  const [left, right] = [segmentsOf(a), segmentsOf(b)];
  const common = new Set(left).intersection(new Set(right)).size;
  const share = (2 * common) / (left.length + right.length || 1);
  return (share + (left.at(-1) === right.at(-1) ? 1 : 0)) / 2;
}

const lastNameOf = (path: string) => plainForm(path).split("/").at(-1);

const segmentsOf = (path: string) => plainForm(path).split(/[/.]/);

/** Takes the best pairs first, and none that is hardly better than another one of the same page. */
function decided(pairs: readonly Pair[]): ReadonlyMap<number, number> {
  const byOwn = Map.groupBy(pairs, ({ own }) => own);
  const byOther = Map.groupBy(pairs, ({ other }) => other);
  const found = new Map<number, number>();
  const taken = new Set<number>();
  for (const pair of pairs.toSorted((a, b) => b.score - a.score)) {
    const { own, other, score } = pair;
    if (found.has(own) || taken.has(other)) continue;
    const rivals = [
      ...(byOwn.get(own) ?? []).filter((each) => !taken.has(each.other)),
      ...(byOther.get(other) ?? []).filter((each) => !found.has(each.own)),
    ].filter((each) => each !== pair);
    if (rivals.some((each) => each.score > score - MARGIN)) continue;
    found.set(own, other);
    taken.add(other);
  }
  return found;
}
