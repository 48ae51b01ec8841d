import type { ConversationState } from "../conversation/state.ts";

/** What a page may listen for. */
interface EventDetails {
  open: undefined;
  close: undefined;
  ask: { question: string };
  answer: { question: string; answer: string; outcome: string | undefined };
  error: { question: string; code: string };
  feedback: { question: string; helpful: boolean };
  source: { url: string };
}

export type EventName = keyof EventDetails;

const NAMES: readonly string[] = ["open", "close", "ask", "answer", "error", "feedback", "source"];

/** Tells a page what happens. A listener that throws disturbs nobody. */
export function createEvents() {
  const listeners = new Map<EventName, Set<(detail: unknown) => void>>();
  return {
    /** Gives what ends it. */
    on(name: EventName, listener: (detail: unknown) => void): () => void {
      if (!NAMES.includes(name) || typeof listener !== "function")
        throw new TypeError(`Docent.on: there is no ${String(name)}; there are ${NAMES.join(", ")}`);
      const heard = listeners.get(name) ?? new Set();
      listeners.set(name, heard.add(listener));
      return () => heard.delete(listener);
    },
    emit<Name extends EventName>(name: Name, detail: EventDetails[Name]): void {
      for (const listener of [...(listeners.get(name) ?? [])]) {
        try {
          listener(detail);
        } catch (error) {
          // As the browser reports what a listener of its own events throws.
          reportError(error);
        }
      }
    },
    clear: () => listeners.clear(),
  };
}

export type WidgetEvents = ReturnType<typeof createEvents>;

/** Tells the page when an answer is complete, or has failed: once for each that was watched. */
export function watchAnswers(signals: WidgetEvents): (state: ConversationState) => void {
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
