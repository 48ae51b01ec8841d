import { analyze } from "../../analyze.ts";
import type { LinkingPage } from "../segment-store.ts";
import { createByteWriter, cursorOf, readNumber, signed, unsigned } from "./bytes.ts";

// The links of a segment's pages. Each page stands with its first passage: who sees that passage sees the links. Addresses
// and terms are told by their hashes, which take less room than the words and are only compared.

/** A page with its links, as a row has them. */
export interface EncodedLinks {
  /** The page's first passage. */
  passageId: number;
  bytes: Uint8Array;
}

const ROW_BYTES = 4000;
const ADDRESS_BYTES = 6;
const ADDRESS_MASK = 2n ** 48n - 1n;
const TERM_BYTES = 4;
/** A longer text is no name. */
const TERMS_MAX = 16;
/** A page with more links lists everything there is. */
const LINKS_MAX = 2000;

const addressOf = (address: string) => Number(Bun.hash.xxHash64(address) & ADDRESS_MASK);

/** What a term is told by. */
export const hashOfTerm = (term: string): number => Bun.hash.xxHash32(term);

/** The links of a page to others, each text for a page once. A page's links to itself say what it says anyway. */
export function encodeLinks({ address, links }: LinkingPage): Uint8Array {
  const own = addressOf(address);
  const writer = createByteWriter();
  writer.fixed(own, ADDRESS_BYTES);
  const said = new Set<string>();
  for (const { to, text } of links) {
    const target = addressOf(to);
    if (target === own) continue;
    const terms = [...new Set(analyze(text).map(hashOfTerm))].sort((a, b) => a - b);
    const key = `${target} ${terms.join(" ")}`;
    if (terms.length === 0 || terms.length > TERMS_MAX || said.has(key)) continue;
    if (said.size === LINKS_MAX) break;
    said.add(key);
    writer.fixed(target, ADDRESS_BYTES);
    writer.number(terms.length);
    for (const term of terms) writer.fixed(term, TERM_BYTES);
  }
  return writer.take();
}

/** The hash of a page's own address. */
export const ownAddress = (bytes: Uint8Array): number => readAddress(bytes, 0);

/** What is told of a link: the hash of the address that it leads to, and where its terms stand. */
type OnLink = (to: number, termsAt: number, terms: number) => void;

/** Tells each link of a page, in order. */
export function readLinks(bytes: Uint8Array, onLink: OnLink): void {
  const cursor = cursorOf(bytes, ADDRESS_BYTES);
  while (cursor.at < bytes.length) {
    const to = readAddress(bytes, cursor.at);
    cursor.at += ADDRESS_BYTES;
    const terms = readNumber(cursor);
    onLink(to, cursor.at, terms);
    cursor.at += terms * TERM_BYTES;
  }
}

function readAddress(bytes: Uint8Array, at: number): number {
  let value = 0;
  for (let index = at + ADDRESS_BYTES - 1; index >= at; index--) value = value * 256 + (bytes[index] ?? 0);
  return value;
}

/** The hash of a term, by its number among those that stand at a place. */
export function termAt(bytes: Uint8Array, termsAt: number, number: number): number {
  const at = termsAt + number * TERM_BYTES;
  const low = (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8);
  return (low | ((bytes[at + 2] ?? 0) << 16) | ((bytes[at + 3] ?? 0) << 24)) >>> 0;
}

/** Writes the links of pages into rows. */
export function createLinkRows(put: (index: number, bytes: Uint8Array) => void) {
  const row = createByteWriter(ROW_BYTES);
  let rows = 0;
  let before = 0;

  function endRow(): void {
    put(rows++, row.take());
    before = 0;
  }

  return {
    add({ passageId, bytes }: EncodedLinks): void {
      row.number(unsigned(passageId - before));
      row.number(bytes.length);
      row.bytes(bytes);
      before = passageId;
      if (row.length >= ROW_BYTES) endRow();
    },
    /** Returns the number of rows. */
    end(): number {
      if (row.length > 0) endRow();
      return rows;
    },
  };
}

/** The pages of a row with their links. */
export function readLinkRow(row: Uint8Array): EncodedLinks[] {
  const cursor = cursorOf(row);
  const found: EncodedLinks[] = [];
  let passageId = 0;
  while (cursor.at < row.length) {
    passageId += signed(readNumber(cursor));
    const length = readNumber(cursor);
    found.push({ passageId, bytes: row.subarray(cursor.at, cursor.at + length) });
    cursor.at += length;
  }
  return found;
}
