import type { ResponderEvent } from "../../answer/responder.ts";
import { AppError } from "../../errors.ts";
import type { ChatLine } from "../client/client.ts";
import { createRepetitionGuard } from "./repetition.ts";

/** Far more than any token has; only a server that ignores num_predict reaches this. */
const CHARACTERS_PER_TOKEN_MAX = 64;

export interface Finish {
  finishReason: "stop" | "length";
  promptTokens: number | undefined;
  /** How long the model read the prompt. */
  readMs: number | undefined;
  outputTokens: number | undefined;
  /** The number of pieces: about that of tokens. */
  deltas: number;
  /** Whether the reply was ended here because it repeated itself. */
  repeated: boolean;
}

interface ReadOptions {
  answerTokens: number;
  /** Whether the text begins within a thought. Its mark is then put before it. */
  opensThought?: boolean | undefined;
  signal: AbortSignal;
  /** Called when the model has begun, before its first words are passed on. */
  onFirst?: () => void;
}

type Delta = Extract<ResponderEvent, { type: "text-delta" | "reasoning-delta" }>;
type Call = Extract<ResponderEvent, { type: "tool-call" }>;

/** More are a loop. */
const CALLS_MAX = 16;

/**
 * Passes on what the model writes and calls, and returns how it ended. Throws `unavailable` before the first word and
 * `model_failed` after it, or the signal's reason.
 */
export async function* readReply(
  lines: AsyncIterable<ChatLine>,
  { answerTokens, opensThought = false, signal, onFirst }: ReadOptions,
): AsyncGenerator<Delta | Call, Finish, undefined> {
  const guards = { "text-delta": createRepetitionGuard(), "reasoning-delta": createRepetitionGuard() };
  let charactersLeft = answerTokens * CHARACTERS_PER_TOKEN_MAX;
  let deltas = 0;
  let wroteText = false;
  let lacksMark = opensThought;
  let calls = 0;
  try {
    for await (const line of lines) {
      signal.throwIfAborted();
      for (const { type, text: written } of deltasIn(line)) {
        if (deltas++ === 0) onFirst?.();
        if (lacksMark && type === "text-delta" && !/^\s*<think/i.test(written))
          yield { type, text: "<think>" };
        lacksMark = false;
        const text = written.slice(0, charactersLeft);
        charactersLeft -= text.length;
        wroteText ||= type === "text-delta" && text.trim() !== "";
        yield { type, text };
        const repeated = guards[type].push(text);
        if ((repeated || charactersLeft <= 0) && wroteText) return cutShort(deltas, repeated);
        if (repeated || charactersLeft <= 0) throw noAnswer(deltas);
      }
      for (const { name, input } of line.calls) {
        if (deltas++ === 0) onFirst?.();
        yield { type: "tool-call", name, input };
        if (++calls === CALLS_MAX) return cutShort(deltas, true);
      }
      if (line.done) {
        if (!wroteText && calls === 0) throw noAnswer(deltas);
        return {
          finishReason: line.doneReason === "length" ? "length" : "stop",
          promptTokens: line.promptTokens,
          readMs: line.tookMs.read,
          outputTokens: line.outputTokens,
          deltas,
          repeated: false,
        };
      }
    }
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof AppError ? error : failure(deltas, error);
  }
  signal.throwIfAborted();
  throw failure(deltas, "the stream ended without a last line");
}

/** What a line carries: mostly one piece of text, and nothing where the model only begins or ends. */
function deltasIn({ thinking, content }: ChatLine): Delta[] {
  const text: Delta[] = content === "" ? [] : [{ type: "text-delta", text: content }];
  return thinking === "" ? text : [{ type: "reasoning-delta", text: thinking }, ...text];
}

function cutShort(deltas: number, repeated: boolean): Finish {
  return {
    finishReason: "length",
    promptTokens: undefined,
    readMs: undefined,
    outputTokens: undefined,
    deltas,
    repeated,
  };
}

function noAnswer(deltas: number): AppError {
  if (deltas === 0) return failure(0, "the model wrote nothing");
  return new AppError("model_failed", "The model did not come to an answer. Ask again.", {
    hint: "set thinking to off, or raise answer_tokens",
  });
}

function failure(deltas: number, cause: unknown): AppError {
  return deltas === 0
    ? new AppError("unavailable", "The model is not available now. Try again later.", { cause })
    : new AppError("model_failed", "The model broke off before the answer was complete. Ask again.", {
        cause,
      });
}
