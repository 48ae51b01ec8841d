import type { PromptBuilder } from "../answer/prompt/prompt.ts";
import type { Responder } from "../answer/responder.ts";
import { type Clock, SECOND_MS } from "../lib/clock.ts";
import { systemRandom } from "../lib/ids.ts";
import type { Log } from "../lib/log.ts";
import type { ModelSettings } from "./chat-options.ts";
import { type Examination, type ExamineOptions, examineServer } from "./examination/examination.ts";
import {
  type OfferedModels,
  type OllamaServer,
  type OllamaState,
  openPool,
  type Warmth,
} from "./pool/pool.ts";
import { createOllamaResponder } from "./responder/responder.ts";
import { createTokenMeters } from "./tokens/tokens.ts";

export { openOllamaEmbedder } from "./embedding/embedding.ts";
export { isSameModel } from "./models/models.ts";
export type { OllamaState } from "./pool/pool.ts";

/** What it reads of the settings, in their own names. */
export interface OllamaSettings {
  /** In any form that Ollama itself accepts. */
  ollama_host: string;
  /** Several that share the questions, in the same forms; where there are any, the host is not used. */
  ollama_urls: readonly string[];
  model: string;
  /** The models that sites may choose in place of it. Empty: any that runs on the servers themselves. */
  site_models: readonly string[];
  /** Whether a model that can think before it answers does. */
  thinking: "off" | "on";
  context_tokens: number;
  /** The longest answer. */
  answer_tokens: number;
  /** How much of the passages is read, at most. */
  passage_tokens: number;
  /** Negative is for ever. */
  keep_alive_seconds: number;
  /** Of each server. */
  model_slots: number;
  queue_length: number;
  queue_seconds: number;
  connect_seconds: number;
  first_byte_seconds: number;
  idle_seconds: number;
}

interface OllamaOptions {
  settings: OllamaSettings;
  buildPrompt: PromptBuilder;
  clock: Clock;
  log: Log;
  random?: () => number;
}

/** The Ollama servers that answer: a responder, and what can be said of them. */
export interface Ollama {
  responder: Responder;
  servers: readonly OllamaServer[];
  /** How many answers are being written, and how many questions wait. */
  load(): { running: number; waiting: number };
  /** Looks at each server. */
  describe(signal?: AbortSignal): Promise<OllamaState>;
  /** The models that sites may choose. */
  listModels(signal: AbortSignal): Promise<OfferedModels>;
  /** What keeps the models loaded, looking so often whether another one has been chosen. Started by whoever serves. */
  createWarmth(everyMs: number): Warmth;
  /** Asks the model of each server a few short questions, one server after the other, and says how that went. */
  examine(signal: AbortSignal, options?: ExamineOptions): Promise<Examination[]>;
}

/** Opens the servers that the settings name. Throws `invalid_request` for one that is no address. */
export function openOllama({
  settings,
  buildPrompt,
  clock,
  log,
  random = systemRandom,
}: OllamaOptions): Ollama {
  const chat: ModelSettings = {
    answerTokens: settings.answer_tokens,
    thinking: settings.thinking === "on",
    keepAliveSeconds: settings.keep_alive_seconds,
  };
  const { servers, places, queue, siteModels, describe, listModels, createWarmth } = openPool({
    settings,
    chat,
    clock,
    random,
    log,
  });
  return {
    responder: createOllamaResponder({
      places,
      queue,
      siteModels,
      buildPrompt,
      settings: chat,
      passageTokens: settings.passage_tokens,
      meterOf: createTokenMeters(),
      queueMs: settings.queue_seconds * SECOND_MS,
      firstByteMs: settings.first_byte_seconds * SECOND_MS,
      clock,
      log,
    }),
    servers,
    load: () => queue.state(),
    describe,
    listModels,
    createWarmth,
    async examine(signal, options) {
      const examinations: Examination[] = [];
      for (const server of servers) {
        examinations.push(await examineServer(server, chat, signal, options));
      }
      return examinations;
    },
  };
}
