import { letOthersRun } from "@docent/kernel/lib/event-loop";
import { analyze } from "../analyze.ts";
import type { FoundByWords } from "../search-store.ts";
import { type AddedLists, type AddedSegment, createAddedLists, NO_ADDED } from "./added-words.ts";
import type { ByteCache } from "./byte-cache.ts";
import type { AllowedDocuments } from "./documents-of-pages.ts";
import { type SaidByLinks, saidByLinks } from "./link-words.ts";
import { type NearWord, nearWords, type WordList } from "./near-words/near-words.ts";
import { type PageWords, pageWordsOf } from "./page-words.ts";
import {
  type Part,
  type PassageQuery,
  phraseIn,
  prefixIn,
  type WordQuery,
  wordsIn,
} from "./question-part.ts";
import {
  type Clause,
  createBestPassages,
  type Found,
  foundClause,
  listClause,
  rankSegment,
  rarity,
  toScore,
} from "./ranking/ranking.ts";
import { createBlock, createTermLists, decodeBlock, type List, type RowReader } from "./segment/segment.ts";
import type { SiteWords } from "./site-words.ts";
import { type PassageWords, wordsOf } from "./words-of.ts";

export type { Neighbours } from "./closeness.ts";
export type { SaidByLinks } from "./link-words.ts";
export type { PageWords } from "./page-words.ts";
export type { PassageQuery, WordQuery } from "./question-part.ts";
export type { PassageWords } from "./words-of.ts";

/** The keyword index of one site, as one question sees it. */
export interface KeywordView {
  /** The number of passages that are for whoever asks, whatever the filter. */
  passages: number;
  /** How many terms a page of these has on average. */
  pageLength: number;
  /** In how many of these each term is; terms that do not occur are missing. */
  frequencies(terms: readonly string[]): Promise<Map<string, number>>;
  /** In how many of these some terms stand side by side in this order. */
  phraseFrequency(phrase: readonly string[]): Promise<number>;
  /** The passages with any of what is asked for that the filter allows, best first. */
  match(query: WordQuery, limit: number): Promise<FoundByWords[]>;
  /**
   * The words that are likely meant by one, the likeliest first: those that readers see. With `takesSelf` the very word is
   * among them, for a cost of nothing: to be asked for only where readers see some form of it.
   */
  nearWords(word: string, takesSelf?: boolean): Promise<NearWord[]>;
  /** Whether any passage has a word with this beginning. */
  hasBeginning(beginning: string): Promise<boolean>;
  wordsOf(passageIds: readonly number[], query: PassageQuery): Promise<Map<number, PassageWords>>;
  /** What pages have of these terms, by their ids. */
  pageWords(pageIds: readonly number[], terms: readonly string[]): Promise<Map<number, PageWords>>;
  /** What the links to pages say of a question's terms, by the pages' ids: those of all pages that readers see. */
  saidByLinks(pageIds: readonly number[], weights: ReadonlyMap<string, number>): Map<number, SaidByLinks>;
}

interface ViewDeps {
  rows: RowReader;
  found: ByteCache<Promise<Found>>;
  wordLists: ByteCache<Promise<WordList>>;
}

export function createView(
  { rows, found, wordLists }: ViewDeps,
  site: SiteWords,
  allowed: AllowedDocuments[] | undefined,
  addedSegments: readonly AddedSegment[],
): KeywordView {
  const parts = site.segments.map(
    (each, index): Part => ({
      ...each,
      allowed: (allowed?.[index] ?? each.visible).allowed,
      lists: createTermLists(rows, each.segment),
      found,
      rows,
      wordLists,
    }),
  );
  const added = addedSegments.length === 0 ? NO_ADDED : createAddedLists(rows, addedSegments, parts.length);
  const seen: Seen = { site, parts, added };
  return {
    passages: site.passages,
    pageLength: site.pageLength,
    frequencies: (terms) => frequenciesWithAdded(seen, terms),
    phraseFrequency: (phrase) => phraseFrequency(parts, phrase),
    match: (query, limit) => match(seen, query, limit),
    wordsOf: (passageIds, query) => wordsOf(parts, added, passageIds, query),
    nearWords: async (word, takesSelf = false) => {
      const near = await nearWordsSeen(site, parts, word, takesSelf);
      return allowed === undefined ? near : await onlyAllowed(parts, near);
    },
    hasBeginning: (beginning) => hasBeginning(parts, beginning),
    pageWords: (pageIds, terms) => pageWordsOf(parts, added, pageIds, terms),
    saidByLinks: (pageIds, weights) => saidByLinks(site.links, pageIds, weights),
  };
}

/** What one question sees of a site. */
interface Seen {
  site: SiteWords;
  parts: readonly Part[];
  added: AddedLists;
}

/** So many of the nearest words that readers see are told. */
const NEAREST_TOLD = 16;

async function nearWordsSeen(
  site: SiteWords,
  parts: readonly Part[],
  word: string,
  takesSelf: boolean,
): Promise<NearWord[]> {
  const found = await nearWords(await Promise.all(parts.map(wordsIn)), word);
  // Passages that readers do not see may have the very word.
  const near = takesSelf ? found : found.filter((each) => each.word !== word);
  const told: NearWord[] = [];
  // Those of passages that readers do not see take no place from others: that would tell that they are there.
  for (let at = 0; at < near.length && told.length < NEAREST_TOLD; at += NEAREST_TOLD) {
    const some = near.slice(at, at + NEAREST_TOLD);
    const seen = await frequencies(site, parts, [...new Set(some.map((each) => termOf(each.word)))]);
    told.push(
      ...some.flatMap((each) => {
        const passages = seen.get(termOf(each.word));
        return passages === undefined ? [] : [{ ...each, passages: Math.min(each.passages, passages) }];
      }),
    );
  }
  return told.slice(0, NEAREST_TOLD);
}

