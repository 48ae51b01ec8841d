import type { Asker } from "@docent/answering/answer/responder";
import { AppError } from "@docent/kernel/errors";
import { type Clock, MINUTE_MS, SECOND_MS, systemClock } from "@docent/kernel/lib/clock";
import { systemRandom } from "@docent/kernel/lib/ids";
import { type Log, limitWarnings } from "@docent/kernel/lib/log";
import type { Seal } from "@docent/kernel/lib/seal/seal";
import type { Embedder, EmbedderIdentity, EmbedPurpose } from "@docent/kernel/vectors/embedder";
import { parseOllamaServers } from "../address.ts";
import { createOllamaClient, DIMENSIONS_MAX, type OllamaClient } from "../client/client.ts";
import { type FaultKind, OllamaFault } from "../faults.ts";
import { type AdmissionQueue, countedPlaces, createQueue } from "../queue/queue.ts";
import { tokensAtMost } from "../tokens/tokens.ts";
import { batchesOf, cutToTokens, embedBatch, PROBE_TEXT, unitVector } from "./batch.ts";
import { cannotEmbed, type EmbedModel, findEmbedModel } from "./model.ts";
import { createSharedEmbedder } from "./shared.ts";

/** Must be raised whenever texts are prepared in another way: other prompts, or another cut. */
const PREPARATION_REVISION = 2;
/** The tokens that tokenizers add around a text. */
const SPECIAL_TOKENS = 8;
/** From this many texts on, the model is at fault if most of them get no vector. */
const MANY_TEXTS = 16;
const WAITING_MAX = 64;
/** Texts to index belong to no reader: first come, first served. */
const INDEX: Asker = { siteId: 0, reader: "" };
const AWAY: readonly FaultKind[] = ["unreachable", "connect_timeout"];

/** The settings it reads, under their own names. */
interface OllamaEmbedderSettings {
  /** In any form that Ollama accepts. */
  ollama_host: string;
  /** Several servers that share the texts; if there are any, `ollama_host` is not used. */
  ollama_urls: readonly string[];
  /** A name with or without its tag. */
  embedding_model: string;
  connect_seconds: number;
  /** Includes loading the model and embedding all texts of a request. */
  first_byte_seconds: number;
  idle_seconds: number;
  /** Negative means for ever. */
  keep_alive_seconds: number;
}

interface OllamaEmbedderOptions {
  client: Pick<OllamaClient, "version" | "tags" | "show" | "embed">;
  model: string;
  keepAliveSeconds: number;
  /** Has one slot: Ollama embeds one text after the other anyway. */
  queue: AdmissionQueue;
  log: Log;
}

/** Opens the embedder that the settings name. Throws `invalid_request` for an invalid address. */
export function openOllamaEmbedder(options: {
  settings: OllamaEmbedderSettings;
  seal: Seal;
  clock?: Clock;
  log: Log;
}): Embedder {
  const { settings, seal, clock = systemClock } = options;
  const log = limitWarnings(options.log, { everyMs: MINUTE_MS, clock });
  const [url, ...others] = parseOllamaServers(settings.ollama_urls, settings.ollama_host);
  // Lets ingest survive a restart of the only server: half a second, one, two, four.
  if (others.length === 0) return embedderAt(url, { settings, seal, attempts: 5, clock, log });
  const embedders = [url, ...others].map((each) => ({
    url: each,
    embedder: embedderAt(each, { settings, seal, attempts: 2, clock, log: log.with({ server: each }) }),
  }));
  return createSharedEmbedder(embedders, { clock, random: systemRandom, log });
}

/** The embedder of one server. */
function embedderAt(
  baseUrl: string,
  options: { settings: OllamaEmbedderSettings; seal: Seal; attempts: number; clock: Clock; log: Log },
): Embedder {
  const { settings, seal, attempts, clock, log } = options;
  const { embedding_model: model, keep_alive_seconds: keepAliveSeconds } = settings;
  const firstByteMs = settings.first_byte_seconds * SECOND_MS;
  const client = createOllamaClient({
    baseUrl,
    seal,
    connectMs: settings.connect_seconds * SECOND_MS,
    firstByteMs,
    idleMs: settings.idle_seconds * SECOND_MS,
    attempts,
    retryDelayMs: 500,
    clock,
  });
  const queue = createQueue({
    places: countedPlaces(1),
    queueLength: WAITING_MAX,
    queueMs: firstByteMs,
    clock,
  });
  return createOllamaEmbedder({ client, model, keepAliveSeconds, queue, log });
}

/**
 * Embeds with a model of the local Ollama, which each `describe` looks up again. Throws `unavailable`, with a
 * remedy as the hint, where the server or model is missing or the model cannot embed.
 */
export function createOllamaEmbedder(options: OllamaEmbedderOptions): Embedder {
  const state: EmbedderState = { options, known: undefined };
  return {
    isInstant: false,
    describe: (signal) => nameModel(options.model, async () => identityOf(await findModel(state, signal))),
    embed: (texts, purpose, signal) => nameModel(options.model, () => embed(state, texts, purpose, signal)),
  };
}

interface EmbedderState {
  readonly options: OllamaEmbedderOptions;
  known: KnownModel | undefined;
}

