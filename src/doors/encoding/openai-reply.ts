import type { AnswerEvent } from "@docent/answering/answer/events";
import { AppError, ERROR_CODES } from "@docent/kernel/errors";
import { UNBUFFERED_HEADERS } from "./unbuffered.ts";

/** The headers of a streamed reply. */
export const OPENAI_STREAM_HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  ...UNBUFFERED_HEADERS,
} as const;

/** A comment, which every reader of server-sent events skips. */
export const OPENAI_HEARTBEAT = ": ping\n\n";

/** The fields that every piece of one reply repeats. */
export interface OpenaiReply {
  model: string;
  createdSeconds: number;
}

/** The error of an answer, for a reply that is not streamed. */
export function failure({ code, message }: Extract<AnswerEvent, { type: "error" }>): AppError {
  return new AppError(ERROR_CODES.find((known) => known === code) ?? "internal", message);
}
