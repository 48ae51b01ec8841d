import type { DocbookElement, DocbookNode } from "./element.ts";

/** Where an id leads. */
export interface DocbookTarget {
  href: string;
  /** What a link without words of its own says, as plain words. */
  words: string;
  /** The element, where it is in the same document. */
  element?: DocbookElement | undefined;
}

/** How a document's links are resolved. */
export interface DocbookLinks {
  /** Where an id leads, in this document or another of the source; undefined for one that nothing has. */
  find(id: string): DocbookTarget | undefined;
  /** A link into a document by the name that another one has for it. */
  findIn(document: string | undefined, id: string): DocbookTarget | undefined;
  /** How an image is named from the page. */
  image(reference: string, from: DocbookElement): string;
}

/** Where something stands on a page. */
export interface BlockPlace {
  /** The level of headings here. */
  level: number;
  /** How many lists, notes and quotes are around it: headings are strong words there. */
  nested: number;
}

/** What the writers of one page share. */
export interface DocbookWriting {
  links: DocbookLinks;
  /** The page's footnotes with their numbers, in the order of their marks. */
  notes: Map<DocbookElement, number>;
  /** Links that lead nowhere, and entities that nobody declares. */
  missing: { ids: Set<string>; entities: Set<string> };
  blocks(nodes: readonly DocbookNode[], place: BlockPlace, out: string[]): void;
}

export type BlockWriter = (
  element: DocbookElement,
  place: BlockPlace,
  out: string[],
  writing: DocbookWriting,
) => void;

/** Lists and quotes nested deeper are not indented further. */
export const NESTED_MAX = 10;
export const inside = (place: BlockPlace): BlockPlace => ({ ...place, nested: place.nested + 1 });
