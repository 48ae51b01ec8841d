import { NOISE_RELEVANCE } from "../../search/search.ts";
import type { GapReason, Placement, UnplacedTurn } from "./gap-store.ts";

/** Why a turn has no answer that helped, and which page came nearest to one. */
export function explainTurn(turn: UnplacedTurn): Pick<Placement, "reason" | "nearest"> {
  const [best] = turn.retrieved.toSorted((a, b) => b.relevance - a.relevance);
  const nearest = best && { path: best.path, relevance: best.relevance };
  return { reason: reasonOf(turn, nearest?.relevance ?? 0), nearest };
}

function reasonOf({ outcome, responder }: UnplacedTurn, relevance: number): GapReason {
  if (outcome !== "unanswered") return "disliked";
  if (responder === "ollama") return "declined";
  return relevance >= NOISE_RELEVANCE ? "below_gate" : "nothing_near";
}
