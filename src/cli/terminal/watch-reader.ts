const LOOK_MS = 250;
/** The bits by which poll says "the other end is closed", the same on every Unix. */
const CLOSED = 0x08 | 0x10;
/**
 * The size of one poll request: an int for the descriptor, a short for the events asked for, a short for the
 * reply.
 */
const POLL_BYTES = 8;

/**
 * Calls `onGone` once when the other end of a descriptor is closed. A write would fail too, but a command
 * that waits for a model writes nothing for minutes. Does nothing on systems without poll.
 */
export async function watchReader(descriptor: number, onGone: () => void): Promise<void> {
  const poll = await openPoll();
  if (poll === undefined) return;
  const timer = setInterval(() => {
    if ((poll(descriptor) & CLOSED) === 0) return;
    clearInterval(timer);
    onGone();
  }, LOOK_MS);
  // Watching must not keep the process alive.
  timer.unref();
}

/** What poll reports about a descriptor now. */
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
