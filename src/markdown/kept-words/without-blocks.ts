/** A kind of block: how it begins, and the text that ends it. */
export interface BlockKind {
  /** With the flag "g". */
  opening: RegExp;
  /** In lower case. Undefined where what was found begins no block after all. */
  closing(found: RegExpExecArray): string | undefined;
  /** Whether a block that does not end goes on to the end of the text. */
  isOpenEnded?: boolean;
}

/** A text with blank lines in the place of blocks of a kind, in time that grows with its length alone. */
export function withoutBlocks(text: string, { opening, closing, isOpenEnded = false }: BlockKind): string {
  const lower = text.toLowerCase();
  const absent = new Set<string>();
  const kept: string[] = [];
  let at = 0;
  for (const found of text.matchAll(opening)) {
    if (found.index < at) continue;
    const wanted = closing(found);
    if (wanted === undefined) continue;
    const end = absent.has(wanted) ? -1 : lower.indexOf(wanted, found.index + found[0].length);
    if (end < 0) absent.add(wanted);
    if (end < 0 && !isOpenEnded) continue;
    kept.push(text.slice(at, found.index));
    at = end < 0 ? text.length : end + wanted.length;
  }
  return [...kept, text.slice(at)].join("\n\n");
}
