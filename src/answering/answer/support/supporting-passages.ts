import { analyze, analyzeQuestion, wordsOf } from "@docent/finding/search/analyze";
import { JoinedWords, type Words } from "@docent/finding/search/joined-words";
import { remembering } from "@docent/kernel/lib/remember";
import { plainText } from "@docent/reading/markdown/plain-text";
import { cutPieces } from "../pieces.ts";
import { denialsIn } from "./denials.ts";

/** A passage that supports a sentence, and how strongly, from 0 to 1. */
interface Carrier {
  number: number;
  strength: number;
}

/** A passage that may support a sentence, with its words that do. */
export interface SupportCandidate extends Carrier {
  words: string;
}

/** A passage that an answer is compared with. */
export interface SupportPassage {
  number: number;
  title: string;
  headings?: readonly string[] | undefined;
  text: string;
}

/** The share of a sentence's words that must stand together in a passage to support the sentence. */
const STRENGTH_MIN = 0.7;
/** With this share the passage contains the sentence itself, in whatever order: meanings are not compared. */
const STRENGTH_SURE = 0.9;
/** With this share it supports the sentence only where the meanings are as near as `SIMILARITY_SURE`. */
const STRENGTH_MAYBE = 0.5;
const SIMILARITY_SURE = 0.8;
/** Below this similarity, the same words are about something else. */
const SIMILARITY_MIN = 0.5;
/** A sentence of the passage with this share of the words says the same thing, so that its details count. */
const SAME_SHARE_MIN = 0.4;
/** How many sentences of a passage one sentence of an answer may be drawn from. */
const TOGETHER_MAX = 3;
/** The weight of a word that every passage has. */
const COMMON_WEIGHT = 0.5;
const CODE_LINES_MIN = 0.8;
/** Words with which an answer refers to the docs themselves. */
const ABOUT_DOCS = new Set(
  analyze("according documentation docs describes mentions important note following"),
);
const SOURCES_MAX = 3;
const ANSWER_SHARE_MIN = 0.5;

type Weigh = (term: string) => number;

/** The passages of one question, prepared for comparison with an answer. */
export interface Support {
  /** The passages that may support a sentence, best first. */
  candidates(sentence: string): SupportCandidate[];
  /** The passages that contain the code, line by line. */
  ofCode(code: string): Carrier[];
}

/** Prepares passages for finding those that support an answer. */
export function createSupport(
  passages: readonly SupportPassage[],
  read: SupportReader = readPassage,
): Support {
  const all = passages.map((passage) => ({ number: passage.number, ...read(passage) }));
  const weigh: Weigh = (term) =>
    all.length > 2 && all.every(({ terms }) => terms.has(term)) ? COMMON_WEIGHT : 1;
  return {
    candidates(sentence) {
      const claim = readClaim(sentence);
      return all
        .map((passage) => ({ number: passage.number, ...strengthIn(claim, passage, weigh) }))
        .filter(({ strength }) => strength >= STRENGTH_MAYBE)
        .toSorted((a, b) => b.strength - a.strength);
    },
    ofCode(code) {
      const lines = code
        .split("\n")
        .map(oneSpaced)
        .filter((line) => line !== "");
      if (lines.length === 0) return [];
      return all
        .map(({ number, lines: known }) => ({
          number,
          strength: lines.filter((line) => known.has(line)).length / lines.length,
        }))
        .filter(({ strength }) => strength >= CODE_LINES_MIN)
        .toSorted((a, b) => b.strength - a.strength);
    },
  };
}

/** The passages that support a sentence by its words, best first. */
export function supportOf(sentence: string, passages: readonly SupportPassage[]): Carrier[] {
  return createSupport(passages)
    .candidates(sentence)
    .filter((candidate) => carries(candidate))
    .map(({ number, strength }) => ({ number, strength }));
}

/** Whether a candidate supports its sentence, by the words and, where known, the similarity of meaning. */
export function carries({ strength }: Carrier, similarity?: number): boolean {
  if (similarity === undefined || strength >= STRENGTH_SURE) return strength >= STRENGTH_MIN;
  return similarity >= (strength >= STRENGTH_MIN ? SIMILARITY_MIN : SIMILARITY_SURE);
}

/**
 * The numbers of the passages with many of an answer's words, best first: the last resort where no sentence
 * was linked.
 */
export function findSupport(answer: string, passages: readonly SupportPassage[]): number[] {
  const { terms } = readClaim(answer);
  if (terms.length === 0) return [];
  return passages
    .map(({ number, title, text }) => {
      const present = new Set(analyze(`${title}\n${text}`));
      return { number, share: terms.filter((term) => present.has(term)).length / terms.length };
    })
    .filter(({ share }) => share >= ANSWER_SHARE_MIN)
    .sort((a, b) => b.share - a.share)
    .slice(0, SOURCES_MAX)
    .map(({ number }) => number);
}

/** A text's claim, in a form that can be searched in another text. */
interface Claim {
  /** Its telling words, distinct. */
  terms: string[];
  /** Names that must be in the other text as well, each with its possible spellings. */
  names: string[][];
  numbers: string[];
  /** Whether it is a denial. */
  denies: boolean;
}

