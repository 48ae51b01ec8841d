import type { Clock } from "../../lib/clock.ts";
import type { Log } from "../../lib/log.ts";
import { parseOllamaServers } from "../address.ts";
import type { OllamaSettings } from "../ollama.ts";
import { type AdmissionQueue, createQueue } from "../queue/queue.ts";
import { createServerPlaces, type ServerPlaces } from "./places.ts";
import type { OllamaServer } from "./server.ts";
import { createServers, describeServers, type OllamaState } from "./servers.ts";
import { createSiteModels, listModels, type OfferedModels, type SiteModels } from "./site-models.ts";
import { createServersWarmth, type Warmth } from "./warming.ts";

export type { OllamaServer } from "./server.ts";
export type { OllamaState } from "./servers.ts";
export type { OfferedModels } from "./site-models.ts";
export type { Warmth } from "./warming.ts";

/** The servers that share the questions. */
export interface Pool {
  servers: readonly OllamaServer[];
  /** Which server takes the next question. */
  places: ServerPlaces;
  /** The one line before all servers. */
  queue: AdmissionQueue<OllamaServer>;
  /** The models that sites ask for in place of the server's own. */
  siteModels: SiteModels;
  /** Looks at each server. */
  describe(signal?: AbortSignal): Promise<OllamaState>;
  /** The models that sites may choose. */
  listModels(signal: AbortSignal): Promise<OfferedModels>;
  /** What keeps the model of each server loaded, looking so often whether another one has been chosen. */
  createWarmth(everyMs: number): Warmth;
}

interface PoolOptions {
  settings: OllamaSettings;
  clock: Clock;
  random: () => number;
  log: Log;
}

/** Opens the servers that the settings name. Throws `invalid_request` for one that is no address. */
export function openPool({ settings, clock, random, log }: PoolOptions): Pool {
  const { urls, host, queueLength, queueMs } = settings;
  const servers = createServers(parseOllamaServers(urls, host), {
    settings,
    onChange: () => queue.admit(),
    clock,
    random,
    log,
  });
  const places = createServerPlaces(servers);
  const siteModels = createSiteModels(servers, settings.siteModels);
  const queue = createQueue({ places, queueLength: queueLength, queueMs: queueMs, clock });
  return {
    servers,
    places,
    queue,
    siteModels,
    describe: (signal) => describeServers(servers, signal),
    listModels: (signal) => listModels(servers, siteModels, signal),
    createWarmth: (everyMs) => createServersWarmth(servers, { settings, everyMs, clock, log }),
  };
}
