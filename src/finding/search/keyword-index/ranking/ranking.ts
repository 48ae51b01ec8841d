import { letOthersRun } from "@docent/kernel/lib/event-loop";
import {
  createBlock,
  type DecodedBlock,
  decodeBlock,
  firstFrom,
  openList,
  type TermEntry,
} from "../segment/segment.ts";
import type { BestPassages } from "./best-passages.ts";
import { type Clause, type Found, scoreOf } from "./bm25.ts";

export { createBestPassages } from "./best-passages.ts";
export {
  type Clause,
  dampingByLength,
  type Found,
  foundClause,
  listClause,
  rarity,
  SHARE_MAX,
  saturated,
  toScore,
} from "./bm25.ts";
export { findPhrase } from "./find-phrase.ts";
export { createPlacesReader } from "./places-reader.ts";

/** So many documents are scored side by side. */
const WINDOW = 4096;
/** So many entries of lists are read before others may run: about a millisecond's work. */
const ENTRIES_AT_ONCE = 100_000;

/** What is ranked: the documents of one segment. */
interface RankedDocuments {
  size: number;
  passageIds: Float64Array;
  lengths: Uint32Array;
  /** 1 for each document that may be found. */
  allowed: Uint8Array;
  /** What dampens frequency, by length. */
  damping: Float64Array;
}

/**
 * Offers the documents that have any of the clauses, window by window. What together cannot lift a document among the
 * best is not read for itself: frequent words are looked up only in documents that have a rarer one. Yields where others
 * may run.
 */
export function* rankSegment(
  documents: RankedDocuments,
  clauses: readonly Clause[],
  best: BestPassages,
): Generator<void> {
  const state = beginRanking(documents, clauses);
  let read = 0;
  for (let from = 0; from < documents.size; from += WINDOW) {
    state.from = from;
    state.end = Math.min(from + WINDOW, documents.size);
    rankWindow(state, best);
    if (state.read - read < ENTRIES_AT_ONCE) continue;
    read = state.read;
    yield;
  }
}

/** A clause with the place that the ranking has reached in it. */
interface Reading {
  clause: Clause;
  /** The first block that reaches into the window. */
  block: number;
  /** The most that it adds to a document of the window. */
  best: number;
}

interface Ranking {
  documents: RankedDocuments;
  readings: Reading[];
  /** The window. */
  from: number;
  end: number;
  /** The scores of the window's documents, and which of them have any. */
  scores: Float64Array;
  isScored: Uint8Array;
  /** The documents that may be among the best, ascending. */
  candidates: Int32Array;
  candidateCount: number;
  /** How many entries of lists were read. */
  read: number;
}

function beginRanking(documents: RankedDocuments, clauses: readonly Clause[]): Ranking {
  return {
    documents,
    readings: clauses.map((clause) => ({ clause, block: 0, best: 0 })),
    from: 0,
    end: 0,
    scores: new Float64Array(WINDOW),
    isScored: new Uint8Array(WINDOW),
    candidates: new Int32Array(WINDOW),
    candidateCount: 0,
    read: 0,
  };
}

function rankWindow(state: Ranking, best: BestPassages): void {
  for (const reading of state.readings) enterWindow(state, reading);
  const inOrder = state.readings.filter((reading) => reading.best > 0).sort((a, b) => a.best - b.best);
  // The most that the first so many of them add together.
  const together = [0];
  for (const reading of inOrder) together.push((together.at(-1) ?? 0) + reading.best);
  const threshold = best.threshold();
  let lookedUp = 0;
  while (lookedUp < inOrder.length && (together[lookedUp + 1] ?? 0) < threshold) lookedUp++;
  if (lookedUp === inOrder.length) return;
  for (const reading of inOrder.slice(lookedUp)) scoreAll(state, reading);
  collect(state, threshold - (together[lookedUp] ?? 0));
  for (let index = lookedUp - 1; index >= 0; index--) {
    const reading = inOrder[index];
    if (reading) lookUp(state, reading, threshold - (together[index + 1] ?? 0));
  }
  offer(state, best);
}

/** Finds the blocks of a clause that reach into the window, and the most that they add. */
function enterWindow({ from, end }: Ranking, reading: Reading): void {
  const { lastOf, bestOf, blocks } = reading.clause;
  let { block } = reading;
  while (block < blocks && (lastOf[block] ?? 0) < from) block++;
  reading.block = block;
  reading.best = 0;
  for (; block < blocks; block++) {
    if ((bestOf[block] ?? 0) > reading.best) reading.best = bestOf[block] ?? 0;
    if ((lastOf[block] ?? 0) >= end - 1) return;
  }
}

