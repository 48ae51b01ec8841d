import type { Asker } from "@docent/answering/answer/responder";
import type { Clock } from "@docent/kernel/lib/clock";
import type { Log } from "@docent/kernel/lib/log";
import { chatOptions, type ModelSettings } from "../chat-options.ts";
import type { OllamaClient } from "../client/client.ts";
import { faultOf, isOfTheServer } from "../faults.ts";
import {
  createModels,
  createNamedModels,
  type Models,
  memoryBytesAt,
  type NamedModels,
} from "../models/models.ts";
import { createHealth, type Health } from "./health.ts";

/** One of the Ollama servers that share the questions: its client, models, load and health. */
export interface OllamaServer {
  readonly baseUrl: string;
  readonly client: OllamaClient;
  readonly models: Models;
  /** Follows a model by its name, as `models` follows the server's own. */
  named(name: string): Models;
  /** Whether it has a model that can answer, as far as is known. */
  isUsable(): boolean;
  /** Whether it failed and rests while others can answer. */
  isResting(): boolean;
  /** Whether the model that answers is in memory, as far as is known. */
  isLoaded(): boolean;
  /** How many answers it may write at the same time, and how many it is writing. */
  readonly slots: number;
  running(): number;
  isFree(): boolean;
  /** Whether it wrote for this asker lately, so that the conversation may still be in its cache. */
  knows(asker: Asker): boolean;
  take(): void;
  give(): void;
  /** Notes that a model wrote a first word for an asker. */
  worked(asker: Asker, model: string): void;
  /** Notes that a question failed here; a fault of the server makes it rest. */
  failed(error: unknown): void;
  /** Tries a server that has rested long enough, in the background, so that no reader has to wait. */
  probeIfDue(): void;
}

interface OllamaServerOptions {
  client: OllamaClient;
  model: string;
  contextTokens: number;
  slots: number;
  settings: ModelSettings;
  /** Whether there are others: then what is in its memory decides which server is asked. */
  isOneOfSeveral: boolean;
  /** With the model `auto`: the one that other servers have chosen. */
  prefer: () => Promise<string | undefined>;
  /** Called whenever it starts or stops being able to take questions. */
  onChange: () => void;
  probeMs: number;
  clock: Clock;
  random: () => number;
  log: Log;
}

/** The state of one server. */
interface Server {
  readonly options: OllamaServerOptions;
  readonly client: OllamaClient;
  readonly models: Models;
  readonly named: NamedModels;
  readonly health: Health;
  lastAskers: string[];
  running: number;
  isProbed: boolean;
  /** The models in the last reply of /api/ps, and those preloaded since. */
  inMemory: string[];
  /** The model that wrote last, and until when that keeps it in memory. */
  used: { model: string; until: number } | undefined;
}

export function createOllamaServer(options: OllamaServerOptions): OllamaServer {
  const server = stateOf(options);
  const { client, models, named, health } = server;
  return {
    baseUrl: client.baseUrl,
    slots: options.slots,
    client,
    models,
    named: named.of,
    isUsable: () => models.current() !== undefined,
    isResting: health.isResting,
    isLoaded: () => isLoaded(server),
    running: () => server.running,
    isFree: () => server.running < options.slots,
    knows: (asker) => server.lastAskers.includes(nameOf(asker)),
    take: () => {
      server.running += 1;
    },
    give: () => {
      server.running -= 1;
    },
    worked: (asker, model) => worked(server, asker, model),
    failed: (error) => failed(server, error),
    probeIfDue: () => probeIfDue(server),
  };
}

function stateOf(options: OllamaServerOptions): Server {
  const { slots, contextTokens, onChange, clock } = options;
  const client: OllamaClient = {
    ...options.client,
    async preload(body, signal) {
      await options.client.preload(body, signal);
      server.inMemory.push(body.model);
    },
  };
  const lookup = {
    client: options.isOneOfSeveral
      ? { ...client, tags: (signal?: AbortSignal) => listWithMemory(server, signal) }
      : client,
    contextTokens,
    slots,
    memoryBytes: memoryBytesAt(client.baseUrl),
    onLook: onChange,
    clock,
  };
  const server: Server = {
    options,
    client,
    models: createModels({ ...lookup, model: options.model, prefer: options.prefer }),
    named: createNamedModels(lookup),
    health: createHealth({ clock, random: options.random }),
    lastAskers: [],
    running: 0,
    isProbed: false,
    inMemory: [],
    used: undefined,
  };
  return server;
}

/** Lists the installed models, and notes which of them are in memory. */
async function listWithMemory(server: Server, signal?: AbortSignal) {
  const running = server.client.running(signal).catch(() => []);
  const tags = await server.client.tags(signal);
  server.inMemory = (await running).map(({ name }) => name);
  return tags;
}

function isLoaded({ models, inMemory, used, options }: Server): boolean {
  const name = models.current()?.name;
  if (name === undefined) return false;
  return inMemory.includes(name) || (used?.model === name && options.clock() < used.until);
}

function worked(server: Server, asker: Asker, model: string): void {
  const { settings, slots, clock } = server.options;
  server.health.worked();
  const name = nameOf(asker);
  server.lastAskers = [...server.lastAskers.filter((other) => other !== name), name].slice(-slots);
  const { keepAliveSeconds: seconds } = settings;
  server.used = { model, until: seconds < 0 ? Number.POSITIVE_INFINITY : clock() + seconds * 1000 };
}

function failed(server: Server, error: unknown): void {
  // What was known of Ollama may be wrong: the next question looks again.
  server.models.forget();
  server.named.forget();
  server.used = undefined;
  server.inMemory = [];
  // A single server is never rested.
  if (server.options.isOneOfSeveral && isOfTheServer(faultOf(error))) rest(server, error);
}

function rest({ health, client, options }: Server, cause: unknown): void {
  const pauseMs = health.failed();
  if (pauseMs === undefined) return;
  const seconds = Math.round(pauseMs / 100) / 10;
  options.log.warn("an Ollama server is left alone for a while", { server: client.baseUrl, seconds, cause });
}

function probeIfDue(server: Server): void {
  if (server.isProbed || !server.health.isDue()) return;
  server.isProbed = true;
  probe(server)
    .catch((error) => rest(server, error))
    .finally(() => {
      server.isProbed = false;
      server.options.onChange();
    });
}

async function probe(server: Server): Promise<void> {
  const { models, client, options } = server;
  models.forget();
  const model = await models.refresh();
  if (model === undefined) return rest(server, models.problem()?.message);
  // A server that cannot run a model still answers lists; a load shows more, and saves the next reader its
  // time.
  await client.preload(chatOptions(model, options.settings), AbortSignal.timeout(options.probeMs));
  server.health.recovered();
  options.log.info("an Ollama server is used again", { server: client.baseUrl, model: model.name });
}

const nameOf = ({ siteId, reader }: Asker) => `${siteId} ${reader}`;
