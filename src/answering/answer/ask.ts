import { AppError } from "@docent/kernel/errors";
import { createToldText, createUnwrapper } from "./reply/reply.ts";
import type { Responder, ResponderEvent, ResponderRequest } from "./responder.ts";
import type { OpenAnswer } from "./turn.ts";

/**
 * Asks the responder, or the fallback when that is unavailable before its first word, or comes to no answer: to nothing but
 * white space, or to a call where it can call nothing. Notes in the turn which of them answers.
 */
export async function* ask(
  { turn, signal, deps }: OpenAnswer,
  request: ResponderRequest,
  /** What the fallback is asked, where it is not the same. */
  fallbackRequest = request,
): AsyncIterable<ResponderEvent> {
  const { responder, fallback, log } = deps;
  let begun = false;
  try {
    for await (const event of cleaned(responder, request, signal)) {
      if (event.type === "waiting") {
        yield event;
        continue;
      }
      // The model may be known only once it has been asked.
      if (turn.responder === undefined) turn.model = responder.model(request.model);
      turn.responder = responder.name;
      if (event.type === "finish" && !begun && request.looking === undefined) throw noAnswer();
      begun ||= event.type !== "finish";
      yield event;
    }
  } catch (error) {
    if (begun || fallback === undefined || !isQuotable(error, request)) throw error;
    log.info("answering by quoting", { reason: error.message, cause: error.cause });
    Object.assign(turn, { responder: fallback.name, model: undefined });
    yield* fallback.respond(fallbackRequest, signal);
  }
}

/** Whether the docs are quoted in place of an answer. A model that looks for itself is first asked once more. */
const isQuotable = (error: unknown, { looking }: ResponderRequest): error is AppError =>
  error instanceof AppError &&
  (error.code === "unavailable" || (error.code === "model_failed" && looking === undefined));

export function noAnswer(): AppError {
  return new AppError("model_failed", "The model did not come to an answer. Ask again.", {
    hint: "set thinking to off, or raise answer_tokens",
  });
}

/** What a responder says. Of a model's text only what is an answer, and no white space before it. */
async function* cleaned(
  responder: Responder,
  request: ResponderRequest,
  signal: AbortSignal,
): AsyncIterable<ResponderEvent> {
  const events = responder.respond(request, signal);
  if (responder.name !== "ollama") return yield* events;
  const told = request.looking === undefined ? createToldText() : createUnwrapper();
  const inText = (text: string): ResponderEvent[] => (text === "" ? [] : [{ type: "text-delta", text }]);
  for await (const event of events) {
    if (event.type === "text-delta") yield* inText(told.write(event.text));
    else if (event.type !== "finish") yield event;
    else yield* [...inText(told.end()), event];
  }
}
