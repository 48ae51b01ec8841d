import type { Parts } from "@docent/running/app/parts";
import { z } from "zod";

type Examination = Awaited<ReturnType<Parts["answers"]["ollama"]["examine"]>>[number];
type Measured = Extract<Examination, { outcome: "measured" }>;

/**
 * Even old memory delivers this much per second, and a model reads all of its weights once for each token.
 */
const MEMORY_BYTES_PER_SECOND_LEAST = 8e9;
/** Below this share of what memory allows, something other than memory makes the model slow. */
const SPEED_SHARE_MIN = 0.25;
/** Anything faster is fast enough, whatever the machine could do. */
const FAST_TOKENS_PER_SECOND = 30;
/** People read faster than this. */
const COMFORTABLE_TOKENS_PER_SECOND = 5;

/** What asking the model of one server showed. Empty where there is no model: another finding says that. */
export function modelFindings(examination: Examination): Finding[] {
  switch (examination.outcome) {
    case "no_model":
      return [];
    case "on_another_machine":
      return [{ what: "model speed", state: "ok", says: "not measured: the model runs on another machine" }];
    case "failed": {
      const { model, url, reason, hint } = examination;
      return [{ what: "model", state: "warn", says: `${model} at ${url} did not answer. ${reason}`, hint }];
    }
    case "measured":
      return [memory(examination), speed(examination), context(examination), ...slots(examination)];
  }
}

function memory({ model, memory, cold, bytes, bytesOnGraphicsCard }: Measured): Finding {
  const was = {
    loaded: "was in memory",
    "loaded-differently": "was in memory with another context, and was loaded again",
    unloaded: "was unloaded for this, and loaded again",
    "not-loaded": "was not in memory, and was loaded",
  }[memory];
  const first =
    cold === undefined
      ? ""
      : `: first word after ${seconds(cold.firstWordMs)}${cold.loadMs === undefined ? "" : `, ${seconds(cold.loadMs)} of it for loading`}`;
  return {
    what: "model in memory",
    state: "ok",
    says: `${model} ${was}${first}${sizeOf(bytes, bytesOnGraphicsCard)}`,
  };
}

function sizeOf(bytes: number | undefined, onCard: number | undefined): string {
  if (bytes === undefined || bytes <= 0) return "";
  const share = Math.round(((onCard ?? 0) / bytes) * 100);
  const where = share === 0 ? "none of it" : `${share}% of it`;
  return `; it takes ${gigabytes(bytes)}, ${where} on a graphics card`;
}

function speed(measured: Measured): Finding {
  const {
    firstWordMs,
    promptTokens,
    readTokensPerSecond: reads,
    writeTokensPerSecond: writes,
  } = measured.warm;
  const prompt = promptTokens === undefined ? "a short prompt" : `a prompt of ${promptTokens} tokens`;
  const rates = [
    reads === undefined ? "" : `reads ${Math.round(reads)} tokens a second`,
    writes === undefined ? "" : `writes ${Math.round(writes)}`,
  ].filter(Boolean);
  const says = [`first word of an answer to ${prompt} after ${seconds(firstWordMs)}`, ...rates].join(", ");
  const hint = slowHint(measured);
  return { what: "model speed", state: hint === undefined ? "ok" : "warn", says, hint };
}

/** Has no hint for a model on a graphics card: there is nothing to compare its speed with. */
function slowHint({ warm, weightsBytes, bytesOnGraphicsCard = 0 }: Measured): string | undefined {
  const { writeTokensPerSecond: writes } = warm;
  if (writes === undefined || writes >= FAST_TOKENS_PER_SECOND || bytesOnGraphicsCard > 0) return undefined;
  const possible =
    weightsBytes === undefined || weightsBytes <= 0 ? 0 : MEMORY_BYTES_PER_SECOND_LEAST / weightsBytes;
  if (writes < SPEED_SHARE_MIN * possible)
    return "This is slow for a model of its size. Where other programs use the processors too, Ollama's threads may be waiting for each other: a model made with PARAMETER num_thread 1, or half of the processors, shows whether it is that.";
  return writes < COMFORTABLE_TOKENS_PER_SECOND
    ? "This is slower than people read: a smaller model, or a graphics card, makes it faster."
    : undefined;
}

function context({ contextTokens: asked, contextTokensGiven: given, promptTokensMax }: Measured): Finding {
  const what = "model context";
  const prompt = `a prompt may be ${promptTokensMax} of them, the rest is for the answer`;
  if (given === undefined)
    return {
      what,
      state: "ok",
      says: `${asked} tokens asked for; this Ollama does not say what it gives. ${prompt}`,
    };
  if (given >= asked) return { what, state: "ok", says: `${asked} tokens, as asked for; ${prompt}` };
  return {
    what,
    state: "warn",
    says: `Ollama gives ${given} tokens where ${asked} are asked for; ${prompt}. It cuts what is longer, without a word.`,
    hint: `Set context_tokens to ${given}, or find out in Ollama's log why it gives no more.`,
  };
}

function slots({ slots, atOnce }: Measured): Finding[] {
  if (atOnce === undefined) return [];
  const what = "model slots";
  const { asked, wrote } = atOnce;
  if (wrote >= asked) return [{ what, state: "ok", says: `${wrote} answers are written at the same time` }];
  return [
    {
      what,
      state: "warn",
      says: `of ${asked} answers, ${wrote} ${wrote === 1 ? "was" : "were"} written at the same time; model_slots is ${slots}`,
      hint: `Start Ollama with OLLAMA_NUM_PARALLEL=${slots}, or lower model_slots: questions wait inside Ollama, where their place in the line is not seen.`,
    },
  ];
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(ms < 9950 ? 1 : 0)} s`;
const gigabytes = (bytes: number) => `${(bytes / 2 ** 30).toFixed(1)} GB`;

export const FINDING_SHAPE = z.object({
  what: z.string(),
  state: z.enum(["ok", "warn", "fail"]),
  says: z.string(),
  hint: z.string().optional(),
});

/** One line of `doctor`'s output. */
export interface Finding {
  what: string;
  /** `warn`: it works with less; `fail`: it does not work. */
  state: "ok" | "warn" | "fail";
  says: string;
  hint?: string | undefined;
}
