import type { CountTokens } from "@docent/answering/answer/prompt/prompt";
import { SECOND_MS } from "@docent/kernel/lib/clock";
import type { TokenFamily } from "./count.ts";
import { counterOf } from "./count.ts";

export { CHARACTERS_PER_TOKEN_MAX, type TokenFamily, tokenFamilyOf, tokensAtMost } from "./count.ts";

const MODELS_MAX = 32;
const MARGIN_TOKENS_MIN = 32;

/** Counts tokens for one prompt to one model. */
export interface TokenMeter {
  /** Counts as the family's tokenizers do, corrected by what the model was seen to read. */
  count: CountTokens;
  /** The part of a budget to keep free, because the count may be too low. */
  marginTokens(budgetTokens: number): number;
  /** How fast the model reads; undefined before it has read anything. */
  readTokensPerSecond(): number | undefined;
  /** How fast it writes; undefined before it has written anything. */
  writeTokensPerSecond(): number | undefined;
  /**
   * Learns how many tokens a counted prompt really had, and how long they took. Only for prompts of text that were not
   * truncated.
   */
  learn(estimatedTokens: number, readTokens: number, readMs?: number | undefined): void;
  /** Learns how long so many tokens took to write. */
  learnWriting(writtenTokens: number, writeMs: number | undefined): void;
}

/** A model that tokens are counted for. */
interface CountedModel {
  name: string;
  digest: string;
  tokenizer: TokenFamily;
}

/**
 * Makes meters that know what was learnt about each model. Ask for one per prompt: it counts consistently,
 * whatever other replies teach in between.
 */
export function createTokenMeters(): (model: CountedModel) => TokenMeter {
  const scales = new Map<string, Scale>();
  return ({ digest, name, tokenizer }) => {
    const key = digest || name;
    const scale = scales.get(key) ?? createScale();
    // Drops the least recently used when there are too many.
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
    readTokensPerSecond: scale.reading.perSecond,
    writeTokensPerSecond: scale.writing.perSecond,
    learn(estimatedTokens, readTokens, readMs) {
      scale.learn(readTokens / (estimatedTokens / factor));
      scale.reading.learn(readTokens, readMs);
    },
    learnWriting: scale.writing.learn,
  };
}

/** Shorter prompts are read in no time that tells anything. */
const TIMED_TOKENS_MIN = 200;
const TIMED_WRITTEN_MIN = 10;
/** The middle of so many is the speed: the beginning of a prompt may be read already, and a model may have been busy. */
const SPEEDS_MAX = 9;
/** How many replies decide the correction; earlier ones still count for the margin. */
const RECENT_MAX = 64;
/** After this many replies the count may also be lowered. */
const BELIEVED_AFTER = 8;
/**
 * A lower ratio did not count the whole prompt: the server left out what it had cached, or a proxy changed
 * it.
 */
const RATIO_MIN = 0.3;
const RATIO_MAX = 4;
const FACTOR_MIN = 0.5;
/** The margin for a model that has read nothing yet, and the smallest one. */
const MARGIN_UNKNOWN = 0.1;
const MARGIN_MIN = 0.02;

/** How far the estimates for one model are from what it reads. */
interface Scale {
  /** The factor that would have made the estimate sufficient for each of the last replies. */
  factor(): number;
  /**
   * The share of a budget to keep free: enough for every prompt read so far, plus the spread of the last
   * ones, and for the uncorrected estimate, because the next text may be in another language.
   */
  marginShare(): number;
  /** Learns the ratio of one reply: tokens read for each estimated token. */
  learn(ratio: number): void;
  reading: Speed;
  writing: Speed;
}

/** The usual tokens in a second. */
interface Speed {
  perSecond(): number | undefined;
  learn(tokens: number, ms: number | undefined): void;
}

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
    reading: createSpeed(TIMED_TOKENS_MIN),
    writing: createSpeed(TIMED_WRITTEN_MIN),
  };
}

/** A speed that is learnt from no fewer tokens. */
function createSpeed(tokensMin: number): Speed {
  const speeds: number[] = [];
  return {
    perSecond: () => speeds.toSorted((a, b) => a - b)[Math.floor(speeds.length / 2)],
    learn(tokens, ms) {
      if (ms === undefined || ms <= 0 || tokens < tokensMin) return;
      speeds.push((tokens / ms) * SECOND_MS);
      if (speeds.length > SPEEDS_MAX) speeds.shift();
    },
  };
}

/** The standard deviation as a share of the mean. */
function spread(values: readonly number[]): number {
  if (values.length === 0) return 0;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  return Math.sqrt(variance) / mean;
}
