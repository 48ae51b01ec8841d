import { TOUCHES_SHARE } from "./answer-when.ts";
import type { Calibration, Spread } from "./calibration.ts";
import type { Evidence, OwnWordsEvidence } from "./evidence.ts";

/**
 * What evidence is worth, in deviations above a site's foreign questions. Chosen on the own questions of eight sets of 600 to
 * 50,000 passages, three of them in the words of readers who do not know the docs, against each other's, against foreign
 * ones, and against what names the product and is not covered. Readers' own words are as rare in the docs as foreign ones:
 * what is familiar says little to them, and a little more to those in the docs' words. More signs tell no better: how
 * near the question's words stand, what titles have of them, what words of like meaning stand in a passage, how far the best
 * one is ahead, whether both ways of searching agree.
 */
const WITH_VECTORS = { covered: 1, near: 1.25, familiar: 0.3, threshold: 3.1 };
const BY_WORDS = { covered: 1.3, familiar: 1.8, threshold: 4.05 };
/** Beyond these, more evidence does not make anything surer. */
const DEVIATIONS: readonly [least: number, most: number] = [-4, 5];

/** From 0 to 1: how certain it is that a passage answers a question; .5 where it is as likely as not. */
export function relevanceOf({ covered, near, familiar }: Evidence, calibration: Calibration): number {
  const c = deviationsOf(covered, calibration.covered);
  const f = deviationsOf(familiar, calibration.familiar);
  if (near === undefined || calibration.near === undefined)
    return logistic(BY_WORDS.covered * c + BY_WORDS.familiar * f - BY_WORDS.threshold);
  const { covered: byWords, near: byMeaning, familiar: byTopic, threshold } = WITH_VECTORS;
  return logistic(byWords * c + byMeaning * deviationsOf(near, calibration.near) + byTopic * f - threshold);
}

function deviationsOf(value: number, { mean, deviation }: Spread): number {
  const [least, most] = DEVIATIONS;
  return Math.min(most, Math.max(least, (value - mean) / deviation));
}

/**
 * What the docs' own words are worth. Fitted to questions in four languages over docs in these, and to the English sets as
 * if nothing were known of English; with any set left out, no weight changes by more than a sixth.
 */
const OWN_WORDS = { covered: 7.9, surprise: 0.5, passages: -0.36 };
/** What nearness is worth besides: half of what own questions reach speaks neither for a passage nor against it. */
const NEAR_BESIDES = { near: 1.5, threshold: 1.5 };

/**
 * The relevance where the question and the docs are not in English: what their words are worth is known from the docs alone,
 * and English questions are no measure of it.
 */
export function relevanceByOwnWords(
  { covered, surprise, passages }: OwnWordsEvidence,
  near: number | undefined,
  calibration: Calibration,
): number {
  const byWords =
    OWN_WORDS.covered * covered + OWN_WORDS.surprise * surprise + OWN_WORDS.passages * Math.log(passages);
  if (near === undefined || calibration.near === undefined) return logistic(byWords);
  const byMeaning = NEAR_BESIDES.near * deviationsOf(near, calibration.near) - NEAR_BESIDES.threshold;
  return logistic(byWords + byMeaning);
}

/**
 * The relevance in a site that is too small to be calibrated, by the share of the question's words that a passage has, each
 * by how rare it is in the docs, and by how much nearer it is than an average passage. The fewer passages there are, the
 * less the best of them reaches by chance: set so that one in twenty questions of other software comes near to it, in sites
 * of one to ninety passages.
 */
export function relevanceInSmallSite(
  covered: number,
  similarity: number | undefined,
  { passages, typicalSimilarity }: { passages: number; typicalSimilarity: number },
): number {
  const byChance = Math.log(Math.max(1, passages));
  const nearness = Math.max(0, ((similarity ?? 0) - typicalSimilarity) / (1 - typicalSimilarity));
  if (covered === 0 && (similarity === undefined || nearness === 0)) return 0;
  if (similarity === undefined) return logistic(7.3 * covered - 1.5 - 0.4 * byChance);
  // What has no word of a question may be near to it by chance alone.
  const wordless = covered > 0 ? 0 : 0.8;
  return logistic(5.8 * covered + 7.2 * nearness - 1.3 - wordless - 0.8 * byChance);
}

