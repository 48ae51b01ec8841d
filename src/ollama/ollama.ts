import type { PromptBuilder } from "../answer/prompt.ts";
import type { Responder } from "../answer/responder.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { parseOllamaHost } from "./address.ts";
import { createOllamaClient } from "./client.ts";
import type { ModelInfo } from "./model-info.ts";
import { createModels } from "./models.ts";
import { createQueue } from "./queue.ts";
import { createOllamaResponder } from "./responder.ts";
import { fixedBody } from "./run-options.ts";

/** The server's settings, as far as they are about Ollama. */
export interface OllamaSettings {
  host: string;
  /** A name, or `auto`. */
  model: string;
  thinking: boolean;
  contextTokens: number;
  answerTokens: number;
  keepAliveSeconds: number;
  slots: number;
  queueLength: number;
  queueMs: number;
  connectMs: number;
  firstByteMs: number;
  idleMs: number;
}

/** Who would answer now, for the banner and `doctor`. */
export interface OllamaState {
  model: string | undefined;
  /** Why there is no model, and what to do about it; empty where there is one. */
  reason: string;
  hint: string;
  details: string;
}

/** One Ollama, with the queue before it. */
export interface Ollama {
  responder: Responder;
  /** Loads the model in the background, so that the first reader does not wait for it. */
  start(): void;
  stop(): void;
  describe(): Promise<OllamaState>;
}

/** Puts together what talks to Ollama. Nothing is sent before it is used. Throws `invalid_request` for a bad address. */
export function openOllama(options: {
  settings: OllamaSettings;
  buildPrompt: PromptBuilder;
  clock: Clock;
  log: Log;
}): Ollama {
  const { settings, buildPrompt, clock, log } = options;
  const client = createOllamaClient({
    baseUrl: parseOllamaHost(settings.host),
    connectTimeoutMs: settings.connectMs,
    firstByteTimeoutMs: settings.firstByteMs,
    idleTimeoutMs: settings.idleMs,
    clock,
  });
  const models = createModels({
    client,
    model: settings.model,
    contextTokens: settings.contextTokens,
    clock,
  });
  const { slots, queueLength, queueMs } = settings;
  const queue = createQueue({ slots, waitingMax: queueLength, waitMaxMs: queueMs, clock });
  const stopped = new AbortController();

  async function preload(signal: AbortSignal): Promise<void> {
    try {
      const model = await models.refresh(signal);
      if (model === undefined) return;
      await client.preload(fixedBody(model, settings), signal);
      log.info("the model is loaded", { model: model.name });
    } catch (error) {
      if (!signal.aborted) log.warn("the model could not be loaded", { error });
    }
  }

  return {
    responder: createOllamaResponder({ client, models, queue, buildPrompt, settings, log }),
    start: () => void preload(stopped.signal),
    stop: () => stopped.abort(),
    async describe() {
      const model = await models.refresh();
      const problem = models.problem();
      return {
        model: model?.name,
        reason: problem?.message ?? "",
        hint: problem?.hint ?? "",
        details: model === undefined ? "" : describeDetails(model, client.baseUrl),
      };
    },
  };
}

function describeDetails(model: ModelInfo, baseUrl: string): string {
  return [
    `at ${baseUrl}`,
    `${model.contextTokens} tokens of context`,
    ...(model.vision ? ["sees pictures"] : []),
    ...(model.thinking ? ["can think"] : []),
    ...(model.remote ? ["RUNS ON ANOTHER MACHINE: questions and passages leave this one"] : []),
  ].join(", ");
}
