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

/** A word of the language may be in the plural: a doubled letter at the end is a typo. */
const PLURAL = /(?<=\p{L}{2}[^s])s$/iu;
/** What is left of a word must be so long that it is no word by chance. */
const PREFIX = /^(?:re|un|de|pre|non|sub|dis|over|auto|multi)(?=\p{L}{5})/iu;

/** So many words tell a question's language. */
const LANGUAGE_WORDS = 60;
const TELLING_NOTHING = 2;

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
  if (terms.every((term) => (frequencies.of.get(term) ?? 0) > RARE_PASSAGES_MAX)) return undefined;
  const unknown: WrittenWord[] = [];
  for (const each of unknownWords(text, new Set(asked), frequencies)) {
    const isTyped = prefix !== undefined && each.at + each.written.length === text.length;
    // The beginning of a word is no typo, and neither is a word that these docs happen not to use.
    if (isTyped && (await view.hasBeginning(prefix))) continue;
    if (!(await isOtherWord(each.written, isWord))) unknown.push(each);
  }
  const known = terms.filter((term) => frequencies.of.has(term)).length;
  if (unknown.length === 0 || (unknown.length > UNKNOWN_MAX && unknown.length > known)) return undefined;
  const nearOf = new Map<string, readonly NearWord[]>();
  for (const { written } of unknown.slice(0, CORRECTED_MAX))
    nearOf.set(written, await wordsNear(written.toLowerCase(), view, frequencies));
  const isEnglish = await mayBeEnglish(text, nearOf, isWord);
  const words: (WrittenWord & { corrected: string })[] = [];
  for (const each of unknown) {
    const near = farLikelier(each.written, nearOf.get(each.written) ?? [], frequencies, isEnglish);
    const meant = isEnglish ? near[0]?.word : await plainlyMeant(each.written.toLowerCase(), near, isWord);
    if (meant !== undefined) words.push({ ...each, corrected: inCaseOf(each.written, meant) });
  }
  return words.length === 0 ? undefined : { text: replaced(text, words), words: words.map(withoutPlace) };
}

/** A word that no more passages have may be a typo of theirs, where one that is so much more frequent is beside it. */
const RARE_PASSAGES_MAX = 5;
const RARER = 300;
/** As much is enough for a word that no passage has, and that only shares the stem of another: `cashe` that of "cash". */
const RARER_THAN_STEM = 20;

/** The words that are meant although the one that is written occurs: of one that does not, all. */
function farLikelier(
  written: string,
  near: readonly NearWord[],
  { of }: Frequencies,
  isEnglish: boolean,
): readonly NearWord[] {
  const [term = ""] = analyze(written);
  const own = of.get(term) ?? 0;
  if (own === 0) return near;
  if (!isEnglish) return [];
  const isForm = ({ word }: NearWord) => analyze(word).includes(term);
  // Another form of it is near, and so is the word itself: it costs nothing.
  if (!near.some(isForm)) return near.filter(({ passages }) => passages >= own * RARER_THAN_STEM);
  return near.filter((each) => each.cost <= TYPO_COST_MAX && each.passages >= own * RARER && !isForm(each));
}

/** Whether a word is known, in the plural and with a prefix too: `recompress`. */
async function isOtherWord(written: string, isWord: CorrectionDeps["isWord"]): Promise<boolean> {
  const forms = new Set([written, written.replace(PLURAL, ""), written.replace(PREFIX, "")]);
  for (const form of forms) if (await isWord(form)) return true;
  return false;
}

/** So much of a question in English is words as people write them, however many of them are misspelled. */
const KNOWN_SHARE_MIN = 0.5;

/** Whether a text may be of the language whose words are known; misspelled ones are. A few words do not tell. */
async function mayBeEnglish(
  text: string,
  nearOf: ReadonlyMap<string, readonly NearWord[]>,
  isWord: CorrectionDeps["isWord"],
): Promise<boolean> {
  const words = lettersIn(text).slice(0, LANGUAGE_WORDS);
  if (words.length <= TELLING_NOTHING) return words.every(({ written }) => /^[A-Za-z]+$/.test(written));
  let all = 0;
  let known = 0;
  for (const { written } of words) {
    all += written.length;
    const near = nearOf.get(written)?.find(({ cost }) => cost > 0);
    const isTypo = near !== undefined && near.cost <= TYPO_COST_MAX && (await isWhole(near.word, isWord));
    if (isTypo || (await isWord(written))) known += written.length;
  }
  return known >= all * KNOWN_SHARE_MIN;
}

/** What each part of a compound has at least: shorter ones make words of everything. */
const PART_LETTERS_MIN = 3;

/** Whether it is a word, or two that are written as one: `keybinding`. */
async function isWhole(word: string, isWord: CorrectionDeps["isWord"]): Promise<boolean> {
  if (await isWord(word)) return true;
  for (let at = PART_LETTERS_MIN; at <= word.length - PART_LETTERS_MIN; at++)
    if ((await isWord(word.slice(at))) && (await isWord(word.slice(0, at)))) return true;
  return false;
}

const withoutPlace = ({ written, corrected }: { written: string; corrected: string }) => ({
  written,
  corrected,
});

/** The words of a question that no passage has, unless they name something or are quoted. */
function unknownWords(text: string, asked: ReadonlySet<string>, { of }: Frequencies): WrittenWord[] {
  const isKnown = (term: string) =>
    !asked.has(term) || (of.get(term) ?? 0) > RARE_PASSAGES_MAX || isStopWord(term);
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

/** The words near one, of those that readers see and of those that questions are made of, the likeliest first. */
async function wordsNear(word: string, view: KeywordView, { of }: Frequencies): Promise<NearWord[]> {
  const asked = nearestOf(QUESTION_WORDS, word, view.passages).slice(0, 1);
  const isSeen = analyze(word).some((term) => (of.get(term) ?? 0) > 0);
  const near = word.length > SHORT_STOP_WORD ? await view.nearWords(word, isSeen) : [];
  return [...asked, ...near].sort((a, b) => likelihoodOf(b) - likelihoodOf(a));
}

const QUESTION_WORDS = STOP_WORDS.filter(({ length }) => length >= SHORT_STOP_WORD);

/** The word that was meant, although the words of the question's language are not known. */
async function plainlyMeant(
  word: string,
  near: readonly NearWord[],
  isWord: CorrectionDeps["isWord"],
): Promise<string | undefined> {
  for (const each of near) if (await isPlainTypo(word, each, isWord)) return each.word;
  return undefined;
}

/** What a change costs that fingers make, and one that is no other form of a word. */
const TYPO_COST_MAX = 90;
const SWAP_COST_MAX = 70;
const PLAIN_PASSAGES_MIN = 3;
const PLAIN_LETTERS_MIN = 6;
const ENDING_LETTERS = 3;

/**
 * Whether a word can be nothing but misspelled, although the words of its language are not known. Most words that differ
 * in a letter are other forms of one: what is different there is at their end.
 */
async function isPlainTypo(
  word: string,
  { word: near, cost, passages }: NearWord,
  isWord: CorrectionDeps["isWord"],
): Promise<boolean> {
  if (passages < PLAIN_PASSAGES_MIN || cost > TYPO_COST_MAX) return false;
  if (word.length < PLAIN_LETTERS_MIN) return false;
  if (cost <= SWAP_COST_MAX || word.slice(-ENDING_LETTERS) === near.slice(-ENDING_LETTERS)) return true;
  return word.at(-1) === near.at(-1) && (await isWord(near));
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