/**
 * What evidence is worth where a question was translated word for word. A part of its words is wrong, so words and their
 * frequencies say less, and nearness in meaning says most. Fitted to questions in German, Spanish, French, Russian, Chinese and
 * Japanese, asked of docs that answer them and of eight that do not; with any language left out, no weight changes by more
 * than .1.
 */
const TRANSLATED = { covered: 0.55, near: 1.1, familiar: 0.2, threshold: 0.8 };

/** The relevance where the question was translated word for word. */
export function relevanceOfTranslated(evidence: Evidence, calibration: Calibration): number {
  const { covered, near, familiar } = evidence;
  if (near === undefined || calibration.near === undefined)
    return easedForTranslation(relevanceOf(evidence, calibration), covered);
  return logistic(
    TRANSLATED.covered * deviationsOf(covered, calibration.covered) +
      TRANSLATED.near * deviationsOf(near, calibration.near) +
      TRANSLATED.familiar * deviationsOf(familiar, calibration.familiar) -
      TRANSLATED.threshold,
  );
}

/**
 * What a question loses by translation where there is nothing to go by but its words, or where the site is too small to be
 * calibrated. Asking for more evidence would decline too many of a site's own questions.
 */
const LOST_IN_TRANSLATION = 3.3;

/** Where no word was found at all, the translation may as well have lost what is not there. */
const WITHOUT_WORDS_SHARE = 0.5;

/** The relevance of a question that was translated, by what it would be of one asked in English. */
export const easedForTranslation = (relevance: number, covered: number): number =>
  shifted(relevance, LOST_IN_TRANSLATION * (covered > 0 ? 1 : WITHOUT_WORDS_SHARE));

/**
 * A part of a question is easier to cover than all of it. Without this, about one in ten more of the stories that docs do
 * not answer would be answered.
 */
const EASIER_IN_PART = 0.8;

/** The relevance of what a question of several sentences asks, beside that of all that it says. */
export const hardenedForPart = (relevance: number): number => shifted(relevance, -EASIER_IN_PART);

/** What is left at most of any relevance where what a question is about is nowhere in the docs: they do not answer it. */
export const LACKING_SHARE = 0.45;

/**
 * What a name costs besides that the question asks about and no passage has. Of questions that name a site's product and
 * something that it does not cover, half have such a name; of a site's own, one in four hundred.
 */
const LACKED_NAME = 4;

/** The relevance of a question that names something which is nowhere in the docs. */
export const hardenedForName = (relevance: number): number =>
  LACKING_SHARE * shifted(relevance, -LACKED_NAME);

/** The share of passages from which on a program's name costs nothing: half of them have their product's. */
const OWN_SHARE = 0.5;
/** A passage with nearly all of a question says what is to be done: one in forty that are asked of other software finds one. */
const SAYS_ALL = 0.95;

/**
 * The relevance of a passage that covers so much of a question, which is asked of a program that a share of the passages
 * names: a name that next to none has costs as much as one that no passage has. What would be an answer without it still
 * touches on the question: readers ask so of what the docs say of that program, too.
 */
export function hardenedForProgram(relevance: number, covered: number, share: number): number {
  if (covered >= SAYS_ALL) return relevance;
  const cost = LACKED_NAME * Math.max(0, 1 - share / OWN_SHARE);
  return Math.max(TOUCHES_SHARE * relevance, shifted(relevance, -cost));
}

/** The relevance with more evidence, or less. */
const shifted = (relevance: number, by: number) => logistic(Math.log(relevance / (1 - relevance)) + by);

const logistic = (x: number) => 1 / (1 + Math.exp(-x));
