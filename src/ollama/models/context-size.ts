import type { ModelShape } from "./memory.ts";

/** With less than this nothing useful is answered; who has less memory needs a smaller model. */
const CONTEXT_TOKENS_MIN = 1024;
/** What memory allows is rounded down to a multiple of this. */
const STEP_TOKENS = 256;
/** The rest is for the system, for other programs, and for what Ollama needs while it computes. */
const MEMORY_SHARE = 0.75;

export interface ContextWishes {
  /** The setting. */
  wanted: number;
  /** The longest text that the model was trained for, where its description says so. */
  trained: number | undefined;
  /** What the model takes in memory, where its description says enough. */
  shape: ModelShape | undefined;
  /** The memory of the machine, where it is known. */
  memoryBytes: number | undefined;
  /** How many conversations the server keeps at the same time, each with a context of its own. */
  slots: number;
}

/** The context to ask of a model, and why. */
export interface ContextChoice {
  tokens: number;
  /** For people: the number of tokens, and what decided it. */
  because: string;
}

/** The context of a model, once for all calls: what is wanted, or less where the model or the memory allow only less. */
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
