import { letOthersRun } from "@docent/kernel/lib/event-loop";
import type { AllowedDocuments } from "./documents-of-pages.ts";
import {
  documentOf,
  hashOfTerm,
  linkRowsOf,
  ownAddress,
  type RowReader,
  readLinkRow,
  readLinks,
  type Segment,
  termAt,
} from "./segment/segment.ts";

/** What the links of other pages call the pages that readers see. */
export interface LinkWords {
  /** The first of a page's texts in `texts`, by the page's id. */
  starts: ReadonlyMap<number, number>;
  /** Of each page the number of its texts; of each of these how many pages say it, how many terms it has, and these. */
  texts: Uint32Array;
}

/** What links to a page say of a question. */
export interface SaidByLinks {
  /** From 0 to 1: how much of the question the best text says, by how little else it says and how many pages say it. */
  share: number;
  /** The terms of the question that this text has. */
  terms: readonly string[];
}

interface SeenSegment {
  segment: Segment;
  visible: Pick<AllowedDocuments, "allowed">;
}

/** Pages that readers see, by the numbers of their addresses: two sources may have a page at one address. */
interface SeenPages {
  /** By the hash of the address. */
  numbers: Map<number, number>;
  pages: { number: number; pageId: number; bytes: Uint8Array }[];
}

/** The texts that lead to pages: of each where its terms stand, and how many pages say it. */
interface Texts {
  /** By the number of the address that it leads to and a hash of what it says. */
  numbers: Map<number, number>;
  targets: number[];
  pages: number[];
  bytes: Uint8Array[];
  termsAt: number[];
  terms: number[];
}

/** The texts that most pages say: more say little, and each costs time. */
const TEXTS_MAX = 16;
/** So many pages give a text half of its worth: most texts are said once. */
const PAGES_OF_HALF = 0.5;
const ROWS_AT_ONCE = 8;
/** A millisecond's work. */
const LINKS_AT_ONCE = 2000;
const HASHES = 2 ** 32;
const HASH_FACTOR = 31;

/** Reads the links of the pages that readers see, and turns them round. */
export async function readLinkWords(rows: RowReader, segments: readonly SeenSegment[]): Promise<LinkWords> {
  const seen = await readSeenPages(rows, segments);
  return pack(seen, await collectTexts(seen));
}

async function readSeenPages(rows: RowReader, segments: readonly SeenSegment[]): Promise<SeenPages> {
  const { numbers, pages }: SeenPages = { numbers: new Map(), pages: [] };
  for (const { segment, visible } of segments) {
    const all = linkRowsOf(segment);
    for (let at = 0; at < all.length; at += ROWS_AT_ONCE) {
      for (const row of (await rows.read(segment.id, all.slice(at, at + ROWS_AT_ONCE))).values()) {
        for (const { passageId, bytes } of readLinkRow(row)) {
          const document = documentOf(segment, passageId);
          if (visible.allowed[document] !== 1) continue;
          const address = ownAddress(bytes);
          const number = numbers.get(address) ?? numbers.size;
          numbers.set(address, number);
          pages.push({ number, pageId: segment.pageIds[document] ?? 0, bytes });
        }
      }
      await letOthersRun();
    }
  }
  return { numbers, pages };
}

async function collectTexts({ numbers, pages }: SeenPages): Promise<Texts> {
  const texts: Texts = { numbers: new Map(), targets: [], pages: [], bytes: [], termsAt: [], terms: [] };
  let read = 0;
  for (const { bytes } of pages) {
    readLinks(bytes, (to, termsAt, terms) => {
      read++;
      const target = numbers.get(to);
      if (target !== undefined) addText(texts, target, { bytes, termsAt, terms });
    });
    if (read < LINKS_AT_ONCE) continue;
    read = 0;
    await letOthersRun();
  }
  return texts;
}

function addText(
  texts: Texts,
  target: number,
  { bytes, termsAt, terms }: { bytes: Uint8Array; termsAt: number; terms: number },
): void {
  let hash = 0;
  for (let term = 0; term < terms; term++)
    hash = (Math.imul(hash, HASH_FACTOR) + termAt(bytes, termsAt, term)) | 0;
  const key = target * HASHES + (hash >>> 0);
  const known = texts.numbers.get(key);
  if (known !== undefined) {
    texts.pages[known] = (texts.pages[known] ?? 0) + 1;
    return;
  }
  texts.numbers.set(key, texts.targets.length);
  texts.targets.push(target);
  texts.pages.push(1);
  texts.bytes.push(bytes);
  texts.termsAt.push(termsAt);
  texts.terms.push(terms);
}

