import type { CountTokens } from "../../answer/prompt/fitting.ts";
import type { ShownModel } from "../client/wire.ts";
import { tokensAtMost } from "../tokens-at-most.ts";
import { countWith, type TokenRates } from "./count.ts";

/**
 * Tokenizers that cut alike. `bpe-large` has a vocabulary of 100,000 pieces and more (Llama 3, Qwen, gpt-oss), `bpe-small`
 * about 50,000 (GPT-2, SmolLM, StarCoder); `gemma` is the large SentencePiece vocabulary of Google's models, and
 * `sentencepiece` the small one of Llama 2 and Mistral.
 */
export const TOKEN_FAMILIES = ["bpe-large", "bpe-small", "gemma", "sentencepiece", "unknown"] as const;

export type TokenFamily = (typeof TOKEN_FAMILIES)[number];

/** How tokenizers of the kind `gpt2` cut text into words, for those whose vocabulary is small. */
const SMALL_BPE = new Set([
  "default",
  "gpt-2",
  "gpt2",
  "mpt",
  "olmo",
  "phi-2",
  "smollm",
  "codeshell",
  "exaone",
  "roberta-bpe",
  "starcoder",
  "refact",
  "command-r-code",
  "falcon",
  "jais",
  "deepseek-coder",
  "granite",
  "bloom",
  "poro-chat",
]);
const LARGE_BPE =
  /^(llama-?bpe|llama3|llama-v3|llama4|qwen2|qwen35|gpt-4o|gpt4o|tekken|dbrx|smaug-bpe|deepseek-(llm|v3|r1-qwen)|chatglm-bpe|glm4|kimi-k2|command-r|stablelm2|minerva-7b|superbpe|pixtral|hunyuan|seed-coder|granite-embedding)$/;

/** The family of a model's tokenizer, as its description names it. */
export function tokenFamilyOf({ model_info: info }: ShownModel): TokenFamily {
  const kind = info?.["tokenizer.ggml.model"];
  const architecture = info?.["general.architecture"];
  const before = info?.["tokenizer.ggml.pre"];
  if (kind === "llama") {
    return typeof architecture === "string" && architecture.startsWith("gemma") ? "gemma" : "sentencepiece";
  }
  if (kind !== "gpt2" || typeof before !== "string") return "unknown";
  if (LARGE_BPE.test(before)) return "bpe-large";
  return SMALL_BPE.has(before) ? "bpe-small" : "unknown";
}

// Measured on documentation in English and texts in twenty other languages, with the tokenizers themselves, and rounded
// up: the middle of English documentation is counted about a tenth too high, and a short text may still be a little
// more than it is counted. What is left is the margin's, and each reply's own count corrects it.
const RATES: Readonly<Record<Exclude<TokenFamily, "unknown">, TokenRates>> = {
  "bpe-large": {
    word: 1,
    letter: 0.52,
    capitals: 0.75,
    capital: 0.25,
    number: 0.9,
    digit: 1.1,
    gap: 0.3,
    space: 0.07,
    line: 0.15,
    tab: 1,
    mark: 0.55,
    again: 0.16,
    accent: 1.4,
    greek: 1.1,
    cyrillic: 0.55,
    hebrew: 1.3,
    arabic: 0.65,
    indic: 1.6,
    thai: 0.75,
    hangul: 0.8,
    kana: 0.75,
    han: 1,
    sign: 1.6,
    astral: 1.2,
    other: 3,
  },
  "bpe-small": {
    word: 1.02,
    letter: 0.56,
    capitals: 1.1,
    capital: 0.25,
    number: 0.2,
    digit: 1.1,
    gap: 0.45,
    space: 0.07,
    line: 0.45,
    tab: 1.2,
    mark: 0.95,
    again: 0.17,
    accent: 3.9,
    greek: 1.45,
    cyrillic: 1.35,
    hebrew: 1.6,
    arabic: 1.45,
    indic: 2.8,
    thai: 2.2,
    hangul: 3,
    kana: 2,
    han: 2.5,
    sign: 1.9,
    astral: 1.8,
    other: 3,
  },
  gemma: {
    word: 1.02,
    letter: 0.42,
    capitals: 0.7,
    capital: 0.25,
    number: 1.1,
    digit: 1.15,
    gap: 0.3,
    space: 0.6,
    line: 0.7,
    tab: 1.3,
    mark: 0.86,
    again: 0.16,
    accent: 0.9,
    greek: 0.5,
    cyrillic: 0.38,
    hebrew: 0.65,
    arabic: 0.48,
    indic: 0.42,
    thai: 0.47,
    hangul: 0.7,
    kana: 0.55,
    han: 0.85,
    sign: 1,
    astral: 1,
    other: 3,
  },
  sentencepiece: {
    word: 1.05,
    letter: 0.5,
    capitals: 1.2,
    capital: 0.25,
    number: 1.05,
    digit: 1.1,
    gap: 0.4,
    space: 0.13,
    line: 0.9,
    tab: 1.5,
    mark: 0.96,
    again: 0.2,
    accent: 2.8,
    greek: 1.35,
    cyrillic: 0.55,
    hebrew: 1.4,
    arabic: 1.3,
    indic: 1.6,
    thai: 1.3,
    hangul: 2.2,
    kana: 1.4,
    han: 1.75,
    sign: 1.9,
    astral: 1.9,
    other: 3,
  },
};

const COUNTERS: Readonly<Record<TokenFamily, CountTokens>> = {
  "bpe-large": countWith(RATES["bpe-large"]),
  "bpe-small": countWith(RATES["bpe-small"]),
  gemma: countWith(RATES.gemma),
  sentencepiece: countWith(RATES.sentencepiece),
  unknown: tokensAtMost,
};

/** Counts for the models of a family: a little too high. For an unknown one, as high as for any. */
export function counterOf(family: TokenFamily): CountTokens {
  return COUNTERS[family];
}
