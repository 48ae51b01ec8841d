/** A stream of the process, for what has to arrive. */
export interface Outlet {
  write(content: string | Uint8Array): void;
  /** Waits until all of it has left. An exit before that would cut it off where a pipe is full. */
  written(): Promise<void>;
  /** Why something could not be written. That nobody reads any more is told to `onGone` instead. */
  failure(): Error | undefined;
}

/** `onGone` is called when whoever read the stream has closed it, as `head` does that has seen enough. */
export function createOutlet(stream: NodeJS.WriteStream, onGone: () => void): Outlet {
  let waiting = 0;
  let failure: Error | undefined;
  let isGone = false;
  let wake = () => {};
  // Failures reach the write's callback too; without a listener they would end the process.
  stream.on("error", () => {});

  function onWritten(error: Error | null | undefined): void {
    if (error && isClosing(error, stream.isTTY)) leave();
    else if (error) failure = error;
    waiting--;
    if (waiting === 0) wake();
  }

  function leave(): void {
    if (isGone) return;
    isGone = true;
    onGone();
  }

  return {
    write(content) {
      if (content.length === 0 || isGone) return;
      waiting++;
      stream.write(content, onWritten);
    },
    async written() {
      const { promise, resolve } = Promise.withResolvers<void>();
      wake = resolve;
      if (waiting > 0) await promise;
    },
    failure: () => failure,
  };
}

/** A pipe without a reader, a connection that was cut, or a terminal that was closed: of a file, EIO is a broken disk. */
function isClosing(error: Error, isTerminal: boolean): boolean {
  const codes = isTerminal ? ["EPIPE", "ECONNRESET", "EIO"] : ["EPIPE", "ECONNRESET"];
  return "code" in error && codes.includes(String(error.code));
}
