import { totalmem } from "node:os";
import { isOfThisMachine } from "../address.ts";
import type { InstalledModel, ShownModel } from "../client/client.ts";

/** Nothing useful is answered with less; a machine with less memory needs a smaller model. */
const CONTEXT_TOKENS_MIN = 1024;
/** A context limited by memory is rounded down to a multiple of this. */
const STEP_TOKENS = 256;
/** The rest is for the system, other programs, and Ollama's computations. */
const MEMORY_SHARE = 0.75;

export interface ContextWishes {
  /** The size that the setting asks for. */
  wanted: number;
  /** The longest text that the model was trained for, where its description says so. */
  trained: number | undefined;
  /** The model's need of memory, where its description says enough. */
  shape: ModelShape | undefined;
  /** The machine's memory, where it is known. */
  memoryBytes: number | undefined;
  /** How many conversations the server keeps at the same time, each with its own context. */
  slots: number;
}

/** The context to ask for, with the reason. */
interface ContextChoice {
  tokens: number;
  /** The number of tokens and what decided it, for people. */
  because: string;
}

/**
 * The model's context for all calls: the wanted size, or less where the model or the memory allow only less.
 */
export function chooseContext(wishes: ContextWishes): ContextChoice {
  const { wanted, trained = Number.POSITIVE_INFINITY, shape, memoryBytes } = wishes;
  const possible = Math.min(wanted, trained);
  const fitting =
    shape === undefined || memoryBytes === undefined ? possible : tokensThatFit(shape, memoryBytes, wishes);
  const tokens = Math.min(possible, Math.max(CONTEXT_TOKENS_MIN, fitting));
  return { tokens, because: `${tokens} tokens of context${reason(tokens, fitting, wishes)}` };
}

function tokensThatFit(shape: ModelShape, memoryBytes: number, { slots }: ContextWishes): number {
  const leftBytes = memoryBytes * MEMORY_SHARE - shape.weightsBytes;
  const tokens = leftBytes / (shape.bytesPerToken * slots);
  return Math.floor(Math.max(0, tokens) / STEP_TOKENS) * STEP_TOKENS;
}

function reason(tokens: number, fitting: number, { wanted, trained, memoryBytes }: ContextWishes): string {
  const memory = inGigabytes(memoryBytes ?? 0);
  if (fitting < tokens) return `: the least, though even this may not fit into ${memory} of memory`;
  if (tokens < Math.min(wanted, trained ?? wanted)) return `: more would not fit into ${memory} of memory`;
  if (tokens === trained && tokens < wanted) return ": all that the model was trained for";
  if (memoryBytes === undefined) return ", as set; how much memory that machine has is not known";
  return ", as set";
}

function inGigabytes(bytes: number): string {
  const gigabytes = bytes / 2 ** 30;
  return `${gigabytes < 10 ? Math.round(gigabytes * 10) / 10 : Math.round(gigabytes)} GB`;
}

const BYTES_PER_VALUE = 2;

/** A model's need of memory. */
interface ModelShape {
  weightsBytes: number;
  /** The cache for each token of one conversation. An upper bound: some models keep less of old tokens. */
  bytesPerToken: number;
}

/**
 * The memory of the machine that runs the Ollama at an address; undefined unless it is this machine. Counts
 * all memory and not what is free: every process must choose the same context for a model, or Ollama would
 * load it again and again.
 */
export function memoryBytesAt(baseUrl: string): number | undefined {
  if (!isOfThisMachine(baseUrl)) return undefined;
  const totalBytes = totalmem();
  // 0, or far too much, where nothing is constrained.
  const constrainedBytes = process.constrainedMemory();
  return constrainedBytes > 0 ? Math.min(totalBytes, constrainedBytes) : totalBytes;
}

/** A model's need of memory, where its description says enough. */
export function readModelShape(
  { size: weightsBytes }: Pick<InstalledModel, "size">,
  { model_info: info }: Pick<ShownModel, "model_info">,
): ModelShape | undefined {
  const architecture = info?.["general.architecture"];
  if (weightsBytes === undefined || typeof architecture !== "string") return undefined;
  const number = (key: string) => positive(info?.[`${architecture}.${key}`]);
  const layers = number("block_count");
  const heads = number("attention.head_count");
  const width = number("embedding_length");
  const headLength = heads === undefined || width === undefined ? undefined : width / heads;
  const keyLength = number("attention.key_length") ?? headLength;
  const valueLength = number("attention.value_length") ?? headLength;
  const keptHeads =
    headsKept(info?.[`${architecture}.attention.head_count_kv`], layers) ?? times(heads, layers);
  if (keyLength === undefined || valueLength === undefined || keptHeads === undefined) return undefined;
  return { weightsBytes, bytesPerToken: keptHeads * (keyLength + valueLength) * BYTES_PER_VALUE };
}

/** The heads of all layers together; the description has a number for each layer, or one for all. */
function headsKept(value: unknown, layers: number | undefined): number | undefined {
  if (!Array.isArray(value)) return times(positive(value), layers);
  const heads = value.map((item) => (item === 0 ? 0 : positive(item)));
  // The server may have left out a long list, or cut it short.
  if (heads.length === 0 || (layers !== undefined && heads.length < layers)) return undefined;
  return heads.reduce<number | undefined>(
    (sum, count) => (sum === undefined || count === undefined ? undefined : sum + count),
    0,
  );
}

const times = (one: number | undefined, other: number | undefined) =>
  one === undefined || other === undefined ? undefined : one * other;

const positive = (value: unknown) =>
  typeof value === "number" && Number.isFinite(value) && value > 0 ? value : undefined;
