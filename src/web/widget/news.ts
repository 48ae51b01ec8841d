import type { ConversationState } from "../conversation/state.ts";
import type { SignalDesk } from "./events.ts";

/** Tells the page when an answer is complete, or has failed: once for each that was watched. */
export function tellNews(signals: SignalDesk): (state: ConversationState) => void {
  /** The turn that is on its way. */
  let coming: string | undefined;
  return ({ turns, isBusy }) => {
    const turn = turns.at(-1);
    if (!turn) return;
    if (isBusy) {
      coming = turn.id;
      return;
    }
    if (turn.id !== coming) return;
    coming = undefined;
    const { question, answer, outcome, error } = turn;
    if (turn.status === "done") signals.emit("answer", { question, answer, outcome });
    if (turn.status === "failed" && error) signals.emit("error", { question, code: error.code });
  };
}
