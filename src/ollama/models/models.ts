import { AppError } from "../../errors.ts";
import { type Clock, systemClock } from "../../lib/clock.ts";
import type { InstalledModel, OllamaClient } from "../client/client.ts";
import { faultOf } from "../faults.ts";
import { cannotChat, describeModel, isNamed, type ModelInfo } from "./model-info.ts";

export { memoryBytesAt } from "./context-size.ts";
export { isNamed, isRemote, isSameModel, type ModelInfo, trainedContext } from "./model-info.ts";

const SUGGESTED_MODEL = "llama3.2";
const MODELS_ASKED_MAX = 32;
/** How many models that were asked for by name are followed. */
const NAMES_MAX = 64;
/** How much longer the other servers are waited for: the best choice is one that has the model in memory. */
const GRACE_MS = 50;

/** Why no model can answer, in words for the banner and `doctor`. */
export interface NoModel {
  reason: "no_server" | "no_chat_model" | "not_installed";
  message: string;
  hint: string;
}

export interface ModelsOptions {
  client: Pick<OllamaClient, "baseUrl" | "version" | "tags" | "show">;
  /** A name, or `auto` for the first installed model that can chat. */
  model: string;
  contextTokens: number;
  /** How many answers the server may write at the same time; one unless given. */
  slots?: number;
  /** The memory of the server's machine, where it is known. */
  memoryBytes?: number | undefined;
  /** With `auto`: the model to take before any other, where it is installed. */
  prefer?: () => Promise<string | undefined>;
  /** Told after each look: what is known may have changed. */
  onLook?: () => void;
  refreshMs?: number;
  clock?: Clock;
}

/** Which model answers. What was found, or that nothing was, is believed for a while. */
export interface Models {
  /** The model that was there when last looked. */
  current(): ModelInfo | undefined;
  /** Why there was none when last looked; undefined also before the first look. */
  problem(): NoModel | undefined;
  /** Looks again if the last look is old. Throws only the signal's reason. */
  refresh(signal?: AbortSignal): Promise<ModelInfo | undefined>;
  /** All that are installed and can chat, as they are now. Throws where the server does not answer. */
  list(): Promise<ModelInfo[]>;
  /** Makes the next refresh look, whatever was found before: a call to the model has failed. */
  forget(): void;
}

type Found = { model: ModelInfo; problem?: never } | { model?: never; problem: NoModel };

/** Follows one Ollama, so that one that starts, stops or gets a model later is noticed. */
export function createModels(options: ModelsOptions): Models {
  const { client, model: wanted, prefer, refreshMs = 30_000, clock = systemClock } = options;
  const descriptions = createDescriptions(options);
  let found: Found | undefined;
  let lookedAt = Number.NEGATIVE_INFINITY;
  let looking: Promise<void> | undefined;

  const find = async (): Promise<Found> => {
    try {
      // On the connect clock, so that an Ollama that is away costs no more than that.
      await client.version();
      const installed = await client.tags();
      descriptions.trim();
      return wanted === "auto"
        ? await findAny(installed, descriptions, await prefer?.())
        : await findNamed(installed, descriptions, wanted);
    } catch (error) {
      return { problem: noServer(client.baseUrl, error) };
    }
  };
  const look = async () => {
    found = await find();
    lookedAt = clock();
    looking = undefined;
    options.onLook?.();
  };

  return {
    current: () => found?.model,
    problem: () => found?.problem,
    list: () => listChatModels(client, descriptions),
    forget: () => {
      lookedAt = Number.NEGATIVE_INFINITY;
    },
    async refresh(signal) {
      signal?.throwIfAborted();
      const ageMs = clock() - lookedAt;
      // A look in the future was before the clock was put back.
      if (ageMs >= 0 && ageMs < refreshMs) return found?.model;
      looking ??= look();
      await untilAborted(looking, signal);
      return found?.model;
    },
  };
}

/** Waits until it is known of each whether it can answer, but once one can, hardly any longer for the others. */
export function refreshAll(at: readonly Models[], signal: AbortSignal): Promise<void> {
  const looks = at.map((models) => models.refresh());
  const enough = new Promise<void>((resolve) => {
    for (const each of looks) each.then((model) => model !== undefined && setTimeout(resolve, GRACE_MS));
    Promise.all(looks).then(() => resolve());
  });
  return untilAborted(enough, signal);
}

