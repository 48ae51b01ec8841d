import type { AddedLists } from "./added-words.ts";
import { closenessIn } from "./closeness.ts";
import { type Part, type PassageQuery, phraseIn, prefixIn } from "./question-part.ts";
import type { Found } from "./ranking/ranking.ts";
import { createBlock, decodeBlock, documentOf, firstFrom, type List } from "./segment/segment.ts";

/** What a passage has of a question. */
export interface PassageWords {
  terms: ReadonlySet<string>;
  /** Those that were added to it: questions that it answers have them, and it does not. */
  added: ReadonlySet<string>;
  /** How many of the phrases. */
  phrases: number;
  /** Whether a word of it begins with the prefix. */
  isBegun: boolean;
  /** From 0 to 1 for each pair of the question's neighbours: how near they stand to each other here. */
  closeness: readonly number[];
}

/** Looks up what passages have of a question: no text is read. */
export async function wordsOf(
  parts: readonly Part[],
  addedLists: AddedLists,
  passageIds: readonly number[],
  { terms, phrases, prefix, neighbours }: PassageQuery,
): Promise<Map<number, PassageWords>> {
  const words = new Map<number, PassageWords>();
  const written = await addedLists.of(terms);
  for (const [number, part] of parts.entries()) {
    const documents = passageIds
      .map((passageId) => ({ passageId, document: documentOf(part.segment, passageId) }))
      .filter(({ document }) => document >= 0)
      .sort((a, b) => a.document - b.document);
    if (documents.length === 0) continue;
    const places = documents.map(({ document }) => document);
    const marked = documents.map(({ document }) => ({ document, terms: new Set<string>() }));
    for (const [term, { list }] of await part.lists.of(terms))
      markDocuments(list, documents, (index) => marked[index]?.terms.add(term));
    const closeness = await closenessIn(part, neighbours, marked);
    const own = marked.map(({ terms }, index) => ({
      terms,
      added: new Set<string>(),
      phrases: 0,
      isBegun: false,
      closeness: closeness[index] ?? [],
    }));
    for (const [term, found] of written)
      for (const [index, each] of own.entries())
        if (hasDocument(found[number] ?? NOTHING, places[index])) each.added.add(term);
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

const NOTHING: Found = { documents: new Int32Array(), frequencies: new Float64Array() };

function hasDocument({ documents }: Found, document: number | undefined): boolean {
  if (document === undefined) return false;
  return documents[firstFrom(documents, documents.length, document)] === document;
}
