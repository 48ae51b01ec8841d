/** Words of a text, each once. A Set of them is one, too. */
export interface Words extends Iterable<string> {
  readonly size: number;
  has(word: string): boolean;
}

/**
 * Words, or lines, in one string, in order. Where those of thousands of texts are remembered, it is not their bytes that
 * cost most: each string is a small object that keeps the part of the heap where it was made. No word may have a line
 * break.
 */
export class JoinedWords implements Words {
  readonly size: number;
  /** The same for two texts of the same words. */
  readonly joined: string;
  /** A bit for each kind of word that is there: most words that are not there are told without a look at the text. */
  readonly #kinds: number;
  readonly #otherKinds: number;

  constructor(words: Iterable<string>) {
    const distinct = [...new Set(words)].sort();
    this.size = distinct.length;
    this.joined = distinct.length === 0 ? "" : `\n${distinct.join("\n")}\n`;
    this.#kinds = distinct.reduce((kinds, word) => kinds | kindOf(word), 0);
    this.#otherKinds = distinct.reduce((kinds, word) => kinds | otherKindOf(word), 0);
  }

  has(word: string): boolean {
    return (
      (this.#kinds & kindOf(word)) !== 0 &&
      (this.#otherKinds & otherKindOf(word)) !== 0 &&
      this.joined.includes(`\n${word}\n`)
    );
  }

  /** Those that begin so. */
  *beginningWith(start: string): Generator<string, void, undefined> {
    const mark = `\n${start}`;
    for (let at = this.joined.indexOf(mark); at >= 0; at = this.joined.indexOf(mark, at + 1)) {
      const end = this.joined.indexOf("\n", at + 1);
      if (end >= 0) yield this.joined.slice(at + 1, end);
    }
  }

  [Symbol.iterator](): IterableIterator<string> {
    return (this.size === 0 ? [] : this.joined.slice(1, -1).split("\n")).values();
  }
}

/** One of 32 bits, by where a word begins and how long it is; and another, by where it ends. */
const kindOf = (word: string) => 1 << (word.charCodeAt(0) + 5 * word.length);
const otherKindOf = (word: string) =>
  1 << (word.charCodeAt(word.length - 1) + 3 * word.charCodeAt(word.length >> 1));
