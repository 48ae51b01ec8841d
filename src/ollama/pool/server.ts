import type { Asker } from "../../answer/responder.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Log } from "../../lib/log.ts";
import type { OllamaClient } from "../client/client.ts";
import { faultOf, isOfTheServer } from "../client/faults.ts";
import { fixedBody, type ModelSettings } from "../models/chat-options.ts";
import { memoryBytesAt } from "../models/context-size.ts";
import { createModels, createNamedModels, type Models } from "../models/models.ts";
import { createHealth } from "./health.ts";

/** One Ollama of those that share the questions. */
export interface OllamaServer {
  readonly baseUrl: string;
  readonly client: OllamaClient;
  readonly models: Models;
  /** The same for one that is asked for by its name. */
  named(name: string): Models;
  /** Has a model that can answer, as far as is known. */
  isUsable(): boolean;
  /** It failed, and is left alone while others can answer. */
  isResting(): boolean;
  /** The model that answers is in memory, as far as is known. */
  isLoaded(): boolean;
  /** How many answers it may write at the same time, and how many it writes now. */
  readonly slots: number;
  running(): number;
  isFree(): boolean;
  /** One of the last askers that it wrote for: what it made of that conversation may still be in its memory. */
  knows(asker: Asker): boolean;
  take(): void;
  give(): void;
  /** That model wrote a first word for this asker. */
  worked(asker: Asker, model: string): void;
  failed(error: unknown): void;
  /** Tries a server that has rested for long enough, in the background, so that no reader has to. */
  probeIfDue(): void;
}

export interface ServerOptions {
  client: OllamaClient;
  model: string;
  contextTokens: number;
  slots: number;
  settings: ModelSettings;
  /** There are others: what is in its memory decides which one is asked. */
  isOneOfSeveral: boolean;
  /** With the model `auto`: the one that others have chosen. */
  prefer: () => Promise<string | undefined>;
  /** Told whenever it may take questions that it could not take before, or the other way round. */
  onChange: () => void;
  probeMs: number;
  clock: Clock;
  random: () => number;
  log: Log;
}

/** A server that nobody has spoken to yet. */
export function createOllamaServer(options: ServerOptions): OllamaServer {
  const { slots, settings, isOneOfSeveral, onChange, clock, log } = options;
  const { baseUrl } = options.client;
  const health = createHealth({ clock, random: options.random });
  let lastAskers: string[] = [];
  let running = 0;
  let probing = false;
  /** The models that /api/ps listed when last asked, and until when our own questions keep one in memory. */
  let inMemory: string[] = [];
  let used: { model: string; until: number } | undefined;

  const client: OllamaClient = {
    ...options.client,
    async preload(body, signal) {
      await options.client.preload(body, signal);
      inMemory.push(body.model);
    },
  };
  const looking = {
    client: isOneOfSeveral ? { ...client, tags: listWithMemory } : client,
    contextTokens: options.contextTokens,
    slots,
    memoryBytes: memoryBytesAt(baseUrl),
    onLook: onChange,
    clock,
  };
  const models = createModels({ ...looking, model: options.model, prefer: options.prefer });
  const named = createNamedModels(looking);

  async function listWithMemory(signal?: AbortSignal) {
    const listed = client.running(signal).catch(() => []);
    const tags = await client.tags(signal);
    inMemory = (await listed).map(({ name }) => name);
    return tags;
  }
  const rest = (cause: unknown) => {
    const pauseMs = health.failed();
    if (pauseMs === undefined) return;
    const seconds = Math.round(pauseMs / 100) / 10;
    log.warn("an Ollama server is left alone for a while", { server: baseUrl, seconds, cause });
  };
  const failed = (error: unknown) => {
    // What was believed of Ollama may be what was wrong: the next question looks again.
    models.forget();
    named.forget();
    used = undefined;
    inMemory = [];
    // The only one there is cannot be spared.
    if (isOneOfSeveral && isOfTheServer(faultOf(error))) rest(error);
  };
  const probe = async () => {
    models.forget();
    const model = await models.refresh();
    if (model === undefined) return rest(models.problem()?.message);
    // Lists are answered by servers that cannot run a model; a load shows more, and spares the next reader its time.
    await client.preload(fixedBody(model, settings), AbortSignal.timeout(options.probeMs));
    health.recovered();
    log.info("an Ollama server is used again", { server: baseUrl, model: model.name });
  };

  return {
    baseUrl,
    slots,
    client,
    models,
    named: named.of,
    isUsable: () => models.current() !== undefined,
    isResting: health.isResting,
    isLoaded() {
      const name = models.current()?.name;
      if (name === undefined) return false;
      return inMemory.includes(name) || (used?.model === name && clock() < used.until);
    },
    running: () => running,
    isFree: () => running < slots,
    knows: (asker) => lastAskers.includes(nameOf(asker)),
    take: () => {
      running += 1;
    },
    give: () => {
      running -= 1;
    },
    worked(asker, model) {
      health.worked();
      lastAskers = [...lastAskers.filter((name) => name !== nameOf(asker)), nameOf(asker)].slice(-slots);
      const { keepAliveSeconds: seconds } = settings;
      const until = seconds < 0 ? Number.POSITIVE_INFINITY : clock() + seconds * 1000;
      used = { model, until };
    },
    failed,
    probeIfDue() {
      if (probing || !health.isDue()) return;
      probing = true;
      probe()
        .catch(rest)
        .finally(() => {
          probing = false;
          onChange();
        });
    },
  };
}

const nameOf = ({ siteId, reader }: Asker) => `${siteId} ${reader}`;
