import type { Period } from "../analytics/stores.ts";

/** A day of a calendar, from its first moment on. */
export interface Day extends Period {
  /** As 2026-01-31. */
  date: string;
}

/** Whether there is a time zone of that name. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** The days of a period as a clock of that time zone has them; the first and the last as far as they are in it. */
export function daysOf({ from, to }: Period, timeZone: string): Day[] {
  if (from >= to) return [];
  const days: Day[] = [];
  const moment = Temporal.Instant.fromEpochMilliseconds(from).toZonedDateTimeISO(timeZone);
  let day = moment.startOfDay();
  while (day.epochMilliseconds < to) {
    // A day has 23 or 25 hours where clocks are changed, and may begin at one.
    const next = day.add({ days: 1 }).startOfDay();
    days.push({
      date: day.toPlainDate().toString(),
      from: Math.max(from, day.epochMilliseconds),
      to: Math.min(to, next.epochMilliseconds),
    });
    day = next;
  }
  return days;
}

/** The first moment of the day that is so many days before the one of `at`. */
export function startOfDay(at: number, daysBefore: number, timeZone: string): number {
  const day = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone);
  return day.subtract({ days: daysBefore }).startOfDay().epochMilliseconds;
}
