import { AppError } from "../errors.ts";
import type { ResponderEvent, ResponderRequest } from "./responder.ts";
import type { OpenAnswer } from "./turn.ts";

/**
 * Asks the responder, or the fallback when that is unavailable before its first word. Notes in the turn which of them
 * answers.
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
    for await (const event of responder.respond(request, signal)) {
      if (event.type === "waiting") {
        yield event;
        continue;
      }
      // The model may be known only once it has been asked.
      if (turn.responder === undefined) turn.model = responder.model(request.model);
      turn.responder = responder.name;
      begun = true;
      yield event;
    }
  } catch (error) {
    if (begun || fallback === undefined || !(error instanceof AppError) || error.code !== "unavailable")
      throw error;
    log.info("answering by quoting", { reason: error.message, cause: error.cause });
    Object.assign(turn, { responder: fallback.name, model: undefined });
    yield* fallback.respond(fallbackRequest, signal);
  }
}
