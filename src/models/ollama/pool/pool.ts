import type { ModelLine } from "@docent/answering/answer/model-line";
import { type Clock, SECOND_MS } from "@docent/kernel/lib/clock";
import type { Log } from "@docent/kernel/lib/log";
import type { Seal } from "@docent/kernel/lib/seal/seal";
import { parseOllamaServers } from "../address.ts";
import type { ModelSettings } from "../chat-options.ts";
import type { OllamaSettings } from "../ollama.ts";
import { type AdmissionQueue, createQueue, createSharedQueue } from "../queue/queue.ts";
import type { ProbeTools } from "../tools/tools.ts";
import { createServerPlaces, type ServerPlaces } from "./places.ts";
import type { OllamaServer } from "./server.ts";
import { createServers, describeServers, type OllamaState } from "./servers.ts";
import { createSiteModels, listModels, type OfferedModels, type SiteModels } from "./site-models.ts";
import { createServersWarmth, type Warmth } from "./warming.ts";

export { createHealth, type Health } from "./health.ts";
export type { OllamaServer } from "./server.ts";
export type { OllamaState } from "./servers.ts";
export type { OfferedModels } from "./site-models.ts";
export type { Warmth } from "./warming.ts";

/** The servers that share the questions. */
export interface Pool {
  servers: readonly OllamaServer[];
  /** Chooses the server for the next question. */
  places: ServerPlaces;
  /** The one queue before all servers. */
  queue: AdmissionQueue<OllamaServer>;
  /** The models that sites ask for in place of the server's own. */
  siteModels: SiteModels;
  /** Describes each server, as it is now. */
  describe(signal?: AbortSignal): Promise<OllamaState>;
  /** The models that sites may choose. */
  listModels(signal: AbortSignal): Promise<OfferedModels>;
  /** Keeps the model of each server loaded, checking at this interval whether another one was chosen. */
  createWarmth(everyMs: number): Warmth;
}

interface PoolOptions {
  settings: OllamaSettings;
  /** The settings that are the same in every call. */
  chat: ModelSettings;
  probe: ProbeTools;
  /** The line that servers of Docent share; undefined where there is one alone. */
  line?: ModelLine | undefined;
  seal: Seal;
  clock: Clock;
  random: () => number;
  log: Log;
}

/** Opens the servers that the settings name. Throws `invalid_request` for an invalid address. */
export function openPool({ settings, chat, probe, line, seal, clock, random, log }: PoolOptions): Pool {
  const servers = createServers(parseOllamaServers(settings.ollama_urls, settings.ollama_host), {
    settings: {
      ...chat,
      model: settings.model,
      contextTokens: settings.context_tokens,
      slots: settings.model_slots,
      connectMs: settings.connect_seconds * SECOND_MS,
      firstByteMs: settings.first_byte_seconds * SECOND_MS,
      idleMs: settings.idle_seconds * SECOND_MS,
    },
    onChange: () => queue.admit(),
    seal,
    clock,
    random,
    log,
  });
  const places = createServerPlaces(servers);
  const siteModels = createSiteModels(servers, settings.site_models);
  const bounds = { queueLength: settings.queue_length, queueMs: settings.queue_seconds * SECOND_MS };
  const queue =
    line === undefined
      ? createQueue({ places, ...bounds, clock })
      : createSharedQueue({ places, ...bounds, line, log, clock });
  return {
    servers,
    places,
    queue,
    siteModels,
    describe: (signal) => describeServers(servers, signal),
    listModels: (signal) => listModels(servers, siteModels, signal),
    createWarmth: (everyMs) => createServersWarmth(servers, { settings: chat, probe, everyMs, clock, log }),
  };
}