/** A passage in a form in which claims can be searched. */
interface ReadPassage {
  /** The words of its title and headings, which its sentences leave out. */
  about: Words;
  /** Every word of it. */
  terms: Words;
  statements: Statement[];
  /** Its lines with single spaces, for comparing code. */
  lines: Words;
}

/** One piece of a passage: a sentence, a list item, a row, a code block. */
interface Statement {
  text: string;
  terms: Words;
  numbers: Words;
  denies: boolean;
}

const NUMBER = /(?<![\p{L}\d_.-])\d+(?:[.,:]\d+)*(?![\p{L}\d_])/gu;
const NUMBER_WORDS = "two three four five six seven eight nine ten eleven twelve".split(" ");
const NUMBER_WORD = new RegExp(`\\b(?:${NUMBER_WORDS.join("|")})\\b`, "gi");

function readClaim(text: string): Claim {
  const words = wordsOf(text);
  return {
    terms: analyzeQuestion(text).filter((term) => !/^[\d.,:]+$/.test(term)),
    names: words.flatMap(({ identifier, spellings }) =>
      identifier === undefined ? [] : [[identifier, ...spellings]],
    ),
    numbers: [...numbersIn(text)],
    denies: denialsIn(text) > 0,
  };
}

/** Reads what a passage states. */
export type SupportReader = (passage: Omit<SupportPassage, "number">) => ReadPassage;

/** How many passages stay read. */
const PASSAGES_KEPT = 500;

/** Reads what passages state, and remembers those that were read last. */
export function createSupportReader(): SupportReader {
  const read = remembering((text, above) => {
    const [title = "", ...headings] = above.split("\n");
    return readPassage({ title, headings, text });
  }, PASSAGES_KEPT);
  return ({ title, headings = [], text }) => read(text, [title, ...headings].join("\n"));
}

function readPassage({ title, headings = [], text }: Omit<SupportPassage, "number">): ReadPassage {
  const statements = cutPieces(text, "en").map(({ header = "", markdown }): Statement => {
    const own = plainText(markdown);
    // A row is about its columns.
    const plain = header === "" ? own : `${plainText(header)}\n${own}`;
    return {
      text: own,
      terms: new JoinedWords(analyze(plain)),
      numbers: new JoinedWords(numbersIn(plain)),
      denies: denialsIn(own) > 0,
    };
  });
  const about = new JoinedWords(analyze([title, ...headings].join("\n")));
  const terms = new JoinedWords([...about, ...statements.flatMap(({ terms: own }) => [...own])]);
  return { about, terms, statements, lines: new JoinedWords(text.split("\n").map(oneSpaced)) };
}

/** A line of code, however it is indented. */
const oneSpaced = (line: string) => line.replace(/\s+/g, " ").trim();

function numbersIn(text: string): Set<string> {
  const written = (text.match(NUMBER) ?? []).map((number) => number.replace(/,(?=\d{3}\b)/g, ""));
  const words = (text.match(NUMBER_WORD) ?? []).map((word) =>
    String(NUMBER_WORDS.indexOf(word.toLowerCase()) + 2),
  );
  return new Set([...written, ...words]);
}

/**
 * How much of a claim a few neighbouring sentences of a passage state; 0 where they state it of another name
 * or number.
 */
function strengthIn(
  claim: Claim,
  { statements, about, terms: present }: ReadPassage,
  weigh: Weigh,
): Omit<SupportCandidate, "number"> {
  const claimed = claim.terms.filter((term) => !ABOUT_DOCS.has(term));
  const whole = sum(claimed, weigh);
  const terms = claimed.filter((term) => present.has(term));
  // Most passages are about something else: nothing that they say could be enough.
  if (whole === 0 || sum(terms, weigh) / whole < STRENGTH_MAYBE) return { strength: 0, words: "" };
  const shares = statements.map(
    (statement) =>
      sum(
        terms.filter((term) => statement.terms.has(term)),
        weigh,
      ) / whole,
  );
  const nearest = Math.max(0, ...shares);
  const found = { strength: 0, words: "" };
  for (const [main, statement] of statements.entries()) {
    if (shares[main] !== nearest || statement.denies !== claim.denies) continue;
    for (let first = Math.max(0, main - TOGETHER_MAX + 1); first <= main; first++) {
      const together = statements.slice(first, first + TOGETHER_MAX);
      const telling = together.filter(
        (each, index) => each === statement || (shares[first + index] ?? 0) >= SAME_SHARE_MIN,
      );
      if (!claim.numbers.every((number) => telling.some((each) => each.numbers.has(number)))) continue;
      // The next sentence may be about the next option.
      const names = (term: string) => about.has(term) || statement.terms.has(term);
      if (!claim.names.every((ways) => ways.some(names))) continue;
      const said = terms.filter((term) => about.has(term) || together.some((each) => each.terms.has(term)));
      const strength = sum(said, weigh) / whole;
      if (strength <= found.strength) continue;
      Object.assign(found, { strength, words: telling.map(({ text }) => text).join(" ") });
    }
  }
  return found;
}

const sum = (terms: string[], weigh: Weigh) => terms.reduce((total, term) => total + weigh(term), 0);
