/** How much of what was found a model may read, from the server's settings. */
export interface PassageSettings {
  /** 0: what the context and the speed of the machine allow. */
  tokens: number;
  /** How long the model may read passages, where the tokens are not set. */
  seconds: number;
}

/** The rest is for the conversation, what the reader attached, and what a model finds by itself. */
const CONTEXT_SHARE = 0.5;
/** With less, what answers is left out too often: a slower first word is the smaller harm. */
const TOKENS_MIN = 1000;

/** The most tokens of passages in a prompt. */
export function passageTokens(
  { tokens, seconds }: PassageSettings,
  promptTokens: number,
  readTokensPerSecond: number | undefined,
): number {
  if (tokens > 0) return tokens;
  const ofContext = Math.floor(promptTokens * CONTEXT_SHARE);
  if (readTokensPerSecond === undefined) return ofContext;
  return Math.min(ofContext, Math.max(TOKENS_MIN, Math.floor(readTokensPerSecond * seconds)));
}
