import { analyze, analyzeQuestion, isStopWord, type Word, wordsOf } from "./analyze.ts";
import type { Neighbours } from "./keyword-index/keyword-index.ts";
import type { TermShares } from "./term-weights.ts";
import { flatten, type Verbatim } from "./verbatim.ts";

/** A question, as a query to the keyword index. */
export interface KeywordQuery {
  /** Distinct, without stop words. */
  terms: string[];
  /** The terms of quoted text, in order. */
  phrases: string[][];
  /** Those of the terms that name something exactly. */
  identifiers: string[];
  /** Names and phrases to find literally. */
  verbatim: Verbatim[];
  /** Whether it asks for names and phrases only. */
  isVerbatim: boolean;
  /** Terms that spell one name in different ways. */
  spellings: (readonly string[])[];
  /** The terms that stand side by side, stop words left out. */
  neighbours: Neighbours[];
  /** The start of the last word, where it is still being typed. */
  prefix: string | undefined;
  /** How much each term counts, where not all count alike. */
  shares?: TermShares | undefined;
}

const TERMS_MAX = 96;
const PHRASES_MAX = 4;
const NAMES_MAX = 8;
const NEIGHBOURS_MAX = 24;
const GUESSES_MAX = 8;
const GUESS_CHARACTERS_MIN = 4;
const QUOTED = /"([^"\n]{2,200})"|“([^”\n]{2,200})”|«([^»\n]{2,200})»|「([^」\n]{2,200})」/gu;

/** Reads a question for the keyword index. */
export function readQuery(text: string, { asYouType = false } = {}): KeywordQuery {
  const terms = analyzeQuestion(text).slice(0, TERMS_MAX);
  const words = wordsOf(text);
  const quoted = readQuoted(text);
  const named = new Set(words.map(({ identifier }) => identifier));
  const outside = wordsOf(withoutQuotes(text));
  const names = outside.length === 1 ? outside : outside.filter(({ isName }) => isName);
  const isAsked = new Set(names);
  const asked = [...names.slice(0, NAMES_MAX).map(toVerbatim), ...quoted.map(phraseAsWritten)];
  const guesses = outside.filter((word) => !isAsked.has(word) && mayBeName(word)).slice(0, GUESSES_MAX);
  return {
    terms,
    phrases: quoted.map(({ phrase }) => phrase),
    identifiers: terms.filter((term) => named.has(term)),
    verbatim: [...asked, ...guesses.map((word) => ({ ...toVerbatim(word), isGuess: true }))],
    isVerbatim: asked.length > 0 && outside.every((word) => isAsked.has(word) || isFiller(word)),
    spellings: words.map(({ spellings }) => spellings).filter(({ length }) => length > 0),
    neighbours: neighboursIn(text, new Set(terms)),
    prefix: asYouType ? lastWord(text) : undefined,
  };
}

/** A text with spaces where something was quoted, so that the rest stands where it stood. */
export const withoutQuotes = (text: string) => text.replace(QUOTED, (quoted) => " ".repeat(quoted.length));

function neighboursIn(text: string, asked: ReadonlySet<string>): Neighbours[] {
  const telling = analyze(text).filter((term) => asked.has(term));
  const pairs = new Map<string, Neighbours>();
  for (const [index, second] of telling.entries()) {
    const first = telling[index - 1];
    if (first !== undefined && first !== second) pairs.set(`${first} ${second}`, [first, second]);
  }
  return [...pairs.values()].slice(0, NEIGHBOURS_MAX);
}

interface Quoted {
  written: string;
  phrase: string[];
}

/** Reads quoted text: a single word is a term, several are a phrase in that order. */
function readQuoted(text: string): Quoted[] {
  return [...text.matchAll(QUOTED)]
    .map(([, ...quoted]) => quoted.find((each) => each !== undefined) ?? "")
    .map((written) => ({ written, phrase: analyze(written) }))
    .filter(({ phrase }) => phrase.length > 1)
    .slice(0, PHRASES_MAX);
}

const toVerbatim = ({ written, identifier, terms, isName }: Word): Verbatim => ({
  text: flatten(written).toLowerCase(),
  // A name longer than any term is as rare as a phrase.
  terms: isName && identifier === undefined ? [] : [identifier ?? terms[0] ?? "", ...terms.slice(1)],
  isGuess: false,
});
const phraseAsWritten = ({ written }: Quoted): Verbatim => ({
  text: flatten(written.trim()).toLowerCase(),
  terms: [],
  isGuess: false,
});
const mayBeName = ({ written, terms }: Word) =>
  written.length >= GUESS_CHARACTERS_MIN && terms.length > 0 && !terms.every(isStopWord);
const isFiller = ({ terms }: Word) => terms.every(isStopWord);

/** What stands between two words of which one may be typed. */
const BETWEEN_TYPED = /[^\p{L}\p{N}\p{M}_-]|[-_]{2,}/u;

/**
 * The stem of the word being typed, because the index holds stems. A name joined with hyphens or underscores
 * stays whole. After a space, no word is being typed.
 */
function lastWord(text: string): string | undefined {
  const typed = text.normalize("NFKC").split(BETWEEN_TYPED).at(-1) ?? "";
  const word = typed.toLowerCase().replace(/[-_]/g, "");
  if (word === "" || /[-_]$/.test(typed)) return undefined;
  const stem = analyze(word).at(-1) ?? word;
  let common = 0;
  while (common < word.length && word[common] === stem[common]) common++;
  if (common === 0) return stem;
  return common < 2 ? word : word.slice(0, common);
}
