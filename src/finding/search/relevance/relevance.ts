import { languageOf } from "@docent/kernel/text/language-of";
import { analyze } from "../analyze.ts";
import { ownNameTerms, subjectTerms } from "../asking/asking.ts";
import type { SearchScope } from "../search-store.ts";
import { shareOf, type TermWeights } from "../term-weights.ts";
import {
  CALIBRATED_PASSAGES_MIN,
  type CalibrationStore,
  calibrationRevision,
  typicalCalibration,
} from "./calibration.ts";
import {
  type AskedQuestion,
  type Evidence,
  evidenceOf,
  ownWordsEvidenceOf,
  type TakeEvidence,
} from "./evidence.ts";
import { lacksItsNames, namesLackedBy } from "./lacking-names.ts";
import { areDocsEnglish, isMostlyEnglish } from "./language.ts";
import type { OrdinaryWords } from "./ordinary-words.ts";
import { programAskedOf } from "./program-asked-of.ts";
import {
  easedForTranslation,
  hardenedForName,
  hardenedForPart,
  hardenedForProgram,
  LACKING_SHARE,
  relevanceByOwnWords,
  relevanceInSmallSite,
  relevanceOf,
  relevanceOfTranslated,
} from "./weigh-evidence.ts";

export {
  ANSWER_WHEN,
  type AnswerWhen,
  type Grade,
  gradeOf,
  RELEVANCE_OF,
  type RelevanceSettings,
  relevanceMinOf,
  relevanceMinOfServer,
  type SiteRelevance,
} from "./answer-when.ts";
export { type Asked, type Calibrator, createCalibrator, type Survey } from "./calibrate.ts";
export type { Calibration, CalibrationKey, CalibrationStore, KeptCalibration } from "./calibration.ts";
export { CALIBRATED_PASSAGES_MIN } from "./calibration.ts";
export type { Evidence, TakeEvidence } from "./evidence.ts";
export { areDocsEnglish, isMostlyEnglish } from "./language.ts";
export { type OrdinaryWords, readOrdinaryWords } from "./ordinary-words.ts";

/** A question in its site. */
interface WordsInSite extends AskedQuestion {
  /** As it is searched for: in English, where it was translated. */
  text: string;
  /** The terms of the product's own name, which say nothing of whether the docs answer. */
  ofProduct: ReadonlySet<string>;
}

/** All that is known of a question which is judged. */
interface QuestionInSite extends WordsInSite {
  /** As it was asked. */
  written: string;
  /** The terms of what is asked, where other sentences tell what it is about. */
  asked?: ReadonlySet<string> | undefined;
  /** Whether it was translated word for word. */
  isTranslated: boolean;
  calibration: FoundCalibration;
  weights: TermWeights;
  /** The similarity of an average passage. */
  typicalSimilarity: number;
  /** How many of the site's passages have a term. */
  passagesWith(term: string): Promise<number>;
  /** Whether one product's name is all through the docs: they are no collection. */
  isOfOneProduct(): Promise<boolean>;
}

/** What passages are worth to one question, by those of its terms that they have and their similarity. */
interface Judgement {
  takeEvidence: TakeEvidence;
  /** From 0 to 1: how certain it is that a passage answers the question. */
  relevanceOf(present: ReadonlySet<string>, similarity: number | undefined): number;
}

/** Undefined where the site is not calibrated. */
type FoundCalibration = ReturnType<CalibrationStore["nearest"]>;

/** Judges how relevant passages are, on a scale that is the same for all sites. */
export interface Judge {
  /** Looks for the calibration of what readers see, while a question is searched for. */
  lookUp(
    scope: Pick<SearchScope, "siteId" | "generation" | "audience">,
    embedderId: number | undefined,
    isEnriched: boolean,
  ): FoundCalibration;
  judge(question: QuestionInSite): Promise<Judgement>;
  /** What the evidence of passages is taken from where nobody asks how relevant they are. */
  evidence(question: WordsInSite): Promise<TakeEvidence>;
}

