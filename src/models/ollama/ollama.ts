import type { ModelLine } from "@docent/answering/answer/model-line";
import type { PromptBuilder } from "@docent/answering/answer/prompt/prompt";
import type { Responder } from "@docent/answering/answer/responder";
import { type Clock, SECOND_MS } from "@docent/kernel/lib/clock";
import { systemRandom } from "@docent/kernel/lib/ids";
import type { Log } from "@docent/kernel/lib/log";
import type { Seal } from "@docent/kernel/lib/seal/seal";
import {
  type BackgroundWriter,
  createArrivals,
  createBackgroundWriter,
  withArrivals,
} from "./background/background.ts";
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
import { createProbe, createToolUse } from "./tools/tools.ts";

export { parseOllamaServers } from "./address.ts";
export { openOllamaEmbedder } from "./embedding/embedding.ts";
export { isSameModel } from "./models/models.ts";
export { createOllamaPush, type OllamaPush } from "./push.ts";

/** The settings it reads, under their own names. */
export interface OllamaSettings {
  /** In any form that Ollama accepts. */
  ollama_host: string;
  /**
   * Several servers that share the questions, in the same forms; if there are any, `ollama_host` is not used.
   */
  ollama_urls: readonly string[];
  model: string;
  /** The models that sites may choose in place of it. Empty: any that runs on the servers themselves. */
  site_models: readonly string[];
  /** Whether a model that can think before it answers does so. */
  thinking: "off" | "on";
  context_tokens: number;
  /** The longest answer. */
  answer_tokens: number;
  /** The most tokens of passages in a prompt. */
  passage_tokens: number;
  passage_seconds: number;
  /** Negative means for ever. */
  keep_alive_seconds: number;
  /** The number for each server. */
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
  /** The line before the models that servers of Docent share; undefined where there is one alone. */
  line?: ModelLine | undefined;
  seal: Seal;
  clock: Clock;
  log: Log;
}

/** The Ollama servers that answer: a responder, and their description. */
export interface Ollama {
  responder: Responder;
  /** Writes while nobody asks. */
  background: BackgroundWriter;
  servers: readonly OllamaServer[];
  /** The number of answers being written and of questions waiting. */
  load(): { running: number; waiting: number };
  /** Describes each server, as it is now. */
  describe(signal?: AbortSignal): Promise<OllamaState>;
  /** The models that sites may choose. */
  listModels(signal: AbortSignal): Promise<OfferedModels>;
  /**
   * Keeps the models loaded, checking at this interval whether another one was chosen. The server starts it.
   */
  createWarmth(everyMs: number): Warmth;
  /** Asks the model of each server a few short questions, one server after the other. */
  examine(signal: AbortSignal, options?: ExamineOptions): Promise<Examination[]>;
}

/** Opens the servers that the settings name. Throws `invalid_request` for an invalid address. */
export function openOllama({ settings, buildPrompt, line, seal, clock, log }: OllamaOptions): Ollama {
  const chat: ModelSettings = {
    answerTokens: settings.answer_tokens,
    thinking: settings.thinking === "on",
    keepAliveSeconds: settings.keep_alive_seconds,
  };
  const toolUse = createToolUse();
  const probe = createProbe({ settings: chat, toolUse, log });
  const pool = openPool({ settings, chat, probe, line, seal, clock, random: systemRandom, log });
  const { servers, places, queue, siteModels, describe, listModels, createWarmth } = pool;
  const arrivals = createArrivals();
  const meterOf = createTokenMeters();
  return {
    background: createBackgroundWriter({ ...pool, settings: chat, meterOf, arrivals, clock }),
    responder: createOllamaResponder({
      places,
      queue: withArrivals(queue, arrivals, clock),
      siteModels,
      buildPrompt,
      settings: chat,
      passages: { tokens: settings.passage_tokens, seconds: settings.passage_seconds },
      meterOf,
      toolUse,
      probe,
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
