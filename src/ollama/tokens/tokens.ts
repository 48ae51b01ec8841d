import type { CountTokens } from "../../answer/prompt/prompt.ts";
import { counterOf } from "./count.ts";
import type { TokenFamily } from "./families.ts";

export { CHARACTERS_PER_TOKEN_MAX, tokensAtMost } from "./at-most.ts";
export { type TokenFamily, tokenFamilyOf } from "./families.ts";

const MODELS_MAX = 32;
const MARGIN_TOKENS_MIN = 32;

/** Counts for one prompt to one model. */
export interface TokenMeter {
  /** As the family's tokenizers count, corrected by what the model was seen to read. */
  count: CountTokens;
  /** What must stay free of so many tokens, because the count may be too low. */
  marginTokens(budgetTokens: number): number;
  /**
   * Told what a prompt that this meter counted was when the model read it. For prompts of text alone, of which nothing
   * was cut.
   */
  learn(estimatedTokens: number, readTokens: number): void;
}

/** A model that text is counted for. */
interface CountedModel {
  name: string;
  digest: string;
  tokenizer: TokenFamily;
}

/**
 * Makes meters that know what was learnt of each model so far. Ask for one for each prompt: it counts the same from its
 * beginning to its end, whatever other replies teach in between.
 */
export function createTokenMeters(): (model: CountedModel) => TokenMeter {
  const scales = new Map<string, Scale>();
  return ({ digest, name, tokenizer }) => {
    const key = digest || name;
    const scale = scales.get(key) ?? createScale();
    // The least recently used leaves when there are too many.
    scales.delete(key);
    scales.set(key, scale);
    for (const oldest of scales.keys()) {
      if (scales.size <= MODELS_MAX) break;
      scales.delete(oldest);
    }
    return meterWith(counterOf(tokenizer), scale);
  };
}

function meterWith(estimate: CountTokens, scale: Scale): TokenMeter {
  const factor = scale.factor();
  const share = scale.marginShare();
  return {
    count: (text) => Math.ceil(estimate(text) * factor),
    marginTokens: (budgetTokens) => Math.max(MARGIN_TOKENS_MIN, Math.ceil(budgetTokens * share)),
    learn: (estimatedTokens, readTokens) => scale.learn(readTokens / (estimatedTokens / factor)),
  };
}

/** How many replies decide what is counted; what was read before them is still kept within the margin. */
const RECENT_MAX = 64;
/** So many replies make the count believed enough to be lowered by them. */
const BELIEVED_AFTER = 8;
/** What is further off was not a count of the whole prompt: a server that leaves out what it had cached, or a proxy. */
const RATIO_MIN = 0.3;
const RATIO_MAX = 4;
const FACTOR_MIN = 0.5;
/** The margin of a model of which nothing has been read, and the least of any. */
const MARGIN_UNKNOWN = 0.1;
const MARGIN_MIN = 0.02;

/** How far the estimates for one model are from what it reads. */
interface Scale {
  /** What an estimate is to be multiplied with, so that it would have been enough for each of the last replies. */
  factor(): number;
  /**
   * The part of a budget that is to stay free: enough for every prompt that was ever read, for as much again as the last
   * ones differ from each other, and for the plain estimate: the next text may be in another language.
   */
  marginShare(): number;
  /** One reply's ratio: what was read for each token of the plain estimate. */
  learn(ratio: number): void;
}

/** A scale that has learnt nothing. */
function createScale(): Scale {
  const recent: number[] = [];
  let learnt = 0;
  let highest = 0;

  const factor = () => {
    const most = Math.max(FACTOR_MIN, ...recent);
    return learnt < BELIEVED_AFTER ? Math.max(1, most) : most;
  };
  return {
    factor,
    marginShare() {
      const unsure = MARGIN_UNKNOWN / (1 + learnt);
      const upper = factor() * (1 + Math.max(MARGIN_MIN, unsure, spread(recent)));
      return 1 - factor() / Math.max(upper, highest, 1);
    },
    learn(ratio) {
      if (!(ratio >= RATIO_MIN && ratio <= RATIO_MAX)) return;
      learnt += 1;
      highest = Math.max(highest, ratio);
      recent.push(ratio);
      if (recent.length > RECENT_MAX) recent.shift();
    },
  };
}

/** The standard deviation, as a part of the mean. */
function spread(values: readonly number[]): number {
  if (values.length === 0) return 0;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  return Math.sqrt(variance) / mean;
}
