import type { AbstractBlock, Document } from "@asciidoctor/core";
import { writeTitle } from "./inline.ts";

/** What the writers of blocks share. */
export interface Writing {
  document: Document;
  /** How many blocks surround this one. */
  depth: number;
  /** How many lists, quotes and notes surround it: each indents its lines. */
  nested: number;
  /** A list of terms is one of tabs. */
  isTabs: boolean;
  /** Where an image is that a block shows. */
  imageOf(block: AbstractBlock, target: string): Promise<string>;
  blocks(blocks: readonly AbstractBlock[], writing: Writing): Promise<string[]>;
}

/** Blocks nested deeper are only words. */
export const DEEP_MAX = 50;
/** Lists nested deeper are not indented further. */
export const NESTED_MAX = 10;

/** A title above a block. */
export function strong(title: string | null): string {
  const words = writeTitle(title);
  return words === "" || words.includes("**") ? words : `**${words}**`;
}
