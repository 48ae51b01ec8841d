import { type ReadPieces, rememberPieces } from "@docent/kernel/text/remember-pieces";
import { hasUnspaced, UNSPACED } from "@docent/kernel/text/sentences/sentences";
import {
  englishStem,
  latinWithHangul,
  stemIn,
  withoutBreaks,
  withoutEnding,
  withoutMarks,
  withPlainLetters,
} from "./stems/stems.ts";

/** The operators that code writes between two names. */
const MARK = "[-+*/%<>=!&|~^]";

// A word, or something that a reader would type as one: --dry-run, package.json, snake_case, E1234, v1.2.3,
// C++17, std::vector, operator<<, &&. The marks before it are bounded: a line of dashes would otherwise be
// scanned to its end from each of them.
const tokenOf = (letter: string, flags: string) =>
  new RegExp(
    `[Oo](?:perator|PERATOR) ?${MARK}{1,3}(?!${MARK}|${letter})|` +
      `[-.@#/$_]{0,3}${letter}+(?:(?:[-._/@:#]|::[~_]*)${letter}+|_+${letter}*)*` +
      `(?:\\+\\+\\d*|#|(?<=::operator) ?${MARK}{1,3}(?!${MARK}|${letter}))?|` +
      "[-+*%<>=!&|~^?:]{2,}",
    flags,
  );
const TOKEN = tokenOf("[\\p{L}\\p{N}\\p{M}]", "gu");
// The same for ASCII text, which most lines are: several times as fast.
const ASCII_TOKEN = tokenOf("[A-Za-z\\d]", "g");
/** Marks that mean something, unlike rules and dashes. */
const SYMBOL = /^(?!(.)\1\1)(?!--|\*\*|[?!]+$).{2,3}$/;
/** The only tokens that may have a space inside. */
const OPERATOR_APART = new RegExp(`perator ${MARK}`, "i");
const OPERATOR = /^(.*::)?operator ?[-+*/%<>=!&|~^]/i;
const VERSION = /^v?\d+(?:\.\d+){2,}$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant
const BEYOND_ASCII = /[^\x00-\x7f]/;
/** Typographic punctuation in English text that is otherwise ASCII. */
const TYPOGRAPHY = /[\u00a0\u2010-\u2027\u2030-\u203a\u2190-\u21ff\u2500-\u25ff]/g;
// Matches most words: they fold to themselves and have no parts.
const PLAIN_WORD = /^(?:[A-Z]?[a-z]+|[A-Z]+)$/;
const TOKEN_CHARACTERS_MAX = 64;

/** A number, raised whenever a text gives other terms than before: the keyword index is then made anew. */
export const ANALYZER_REVISION = "12";

/**
 * The terms under which a text is indexed and searched: words folded and stemmed, identifiers whole and in parts, text
 * without spaces in short pieces.
 */
export function analyze(text: string): string[] {
  const terms: string[] = [];
  for (const token of tokensOf(text)) addTerms(terms, recentCutOf(token));
  return terms;
}

function addTerms(terms: string[], cut: Cut): void {
  for (const term of cut.terms) if (term !== "") terms.push(term);
}

/** What a part of a text is indexed under. */
export interface Analyzed {
  terms: string[];
  /** Its words that a reader may misspell, as they are written, in lower case. */
  words: string[];
}

const PIECES_KEPT = 60_000;
/** What no token has any of, and what none ends with. */
const BETWEEN_TOKENS = "\t\n\r ,;()[]{}\"'`\\";
const BEHIND_TOKENS = ".";

/**
 * Cuts many texts as `analyze` does, part by part, and remembers the numbers that are made of each part: most of them
 * repeat. What it remembers goes with it.
 */
export function createAnalyzer(make: (analyzed: Analyzed) => number[]): ReadPieces {
  const read = rememberPieces({
    separators: BETWEEN_TOKENS,
    separatorsAtEnd: BEHIND_TOKENS,
    make: (piece) => make(analyzed(cutTokens(piece))),
    piecesKept: PIECES_KEPT,
  });
  return (text, take) => {
    const plain = plainOf(text);
    if (!OPERATOR_APART.test(plain)) return read(plain, take);
    const made = Int32Array.from(make(analyzed(tokensIn(plain))));
    take(made, 0, made.length);
  };
}

