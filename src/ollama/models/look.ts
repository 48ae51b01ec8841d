import { type Models, untilAborted } from "./models.ts";

/** For servers that are well to say what they have in memory, so that the best one is chosen. */
const GRACE_MS = 50;

/** Waits until it is known of each whether it can answer, but once one can, hardly any longer for the others. */
export function look(at: readonly Models[], signal: AbortSignal): Promise<void> {
  const looks = at.map((models) => models.refresh());
  const enough = new Promise<void>((resolve) => {
    for (const each of looks) each.then((model) => model !== undefined && setTimeout(resolve, GRACE_MS));
    Promise.all(looks).then(() => resolve());
  });
  return untilAborted(enough, signal);
}
