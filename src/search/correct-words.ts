import { analyze, isSpelledWord, isStopWord, STOP_WORDS, type Word, wordsOf } from "./analyze.ts";
import { type KeywordView, likelihoodOf, type NearWord, nearestOf } from "./keyword-index/keyword-index.ts";
import { type KeywordQuery, withoutQuotes } from "./read-query.ts";
import type { Frequencies } from "./search-store.ts";

/** A question in which words that no passage has were replaced by those that were likely meant. */
export interface CorrectedQuestion {
  /** The whole question. */
  text: string;
  /** The words as they were written, and what is searched for instead. */
  words: { written: string; corrected: string }[];
}

interface CorrectionDeps {
  view: KeywordView;
  /** The terms whose frequencies are known: of a very long text not all. */
  asked: readonly string[];
  frequencies: Frequencies;
  /** Whether this is a word as people write it, on whatever subject. */
  isWord(text: string): Promise<boolean>;
}

/** Where more words are unknown than this, and more than known ones, the question is of another language or subject. */
const UNKNOWN_MAX = 4;
/** Looking for one takes about a millisecond. */
const CORRECTED_MAX = 8;
/** A stop word of three letters is recognized with two of them transposed: `teh`. */
const SHORT_STOP_WORD = 3;

const PLURAL = /(?<=\p{L}{3})s$/iu;

/** A part of a question that is written in letters alone. */
interface WrittenWord {
  written: string;
  at: number;
}

/** Corrects the words of a question that no passage has. Undefined where there is nothing to correct. */
export async function correctWords(
  text: string,
  { terms, prefix }: Pick<KeywordQuery, "terms" | "prefix">,
  deps: CorrectionDeps,
): Promise<CorrectedQuestion | undefined> {
  const { view, asked, frequencies, isWord } = deps;
  if (terms.every((term) => frequencies.of.has(term))) return undefined;
  const unknown: WrittenWord[] = [];
  for (const each of unknownWords(text, new Set(asked), frequencies)) {
    const isTyped = prefix !== undefined && each.at + each.written.length === text.length;
    // The beginning of a word is no typo, and neither is a word that these docs happen not to use.
    if (isTyped && (await view.hasBeginning(prefix))) continue;
    const isOther = (await isWord(each.written)) || (await isWord(each.written.replace(PLURAL, "")));
    if (!isOther) unknown.push(each);
  }
  const known = terms.filter((term) => frequencies.of.has(term)).length;
  if (unknown.length > UNKNOWN_MAX && unknown.length > known) return undefined;
  const words: (WrittenWord & { corrected: string })[] = [];
  for (const each of unknown.slice(0, CORRECTED_MAX)) {
    const meant = await meantBy(each.written.toLowerCase(), view);
    if (meant !== undefined) words.push({ ...each, corrected: inCaseOf(each.written, meant) });
  }
  return words.length === 0 ? undefined : { text: replaced(text, words), words: words.map(withoutPlace) };
}

const withoutPlace = ({ written, corrected }: { written: string; corrected: string }) => ({
  written,
  corrected,
});

/** The words of a question that no passage has, unless they name something or are quoted. */
function unknownWords(text: string, asked: ReadonlySet<string>, { of }: Frequencies): WrittenWord[] {
  const isKnown = (term: string) => !asked.has(term) || of.has(term) || isStopWord(term);
  let from = 0;
  return wordsOf(withoutQuotes(text)).flatMap((word) => {
    const at = text.indexOf(word.written, from);
    // Text that is normalized when it is read may not stand there as it is.
    if (at < 0) return [];
    from = at + word.written.length;
    if (!mayBeMisspelled(word) || isKnown(word.terms[0] ?? "")) return [];
    return lettersIn(word.written)
      .map(({ written, at: within }) => ({ written, at: at + within }))
      .filter(({ written }) => !analyze(written).some(isKnown) && isLongEnough(written));
  });
}

const mayBeMisspelled = ({ written, isName }: Word) => !isName && !/\p{N}|^\p{Lu}+$/u.test(written);
const isLongEnough = (written: string) =>
  isSpelledWord(written.toLowerCase()) || written.length === SHORT_STOP_WORD;

function lettersIn(text: string): WrittenWord[] {
  return [...text.matchAll(/\p{L}+/gu)].map((match) => ({ written: match[0], at: match.index }));
}

/** The word that was likely meant, of those that readers see or of those that questions are made of. */
async function meantBy(word: string, view: KeywordView): Promise<string | undefined> {
  const stopWords = STOP_WORDS.filter(({ length }) => length >= SHORT_STOP_WORD);
  const [asked] = nearestOf(stopWords, word, view.passages);
  const [near] = word.length > SHORT_STOP_WORD ? await view.nearWords(word) : [];
  return likelier(asked, near)?.word;
}

function likelier(one: NearWord | undefined, other: NearWord | undefined): NearWord | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return likelihoodOf(other) > likelihoodOf(one) ? other : one;
}

/** A word written with a capital where the other was. */
function inCaseOf(written: string, word: string): string {
  const initial = written.slice(0, 1);
  return initial === initial.toLowerCase() ? word : `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`;
}

function replaced(text: string, words: readonly (WrittenWord & { corrected: string })[]): string {
  let result = "";
  let end = 0;
  for (const { written, at, corrected } of words) {
    result += text.slice(end, at) + corrected;
    end = at + written.length;
  }
  return result + text.slice(end);
}