export function createJudge(
  { nearest }: Pick<CalibrationStore, "nearest">,
  ordinaryWords: () => Promise<OrdinaryWords>,
): Judge {
  return {
    lookUp({ siteId, generation, audience }, embedderId, isEnriched) {
      const of = (enriched: boolean) =>
        nearest({ siteId, generation, audience, embedderId, revision: calibrationRevision(enriched) });
      // What was measured of passages alone is nearer to it than a guess.
      const found = isEnriched ? of(true).then((own) => own ?? of(false)) : of(false);
      // Who searches may have failed by then, and not ask any more.
      found.catch(() => {});
      return found;
    },
    async evidence(question) {
      const words = await ordinaryWords();
      const terms = judgedTerms(question, ownTerms(question, words));
      return evidenceOf({ ...question, query: { ...question.query, terms } }, words);
    },
    async judge(question) {
      const words = await ordinaryWords();
      const ofReader = ownTerms(question, words);
      const terms = judgedTerms(question, ofReader);
      const judged = await judgePart({ ...question, query: { ...question.query, terms } }, words);
      const whole = changed(judged, await changeByWords(question, ofReader, words));
      const { asked } = question;
      const askedTerms = terms.filter((term) => asked?.has(term));
      if (askedTerms.length === 0 || askedTerms.length === terms.length) return whole;
      const query = { ...question.query, terms: askedTerms, shares: undefined };
      const part = await judgePart({ ...question, query }, words);
      return {
        takeEvidence: whole.takeEvidence,
        relevanceOf: (present, similarity) =>
          Math.max(
            whole.relevanceOf(present, similarity),
            hardenedForPart(part.relevanceOf(present, similarity)),
          ),
      };
    },
  };
}

/** The terms of a question that docs have to cover. */
const judgedTerms = ({ text, query, ofProduct }: WordsInSite, ofReader: ReadonlySet<string>): string[] =>
  without(subjectTerms(text, query.terms), new Set([...ofProduct, ...ofReader]));

/** The terms of names that tell where the reader is, which neither the docs nor every text have. */
function ownTerms({ text, frequencies }: WordsInSite, ordinary: OrdinaryWords): ReadonlySet<string> {
  const isOwn = (term: string) => (frequencies.of.get(term) ?? 0) === 0 && !ordinary.has(term);
  return new Set([...ownNameTerms(text)].filter(isOwn));
}

/** The terms that are left, or all where none is: a question may ask about nothing else. */
function without(terms: readonly string[], some: ReadonlySet<string>): string[] {
  const rest = terms.filter((term) => !some.has(term));
  return rest.length === 0 ? [...terms] : rest;
}

/** The relevance of a passage, by what it would be and what the passage has. */
type ChangeRelevance = (relevance: number, evidence: Evidence) => number;

/** What becomes of relevance by the names that a question has and the docs have not, or only name, and by what they say the opposite of. */
async function changeByWords(
  question: QuestionInSite,
  ofReader: ReadonlySet<string>,
  words: OrdinaryWords,
): Promise<ChangeRelevance> {
  const { text, written, asked, isTranslated, frequencies, query, passagesWith } = question;
  const terms = new Set(without(query.terms, ofReader));
  if (lacksItsNames(written, frequencies, terms, words)) return (relevance) => LACKING_SHARE * relevance;
  // A story tells of things besides that it does not ask about.
  const isJudged = !isTranslated && asked === undefined;
  const lacked = isJudged ? namesLackedBy(text, frequencies, terms, words) : [];
  if (lacked.length > 0) return hardenedForName;
  const program = isJudged ? programAskedOf(text, terms, words) : undefined;
  if (program !== undefined && (await isAskedElsewhere(question, words))) {
    const share = (frequencies.of.get(program) ?? 0) / frequencies.passages;
    return (relevance, { covered }) => hardenedForProgram(relevance, covered, share);
  }
  const isOpposite = !isTranslated && (await lacksItsUndoing(text, passagesWith));
  return (relevance) => (isOpposite ? LACKING_SHARE : 1) * relevance;
}

