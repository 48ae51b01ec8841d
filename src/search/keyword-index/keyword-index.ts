import { letOthersRun } from "../../lib/event-loop.ts";
import type { PageFilter } from "../../pages/pages.ts";
import type { FoundByWords, SearchScope } from "../search-store.ts";
import { createBestPassages } from "./best-passages.ts";
import {
  type Clause,
  dampingByLength,
  type Found,
  foundClause,
  listClause,
  rarity,
  toScore,
} from "./bm25.ts";
import { FIELD_WEIGHTS } from "./fields.ts";
import { findAny } from "./find-beginning.ts";
import { findPhrase } from "./find-phrase.ts";
import { createBlock, decodeBlock, type List } from "./list-reader.ts";
import { weigh } from "./occurrences.ts";
import { firstFrom, rankSegment } from "./rank-segment.ts";
import { createRowReader, type RowReader } from "./row-reader.ts";
import { documentOf, readSegment, type Segment } from "./segment.ts";
import type { SegmentStore } from "./segment-store.ts";
import { DIRECTORY_ROW, DOCUMENTS_ROW } from "./segment-writer.ts";
import { createTermLists, type TermLists } from "./term-lists.ts";
import { documentsOfPages, type VisibleDocuments } from "./visible-documents.ts";

/** What is asked of the index. */
export interface WordQuery {
  /** Distinct. */
  terms: readonly string[];
  /** The terms of quoted text, in order. */
  phrases: readonly (readonly string[])[];
  /** The start of a word that is still being typed. */
  prefix: string | undefined;
}

/** What a passage has of a question. */
export interface PassageWords {
  terms: ReadonlySet<string>;
  /** How many of the phrases. */
  phrases: number;
  /** Whether a word of it begins with the prefix. */
  isBegun: boolean;
}

/** The keyword index of one site, as one question sees it. */
export interface KeywordView {
  /** The number of passages that readers see, whatever the filter. */
  passages: number;
  /** In how many of these each term is; terms that do not occur are missing. */
  frequencies(terms: readonly string[]): Promise<Map<string, number>>;
  /** The passages with any of what is asked for that the filter allows, best first. */
  match(query: WordQuery, limit: number): Promise<FoundByWords[]>;
  wordsOf(passageIds: readonly number[], query: WordQuery): Promise<Map<number, PassageWords>>;
}

export interface KeywordIndex {
  /** Opens the site's index: its segments, of which the generation and the filter decide what is seen. */
  open(scope: SearchScope, segmentIds: readonly number[]): Promise<KeywordView>;
}

export interface KeywordIndexDeps {
  segments: Pick<SegmentStore, "rows">;
  /** The ids of the pages that readers may see. */
  pageIds(scope: SearchScope): Promise<ReadonlySet<number>>;
  /** The most bytes of rows that are kept in memory. */
  bytesMax: number;
}

/** How many sites' documents are kept in memory, and how many filters' of all sites. */
const SITES_KEPT = 100;
const FILTERS_KEPT = 64;
const FREQUENCIES_KEPT = 10_000;

export function createKeywordIndex({ segments: store, pageIds, bytesMax }: KeywordIndexDeps): KeywordIndex {
  const rows = createRowReader(store, bytesMax);
  const sites = new Map<number, { key: string; words: Promise<SiteWords> }>();
  const filtered = new Map<string, Promise<VisibleDocuments[]>>();

  function siteWords(scope: SearchScope, segmentIds: readonly number[]): Promise<SiteWords> {
    const key = `${scope.generation} ${segmentIds.join(" ")}`;
    const known = sites.get(scope.siteId);
    const own =
      known?.key === key
        ? known
        : {
            key,
            words: openSite(rows, segmentIds, known?.words, () => pageIds({ ...scope, filter: NO_FILTER })),
          };
    keepLatest(sites, scope.siteId, own, SITES_KEPT);
    own.words.catch(() => sites.get(scope.siteId) === own && sites.delete(scope.siteId));
    return own.words;
  }

  function documentsAllowed(scope: SearchScope, site: SiteWords): Promise<VisibleDocuments[]> {
    const { siteId, generation, filter } = scope;
    const key = JSON.stringify([siteId, generation, filter, site.segments.map(({ segment }) => segment.id)]);
    const own = filtered.get(key) ?? allowedIn(site, pageIds(scope));
    keepLatest(filtered, key, own, FILTERS_KEPT);
    own.catch(() => filtered.delete(key));
    return own;
  }

  return {
    async open(scope, segmentIds) {
      const site = await siteWords(scope, segmentIds);
      const allowed = isOpen(scope.filter) ? undefined : await documentsAllowed(scope, site);
      return createView(rows, site, allowed);
    },
  };
}

