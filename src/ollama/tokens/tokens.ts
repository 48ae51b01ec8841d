import type { CountTokens } from "../../answer/prompt/fitting.ts";
import type { ModelInfo } from "../models/model-info.ts";
import { counterOf } from "./families.ts";
import { createScale, type Scale } from "./scale.ts";

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

/**
 * Meters that know what was learnt of each model so far. Ask for one for each prompt: it counts the same from its
 * beginning to its end, whatever other replies teach in between.
 */
export function createTokenMeters(): (model: Pick<ModelInfo, "digest" | "name" | "tokenizer">) => TokenMeter {
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