/** Whether a question that names a program is not asked of the docs' own product. What is in a collection may be any program. */
const isAskedElsewhere = async (question: QuestionInSite, words: OrdinaryWords): Promise<boolean> =>
  question.ofProduct.size === 0 &&
  (await isAskedInEnglish(question, words)) &&
  (await question.isOfOneProduct());

const changed = ({ takeEvidence, relevanceOf }: Judgement, change: ChangeRelevance): Judgement => ({
  takeEvidence,
  relevanceOf: (present, similarity) =>
    change(relevanceOf(present, similarity), takeEvidence(present, similarity)),
});

/** Judges by the terms that are left of a question, or of what it asks. */
async function judgePart(question: QuestionInSite, words: OrdinaryWords): Promise<Judgement> {
  const takeEvidence = evidenceOf(question, words);
  const { frequencies, weights, typicalSimilarity, isTranslated } = question;
  const { passages } = frequencies;
  if (passages < CALIBRATED_PASSAGES_MIN) return { takeEvidence, relevanceOf: judgeInSmallSite(question) };
  // A site that has not been calibrated with its embedder yet is taken for a typical one of its size.
  const calibration =
    (await question.calibration)?.calibration ?? typicalCalibration(passages, typicalSimilarity);
  if (await isEnglish(question, words)) {
    const weigh = isTranslated ? relevanceOfTranslated : relevanceOf;
    return {
      takeEvidence,
      relevanceOf: (present, similarity) => weigh(takeEvidence(present, similarity), calibration),
    };
  }
  const takeOwnWords = ownWordsEvidenceOf(question, weights);
  return {
    takeEvidence,
    relevanceOf: (present, similarity) =>
      relevanceByOwnWords(takeOwnWords(present), takeEvidence(present, similarity).near, calibration),
  };
}

function judgeInSmallSite({
  query,
  weights,
  frequencies,
  typicalSimilarity,
  isTranslated,
}: QuestionInSite): Judgement["relevanceOf"] {
  // What is eased for its translation is not eased for the size of the site as well.
  const passages = isTranslated ? CALIBRATED_PASSAGES_MIN : frequencies.passages;
  return (present, similarity) => {
    const covered = shareOf(query.terms, present, weights);
    const relevance = relevanceInSmallSite(covered, similarity, { passages, typicalSimilarity });
    return isTranslated ? easedForTranslation(relevance, covered) : relevance;
  };
}

/** Whether a question is in English: what a few words do not tell, its docs do. */
async function isAskedInEnglish(question: QuestionInSite, words: OrdinaryWords): Promise<boolean> {
  const language = languageOf(question.text);
  return (
    (language === undefined || language === "en" || isMostlyEnglish(question.text, words)) &&
    isEnglish(question, words)
  );
}

/** Whether a question, or the docs that it is asked of, are in English: most docs need not be asked. */
const isEnglish = async (
  { text, isTranslated, frequencies, passagesWith }: QuestionInSite,
  words: OrdinaryWords,
): Promise<boolean> =>
  isTranslated || isMostlyEnglish(text, words) || areDocsEnglish(frequencies.passages, passagesWith);

/** Verbs that undo something: what they undo is what is left of them. */
const UNDOING =
  /(?<![\p{L}\p{N}_-])(?:un(?=install|deploy|subscrib|publish|lock|mount|link|pin|paus|regist|archiv|ban|block|freez|load|hid|mut|shar|assign|bind|encrypt)|dis(?=able|connect|associat|allow)|de(?=activat|regist|commission|crypt|mot|tach|provision|authoriz|compress|serializ))(?<base>\p{L}{3,20})/giu;

/**
 * Whether an English question asks to undo something of which the docs only say how it is done: they are near to it in words
 * and in meaning, and say the opposite.
 */
export async function lacksItsUndoing(
  question: string,
  passagesWith: (term: string) => Promise<number>,
): Promise<boolean> {
  for (const { 0: word, groups } of question.matchAll(UNDOING)) {
    const [term = ""] = analyze(word);
    const [base = ""] = analyze(groups?.["base"] ?? "");
    if ((await passagesWith(term)) === 0 && (await passagesWith(base)) > 0) return true;
  }
  return false;
}
