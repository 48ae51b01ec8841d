import { AppError } from "@docent/kernel/errors";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@docent/kernel/lib/clock";

/** After a failure it is tried again so soon, or with the next one that is due, where that is sooner. */
const RETRY_MS = HOUR_MS;

const TIME_OF_DAY = /^([01]?\d|2[0-3]):([0-5]\d)$/;

/** When backups are made. */
export interface Rhythm {
  everyMs: number;
  /** How far into the day, in UTC; undefined where each is counted from the one before. */
  atMs: number | undefined;
}

/** Milliseconds into the day; undefined for an empty text. Raises `invalid_request` for what is no time of day. */
export function readTimeOfDay(text: string, setting: string): number | undefined {
  if (text.trim() === "") return undefined;
  const [, hours, minutes] = TIME_OF_DAY.exec(text.trim()) ?? [];
  if (hours === undefined || minutes === undefined) {
    throw new AppError(
      "invalid_request",
      `The setting ${setting} must be a time of day in UTC, not ${text}.`,
      {
        hint: "Write it as 03:30.",
      },
    );
  }
  return Number(hours) * HOUR_MS + Number(minutes) * MINUTE_MS;
}

/**
 * When the next backup is to be made, in view of the last good one and of the last failure since. A server that has none
 * makes one at once.
 */
export function nextAt(
  { everyMs, atMs }: Rhythm,
  now: number,
  { goodAt, failedAt }: { goodAt: number | undefined; failedAt: number | undefined },
): number {
  const due = goodAt === undefined || goodAt > now ? now : dueAfter(goodAt, everyMs, atMs);
  // A clock that was set back must not put it off for good.
  if (failedAt === undefined || failedAt > now) return due;
  return Math.max(due, failedAt + Math.min(RETRY_MS, everyMs));
}

/** The first moment of the rhythm behind the last backup. */
function dueAfter(goodAt: number, everyMs: number, atMs: number | undefined): number {
  if (atMs === undefined) return goodAt + everyMs;
  const anchor = atMs % Math.min(everyMs, DAY_MS);
  return anchor + (Math.floor((goodAt - anchor) / everyMs) + 1) * everyMs;
}
