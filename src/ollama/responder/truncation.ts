export interface PromptSizes {
  /** What Ollama says it read. */
  promptTokens: number;
  estimatedTokens: number;
  contextTokens: number;
  answerTokens: number;
}

/**
 * Whether Ollama probably dropped a part of the prompt, which it does without a word: old versions cut to the
 * context, new ones to about half of it. `crowded` means that nothing was lost, but the estimate was too low to be sure.
 */
export function judgePromptSize(sizes: PromptSizes): "fits" | "crowded" | "truncated" {
  const { promptTokens, estimatedTokens, contextTokens, answerTokens } = sizes;
  const slack = Math.max(8, Math.ceil(contextTokens * 0.02));
  if (promptTokens >= contextTokens - slack) return "truncated";
  const nearHalf = Math.abs(promptTokens - contextTokens / 2) <= slack;
  if (nearHalf && estimatedTokens > promptTokens * 1.25) return "truncated";
  return promptTokens > contextTokens - answerTokens ? "crowded" : "fits";
}
