interface Repeated {
  work(signal: AbortSignal): Promise<unknown>;
  everyMs: number;
  /** Not called for what the end of the server cuts off. */
  onFailure(error: unknown): void;
}

/** Works now, and then again and again; a round that takes longer than the time between two is not begun twice. */
export function repeat({ work, everyMs, onFailure }: Repeated) {
  const stop = new AbortController();
  const { signal } = stop;
  let working: Promise<unknown> | undefined;

  const look = () => {
    working ??= work(signal)
      .catch((error: unknown) => {
        if (!signal.aborted) onFailure(error);
      })
      .finally(() => {
        working = undefined;
      });
  };
  const timer = setInterval(look, everyMs);
  look();

  return {
    async close(): Promise<void> {
      clearInterval(timer);
      stop.abort(new DOMException("The server stops", "AbortError"));
      await working;
    },
  };
}