/** Those of some words that passages have which the filter allows. */
async function onlyAllowed(parts: readonly Part[], near: readonly NearWord[]): Promise<NearWord[]> {
  const allowedTerms = new Set<string>();
  const terms = new Set(near.map(({ word }) => termOf(word)));
  for (const { lists, allowed } of parts) {
    for (const [term, { list }] of await lists.of([...terms]))
      if (!allowedTerms.has(term) && countIn(list, allowed) > 0) allowedTerms.add(term);
    await letOthersRun();
  }
  return near.filter(({ word }) => allowedTerms.has(termOf(word)));
}

const termOf = (word: string) => analyze(word)[0] ?? "";

async function hasBeginning(parts: readonly Part[], beginning: string): Promise<boolean> {
  for (const part of parts) if (countVisible([part], [await prefixIn(part, beginning)]) > 0) return true;
  return false;
}

async function frequencies(
  site: SiteWords,
  parts: readonly Part[],
  terms: readonly string[],
): Promise<Map<string, number>> {
  const frequencies = new Map<string, number>();
  const counts = new Map<string, number>();
  for (const term of terms) {
    const count = site.frequencies.get(term);
    if (count === undefined) counts.set(term, 0);
    else if (count > 0) frequencies.set(term, count);
  }
  if (counts.size === 0) return frequencies;
  const missing = [...counts.keys()];
  for (const { segment, visible, lists } of parts) {
    const isWhole = visible.count === segment.size;
    for (const [term, { list }] of await lists.of(missing)) {
      const count = isWhole ? list.size : countIn(list, visible.allowed);
      counts.set(term, (counts.get(term) ?? 0) + count);
    }
    await letOthersRun();
  }
  for (const [term, count] of counts) {
    site.frequencies.put(term, count);
    if (count > 0) frequencies.set(term, count);
  }
  return frequencies;
}

/** In how many passages terms are, of their own or added to them: none has both. */
async function frequenciesWithAdded(
  { site, parts, added }: Seen,
  terms: readonly string[],
): Promise<Map<string, number>> {
  const counts = await frequencies(site, parts, terms);
  for (const [term, found] of await added.of(terms)) {
    const count = countVisible(parts, found);
    if (count > 0) counts.set(term, (counts.get(term) ?? 0) + count);
  }
  return counts;
}

async function phraseFrequency(parts: readonly Part[], phrase: readonly string[]): Promise<number> {
  let count = 0;
  for (const part of parts) count += countVisible([part], [await phraseIn(part, phrase)]);
  return count;
}

/** How many of a list's documents are among these. */
function countIn(list: List, allowed: Uint8Array): number {
  const block = createBlock();
  let count = 0;
  for (let number = 0; number < list.blocks; number++) {
    decodeBlock(list, number, block);
    for (let index = 0; index < block.size; index++) count += allowed[block.documents[index] ?? 0] ?? 0;
  }
  return count;
}

async function match(seen: Seen, query: WordQuery, limit: number): Promise<FoundByWords[]> {
  const { site, parts } = seen;
  const { phrases, prefix, shares } = query;
  const counts = await frequenciesWithAdded(seen, query.terms);
  // What only passages have that readers do not see is as good as nowhere, and takes no longer.
  const terms = query.terms.filter((term) => counts.has(term));
  const looked = [
    ...phrases.map((phrase) => (part: Part) => phraseIn(part, phrase)),
    ...(prefix === undefined ? [] : [(part: Part) => prefixIn(part, prefix)]),
  ];
  const found = await Promise.all(
    looked.map(async (find) => {
      const ofParts: Found[] = [];
      for (const part of parts) ofParts.push(await find(part));
      return { ofParts, rarity: rarity(site.passages, countVisible(parts, ofParts)) };
    }),
  );
  const rarityOf = (term: string) => rarity(site.passages, counts.get(term) ?? 0) * (shares?.get(term) ?? 1);
  const added = await seen.added.of(terms);
  const best = createBestPassages(limit);
  for (const [index, part] of parts.entries()) {
    const { segment, weightOf, allowed } = part;
    const lists = await part.lists.of(terms);
    const clauses: Clause[] = [];
    for (const [term, { list }] of lists)
      clauses.push(listClause(list, weightOf, { rarity: rarityOf(term), damping: site.damping }));
    for (const [term, ofParts] of added) {
      const documents = ofParts[index];
      if (documents && documents.documents.length > 0) clauses.push(foundClause(documents, rarityOf(term)));
    }
    for (const { ofParts, rarity: own } of found) {
      const documents = ofParts[index];
      if (documents) clauses.push(foundClause(documents, own));
    }
    for (const _ of rankSegment({ ...segment, allowed, damping: site.damping }, clauses, best))
      await letOthersRun();
    await letOthersRun();
  }
  return best.take().map(({ passageId, score }) => ({ passageId, score: toScore(score) }));
}

/** How many of the documents found in each part readers see. */
function countVisible(parts: readonly Part[], found: readonly Found[]): number {
  return parts.reduce((sum, { visible }, index) => {
    const documents = found[index]?.documents ?? new Int32Array();
    return sum + documents.reduce((count, document) => count + (visible.allowed[document] ?? 0), 0);
  }, 0);
}
