import { letOthersRun } from "@docent/kernel/lib/event-loop";

/** The entries of a vocabulary, each with its number. */
export interface Vocabulary {
  /** The number of an entry. With `continues`, of the one that continues a word: it has `##` before it. */
  idOf(text: string, continues?: boolean): number | undefined;
}

/** Entries that are numbered before others may run: all of them at once take some milliseconds. */
const NUMBERED_AT_ONCE = 4096;

/**
 * Numbers the lines of a text. The text itself is kept and an entry is recognized by its characters there: with a string
 * for each, a Map of the built-in vocabulary takes eight megabytes instead of one.
 */
export async function openVocabulary(text: string): Promise<Vocabulary> {
  const starts = startsOf(text);
  const entries = starts.length - 1;
  // At most half full, so that what is looked for stands near where it belongs.
  const slots = new Uint32Array(2 ** Math.ceil(Math.log2(2 * entries + 1)));
  const mask = slots.length - 1;
  for (let id = 0; id < entries; id++) {
    if (id % NUMBERED_AT_ONCE === 0) await letOthersRun();
    let at = spread(hashOn(0, text, starts[id] ?? 0, endOf(id))) & mask;
    while (slots[at] !== 0) at = (at + 1) & mask;
    // 0 is for no entry.
    slots[at] = id + 1;
  }

  function endOf(id: number): number {
    return (starts[id + 1] ?? 0) - 1;
  }

  /** Whether an entry is a piece of text, after `##` or from its beginning. */
  function isAt(id: number, piece: string, after: number): boolean {
    const start = (starts[id] ?? 0) + after;
    if (endOf(id) - start !== piece.length) return false;
    if (after > 0 && !text.startsWith(CONTINUES, start - after)) return false;
    for (let index = 0; index < piece.length; index++)
      if (text.charCodeAt(start + index) !== piece.charCodeAt(index)) return false;
    return true;
  }

  return {
    idOf(piece, continues = false) {
      const after = continues ? CONTINUES.length : 0;
      const hash = spread(hashOn(continues ? CONTINUES_HASH : 0, piece, 0, piece.length));
      for (let at = hash & mask; slots[at] !== 0; at = (at + 1) & mask) {
        const id = (slots[at] ?? 0) - 1;
        if (isAt(id, piece, after)) return id;
      }
      return undefined;
    },
  };
}

/** Where each line begins, and where one more would. */
function startsOf(text: string): Uint32Array {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return Uint32Array.from([...starts, text.length + 1]);
}

/** Takes the characters between two places into a hash. */
function hashOn(hash: number, text: string, from: number, end: number): number {
  let mixed = hash;
  for (let at = from; at < end; at++) mixed = Math.imul(mixed ^ text.charCodeAt(at), 0x01000193);
  return mixed;
}

const CONTINUES = "##";
const CONTINUES_HASH = hashOn(0, CONTINUES, 0, CONTINUES.length);
/** The lower bits, of which a place is made, know little of the last characters. */
const spread = (hash: number) => hash ^ (hash >>> 15);
