const LOOK_EVERY_MS = 5;
/** Shortly before a test's own limit (limit-for-hanging.ts), which would not say what was waited for. */
const GIVE_UP_AFTER_MS = 280_000;

type Nothing = undefined | null | false;

/** Waits until something is so, however slow the machine is. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  await untilFound(isSo);
}

/** Looks until something is there, however slow the machine is. Returns it, or tells what was there in its place. */
export async function untilFound<T>(
  look: () => T | Nothing | Promise<T | Nothing>,
  tell: () => string = () => "",
): Promise<T> {
  for (const giveUpAt = performance.now() + GIVE_UP_AFTER_MS; ; await Bun.sleep(LOOK_EVERY_MS)) {
    const found = await look();
    if (found) return found;
    if (performance.now() > giveUpAt) throw new Error(`it never came: ${look}\n${tell()}`);
  }
}
