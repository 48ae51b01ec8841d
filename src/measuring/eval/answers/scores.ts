import type { Sentence } from "@docent/answering/answer/support/support";
import { canonicalPath, type EvalQuestion, type Placed, sectionId } from "../question.ts";
import { percentile } from "../scores.ts";
import { answers } from "../spans.ts";
import type { CitedSentence } from "./citations.ts";
import { readWording, type Wording } from "./wording.ts";

/** A passage that an answer could cite. */
export interface AnswerPassage extends Placed {
  title: string;
  headings: string[];
  text: string;
  /** The anchors of its heading and of those inside it. */
  anchors: string[];
}

/** A responder's reply to a question. */
export interface GivenAnswer {
  outcome: "answered" | "unanswered" | "failed";
  /** The passages it was written from, in the order of their numbers, from 1. */
  passages: AnswerPassage[];
  /** The passages it links to, whoever put the link there. */
  cited: AnswerPassage[];
  /** The answer as it is stored. */
  text: string;
  /** Its sentences that cite. */
  sentences: CitedSentence[];
  promptTokens: number | undefined;
  firstTextMs: number | undefined;
}

/** Whether a passage supports a sentence. */
export type Supports = (sentence: Sentence, passage: AnswerPassage) => boolean;

/** The scores of one question's two answers: with its pages, and without them. */
export interface AnswerScore {
  answered: boolean;
  failed: boolean;
  /** Whether a page that answers was among the passages. */
  pageFound: boolean;
  /** Undefined where nothing was answered. */
  pageCited: boolean | undefined;
  /** Undefined where nothing was answered, or the set does not name the place. */
  placeCited: boolean | undefined;
  /** The number of passages it links to, and of those on a page that answers. */
  cited: number;
  citedRight: number;
  /** The number of citations after a sentence, and of those whose passage supports it. */
  stated: number;
  supported: number;
  promptTokens: number | undefined;
  firstTextMs: number | undefined;
  /** Of an answer that was given. */
  wording: Wording | undefined;
  /** Whether it declined with its pages taken out. */
  refused: boolean;
}

/** Scores the replies to a question, with its pages and without them. */
export function scoreAnswer(
  question: EvalQuestion,
  given: GivenAnswer,
  without: GivenAnswer,
  supports: Supports,
): AnswerScore {
  const answered = given.outcome === "answered";
  const { passages, cited } = given;
  const isRight = ({ path }: Placed) => question.pages.has(canonicalPath(path));
  const pairs = given.sentences.flatMap(({ sentence, numbers }) =>
    numbers.flatMap((number) => {
      const passage = passages[number - 1];
      return passage ? [{ sentence, passage }] : [];
    }),
  );
  return {
    answered,
    failed: given.outcome === "failed" || without.outcome === "failed",
    pageFound: passages.some(isRight),
    pageCited: answered ? cited.some(isRight) : undefined,
    placeCited: answered ? placeCited(question, cited) : undefined,
    cited: cited.length,
    citedRight: cited.filter(isRight).length,
    stated: pairs.length,
    supported: pairs.filter(({ sentence, passage }) => supports(sentence, passage)).length,
    promptTokens: given.promptTokens,
    firstTextMs: given.firstTextMs,
    wording: answered ? readWording(given.text, question.answers ?? []) : undefined,
    refused: without.outcome === "unanswered",
  };
}

/** Whether a cited passage contains the answering words or section; undefined where neither is known. */
function placeCited({ spans, sections }: EvalQuestion, cited: readonly AnswerPassage[]): boolean | undefined {
  if (spans) return cited.some((passage) => answers(passage, spans));
  if (sections.size === 0) return undefined;
  return cited.some(({ path, anchors }) =>
    anchors.some((anchor) => sections.has(sectionId(canonicalPath(path), anchor))),
  );
}

/** A share, and the number it is taken of. */
export interface Share {
  share: number;
  of: number;
}

/** How one responder answered. */
export interface AnswersReport {
  name: string;
  questions: number;
  /** Share of the questions. */
  answered: Share;
  pageFound: Share;
  /** Share of the answers. */
  pageCited: Share;
  placeCited: Share;
  /** Share of all linked passages. */
  citedRight: Share;
  /** Share of the citations after a sentence. */
  supported: Share;
  /** Share of the questions, with their pages taken out. */
  refused: Share;
  failed: number;
  /** Share of the answers to questions of which an answer is known. */
  holdsAnswer: Share;
  /** Shares of the answers. */
  hasFragment: Share;
  repeats: Share;
  hasMarkup: Share;
  /** Medians; undefined where nothing was measured. */
  characters: number | undefined;
  promptTokens: number | undefined;
  firstTextMs: number | undefined;
}

/** Sums up the scores of all questions. */
export function reportAnswers(name: string, scores: readonly AnswerScore[]): AnswersReport {
  const sum = (count: (score: AnswerScore) => number) =>
    scores.reduce((total, score) => total + count(score), 0);
  const middle = (of: (score: AnswerScore) => number | undefined) => {
    const values = scores.flatMap((score) => of(score) ?? []);
    return values.length === 0 ? undefined : percentile(values, 50);
  };
  const wordings = scores.flatMap(({ wording }) => wording ?? []);
  return {
    name,
    questions: scores.length,
    answered: shareOf(scores.map(({ answered }) => answered)),
    pageFound: shareOf(scores.map(({ pageFound }) => pageFound)),
    pageCited: shareOf(scores.map(({ pageCited }) => pageCited)),
    placeCited: shareOf(scores.map(({ placeCited }) => placeCited)),
    citedRight: ratio(
      sum(({ citedRight }) => citedRight),
      sum(({ cited }) => cited),
    ),
    supported: ratio(
      sum(({ supported }) => supported),
      sum(({ stated }) => stated),
    ),
    refused: shareOf(scores.map(({ refused }) => refused)),
    failed: scores.filter(({ failed }) => failed).length,
    holdsAnswer: shareOf(wordings.map(({ holdsAnswer }) => holdsAnswer)),
    hasFragment: shareOf(wordings.map(({ hasFragment }) => hasFragment)),
    repeats: shareOf(wordings.map(({ repeats }) => repeats)),
    hasMarkup: shareOf(wordings.map(({ hasMarkup }) => hasMarkup)),
    characters: middle(({ wording }) => wording?.characters),
    promptTokens: middle(({ promptTokens }) => promptTokens),
    firstTextMs: middle(({ firstTextMs }) => firstTextMs),
  };
}

function shareOf(values: readonly (boolean | undefined)[]): Share {
  const known = values.filter((value) => value !== undefined);
  return ratio(known.filter(Boolean).length, known.length);
}

const ratio = (part: number, of: number): Share => ({ share: part / of, of });
