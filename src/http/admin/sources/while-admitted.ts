/** A session that is not used ends after five minutes at the soonest: what arrives is a use of it. */
const CHECK_MS = 60_000;

/**
 * What comes, for as long as whoever sends it may send it: that is checked every minute, and once more at the end. Raises
 * what the check raises.
 */
export async function* whileAdmitted(
  pieces: AsyncIterable<Uint8Array>,
  check: () => Promise<void>,
  { everyMs = CHECK_MS } = {},
): AsyncGenerator<Uint8Array> {
  let isDue = false;
  const timer = setInterval(() => {
    isDue = true;
  }, everyMs);
  try {
    for await (const piece of pieces) {
      if (isDue) await check();
      isDue = false;
      yield piece;
    }
    await check();
  } finally {
    clearInterval(timer);
  }
}
