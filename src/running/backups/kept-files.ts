import { DAY_MS } from "@docent/kernel/lib/clock";

const NAME = /^scheduled-(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z)\.db$/;
/** What is written and not checked yet. One that a killed server left is removed by the next backup. */
const UNFINISHED = /^scheduled-.*\.db\.unverified(?:\.partial)?(?:-wal|-shm|-journal)?$/;

export const nameAt = (at: number) => `scheduled-${new Date(at).toISOString().replaceAll(":", "-")}.db`;
export const unverified = (file: string) => `${file}.unverified`;
export const isUnfinished = (name: string) => UNFINISHED.test(name);

/** When a scheduled backup of that name was made; undefined where it is something else. */
function madeAt(name: string): number | undefined {
  const stamp = NAME.exec(name)?.[1];
  if (stamp === undefined) return undefined;
  const at = Date.parse(stamp.replace(/T(\d\d)-(\d\d)-/, "T$1:$2:"));
  return Number.isNaN(at) ? undefined : at;
}

/**
 * Which files of a folder go once the backup `newest` is known to be good: all beyond `keep`, and those that are older
 * than `keepDays`, where that is not 0. The newest stays in any case, also where the clock was set back since the others.
 */
export function superfluous(
  names: readonly string[],
  newest: string,
  { keep, keepDays, now }: { keep: number; keepDays: number; now: number },
): string[] {
  const others = names
    .filter((name) => name !== newest)
    .map((name) => ({ name, at: madeAt(name) }))
    .filter((each): each is { name: string; at: number } => each.at !== undefined)
    .toSorted((a, b) => b.at - a.at);
  const oldest = keepDays === 0 ? Number.NEGATIVE_INFINITY : now - keepDays * DAY_MS;
  return others.filter(({ at }, index) => index >= keep - 1 || at < oldest).map(({ name }) => name);
}
