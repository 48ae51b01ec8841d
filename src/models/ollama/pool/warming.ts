import { type Clock, HOUR_MS } from "@docent/kernel/lib/clock";
import { type Log, limitWarnings, reasonFields } from "@docent/kernel/lib/log";
import { sleep } from "@docent/kernel/lib/sleep";
import { type ChatOptions, chatOptions, type ModelSettings } from "../chat-options.ts";
import type { OllamaClient } from "../client/client.ts";
import type { ModelInfo } from "../models/models.ts";
import type { ProbeTools } from "../tools/tools.ts";
import type { OllamaServer } from "./server.ts";

/** How often a repeated failure is logged: a server may be away for days. */
const SAID_EVERY_MS = HOUR_MS;
/** A model that fails to load keeps Ollama busy with each attempt, so the pauses grow up to this factor. */
const PAUSES_MAX = 16;

export interface WarmthOptions {
  /** The model that answers now; the server's `models.refresh`. */
  refresh: (signal: AbortSignal) => Promise<ModelInfo | undefined>;
  preload: OllamaClient["preload"];
  /** Finds out what a model that was just loaded can do. Never throws. */
  probe?: (model: ModelInfo, signal: AbortSignal) => Promise<void>;
  settings: ModelSettings;
  /** Whether questions are being answered, which load the model themselves. Never, unless given. */
  isBusy?: () => boolean;
  /** How often to check whether another model was chosen. */
  everyMs: number;
  clock: Clock;
  log: Log;
}

/** Keeps the model of one server loaded before anyone asks. */
export interface Warmth {
  start(): void;
  /** Ends the work under way, including a load. */
  close(): Promise<void>;
}

/**
 * Loads the model at the start, and again after it changed or was away: with the body of later chats, so that
 * none of them loads it again. A load takes no place in the queue; a question that comes meanwhile waits for
 * the load only.
 */
export function createWarmth(options: WarmthOptions): Warmth {
  const { refresh, settings, isBusy = () => false, everyMs, clock } = options;
  const log = limitWarnings(options.log, { everyMs: SAID_EVERY_MS, clock });
  const ended = new AbortController();
  const { signal } = ended;
  let running: Promise<void> | undefined;
  let loaded: string | undefined;
  let failures = 0;

  const load = async (body: ChatOptions) => {
    const since = clock();
    await options.preload(body, signal);
    log.info("the model is loaded", { model: body.model, ms: Math.max(0, clock() - since) });
  };
  const look = async () => {
    const model = await refresh(signal);
    if (model === undefined) {
      // The server may come back without its models in memory.
      loaded = undefined;
      return;
    }
    const { name, digest, contextTokens } = model;
    const wanted = JSON.stringify([name, digest, contextTokens]);
    if (wanted === loaded || isBusy()) return;
    await load(chatOptions(model, settings));
    loaded = wanted;
    await options.probe?.(model, signal);
  };
  const run = async () => {
    while (!signal.aborted) {
      try {
        await look();
        failures = 0;
      } catch (error) {
        if (signal.aborted) return;
        failures += 1;
        log.warn("the model could not be loaded before the first question", reasonFields(error));
      }
      await sleep(everyMs * Math.min(PAUSES_MAX, 2 ** failures), signal).catch(() => {});
    }
  };

  return {
    start() {
      // A load with a keep_alive of 0 would unload the model.
      if (settings.keepAliveSeconds !== 0) running ??= run();
    },
    async close() {
      ended.abort(new DOMException("The server is stopping.", "AbortError"));
      await running;
    },
  };
}

interface ServersWarmthOptions {
  settings: ModelSettings;
  probe?: ProbeTools;
  everyMs: number;
  clock: Clock;
  log: Log;
}

/** Keeps the model of each server loaded, independently of the others. */
export function createServersWarmth(
  servers: readonly Pick<OllamaServer, "baseUrl" | "client" | "models" | "isResting" | "running">[],
  { log, probe, ...rest }: ServersWarmthOptions,
): Warmth {
  const each = servers.map((server) =>
    createWarmth({
      ...rest,
      // A resting server is tried, and its model loaded, by the code that rests it.
      refresh: async (signal) => (server.isResting() ? undefined : server.models.refresh(signal)),
      preload: (body, signal) => server.client.preload(body, signal),
      ...(probe && { probe: (model, signal) => probe(server.client, model, signal) }),
      isBusy: () => server.running() > 0,
      log: log.with({ server: server.baseUrl }),
    }),
  );
  return {
    start: () => {
      for (const warmth of each) warmth.start();
    },
    async close() {
      await Promise.all(each.map((warmth) => warmth.close()));
    },
  };
}
