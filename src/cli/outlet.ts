/** A stream of the process, for text that has to arrive. */
export interface Outlet {
  write(text: string): void;
  /** Waits until all of it has left. An exit before that would cut it off where a pipe is full. */
  written(): Promise<void>;
  /** Whether somebody still reads it. */
  isRead(): boolean;
  /** Why something could not be written. A reader who has seen enough, as `head` has, is no reason. */
  failure(): Error | undefined;
}

export function createOutlet(stream: NodeJS.WriteStream): Outlet {
  let waiting = 0;
  let failure: Error | undefined;
  let isRead = true;
  let wake = () => {};
  // Failures reach the write's callback too; without a listener they would end the process.
  stream.on("error", () => {});

  function onWritten(error: Error | null | undefined): void {
    if (error) isRead = false;
    if (error && !("code" in error && error.code === "EPIPE")) failure = error;
    waiting--;
    if (waiting === 0) wake();
  }

  return {
    write(text) {
      if (text === "") return;
      waiting++;
      stream.write(text, onWritten);
    },
    async written() {
      const { promise, resolve } = Promise.withResolvers<void>();
      wake = resolve;
      if (waiting > 0) await promise;
    },
    isRead: () => isRead,
    failure: () => failure,
  };
}
