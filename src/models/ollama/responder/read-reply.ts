import { createReplyText } from "@docent/answering/answer/reply/reply";
import type { ResponderEvent } from "@docent/answering/answer/responder";
import { AppError } from "@docent/kernel/errors";
import type { ChatLine } from "../client/client.ts";
import { createRepetitionGuard } from "./repetition.ts";

/** Far more than any token has; only a server that ignores num_predict reaches this. */
const CHARACTERS_PER_TOKEN_MAX = 64;

export interface Finish {
  finishReason: "stop" | "length";
  promptTokens: number | undefined;
  /** How long the model read the prompt. */
  readMs: number | undefined;
  /** How long it wrote. */
  writeMs: number | undefined;
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
 * Passes on what the model writes and calls, its thoughts apart from its answer, and returns how it ended. A model that
 * goes on behind its answer is stopped. Throws `unavailable` before the first word and
 * `model_failed` after it, or the signal's reason.
 */
export async function* readReply(
  lines: AsyncIterable<ChatLine>,
  { answerTokens, opensThought = false, signal, onFirst }: ReadOptions,
): AsyncGenerator<Delta | Call, Finish, undefined> {
  const reply = openReply(answerTokens, opensThought);
  let deltas = 0;
  let calls = 0;
  try {
    for await (const line of lines) {
      signal.throwIfAborted();
      for (const written of deltasIn(line)) {
        if (deltas++ === 0) onFirst?.();
        yield* reply.read(written);
        const cut = reply.cut();
        if (cut === undefined) continue;
        yield* reply.end();
        if (!reply.wroteText()) throw noAnswer(deltas);
        return cutShort(deltas, cut);
      }
      for (const { name, input } of line.calls) {
        if (deltas++ === 0) onFirst?.();
        yield { type: "tool-call", name, input };
        if (++calls < CALLS_MAX) continue;
        yield* reply.end();
        return cutShort(deltas, "repeated");
      }
      if (line.done) {
        yield* reply.end();
        if (!reply.wroteText() && calls === 0) throw noAnswer(deltas);
        return {
          finishReason: line.doneReason === "length" ? "length" : "stop",
          promptTokens: line.promptTokens,
          readMs: line.tookMs.read,
          writeMs: line.tookMs.write,
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

/** Why a reply is ended here: the model repeats itself, writes too much, or goes on behind its answer. */
type Cut = "repeated" | "long" | "over";

/** Tells the thoughts and the answer of a reply, as it comes. */
interface OpenReply {
  read(written: Delta): Delta[];
  end(): Delta[];
  cut(): Cut | undefined;
  /** Whether it has words that are no thoughts. */
  wroteText(): boolean;
}

function openReply(answerTokens: number, opensThought: boolean): OpenReply {
  const guards = { "text-delta": createRepetitionGuard(), "reasoning-delta": createRepetitionGuard() };
  const reply = createReplyText();
  let charactersLeft = answerTokens * CHARACTERS_PER_TOKEN_MAX;
  let lacksMark = opensThought;
  let wroteText = false;
  let repeated = false;
  const tell = (told: Delta[]): Delta[] => {
    wroteText ||= told.some(({ type, text }) => type === "text-delta" && text.trim() !== "");
    return told;
  };
  return {
    read({ type, text: written }) {
      const text = written.slice(0, charactersLeft);
      charactersLeft -= text.length;
      repeated = guards[type].push(text);
      const mark = lacksMark && type === "text-delta" && !/^\s*<think/i.test(text) ? "<think>" : "";
      lacksMark = false;
      return tell(type === "text-delta" ? reply.write(mark + text) : [{ type, text }]);
    },
    end: () => tell(reply.end()),
    cut() {
      if (reply.isOver()) return "over";
      if (repeated) return "repeated";
      return charactersLeft <= 0 ? "long" : undefined;
    },
    wroteText: () => wroteText,
  };
}

function cutShort(deltas: number, cut: Cut): Finish {
  return {
    finishReason: cut === "over" ? "stop" : "length",
    promptTokens: undefined,
    readMs: undefined,
    writeMs: undefined,
    outputTokens: undefined,
    deltas,
    repeated: cut === "repeated",
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
