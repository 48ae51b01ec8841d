const LOOK_MS = 250;
/** poll's own words for "the other end is closed", the same on every Unix. */
const CLOSED = 0x08 | 0x10;
/** An int for the descriptor, a short for what is asked for, a short for what is so. */
const POLL_BYTES = 8;

/**
 * Calls `onGone` once when nobody can read any more what is written to a descriptor. A write would say it too, but a
 * command that waits for a model writes nothing for minutes. Does nothing on systems without poll.
 */
export async function watchReader(descriptor: number, onGone: () => void): Promise<void> {
  const poll = await openPoll();
  if (poll === undefined) return;
  const timer = setInterval(() => {
    if ((poll(descriptor) & CLOSED) === 0) return;
    clearInterval(timer);
    onGone();
  }, LOOK_MS);
  // What is watched must not keep the process.
  timer.unref();
}

/** What poll says of a descriptor at this moment. */
async function openPoll(): Promise<((descriptor: number) => number) | undefined> {
  if (process.platform === "win32") return undefined;
  try {
    const { dlopen, ptr } = await import("bun:ffi");
    // musl answers to glibc's name too.
    const library = process.platform === "darwin" ? "libSystem.B.dylib" : "libc.so.6";
    const { symbols } = dlopen(library, { poll: { args: ["ptr", "u64", "i32"], returns: "i32" } });
    const asked = new DataView(new ArrayBuffer(POLL_BYTES));
    return (descriptor) => {
      asked.setInt32(0, descriptor, true);
      asked.setInt32(4, 0, true);
      const found = symbols.poll(ptr(asked), 1, 0);
      return found > 0 ? asked.getInt16(6, true) : 0;
    };
  } catch {
    return undefined;
  }
}
