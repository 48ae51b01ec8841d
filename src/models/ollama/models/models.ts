import { AppError } from "@docent/kernel/errors";
import { type Clock, systemClock } from "@docent/kernel/lib/clock";
import type { InstalledModel, OllamaClient } from "../client/client.ts";
import { faultOf } from "../faults.ts";
import { cannotChat, describeModel, isNamed, type ModelInfo } from "./model-info.ts";

export { memoryBytesAt } from "./context-size.ts";
export { isNamed, isRemote, isSameModel, type ModelInfo, trainedContext } from "./model-info.ts";

const SUGGESTED_MODEL = "llama3.2";
const MODELS_ASKED_MAX = 32;
/** How many models asked for by name are followed. */
const NAMES_MAX = 64;
/** How long a question waits for a look that hangs: quoting, or another model, answers then. */
const READER_WAIT_MS = 4000;
/** How much longer to wait for the other servers: the best choice is one with the model in memory. */
const GRACE_MS = 50;

/** Why no model can answer, for the banner and `doctor`. */
interface NoModel {
  reason: "no_server" | "no_chat_model" | "not_installed";
  message: string;
  hint: string;
}

interface ModelsOptions {
  client: Pick<OllamaClient, "baseUrl" | "version" | "tags" | "show">;
  /** A name, or `auto` for the first installed model that can chat. */
  model: string;
  contextTokens: number;
  /** How many answers the server may write at the same time; one unless given. */
  slots?: number;
  /** The memory of the server's machine, where it is known. */
  memoryBytes?: number | undefined;
  /** With `auto`: the model to prefer where it is installed. */
  prefer?: () => Promise<string | undefined>;
  /** Called after each look, because what is known may have changed. */
  onLook?: () => void;
  refreshMs?: number;
  clock?: Clock;
}

/** Tracks which model answers. The result of a look, good or bad, holds for a while. */
export interface Models {
  /** The model found by the last look. */
  current(): ModelInfo | undefined;
  /** Why the last look found none; undefined also before the first look. */
  problem(): NoModel | undefined;
  /**
   * Looks again if the last look is old. Waits for it to the end, or until it has taken as long as `patienceMs`: then
   * what was known before holds. Throws only the signal's reason.
   */
  refresh(signal?: AbortSignal, patienceMs?: number): Promise<ModelInfo | undefined>;
  /** All installed models that can chat, fresh from the server. Throws where it does not answer. */
  list(): Promise<ModelInfo[]>;
  /** Makes the next refresh look in any case: a call to the model has failed. */
  forget(): void;
}

type Found = { model: ModelInfo; problem?: never } | { model?: never; problem: NoModel };

/** Follows one Ollama server, and notices when it starts, stops or gets a model. */
export function createModels(options: ModelsOptions): Models {
  const { client, model: wanted, prefer, refreshMs = 30_000, clock = systemClock } = options;
  const descriptions = createDescriptions(options);
  let found: Found | undefined;
  let lookedAt = Number.NEGATIVE_INFINITY;
  let looking: { done: Promise<void>; since: number } | undefined;

  const find = async (): Promise<Found> => {
    try {
      // Uses the connect timeout, so that an absent Ollama costs no more than that.
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
    async refresh(signal, patienceMs) {
      signal?.throwIfAborted();
      const ageMs = clock() - lookedAt;
      // A look in the future means that the clock was set back.
      if (ageMs >= 0 && ageMs < refreshMs) return found?.model;
      looking ??= { done: look(), since: clock() };
      const { done, since } = looking;
      const leftMs = patienceMs === undefined ? undefined : Math.max(0, since + patienceMs - clock());
      await untilAborted(leftMs === undefined ? done : doneOr(done, leftMs), signal);
      return found?.model;
    },
  };
}

/** Waits until each is known, or has taken too long for a reader; once one can answer, it waits hardly any longer for the others. */
export function refreshAll(at: readonly Models[], signal: AbortSignal): Promise<void> {
  const looks = at.map((models) => models.refresh(undefined, READER_WAIT_MS));
  const enough = new Promise<void>((resolve) => {
    for (const each of looks) each.then((model) => model !== undefined && setTimeout(resolve, GRACE_MS));
    Promise.all(looks).then(() => resolve());
  });
  return untilAborted(enough, signal);
}

/** Waits until work is done, or for some time. */
function doneOr(work: Promise<void>, ms: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  return Promise.race([work, over]).finally(() => clearTimeout(timer));
}

/** The models of one server that are asked for by name. */
export interface NamedModels {
  of(name: string): Models;
  /** Makes the next refresh of each of them look again. */
  forget(): void;
}

/** Follows each model that was asked for lately, as the server's own model is followed. */
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

/** Stops waiting when the caller leaves, without ending the look that others share. */
export function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}

/** The descriptions of a server's models, fetched once for each version. */
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

/** The first model that can chat, the preferred one before all others. */
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
      // The others would take as long.
      if (faultOf(error)?.kind === "first_byte_timeout") throw error;
      // A model without a description is broken or was just removed; another one may be fine.
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