function analyzed(tokens: readonly string[]): Analyzed {
  const made: Analyzed = { terms: [], words: [] };
  for (const token of tokens) {
    // Copied, because a part of a string keeps all of it in memory.
    const own = cut(token.split("").join(""));
    addTerms(made.terms, own);
    made.words.push(...own.words);
  }
  return made;
}

/** The tokens of a text as written. */
const tokensOf = (text: string) => tokensIn(plainOf(text));

const tokensIn = (plain: string): string[] =>
  BEYOND_ASCII.test(plain) ? plain.split("\n").flatMap(cutTokens) : (plain.match(ASCII_TOKEN) ?? []);

/** A text in the characters that words are told by. */
function plainOf(text: string): string {
  if (!BEYOND_ASCII.test(text)) return text;
  const plain = withoutBreaks(text).replace(TYPOGRAPHY, " ");
  return BEYOND_ASCII.test(plain) ? plain.normalize("NFKC") : plain;
}

const cutTokens = (piece: string): string[] =>
  piece.match(BEYOND_ASCII.test(piece) ? TOKEN : ASCII_TOKEN) ?? [];

/** The terms of a token. */
interface Cut {
  terms: readonly string[];
  /** The term of the whole token, if it names something exactly. */
  identifier: string | undefined;
  /** The terms of the whole token, however its words are joined: `dry-run` and `dryrun`. */
  spellings: readonly string[];
  /** Its words in lower case, each with one term: those of letters alone, neither short nor long. */
  words: readonly string[];
}

/** Letters of scripts in which a word is spelled letter by letter, between spaces. */
const SPELLED = /^[[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Armenian}]&&\p{L}]{4,24}$/v;
const PLAIN_CHARACTERS_MIN = 4;
const PLAIN_CHARACTERS_MAX = 24;
const NO_WORDS: readonly string[] = [];

/** Whether a text is one word that can be misspelled: shorter ones have too many others beside them. */
export const isSpelledWord = (text: string) => SPELLED.test(text);

type CutOf = (token: string) => Cut;

// With 12,000, the server held 25 MB more after a thousand answers: each is a few small objects that keep the part of the
// heap where they were made. Answers to questions that differ take as long with these.
const RECENT_TOKENS_KEPT = 3_000;

/** Remembers how tokens were cut. When half of them are new, those not used since the last clearing go. */
function rememberCuts(tokensKept: number): CutOf {
  let cuts = new Map<string, Cut>();
  let olderCuts = new Map<string, Cut>();
  return (piece) => {
    if (piece.length > TOKEN_CHARACTERS_MAX) return cut(piece);
    const known = cuts.get(piece);
    if (known !== undefined) return known;
    // Copied, because a substring keeps the whole text in memory.
    const token = piece.split("").join("");
    const made = olderCuts.get(token) ?? cut(token);
    if (cuts.size >= tokensKept / 2) {
      olderCuts = cuts;
      cuts = new Map();
    }
    cuts.set(token, made);
    return made;
  };
}

const recentCutOf = rememberCuts(RECENT_TOKENS_KEPT);

