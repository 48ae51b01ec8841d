import type { Sentence } from "../../answer/support/support.ts";
import { canonicalPath, type Placed, type Question, sectionId } from "../question.ts";
import { mean, percentile } from "../scores.ts";
import { answers } from "../spans.ts";
import type { CitedSentence } from "./citations.ts";

/** A passage that an answer could cite. */
export interface AnswerPassage extends Placed {
  title: string;
  headings: string[];
  text: string;
  /** The headings that it stands under and those inside it. */
  anchors: string[];
}

/** What was said to a question. */
export interface GivenAnswer {
  outcome: "answered" | "unanswered" | "failed";
  /** What it was written from, in the order of their numbers, from 1. */
  passages: AnswerPassage[];
  /** Those it links to, whoever put the link there. */
  cited: AnswerPassage[];
  /** Those that cite. */
  sentences: CitedSentence[];
  /** The share of its sentences that a passage carries; undefined where that is not measured. */
  supportShare: number | undefined;
  promptTokens: number | undefined;
  firstTextMs: number | undefined;
}

/** Whether a passage says what a sentence says. */
export type Supports = (sentence: Sentence, passage: AnswerPassage) => boolean;

/** One question's answers: with its pages there, and as if they were not. */
export interface AnswerScore {
  answered: boolean;
  failed: boolean;
  /** A page that answers was among the passages. */
  pageFound: boolean;
  /** Undefined where nothing was answered. */
  pageCited: boolean | undefined;
  /** Undefined where nothing was answered, or the set does not know the place. */
  placeCited: boolean | undefined;
  /** How many passages it links to, and how many of those are of a page that answers. */
  cited: number;
  citedRight: number;
  /** How many citations stand behind a sentence, and how many of those passages say it. */
  stated: number;
  supported: number;
  supportShare: number | undefined;
  promptTokens: number | undefined;
  firstTextMs: number | undefined;
  /** With its pages taken out. */
  refused: boolean;
}

/** Scores what was said to a question, with its pages there and without them. */
export function scoreAnswer(
  question: Question,
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
    supportShare: given.supportShare,
    promptTokens: given.promptTokens,
    firstTextMs: given.firstTextMs,
    refused: without.outcome === "unanswered",
  };
}

/** Whether a cited passage has the words that answer, or stands in the section that does; undefined where neither is known. */
function placeCited({ spans, sections }: Question, cited: readonly AnswerPassage[]): boolean | undefined {
  if (spans) return cited.some((passage) => answers(passage, spans));
  if (sections.size === 0) return undefined;
  return cited.some(({ path, anchors }) =>
    anchors.some((anchor) => sections.has(sectionId(canonicalPath(path), anchor))),
  );
}

/** A share, and of how many. */
export interface Share {
  share: number;
  of: number;
}

/** How one responder answered. */
export interface AnswersReport {
  name: string;
  questions: number;
  /** Of the questions. */
  answered: Share;
  pageFound: Share;
  /** Of the answers. */
  pageCited: Share;
  placeCited: Share;
  /** Of all passages that answers link to. */
  citedRight: Share;
  /** Of the citations behind a sentence. */
  supported: Share;
  /** Of sentences, as turns store it; a mean over the answers for which it is measured. */
  sentences: Share;
  /** Of the questions, their pages taken out. */
  refused: Share;
  failed: number;
  /** Medians; undefined where there are none. */
  promptTokens: number | undefined;
  firstTextMs: number | undefined;
}

/** What the scores of all questions come to. */
export function reportAnswers(name: string, scores: readonly AnswerScore[]): AnswersReport {
  const sum = (count: (score: AnswerScore) => number) =>
    scores.reduce((total, score) => total + count(score), 0);
  const middle = (of: (score: AnswerScore) => number | undefined) => {
    const values = scores.flatMap((score) => of(score) ?? []);
    return values.length === 0 ? undefined : percentile(values, 50);
  };
  const sentences = scores.flatMap(({ supportShare }) => supportShare ?? []);
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
    sentences: { share: mean(sentences), of: sentences.length },
    refused: shareOf(scores.map(({ refused }) => refused)),
    failed: scores.filter(({ failed }) => failed).length,
    promptTokens: middle(({ promptTokens }) => promptTokens),
    firstTextMs: middle(({ firstTextMs }) => firstTextMs),
  };
}

function shareOf(values: readonly (boolean | undefined)[]): Share {
  const known = values.filter((value) => value !== undefined);
  return ratio(known.filter(Boolean).length, known.length);
}

const ratio = (part: number, of: number): Share => ({ share: part / of, of });
