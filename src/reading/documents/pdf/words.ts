import type { Piece } from "./page/page.ts";

const CJK = /[\u2E80-\u30FF\u3400-\u9FFF\uF900-\uFAFF\uFF00-\uFFEF]/;
const HYPHEN_AT_END = /(\p{L}+)[-\u2010]$/u;
const WORD_AT_START = /^\p{L}+/u;

/** The words of a document, which say whether a hyphen at a line's end belongs to its word. */
export type Vocabulary = ReadonlySet<string>;

const WORDS_MAX = 300_000;

export function vocabularyOf(texts: Iterable<string>): Vocabulary {
  const words = new Set<string>();
  for (const text of texts) {
    for (const [word] of text.matchAll(/\p{L}+(?:[-\u2010]\p{L}+)*/gu)) words.add(word.toLowerCase());
    if (words.size > WORDS_MAX) break;
  }
  return words;
}

/** Puts a line's pieces behind those of the line before: with a space, or as one word where it was cut. */
export function appendLine(pieces: Piece[], line: readonly Piece[], vocabulary: Vocabulary): void {
  const [last, first] = [pieces.at(-1), line[0]];
  if (last === undefined || first === undefined) {
    pieces.push(...line.map((piece) => ({ ...piece })));
    return;
  }
  const joint = jointOf(last.text, first.text, vocabulary);
  last.text = last.text.slice(0, last.text.length - joint.cut) + joint.between;
  const [, ...rest] = line;
  if (last.code === first.code && last.link === first.link) last.text += first.text;
  else pieces.push({ ...first });
  pieces.push(...rest.map((piece) => ({ ...piece })));
}

function jointOf(before: string, after: string, vocabulary: Vocabulary): { cut: number; between: string } {
  if (before.endsWith("\u00AD")) return { cut: 1, between: "" };
  const [hyphenated, start] = HYPHEN_AT_END.exec(before) ?? [];
  const [end] = WORD_AT_START.exec(after) ?? [];
  if (hyphenated !== undefined && start !== undefined && end !== undefined) {
    const whole = vocabulary.has((start + end).toLowerCase());
    const withHyphen = vocabulary.has(`${start}-${end}`.toLowerCase());
    const isCut = whole || (!withHyphen && /^\p{Ll}/u.test(end) && start.length > 1);
    return { cut: isCut ? 1 : 0, between: "" };
  }
  if (/[\p{L}\p{N}][-\u2010/]$/u.test(before) && /^[\p{L}\p{N}]/u.test(after)) return { cut: 0, between: "" };
  const joined = CJK.test(before.slice(-1)) && CJK.test(after.charAt(0));
  return { cut: 0, between: joined ? "" : " " };
}