function cut(token: string): Cut {
  if (token.length <= TOKEN_CHARACTERS_MAX && PLAIN_WORD.test(token)) {
    const word = token.toLowerCase();
    const isSpelled = word.length >= PLAIN_CHARACTERS_MIN && word.length <= PLAIN_CHARACTERS_MAX;
    const terms = [englishStem(word)];
    // Thousands of these are remembered, and most words are their own stem.
    return { ...NOTHING, terms, words: isSpelled ? (terms[0] === word ? terms : [word]) : NO_WORDS };
  }
  if (SYMBOLS.test(token)) return SYMBOL.test(token) ? nameOf([token]) : NOTHING;
  if (OPERATOR.test(token)) return operatorOf(token.replace(" ", "").toLowerCase());
  // Nobody types a long address or path as a whole.
  if (token.length > TOKEN_CHARACTERS_MAX && !hasUnspaced(token))
    return { ...NOTHING, terms: [...new Set(partsOf(token))] };
  if (hasUnspaced(token)) return { ...NOTHING, terms: unspaced(token) };
  const mixed = latinWithHangul(token);
  if (mixed !== undefined) {
    const own = cut(mixed.latin);
    return mixed.hangul === "" ? own : { ...own, terms: [...own.terms, termOf(mixed.hangul)] };
  }
  const whole = wholeOf(token);
  const terms = spaced(token, whole);
  const joined = termOf(token.replace(/[^\p{L}\p{N}\p{M}+#]+/gu, ""));
  return {
    terms,
    identifier: isIdentifier(token, whole) ? whole : undefined,
    spellings: joined !== whole && terms.includes(joined) ? [whole, joined] : [],
    words: spelledIn(token),
  };
}

/** The words of a token that can be misspelled. */
function spelledIn(token: string): string[] {
  const words = token.split(BETWEEN_NAMES).flatMap(camelWords);
  return [...new Set(words.map((word) => word.toLowerCase()))].filter(isSpelledWord);
}

const SYMBOLS = /^[-+*/%<>=!&|~^?:]+$/;
const BETWEEN_NAMES = /[^\p{L}\p{N}\p{M}+#_-]+/u;
/** Marks between words, and the places where the case or a language's name ends. */
const BETWEEN_WORDS =
  /[^\p{L}\p{N}\p{M}+#]+|#(?=\p{L})|(?<=\p{Ll}|\p{N})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|(?<=\+)(?=\d)/u;
const ASCII_BETWEEN_WORDS =
  /[^A-Za-z\d+#]+|#(?=[A-Za-z])|(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=\+)(?=\d)/;
const NOTHING: Cut = { terms: [], identifier: undefined, spellings: [], words: NO_WORDS };

/** The terms of `operator<<`, also of a class: `Stream::operator<<`. */
function operatorOf(name: string): Cut {
  const own = name.slice(name.lastIndexOf("::") + 1).replace(":", "");
  return nameOf([...new Set([name, own, ...partsOf(name)])]);
}

const nameOf = (terms: string[]): Cut => ({ ...NOTHING, terms, identifier: terms[0] });

/** Words of plain letters and digits, and names that are made of them: their first term is that of all of it. */
const PLAIN_NAME = /^[a-z\d]+(?:(?:\.|::)[a-z\d]+)*$/;

/** The first term of a text. Names are guessed by the dozen, and most guesses are no more than a stem. */
export function firstTerm(text: string): string | undefined {
  const isPlain = text.length <= TOKEN_CHARACTERS_MAX && PLAIN_NAME.test(text);
  return isPlain ? englishStem(text) : analyze(text)[0];
}

/** The distinct terms of a question, without stop words. */
export function analyzeQuestion(question: string): string[] {
  const all = [...new Set(analyze(question))];
  const telling = all.filter((term) => !isStopWord(term));
  return telling.length > 0 ? telling : all;
}

/** A word of a question, or a name in it. */
export interface Word {
  written: string;
  terms: readonly string[];
  /**
   * The term of the whole word, if it names something exactly: `--dry-run`, `package.json`, `snake_case`,
   * `camelCase`, `E1234`, `v1.2.3`.
   */
  identifier: string | undefined;
  /** Whether only a name is written like this: it names something exactly, or is longer than any word. */
  isName: boolean;
  /** The terms of the whole word, where it can be spelled in several ways. */
  spellings: readonly string[];
  /** Its words in lower case that can be misspelled. */
  words: readonly string[];
}

/** The words of a question in order, as written and as searched. */
export function wordsOf(question: string): Word[] {
  return tokensOf(question).flatMap((written) => {
    const own = recentCutOf(written);
    const isLong = written.length > TOKEN_CHARACTERS_MAX && !hasUnspaced(written);
    return own.terms.length === 0
      ? []
      : [{ written, ...own, isName: isLong || own.identifier !== undefined }];
  });
}

/** Numbers do not name anything, nor do words joined by a hyphen or an apostrophe. */
function isIdentifier(token: string, whole: string): boolean {
  if (VERSION.test(whole)) return true;
  if (/^[\d.,:/-]+$/.test(whole) || !/[a-z]/.test(whole)) return false;
  return (
    /[_/@#$]|\+\+|::|^[-.]|\p{L}\.\p{L}/u.test(token) ||
    /\p{Ll}\p{Lu}|\p{Lu}{2,}\p{Ll}/u.test(token) ||
    /\d/.test(token)
  );
}

function spaced(token: string, whole: string): string[] {
  const parts = partsOf(token);
  const only = parts.length === 1 ? parts[0] : undefined;
  return only !== undefined && (only === whole || /^\p{L}+$/u.test(whole))
    ? [only]
    : [...new Set([whole, ...parts])];
}

/**
 * The term of the whole token. It is stemmed like a part, because a reader who types an identifier in lower
 * case types one word.
 */
function wholeOf(token: string): string {
  return termOf(token.replace(/[.:/@-]+$/, ""));
}

/** The words of a token, however they are joined: `dry-run`, `dry_run` and `dryRun` are the same. */
function partsOf(token: string): string[] {
  return token.split(BETWEEN_NAMES).flatMap((name) => {
    const words = camelWords(name).filter((word) => word !== "" && word.length <= TOKEN_CHARACTERS_MAX);
    const parts = words.map(termOf);
    return words.length > 1 ? [termOf(words.join("")), ...parts] : parts;
  });
}

function unspaced(token: string): string[] {
  const { terms, others } = cutUnspaced(token);
  return [...terms, ...others.flatMap((rest) => cut(rest).terms)];
}

function camelWords(name: string): string[] {
  return name.split(BEYOND_ASCII.test(name) ? BETWEEN_WORDS : ASCII_BETWEEN_WORDS);
}

/** The term of a word: without its ending, and then without marks, some of which endings are told by. */
function termOf(word: string): string {
  const lower = word.toLowerCase();
  return englishStem(BEYOND_ASCII.test(lower) ? withoutMarks(withoutEnding(withPlainLetters(lower))) : lower);
}

/**
 * The term of all forms of a word, where the language of its text is one whose endings are known. A passage has it beside the
 * terms of its words, because a few words of a question do not tell their language. No text has such a term by itself.
 */
export function formTerm(language: string, word: string): string | undefined {
  const stem = stemIn(language, word);
  return stem === undefined ? undefined : `~${language} ${withoutMarks(stem)}`;
}

/** The term that passages have whose words have such terms. */
export const languageTerm = (language: string) => `~${language}`;

/** A term as people may read it. */
export const shownTerm = (term: string) => term.replace(/^~\w+ /, "");

// Words that nearly every question has and that do not say what it is about. Compared as they are indexed.
const ENGLISH = `a about after all also am an and any anyone are as at be because been before being but by can could
did do does doing done don else ever for from get gets getting give go going got had has have having he help her here
hi hello him his how however i if in into is it its just know let like ll made make makes making many may me might
mine more most much must my need needs no not now of off on one only onto or other our out over own please possible
re s same see shall she should show so some someone something still such t tell than thank thanks that the their them
then there these they thing things this those through to too try trying up us use used user using ve very want wants
was way ways we well were what whats when where whether which while who whom whose why will with without wonder work
works would yes yet you your`;

/** The stop words as they are written. */
export const STOP_WORDS: readonly string[] = ENGLISH.split(/\s+/);
const words = new Set(STOP_WORDS.flatMap((word) => [word, englishStem(word)]));

/** Whether a term is too common in questions to look for. */
export function isStopWord(term: string): boolean {
  return words.has(term);
}

const { short: PAIRED, long: SEGMENTED } = UNSPACED;
const RUN = new RegExp(`[${PAIRED}]+|[${SEGMENTED}\\p{M}]+`, "gu");
const IS_SEGMENTED = new RegExp(`[${SEGMENTED}]`, "u");
/** The same for every language: the rules for words depend on the script, not on the locale. */
const segmenter = new Intl.Segmenter("th", { granularity: "word" });

/** The terms of a token's parts in scripts without spaces, and the text between them. */
function cutUnspaced(token: string): { terms: string[]; others: string[] } {
  const runs = token.match(RUN) ?? [];
  return { terms: runs.flatMap(termsInRun), others: token.split(RUN).filter((rest) => rest !== "") };
}

/**
 * Measured on questions over paragraphs (nDCG@10): Chinese in pairs .965, by the segmenter's words .962; Thai in pairs
 * .925, by words .959, in threes .972, by words and in threes .975.
 */
function termsInRun(run: string): string[] {
  const characters = [...run];
  if (!IS_SEGMENTED.test(run)) return characters.length === 1 ? [run] : piecesOf(characters, 2);
  const words = [...segmenter.segment(run)].filter(({ isWordLike }) => isWordLike);
  return [...new Set([...words.map(({ segment }) => segment), ...piecesOf(characters, 3)])];
}

function piecesOf(characters: string[], length: number): string[] {
  const pieces: string[] = [];
  for (let index = 0; index + length <= characters.length; index++) {
    pieces.push(characters.slice(index, index + length).join(""));
  }
  return pieces;
}