/** Adds what a clause gives to every document of the window that has it. */
function scoreAll(state: Ranking, { clause, block: first }: Reading): void {
  const { from, end, scores, isScored, documents } = state;
  const { lengths, damping } = documents;
  for (let block = first; block < clause.blocks; block++) {
    const { size, documents: own, frequencies } = clause.read(block);
    let index = firstFrom(own, size, from);
    for (; index < size; index++) {
      const document = own[index] ?? 0;
      if (document >= end) return;
      const place = document - from;
      const score = scoreOf(clause, frequencies[index] ?? 0, damping[lengths[document] ?? 0] ?? 0);
      scores[place] = (scores[place] ?? 0) + score;
      isScored[place] = 1;
    }
    state.read += size;
  }
}

/** Lists the scored documents that may be found and have at least `least`. */
function collect(state: Ranking, least: number): void {
  const { from, end, scores, isScored, candidates, documents } = state;
  let count = 0;
  for (let place = 0; place < end - from; place++) {
    if (isScored[place] === 0) continue;
    isScored[place] = 0;
    if (documents.allowed[from + place] === 1 && (scores[place] ?? 0) >= least) candidates[count++] = place;
    else scores[place] = 0;
  }
  state.candidateCount = count;
}

/** Adds what a clause gives to the candidates; those that had less than `least` before are none any more. */
function lookUp(state: Ranking, { clause, block: first }: Reading, least: number): void {
  const { from, scores, candidates, documents } = state;
  let block = first;
  let kept = 0;
  for (let at = 0; at < state.candidateCount; at++) {
    const place = candidates[at] ?? 0;
    const document = from + place;
    if ((scores[place] ?? 0) < least) {
      scores[place] = 0;
      continue;
    }
    candidates[kept++] = place;
    while (block < clause.blocks && (clause.lastOf[block] ?? 0) < document) block++;
    if (block === clause.blocks) continue;
    const { size, documents: own, frequencies } = clause.read(block);
    const index = firstFrom(own, size, document);
    if (index === size || own[index] !== document) continue;
    const damping = documents.damping[documents.lengths[document] ?? 0] ?? 0;
    scores[place] = (scores[place] ?? 0) + scoreOf(clause, frequencies[index] ?? 0, damping);
  }
  state.read += state.candidateCount;
  state.candidateCount = kept;
}

function offer({ from, scores, candidates, candidateCount, documents }: Ranking, best: BestPassages): void {
  for (let at = 0; at < candidateCount; at++) {
    const place = candidates[at] ?? 0;
    best.offer(documents.passageIds[from + place] ?? 0, scores[place] ?? 0);
    scores[place] = 0;
  }
}

/** The documents of a segment that have any of many terms, such as all that begin alike; their frequencies are added. */
export async function findAny(
  terms: AsyncIterable<{ block: Uint8Array; entry: TermEntry }[]>,
  size: number,
  weightOf: Float64Array,
): Promise<Found> {
  const frequencyOf = new Float64Array(size);
  const decoded = createBlock();
  let count = 0;
  for await (const some of terms) {
    for (const { block, entry } of some) {
      const list = openList(block, entry);
      for (let number = 0; number < list.blocks; number++) {
        decodeBlock(list, number, decoded);
        count += addFrequencies(decoded, weightOf, frequencyOf);
      }
    }
    await letOthersRun();
  }
  const found = { documents: new Int32Array(count), frequencies: new Float64Array(count) };
  let at = 0;
  for (let document = 0; document < size; document++) {
    const frequency = frequencyOf[document] ?? 0;
    if (frequency === 0) continue;
    found.documents[at] = document;
    found.frequencies[at++] = frequency;
  }
  return found;
}

/** Adds to each document's frequency what a block has of it. Returns how many documents had nothing before. */
function addFrequencies(
  { documents, occurrences, size }: DecodedBlock,
  weightOf: Float64Array,
  frequencyOf: Float64Array,
): number {
  let added = 0;
  for (let index = 0; index < size; index++) {
    const document = documents[index] ?? 0;
    const before = frequencyOf[document] ?? 0;
    if (before === 0) added++;
    frequencyOf[document] = before + (weightOf[occurrences[index] ?? 0] ?? 0);
  }
  return added;
}