const NO_FILTER: PageFilter = {};

/** Whether a filter lets every page through. */
const isOpen = ({ version, language, tag, groups }: PageFilter) =>
  !version && !language && !tag && (groups === undefined || groups.length === 0);

/** Keeps an entry as the latest, and so many in all: a map keeps insertion order. */
function keepLatest<K, V>(map: Map<K, V>, key: K, value: V, kept: number): void {
  map.delete(key);
  map.set(key, value);
  for (const oldest of map.keys()) {
    if (map.size <= kept) return;
    map.delete(oldest);
  }
}

/** The documents of a site in one generation, and what is known of its words. */
interface SiteWords {
  segments: { segment: Segment; weightOf: Float64Array; visible: VisibleDocuments }[];
  passages: number;
  damping: Float64Array;
  /** Of terms that were asked for. */
  frequencies: Map<string, number>;
}

async function openSite(
  rows: RowReader,
  segmentIds: readonly number[],
  before: Promise<SiteWords> | undefined,
  pageIds: () => Promise<ReadonlySet<number>>,
): Promise<SiteWords> {
  const known = new Map(
    (await before?.catch(() => undefined))?.segments.map(({ segment }) => [segment.id, segment]),
  );
  const pages = await pageIds();
  const segments: SiteWords["segments"] = [];
  for (const id of segmentIds) {
    const segment = known.get(id) ?? (await openSegment(rows, id));
    const visible = await documentsOfPages(segment, pages);
    // What only other generations show, such as a run that is under way, has no part in a question.
    if (visible.count > 0)
      segments.push({ segment, weightOf: weigh(segment.occurrences, FIELD_WEIGHTS), visible });
    await letOthersRun();
  }
  const passages = segments.reduce((sum, { visible }) => sum + visible.count, 0);
  const terms = segments.reduce((sum, { visible }) => sum + visible.terms, 0);
  const longest = segments.reduce(
    (most, { segment }) => segment.lengths.reduce((own, length) => Math.max(own, length), most),
    0,
  );
  return {
    segments,
    passages,
    damping: dampingByLength(longest, terms / passages || 1),
    frequencies: new Map(),
  };
}

async function openSegment(rows: RowReader, id: number): Promise<Segment> {
  const read = await rows.read(id, [DOCUMENTS_ROW, DIRECTORY_ROW]);
  return readSegment(
    id,
    read.get(DOCUMENTS_ROW) ?? new Uint8Array(),
    read.get(DIRECTORY_ROW) ?? new Uint8Array(),
  );
}

async function allowedIn(
  site: SiteWords,
  pageIds: Promise<ReadonlySet<number>>,
): Promise<VisibleDocuments[]> {
  const pages = await pageIds;
  const all: VisibleDocuments[] = [];
  for (const { segment } of site.segments) all.push(await documentsOfPages(segment, pages));
  return all;
}

/** A segment while a question is answered. */
interface Part {
  segment: Segment;
  weightOf: Float64Array;
  visible: VisibleDocuments;
  allowed: Uint8Array;
  lists: TermLists;
  /** What phrases and prefixes were found to have, by their text. */
  found: Map<string, Promise<Found>>;
}

function createView(rows: RowReader, site: SiteWords, allowed: VisibleDocuments[] | undefined): KeywordView {
  const parts = site.segments.map(
    (each, index): Part => ({
      ...each,
      allowed: (allowed?.[index] ?? each.visible).allowed,
      lists: createTermLists(rows, each.segment),
      found: new Map(),
    }),
  );
  return {
    passages: site.passages,
    frequencies: (terms) => frequencies(site, parts, terms),
    match: (query, limit) => match(site, parts, query, limit),
    wordsOf: (passageIds, query) => wordsOf(parts, passageIds, query),
  };
}

