import type { BigIntStats } from "node:fs";
import { AppError } from "../../errors.ts";

/** No file system in use keeps times more coarsely than this. */
const TIME_STEP_MS = 2_000;

/**
 * Names what a file holds by when and where it was written, as git does. A file that was written just now has no such
 * name: it could be written again in the same step of the file system's clock, and nothing would show it.
 */
export function revisionOf(state: BigIntStats, nowMs: number): string | undefined {
  const newestMs = Math.max(Number(state.mtimeMs), Number(state.ctimeMs));
  if (newestMs > nowMs - TIME_STEP_MS) return undefined;
  return [state.mtimeNs, state.ctimeNs, state.size, state.ino].map((part) => part.toString(36)).join("-");
}

/** The whole of a file, never more than the bound. */
export async function readBounded(file: string, bytesMax: number): Promise<Uint8Array> {
  try {
    const content = await Bun.file(file)
      .slice(0, bytesMax + 1)
      .bytes();
    if (content.length > bytesMax) throw new Error(`it has grown beyond ${bytesMax} bytes while it was read`);
    return content;
  } catch (cause) {
    throw unreadable(file, cause);
  }
}

/** What ends a run that cannot see a file or folder. */
export function unreadable(path: string, cause: unknown): AppError {
  return new AppError("unavailable", `${path} cannot be read.`, {
    hint: "Readers still see what was there before. Make it readable for this user, then run this again.",
    cause,
  });
}
