import { hasUnspaced } from "@docent/kernel/text/sentences/sentences";
import { listItems, scanBlocks } from "@docent/reading/markdown/md/md";
import { plainText } from "@docent/reading/markdown/plain-text";

/** What can be said of an answer's words without a judge. */
export interface Wording {
  /** Visible characters, citations aside. */
  characters: number;
  /** Whether it has the words of an answer that is known; undefined where none is. */
  holdsAnswer: boolean | undefined;
  /** Whether a sentence is too short to say anything. */
  hasFragment: boolean;
  /** Whether two of its paragraphs, lists, tables or code blocks say nearly the same. */
  repeats: boolean;
  /** Whether it shows markup of a format or generator. */
  hasMarkup: boolean;
}

const CITATION = /\s?\[\[\d{1,3}\]\]\([^()\s]*\)/g;
/** The share of an answer's words that must be there, where it is longer than a few words. */
const WORDS_SHARE_MIN = 0.8;
const FEW_WORDS = 3;
const FRAGMENT_CHARACTERS_MAX = 30;
const SAME_SHARE = 0.8;
const WORD = /[\p{L}\p{M}]+|\p{N}+/gu;
/** Marks of generators and formats that are no words of the docs. */
const MARKUP =
  /\{\{[<%]|\{%[-\s]|^\s*:::|^\s*\/\/\/ |^\s*<<<|^\s*\.\. [\w-]+::|^\s*!!! |^\s*\?\?\? |\{\/\*|<\/?(?:Tabs|Tab\s|TabItem|Steps?|Cards?|Accordion|Callout|Note|Tip|Warning)\b|^import .+ from ['"]|\\<a name|:(?:ref|doc|class|func|meth):`|\[!\w+\]/m;

/** Reads an answer as a reader has it. `known` are texts that answer, of which one is enough. */
export function readWording(answer: string, known: readonly string[]): Wording {
  const markdown = answer.replace(CITATION, "");
  const parts = partsOf(markdown);
  const blocks = scanBlocks(markdown).map(({ text }) => plainText(text));
  const words = wordsOf(plainText(markdown));
  return {
    characters: plainText(markdown).length,
    holdsAnswer: known.length === 0 ? undefined : known.some((text) => holds(words, wordsOf(text))),
    hasFragment: parts.some(({ text, isSentence }) => isSentence && text.length < FRAGMENT_CHARACTERS_MAX),
    repeats: blocks.some((text, index) => blocks.slice(0, index).some((other) => isSame(text, other))),
    hasMarkup: MARKUP.test(withoutCode(markdown)),
  };
}

interface Part {
  text: string;
  /** A sentence; not a heading, an item, a row or code, which may be short. */
  isSentence: boolean;
}

function partsOf(markdown: string): Part[] {
  return scanBlocks(markdown).flatMap(({ kind, text }): Part[] => {
    if (kind === "quote") return partsOf(text.replace(/^ {0,3}> ?/gm, ""));
    if (kind === "list") return listItems(text).map((item) => ({ text: plainText(item), isSentence: false }));
    if (kind === "table") return rowsOf(text).map((row) => ({ text: row, isSentence: false }));
    const plain = plainText(text);
    const isTitle = /^\*\*[^*]+\*\*$/.test(text.trim());
    return [{ text: plain, isSentence: kind === "paragraph" && !isTitle && !/[:：]$/.test(plain) }];
  });
}

/** A table's rows, without its head. */
const rowsOf = (table: string): string[] => table.split("\n").slice(2);

const wordsOf = (text: string): string[] => text.toLowerCase().normalize("NFKC").match(WORD) ?? [];

function holds(words: readonly string[], wanted: readonly string[]): boolean {
  const text = wanted.join(" ");
  // Words that stand side by side without a space cannot be told apart.
  if (hasUnspaced(text)) return words.join("").includes(wanted.join(""));
  if (wanted.length <= FEW_WORDS) return ` ${words.join(" ")} `.includes(` ${text} `);
  const there = new Set(words);
  const different = [...new Set(wanted)];
  return different.filter((word) => there.has(word)).length >= WORDS_SHARE_MIN * different.length;
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [new Set(wordsOf(one)), new Set(wordsOf(other))];
  return a.size > FEW_WORDS && a.intersection(b).size >= SAME_SHARE * a.union(b).size;
}

/** An answer's lines outside of quotes and code: markup in code is what the docs show. */
const withoutCode = (markdown: string): string =>
  markdown
    .replace(/^( {0,3}(?:> ?)*)(`{3,}|~{3,})[\s\S]*?^\1\2.*$/gm, "")
    .replace(/(`+)[^`]+\1/g, "")
    .replace(/^ {0,3}(?:> ?)+/gm, "");
