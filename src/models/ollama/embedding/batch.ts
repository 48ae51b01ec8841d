import { AppError } from "@docent/kernel/errors";
import type { Log } from "@docent/kernel/lib/log";
import type { EmbedPurpose } from "@docent/kernel/vectors/embedder";
import { OllamaFault } from "../faults.ts";
import { CHARACTERS_PER_TOKEN_MAX, tokensAtMost } from "../tokens/tokens.ts";

const HALVINGS = 2;
/** A text that every model can embed. */
export const PROBE_TEXT = "Where is it written?";
/**
 * The statuses that may blame a text: too large, refused, or 500, which Ollama sends when its runner died of
 * a text.
 */
const STATUSES_OF_A_TEXT: ReadonlySet<number> = new Set([400, 413, 500]);

type Vectors = (Float32Array | undefined)[];

interface BatchOptions {
  /** Sends one request to Ollama. */
  send: (texts: string[]) => Promise<unknown[][]>;
  dimensions: number;
  purpose: EmbedPurpose;
  /** Called when the model returns vectors of a different length than before. */
  onOtherLength: () => void;
  log: Log;
}

/**
 * Embeds the texts of one request. One bad text fails the whole request, so the others are retried without
 * it; it is tried shorter, and then given up. Throws what is not the fault of a text.
 */
export async function embedBatch(texts: string[], options: BatchOptions): Promise<Vectors> {
  try {
    return await embedAll(texts, options);
  } catch (error) {
    if (!mayBeTheText(error)) throw error;
    await probe(options);
    return embedApart(texts, options);
  }
}

async function embedAll(texts: string[], options: BatchOptions): Promise<Vectors> {
  const sent = await options.send(texts);
  const vectors = sent.map((values) => toVector(values, options));
  if (vectors.every((vector) => vector === undefined)) await probeNumbers(options);
  for (const [index, vector] of vectors.entries()) {
    if (vector === undefined) vectors[index] = await embedShorter(texts[index] ?? "", options, "no numbers");
  }
  return vectors;
}

/** If even the simplest text fails, the model is at fault, and no text must be given up for that. */
async function probe({ send }: BatchOptions): Promise<void> {
  // A runner that died of a text may need one request to start again.
  await send([PROBE_TEXT]).catch(() => send([PROBE_TEXT]));
}

/** The same check for vectors that are not numbers. */
async function probeNumbers(options: BatchOptions): Promise<void> {
  const [values = []] = await options.send([PROBE_TEXT]);
  if (toVector(values, options) !== undefined) return;
  throw new AppError("unavailable", "The embedding model gives no numbers, whatever the text.", {
    hint: "look at Ollama's log, update Ollama, or name another model as embedding_model",
  });
}

async function embedApart(texts: string[], options: BatchOptions): Promise<Vectors> {
  const [only = ""] = texts;
  if (texts.length === 1) return [await embedShorter(only, options)];
  const middle = Math.ceil(texts.length / 2);
  const vectors: Vectors = [];
  for (const half of [texts.slice(0, middle), texts.slice(middle)]) {
    const embedded = await orItsReason(() => embedAll(half, options));
    vectors.push(...("reason" in embedded ? await embedApart(half, options) : embedded.value));
  }
  return vectors;
}

/** Embeds the first half of a text that fails as a whole, or its first quarter. */
async function embedShorter(
  whole: string,
  options: BatchOptions,
  failed?: string,
): Promise<Float32Array | undefined> {
  const { send, purpose, log } = options;
  let text = whole;
  let reason: unknown = failed;
  for (let halving = 0; halving < HALVINGS; halving++) {
    text = firstHalf(text);
    if (text.trim() === "") break;
    const embedded = await orItsReason(() => send([text]));
    if ("reason" in embedded) reason = embedded.reason;
    else {
      const vector = toVector(embedded.value[0] ?? [], options);
      if (vector !== undefined) return vector;
    }
  }
  log.warn("a text was given up: the model cannot embed it", { purpose, characters: whole.length, reason });
  return undefined;
}

/**
 * The result of some work, or the reason it failed where a text may be to blame. Throws every other failure.
 */
async function orItsReason<T>(work: () => Promise<T>): Promise<{ value: T } | { reason: unknown }> {
  try {
    return { value: await work() };
  } catch (error) {
    if (mayBeTheText(error)) return { reason: error };
    throw error;
  }
}

function mayBeTheText(error: unknown): boolean {
  const fault = error instanceof AppError ? error.cause : error;
  if (!(fault instanceof OllamaFault) || !fault.fromOllama) return false;
  return fault.kind === "error_line" || (fault.status !== undefined && STATUSES_OF_A_TEXT.has(fault.status));
}

function toVector(values: unknown[], { dimensions, onOtherLength }: BatchOptions): Float32Array | undefined {
  if (values.length === dimensions) return unitVector(values);
  onOtherLength();
  throw new AppError("unavailable", `The embedding model gives ${values.length} values, not ${dimensions}.`, {
    hint: "the model was replaced; ingest again, so that every passage gets a vector of the new one",
  });
}

/**
 * Ollama's values for one text as a vector of length one; undefined where they are not one: a model that
 * overflows gives values that are not numbers (a proxy may have turned them into null), and an unknown text
 * may give zeros.
 */
export function unitVector(values: readonly unknown[]): Float32Array | undefined {
  let squares = 0;
  for (const value of values) {
    if (typeof value !== "number") return undefined;
    squares += value * value;
  }
  const length = Math.sqrt(squares);
  if (!Number.isFinite(length) || length === 0) return undefined;
  return Float32Array.from(values, (value) => Number(value) / length);
}

/** The most texts in a request. Ollama embeds one text after the other, so larger requests gain nothing. */
const BATCH_TEXTS_MAX = 16;
/** Keeps requests short: a question that arrives waits for the request under way. */
const BATCH_CHARACTERS_MAX = 24_000;

/** Groups texts, in order, so that each group fits into one request. */
export function batchesOf<T extends { text: string }>(items: T[]): T[][] {
  const batches: T[][] = [];
  let characters = 0;
  for (const item of items) {
    const batch = batches.at(-1);
    characters += item.text.length;
    if (batch === undefined || batch.length >= BATCH_TEXTS_MAX || characters > BATCH_CHARACTERS_MAX) {
      batches.push([item]);
      characters = item.text.length;
    } else batch.push(item);
  }
  return batches;
}

/** The beginning of a text, at most this many tokens whatever the tokenizer. */
export function cutToTokens(whole: string, tokens: number): string {
  // Avoids counting a far too long text to its end: one character beyond the limit is enough to see that it does not fit.
  const text = whole.slice(0, Math.max(0, tokens) * CHARACTERS_PER_TOKEN_MAX + 1);
  if (text.length === whole.length && tokensAtMost(text) <= tokens) return text.toWellFormed();
  let low = 0;
  let high = text.length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (tokensAtMost(text.slice(0, middle)) <= tokens) low = middle;
    else high = middle - 1;
  }
  return cutAt(text, low);
}

/** The first half of a text. */
function firstHalf(text: string): string {
  return cutAt(text, Math.floor(text.length / 2));
}

/** Drops a surrogate pair that the cut would split. */
function cutAt(text: string, length: number): string {
  return text
    .slice(0, length)
    .replace(/[\ud800-\udbff]$/, "")
    .toWellFormed();
}