async function pack({ numbers, pages }: SeenPages, texts: Texts): Promise<LinkWords> {
  const ofTargets: number[][] = Array.from({ length: numbers.size }, () => []);
  for (const [text, target] of texts.targets.entries()) ofTargets[target]?.push(text);
  const startOf = new Map<number, number>();
  const packed: number[] = [];
  for (const [target, own] of ofTargets.entries()) {
    if (own.length === 0) continue;
    startOf.set(target, packed.length);
    const most = own.length === 1 ? own : own.sort((a, b) => byPages(texts, a, b)).slice(0, TEXTS_MAX);
    packed.push(most.length);
    for (const text of most) packText(packed, texts, text);
    if (target % LINKS_AT_ONCE === 0) await letOthersRun();
  }
  const starts = new Map<number, number>();
  for (const { number, pageId } of pages) {
    const start = startOf.get(number);
    if (start !== undefined) starts.set(pageId, start);
  }
  return { starts, texts: Uint32Array.from(packed) };
}

/** Those that more pages say come first; of two that as many say, the shorter one, and then by their terms. */
function byPages({ pages, terms, bytes, termsAt }: Texts, a: number, b: number): number {
  const fewer = (pages[b] ?? 0) - (pages[a] ?? 0) || (terms[a] ?? 0) - (terms[b] ?? 0);
  if (fewer !== 0) return fewer;
  for (let term = 0; term < (terms[a] ?? 0); term++) {
    const [mine, other] = [a, b].map((text) => termAt(bytes[text] ?? NO_BYTES, termsAt[text] ?? 0, term));
    if (mine !== other) return (mine ?? 0) - (other ?? 0);
  }
  return 0;
}

const NO_BYTES = new Uint8Array();

function packText(packed: number[], { pages, terms, bytes, termsAt }: Texts, text: number): void {
  const own = bytes[text] ?? NO_BYTES;
  const count = terms[text] ?? 0;
  packed.push(pages[text] ?? 0, count);
  for (let term = 0; term < count; term++) packed.push(termAt(own, termsAt[text] ?? 0, term));
}

/**
 * What the links to some pages say of a question: of each page the best text. Its worth is its share of the question's
 * weight, times the share of its own words that the question has; so a text like "here" or "overview" counts next to
 * nothing.
 */
export function saidByLinks(
  { starts, texts }: LinkWords,
  pageIds: Iterable<number>,
  weights: ReadonlyMap<string, number>,
): Map<number, SaidByLinks> {
  const asked: Asked = {
    byHash: new Map([...weights].map(([term, weight]) => [hashOfTerm(term), { term, weight }])),
    weight: weights.values().reduce((sum, weight) => sum + weight, 0),
  };
  const said = new Map<number, SaidByLinks>();
  for (const pageId of pageIds) {
    const start = starts.get(pageId);
    const best = start === undefined ? undefined : bestText(texts, start, asked);
    if (best !== undefined) said.set(pageId, best);
  }
  return said;
}

/** What is asked for, by the hashes of its terms. */
interface Asked {
  byHash: ReadonlyMap<number, { term: string; weight: number }>;
  weight: number;
}

/** The best of a page's texts; undefined where none of them has a term of the question. */
function bestText(
  texts: Uint32Array,
  start: number,
  { byHash, weight: all }: Asked,
): SaidByLinks | undefined {
  let best: SaidByLinks | undefined;
  let at = start + 1;
  for (let left = texts[start] ?? 0; left > 0; left--) {
    const pages = texts[at] ?? 0;
    const length = texts[at + 1] ?? 0;
    const terms: string[] = [];
    let weight = 0;
    at += 2;
    for (const end = at + length; at < end; at++) {
      const own = byHash.get(texts[at] ?? 0);
      if (own === undefined) continue;
      terms.push(own.term);
      weight += own.weight;
    }
    const share = (((weight / all) * terms.length) / length) * (pages / (pages + PAGES_OF_HALF));
    if (share > (best?.share ?? 0)) best = { share, terms };
  }
  return best;
}