async function frequencies(
  site: SiteWords,
  parts: readonly Part[],
  terms: readonly string[],
): Promise<Map<string, number>> {
  const missing = terms.filter((term) => !site.frequencies.has(term));
  const counts = new Map(missing.map((term) => [term, 0]));
  for (const { segment, visible, lists } of missing.length > 0 ? parts : []) {
    const isWhole = visible.count === segment.size;
    for (const [term, { list }] of await lists.of(missing)) {
      const count = isWhole ? list.size : countIn(list, visible.allowed);
      counts.set(term, (counts.get(term) ?? 0) + count);
    }
    await letOthersRun();
  }
  for (const [term, count] of counts) keepLatest(site.frequencies, term, count, FREQUENCIES_KEPT);
  const known = new Map<string, number>();
  for (const term of terms) {
    const count = counts.get(term) ?? site.frequencies.get(term) ?? 0;
    if (count > 0) known.set(term, count);
  }
  return known;
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

async function match(
  site: SiteWords,
  parts: readonly Part[],
  query: WordQuery,
  limit: number,
): Promise<FoundByWords[]> {
  const { terms, phrases, prefix } = query;
  const counts = await frequencies(site, parts, terms);
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
  const best = createBestPassages(limit);
  for (const [index, part] of parts.entries()) {
    const { segment, weightOf, allowed } = part;
    const lists = await part.lists.of(terms);
    const clauses: Clause[] = [];
    for (const [term, { list }] of lists)
      clauses.push(
        listClause(list, weightOf, {
          rarity: rarity(site.passages, counts.get(term) ?? 0),
          damping: site.damping,
        }),
      );
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

function phraseIn(part: Part, phrase: readonly string[]): Promise<Found> {
  return once(part.found, `phrase ${phrase.join(" ")}`, async () => {
    const lists = await part.lists.of([...new Set(phrase)]);
    const terms = phrase.flatMap((term) => lists.get(term) ?? []);
    if (terms.length < phrase.length || terms.length === 0) return NOTHING;
    const withPositions = await Promise.all(
      terms.map(async ({ list, entry }) => ({ list, positions: await part.lists.positions(entry) })),
    );
    return findPhrase(withPositions, part.segment.occurrences, FIELD_WEIGHTS);
  });
}

function prefixIn(part: Part, prefix: string): Promise<Found> {
  return once(part.found, `prefix ${prefix}`, () =>
    findAny(part.lists.beginningWith(prefix), part.segment.size, part.weightOf),
  );
}

const NOTHING: Found = { documents: new Int32Array(), frequencies: new Float64Array() };

function once<V>(made: Map<string, Promise<V>>, key: string, make: () => Promise<V>): Promise<V> {
  const own = made.get(key) ?? make();
  made.set(key, own);
  return own;
}

async function wordsOf(
  parts: readonly Part[],
  passageIds: readonly number[],
  { terms, phrases, prefix }: WordQuery,
): Promise<Map<number, PassageWords>> {
  const words = new Map<number, PassageWords>();
  for (const part of parts) {
    const documents = passageIds
      .map((passageId) => ({ passageId, document: documentOf(part.segment, passageId) }))
      .filter(({ document }) => document >= 0)
      .sort((a, b) => a.document - b.document);
    if (documents.length === 0) continue;
    const own = documents.map(() => ({ terms: new Set<string>(), phrases: 0, isBegun: false }));
    for (const [term, { list }] of await part.lists.of(terms))
      markDocuments(list, documents, (index) => own[index]?.terms.add(term));
    const places = documents.map(({ document }) => document);
    for (const phrase of phrases) {
      const has = await phraseIn(part, phrase);
      for (const [index, each] of own.entries()) if (hasDocument(has, places[index])) each.phrases++;
    }
    if (prefix !== undefined) {
      const has = await prefixIn(part, prefix);
      for (const [index, each] of own.entries()) each.isBegun = hasDocument(has, places[index]);
    }
    for (const [index, { passageId }] of documents.entries()) {
      const each = own[index];
      if (each) words.set(passageId, each);
    }
  }
  return words;
}

/** Calls back for those of some documents, ascending, that a list has. Reads no more than the blocks they are in. */
function markDocuments(
  list: List,
  documents: readonly { document: number }[],
  mark: (index: number) => void,
): void {
  const block = createBlock();
  let number = 0;
  let decoded = -1;
  for (const [index, { document }] of documents.entries()) {
    while (number < list.blocks && (list.lastOf[number] ?? 0) < document) number++;
    if (number === list.blocks) return;
    if (decoded !== number) decodeBlock(list, number, block);
    decoded = number;
    const at = firstFrom(block.documents, block.size, document);
    if (at < block.size && block.documents[at] === document) mark(index);
  }
}

function hasDocument({ documents }: Found, document: number | undefined): boolean {
  if (document === undefined) return false;
  return documents[firstFrom(documents, documents.length, document)] === document;
}