/** A model that was looked up, with the length of its vectors. */
interface KnownModel {
  model: EmbedModel;
  dimensions: number;
}

async function embed(state: EmbedderState, texts: string[], purpose: EmbedPurpose, signal: AbortSignal) {
  const { options } = state;
  const { model, dimensions } = state.known ?? (await findModel(state, signal));
  const tokens = model.readableTokens - SPECIAL_TOKENS - tokensAtMost(model.prompts[purpose]);
  const items = texts
    .map((text, index) => ({ index, text: cutToTokens(text.trim(), tokens) }))
    .filter(({ text }) => text !== "");
  const vectors: (Float32Array | undefined)[] = texts.map(() => undefined);
  for (const batch of batchesOf(items)) {
    const embedded = await embedBatch(
      batch.map(({ text }) => text),
      {
        send: (some) => send(options, model, purpose, some, signal),
        dimensions,
        purpose,
        log: options.log,
        // Measures again, even where the model has the same name and digest.
        onOtherLength: () => {
          state.known = undefined;
        },
      },
    );
    for (const [place, { index }] of batch.entries()) vectors[index] = embedded[place];
  }
  checkMost(items.map(({ index }) => vectors[index]));
  return vectors;
}

/** Looks the model up. A replaced model is measured again. */
async function findModel(state: EmbedderState, signal: AbortSignal): Promise<KnownModel> {
  const { client, model: wanted } = state.options;
  const model = await findEmbedModel(client, wanted, signal);
  const isSame = state.known?.model.name === model.name && state.known.model.digest === model.digest;
  if (state.known === undefined || !isSame) state.known = await measure(state.options, model, signal);
  return state.known;
}

/** Measures the length of a model's vectors. */
async function measure(
  options: OllamaEmbedderOptions,
  model: EmbedModel,
  signal: AbortSignal,
): Promise<KnownModel> {
  const [values = []] = await send(options, model, "passage", [PROBE_TEXT], signal).catch((error) => {
    throw saysCannotEmbed(error) ? cannotEmbed(model.name, error) : error;
  });
  const dimensions = unitVector(values)?.length;
  if (dimensions === undefined) throw cannotEmbed(model.name);
  if (dimensions > DIMENSIONS_MAX) throw tooLong(model.name, dimensions);
  if (model.remote) options.log.warn("the embedding model runs on another machine", { model: model.name });
  return { model, dimensions };
}

async function send(
  { client, queue, keepAliveSeconds }: OllamaEmbedderOptions,
  model: EmbedModel,
  purpose: EmbedPurpose,
  texts: string[],
  signal: AbortSignal,
): Promise<unknown[][]> {
  const input = texts.map((text) => model.prompts[purpose] + text);
  const slot = await queue.acquire({ asker: INDEX, signal });
  try {
    const run = { keep_alive: keepAliveSeconds, options: { num_ctx: model.contextTokens } };
    return await client.embed({ model: model.name, input, ...run }, signal);
  } finally {
    slot.release();
  }
}

/**
 * Adds the model's name to a failure: where two models are in use, the error must say which one is missing.
 */
async function nameModel<T>(model: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const isFault = error instanceof AppError && error.cause instanceof OllamaFault;
    throw isFault ? notAvailable(model, error) : error;
  }
}

/**
 * A few texts may all be nonsense; where most of many get no vector, the model is at fault, and the vectors
 * must not be kept.
 */
function checkMost(vectors: (Float32Array | undefined)[]): void {
  const missing = vectors.filter((vector) => vector === undefined).length;
  if (vectors.length < MANY_TEXTS || missing * 2 <= vectors.length) return;
  throw new AppError(
    "unavailable",
    `The embedding model gave no vector for ${missing} of ${vectors.length} texts.`,
    { hint: "look at Ollama's log, update Ollama, or name another model as embedding_model" },
  );
}

const tooLong = (model: string, dimensions: number) =>
  new AppError("unavailable", `The model ${model} gives vectors of ${dimensions} values.`, {
    hint: `name a model whose vectors have ${DIMENSIONS_MAX} values at the most`,
  });

function notAvailable(model: string, { code, hint, cause, retryAfterSeconds }: AppError): AppError {
  const isAway = cause instanceof OllamaFault && AWAY.includes(cause.kind);
  const what = retryAfterSeconds === undefined ? "not available now" : "busy";
  return new AppError(code, `The embedding model ${model} is ${what}.`, {
    ...(hint === undefined
      ? {}
      : { hint: isAway ? `${hint}; where it lacks the model, run: ollama pull ${model}` : hint }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    cause,
  });
}

function identityOf({ model, dimensions }: KnownModel): EmbedderIdentity {
  const identity = `ollama:${model.name}:${model.digest}:${dimensions}:${PREPARATION_REVISION}`;
  return { identity, dimensions };
}

function saysCannotEmbed(error: unknown): boolean {
  const fault = error instanceof AppError ? error.cause : error;
  if (!(fault instanceof OllamaFault) || !fault.fromOllama) return false;
  return fault.status === 501 || /does not support (?:generating )?embeddings?/i.test(fault.message);
}
