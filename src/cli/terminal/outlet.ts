/** A stream of the process whose content must arrive. */
interface Outlet {
  write(content: string | Uint8Array): void;
  /** Waits until everything has left. Exiting earlier would cut it off where a pipe is full. */
  written(): Promise<void>;
  /** Why something could not be written. A closed stream is reported to `onGone` instead. */
  failure(): Error | undefined;
}

/** Calls `onGone` when the other end closes the stream, as `head` does once it has seen enough. */
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

/**
 * Whether a pipe lost its reader, a connection was cut or a terminal closed. For a file, EIO means a broken
 * disk.
 */
function isClosing(error: Error, isTerminal: boolean): boolean {
  const codes = isTerminal ? ["EPIPE", "ECONNRESET", "EIO"] : ["EPIPE", "ECONNRESET"];
  return "code" in error && codes.includes(String(error.code));
}
