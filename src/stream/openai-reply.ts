import type { AnswerEvent } from "../answer/events.ts";
import { AppError, ERROR_CODES } from "../errors.ts";
import { UNBUFFERED_HEADERS } from "./unbuffered.ts";

/** The headers of a reply that comes in pieces. */
export const OPENAI_STREAM_HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  ...UNBUFFERED_HEADERS,
} as const;

/** A comment, which every reader of server-sent events passes over. */
export const OPENAI_HEARTBEAT = ": ping\n\n";

/** What every piece of one reply says of itself. */
export interface OpenaiReply {
  model: string;
  createdSeconds: number;
}

/** What an answer failed with, for a reply that is not a stream. */
export function failure({ code, message }: Extract<AnswerEvent, { type: "error" }>): AppError {
  return new AppError(ERROR_CODES.find((known) => known === code) ?? "internal", message);
}
