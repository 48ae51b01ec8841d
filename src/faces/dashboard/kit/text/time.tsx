import { useEffect, useReducer } from "react";

const MINUTE_MS = 60_000;

interface TimeProps {
  /** A moment as the API has it; null: there was none. */
  at: string | null | undefined;
  /** The text shown where there is no moment. */
  none?: string;
  /** The date itself, instead of how long ago it was. */
  isWhole?: boolean;
}

/** When something was: how long ago, kept true, with the date on hover. */
export function Time({ at, none = "never", isWhole = false }: TimeProps) {
  const [, tick] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    if (isWhole) return;
    const timer = setInterval(tick, MINUTE_MS);
    return () => clearInterval(timer);
  }, [isWhole]);
  const moment = at ? new Date(at) : undefined;
  if (moment === undefined || Number.isNaN(moment.getTime())) return <span className="quiet">{none}</span>;
  return (
    <time dateTime={moment.toISOString()} title={wholeTime(moment)}>
      {isWhole ? wholeTime(moment) : relativeTime(moment.getTime(), Date.now())}
    </time>
  );
}

const SECOND_MS = 1000;
const JUST_NOW_MS = 45 * SECOND_MS;

const STEPS: readonly [unit: Intl.RelativeTimeFormatUnit, ms: number, below: number][] = [
  ["minute", 60 * SECOND_MS, 60],
  ["hour", 3600 * SECOND_MS, 24],
  ["day", 86_400 * SECOND_MS, 30],
  ["month", 2_629_800 * SECOND_MS, 12],
  ["year", 31_557_600 * SECOND_MS, Number.POSITIVE_INFINITY],
];

/** How long ago a moment was, or how far off it is: "3 hours ago", "in 2 days". */
export function relativeTime(at: number, now: number): string {
  const differenceMs = at - now;
  if (Math.abs(differenceMs) < JUST_NOW_MS) return "just now";
  const words = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
  for (const [unit, ms, below] of STEPS) {
    // Yesterday is a day of the calendar, and not 24 hours.
    const count = unit === "day" ? daysBetween(now, at) : Math.round(differenceMs / ms);
    if (Math.abs(count) < below) return words.format(count, unit);
  }
  return words.format(Math.round(differenceMs / (31_557_600 * SECOND_MS)), "year");
}

/** How many midnights are between two moments, where who looks is. Days with another hour of summer are days, too. */
function daysBetween(from: number, to: number): number {
  const midnightOf = (at: number) => new Date(at).setHours(0, 0, 0, 0);
  return Math.round((midnightOf(to) - midnightOf(from)) / (86_400 * SECOND_MS));
}

/** A moment in full, in the zone of who looks. */
const wholeTime = (at: Date) => at.toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });
