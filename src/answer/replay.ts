import type { CachedAnswer } from "./cache/cache.ts";
import type { AnswerEvent } from "./events.ts";
import type { AnswerDeps, OpenRequest } from "./request.ts";
import { closeTurn, type OpenTurn, say } from "./turn.ts";

/** Gives an answer once more, in the pieces in which it was written, without the time that it took then. */
export async function* replay(
  deps: AnswerDeps,
  request: OpenRequest,
  turn: OpenTurn,
  answer: CachedAnswer,
  signal: AbortSignal,
): AsyncIterable<AnswerEvent> {
  const { threadId, turnId, isNewThread } = request;
  const { query, found, written, model, generation, retrieved, cited, supportShare } = answer;
  const responder = deps.responder.name;
  const usage = { promptTokens: 0, completionTokens: 0 };
  Object.assign(turn, { searched: query, generation, retrieved, cited, supportShare });
  Object.assign(turn, { responder, model, cached: true, ...usage });

  turn.started = true;
  yield { type: "start", threadId, messageId: turnId };
  yield { type: "search", callId: `search_${turnId}`, query, results: found };
  for (const piece of written) {
    signal.throwIfAborted();
    yield typeof piece === "string" ? say(deps, turn, piece) : { type: "source", source: piece };
  }
  await closeTurn(deps, turnId, turn, "answered");
  const ended = { outcome: "answered", finishReason: "stop" } as const;
  yield { type: "finish", threadId, isNewThread, ...ended, responder, model, cached: true, usage };
}
