import type { PromptBuilder } from "../answer/prompt/prompt.ts";
import type { Responder } from "../answer/responder.ts";
import type { Clock } from "../lib/clock.ts";
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

export interface OllamaSettings extends ModelSettings {
  /** In any form that Ollama itself accepts. */
  host: string;
  /** Several that share the questions, in the same forms; where there are any, the host is not used. */
  urls: readonly string[];
  model: string;
  /** The models that sites may choose in place of it. Empty: any that runs on the servers themselves. */
  siteModels: readonly string[];
  contextTokens: number;
  /** How much of the passages is read, at most. */
  passageTokens: number;
  /** Of each server. */
  slots: number;
  queueLength: number;
  queueMs: number;
  connectMs: number;
  firstByteMs: number;
  idleMs: number;
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
  random = Math.random,
}: OllamaOptions): Ollama {
  const { servers, places, queue, siteModels, describe, listModels, createWarmth } = openPool({
    settings,
    clock,
    random,
    log,
  });
  const { queueMs, firstByteMs, passageTokens } = settings;
  return {
    responder: createOllamaResponder({
      places,
      queue,
      siteModels,
      buildPrompt,
      settings,
      passageTokens,
      meterOf: createTokenMeters(),
      queueMs,
      firstByteMs,
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
        examinations.push(await examineServer(server, settings, signal, options));
      }
      return examinations;
    },
  };
}
