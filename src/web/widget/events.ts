/** What a page may listen for. */
export interface Signals {
  open: undefined;
  close: undefined;
  ask: { question: string };
  answer: { question: string; answer: string; outcome: string | undefined };
  error: { question: string; code: string };
  feedback: { question: string; helpful: boolean };
  source: { url: string };
}

export type SignalName = keyof Signals;

const NAMES: readonly string[] = ["open", "close", "ask", "answer", "error", "feedback", "source"];

/** Tells a page what happens. A listener that throws disturbs nobody. */
export function createSignals() {
  const listeners = new Map<SignalName, Set<(detail: unknown) => void>>();
  return {
    /** Gives what ends it. */
    on(name: SignalName, listener: (detail: unknown) => void): () => void {
      if (!NAMES.includes(name) || typeof listener !== "function")
        throw new TypeError(`Docent.on: there is no ${String(name)}; there are ${NAMES.join(", ")}`);
      const heard = listeners.get(name) ?? new Set();
      listeners.set(name, heard.add(listener));
      return () => heard.delete(listener);
    },
    emit<Name extends SignalName>(name: Name, detail: Signals[Name]): void {
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

export type SignalDesk = ReturnType<typeof createSignals>;
