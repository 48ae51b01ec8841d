import type { ShownModel } from "../client/client.ts";

/**
 * Tokenizers that cut alike. `bpe-large` has a vocabulary of 100,000 pieces and more (Llama 3, Qwen,
 * gpt-oss), `bpe-small` about 50,000 (GPT-2, SmolLM, StarCoder); `gemma` is the large SentencePiece
 * vocabulary of Google's models, and `sentencepiece` the small one of Llama 2 and Mistral.
 */
export const TOKEN_FAMILIES = ["bpe-large", "bpe-small", "gemma", "sentencepiece", "unknown"] as const;

export type TokenFamily = (typeof TOKEN_FAMILIES)[number];

/** The pre-tokenizers of `gpt2` tokenizers with a small vocabulary, as model descriptions name them. */
const SMALL_BPE = new Set(
  `default gpt-2 gpt2 mpt olmo phi-2 smollm codeshell exaone roberta-bpe starcoder refact command-r-code falcon jais
  deepseek-coder granite bloom poro-chat`.split(/\s+/),
);
const LARGE_BPE =
  /^(llama-?bpe|llama3|llama-v3|llama4|qwen2|qwen35|gpt-4o|gpt4o|tekken|dbrx|smaug-bpe|deepseek-(llm|v3|r1-qwen)|chatglm-bpe|glm4|kimi-k2|command-r|stablelm2|minerva-7b|superbpe|pixtral|hunyuan|seed-coder|granite-embedding)$/;

/** The tokenizer family that a model's description names. */
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
