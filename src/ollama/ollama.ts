import type { PromptBuilder } from "../answer/prompt.ts";
import type { Responder } from "../answer/responder.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { parseOllamaHost } from "./address.ts";
import { createOllamaClient } from "./client.ts";
import { createModels } from "./models.ts";
import { createQueue } from "./queue.ts";
import { createOllamaResponder } from "./responder.ts";
import type { ModelSettings } from "./run-options.ts";

export interface OllamaSettings extends ModelSettings {
  /** In any form that Ollama itself accepts. */
  host: string;
  model: string;
  contextTokens: number;
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
}

/** What is known of the local Ollama, in words for the banner and `doctor`. */
export type OllamaState =
  | { model: string; says: string }
  | { model: undefined; reason: string; hint: string };

/** The local Ollama: a responder, and what can be said of it. */
export interface Ollama {
  responder: Responder;
  describe(signal?: AbortSignal): Promise<OllamaState>;
}

export function openOllama({ settings, buildPrompt, clock, log }: OllamaOptions): Ollama {
  const client = createOllamaClient({
    baseUrl: parseOllamaHost(settings.host),
    connectTimeoutMs: settings.connectMs,
    firstByteTimeoutMs: settings.firstByteMs,
    idleTimeoutMs: settings.idleMs,
    clock,
  });
  const { model, contextTokens, slots, queueLength, queueMs } = settings;
  const models = createModels({ client, model, contextTokens, clock });
  const queue = createQueue({ slots, waitingMax: queueLength, waitMaxMs: queueMs, clock });

  return {
    responder: createOllamaResponder({ client, models, queue, buildPrompt, settings, log }),
    async describe(signal) {
      const found = await models.refresh(signal);
      if (found === undefined) {
        const { message = "Ollama was not asked", hint = "docent doctor" } = models.problem() ?? {};
        return { model: undefined, reason: message, hint };
      }
      const abilities = [
        found.vision ? "sees pictures" : "",
        found.thinking ? "can think" : "",
        found.remote ? "RUNS ON ANOTHER MACHINE" : "",
      ].filter(Boolean);
      const says = [`${found.contextTokens} tokens of context`, ...abilities].join(", ");
      return { model: found.name, says: `${says}, at ${client.baseUrl}` };
    },
  };
}
