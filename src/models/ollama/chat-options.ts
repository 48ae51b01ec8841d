import type { ChatBody } from "./client/client.ts";
import type { ModelInfo } from "./models/models.ts";

/** How models are asked, from the server's settings. */
export interface ModelSettings {
  /** The longest answer. */
  answerTokens: number;
  /** Whether a model that can think before it answers does so. */
  thinking: boolean;
  /** Negative means for ever. */
  keepAliveSeconds: number;
}

/**
 * The options that are the same in every call to a model; a change would make Ollama load the model again.
 */
export type ChatOptions = Omit<ChatBody, "messages" | "tools">;

/** The one set of options for a model. Ollama's defaults differ from version to version, so all are sent. */
export function chatOptions(model: ModelInfo, settings: ModelSettings): ChatOptions {
  const { answerTokens, keepAliveSeconds } = settings;
  const think = settings.thinking && model.thinking;
  // Ollama counts thoughts as part of the answer; without room for both, a model may think until nothing is
  // left.
  const predictTokens = think ? 2 * answerTokens : answerTokens;
  return {
    model: model.name,
    // Where this is left out, a model that can think does.
    think,
    keep_alive: keepAliveSeconds,
    options: {
      num_ctx: model.contextTokens,
      num_predict: Math.min(predictTokens, Math.floor(model.contextTokens / 2)),
      temperature: 0.2,
      repeat_penalty: 1.1,
    },
  };
}

/** The context that is left for the prompt. */
export function promptRoomTokens({ options }: ChatOptions): number {
  return Math.max(0, options.num_ctx - options.num_predict);
}