/** The models of one server that are asked for by their names. */
export interface NamedModels {
  of(name: string): Models;
  /** The next look at any of them is a new one. */
  forget(): void;
}

/** Follows each model that was asked for lately, as the server's own is followed. */
export function createNamedModels(options: Omit<ModelsOptions, "model" | "prefer">): NamedModels {
  const named = new Map<string, Models>();
  return {
    of(name) {
      const models = named.get(name) ?? createModels({ ...options, model: name });
      named.delete(name);
      named.set(name, models);
      const [oldest] = named.keys();
      if (named.size > NAMES_MAX && oldest !== undefined) named.delete(oldest);
      return models;
    },
    forget() {
      for (const models of named.values()) models.forget();
    },
  };
}

/** The look is shared, so a caller who leaves must not end it for the others. */
export function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}

/** The descriptions of one server's models, each asked for once for each version of it. */
interface Descriptions {
  of(installed: InstalledModel): Promise<ModelInfo | undefined>;
  /** Forgets all of them where there are far too many. */
  trim(): void;
}

function createDescriptions({ client, contextTokens, slots = 1, memoryBytes }: ModelsOptions): Descriptions {
  const described = new Map<string, ModelInfo | undefined>();
  return {
    async of(installed) {
      const version = `${installed.name} ${installed.digest} ${installed.modified_at}`;
      if (described.has(version)) return described.get(version);
      const shown = await client.show(installed.name);
      const info = describeModel(installed, shown, { contextTokens, slots, memoryBytes });
      described.set(version, info);
      return info;
    },
    trim() {
      if (described.size > 4 * MODELS_ASKED_MAX) described.clear();
    },
  };
}

/** The first that can chat, the preferred one before all others. */
async function findAny(
  installed: InstalledModel[],
  descriptions: Descriptions,
  preferred: string | undefined,
): Promise<Found> {
  const candidates = installed
    .filter((model) => !cannotChat(model))
    .sort((one, other) => rank(one, preferred) - rank(other, preferred))
    .slice(0, MODELS_ASKED_MAX);
  for (const candidate of candidates) {
    const info = await descriptions.of(candidate).catch((error) => {
      // Each of the others would take as long.
      if (faultOf(error)?.kind === "first_byte_timeout") throw error;
      // A model that can't be described is broken, or was removed a moment ago; another one may be fine.
      return undefined;
    });
    if (info !== undefined && !info.remote) return { model: info };
  }
  return { problem: noChatModel() };
}

async function findNamed(
  installed: InstalledModel[],
  descriptions: Descriptions,
  wanted: string,
): Promise<Found> {
  const named = installed.find((model) => isNamed(model, wanted));
  if (named === undefined) return { problem: notInstalled(wanted) };
  const info = await descriptions.of(named);
  return info === undefined ? { problem: cannotAnswer(wanted) } : { model: info };
}

async function listChatModels(
  client: ModelsOptions["client"],
  descriptions: Descriptions,
): Promise<ModelInfo[]> {
  await client.version();
  const chatting = (await client.tags()).filter(
    ({ capabilities }) => capabilities?.includes("completion") !== false,
  );
  const infos: ModelInfo[] = [];
  for (const installed of chatting.slice(0, MODELS_ASKED_MAX)) {
    const info = await descriptions.of(installed).catch(() => undefined);
    if (info !== undefined) infos.push(info);
  }
  return infos;
}

const rank = (model: InstalledModel, preferred: string | undefined) =>
  preferred !== undefined && isNamed(model, preferred) ? 0 : 1;

function noServer(baseUrl: string, error: unknown): NoModel {
  const hint = error instanceof AppError ? error.hint : undefined;
  return {
    reason: "no_server",
    message: `No Ollama answers at ${baseUrl}.`,
    hint: hint ?? "run: ollama serve, or set OLLAMA_HOST",
  };
}

function noChatModel(): NoModel {
  return {
    reason: "no_chat_model",
    message: "Ollama has no model that can chat.",
    hint: `run: ollama pull ${SUGGESTED_MODEL}`,
  };
}

function notInstalled(model: string): NoModel {
  return {
    reason: "not_installed",
    message: `Ollama does not have the model ${model}.`,
    hint: `run: ollama pull ${model}`,
  };
}

function cannotAnswer(model: string): NoModel {
  return {
    reason: "no_chat_model",
    message: `The model ${model} cannot chat.`,
    hint: `set another model, or auto; for example, run: ollama pull ${SUGGESTED_MODEL}`,
  };
}
