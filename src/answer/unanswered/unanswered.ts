import type { Hit } from "../../search/search.ts";
import type { Phrases } from "../../sites/phrases.ts";
import type { AnswerEvent } from "../events.ts";
import type { AnswerDeps, OpenRequest } from "../request.ts";
import { type OpenTurn, say, sayAll } from "../turn.ts";
import type { Written } from "../write/write.ts";
import { whereToTurn } from "./nearest-pages.ts";

/** The answer where the docs do not cover the question: no model is asked, so nothing is invented. */
export async function* decline(
  deps: AnswerDeps,
  { site }: OpenRequest,
  hits: Hit[],
  turn: OpenTurn,
  phrases: Phrases,
): AsyncGenerator<AnswerEvent, Written> {
  turn.responder = "extractive";
  yield say(deps, turn, phrases.notCovered);
  yield* sayAll(deps, turn, whereToTurn(deps, site, hits, phrases));
  return {
    outcome: "unanswered",
    responder: "extractive",
    model: undefined,
    cached: false,
    finishReason: "stop",
    usage: { promptTokens: 0, completionTokens: 0 },
  };
}
