import { z } from "zod";
import type { PromptBudget } from "../../src/answering/answer/prompt/prompt.ts";
import { SETTINGS } from "../../src/kernel/config/settings.ts";
import { readNdjson } from "../../src/models/ollama/client/chat.ts";
import { tokensAtMost } from "../../src/models/ollama/tokens/count.ts";
import type { Live } from "./live-ollama.ts";
import type { ChatMessage } from "./prompt-orders.ts";

const CONTEXT_TOKENS = 8192;
/** Only the wait for the first token is measured. */
const OPTIONS = { num_ctx: CONTEXT_TOKENS, num_predict: 1, temperature: 0 };

const lineSchema = z.object({ prompt_eval_count: z.number().optional(), error: z.string().optional() });

/** Lets the model read a prompt and begin. */
export async function firstToken(
  { url, model }: Live,
  messages: readonly ChatMessage[],
): Promise<{ firstMs: number; promptTokens: number }> {
  const body = JSON.stringify({ model: model.name, messages, keep_alive: -1, options: OPTIONS });
  const startedAt = performance.now();
  const reply = await fetch(`${url}/api/chat`, { method: "POST", body, proxy: false });
  // The headers come with the first token.
  const firstMs = performance.now() - startedAt;
  if (!reply.ok || reply.body === null) throw new Error(`the model answered ${reply.status}`);
  const lines = (await Array.fromAsync(readNdjson(reply.body))).map((line) => lineSchema.parse(line));
  const error = lines.find((line) => line.error !== undefined)?.error;
  const promptTokens = lines.at(-1)?.prompt_eval_count;
  if (promptTokens === undefined) throw new Error(`the model did not count the prompt: ${error ?? "no end"}`);
  return { firstMs, promptTokens };
}

const PROMPT_TOKENS = CONTEXT_TOKENS - SETTINGS.answer_tokens.default - Math.ceil(CONTEXT_TOKENS * 0.05);

/** The prompt budget in that context, with default settings, of a model whose speed is not known. */
export const PROMPT_BUDGET: PromptBudget = {
  tokens: PROMPT_TOKENS,
  passageTokens: Math.floor(PROMPT_TOKENS / 2),
  count: tokensAtMost,
};
