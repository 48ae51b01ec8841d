import type { Meter, Standing } from "./limits.ts";

/** What was counted of a subject, by slice. */
interface Counted {
  meter: Meter;
  slices: Map<number, number>;
}

/** Where nothing is limited. */
export const UNLIMITED: Standing = { allowed: true, limit: 0, remaining: 0, resetSeconds: 0 };

/** The standing with the limit that is nearest to its end; undefined where there is none. */
export const nearestStanding = (counted: readonly Counted[], now: number): Standing | undefined =>
  counted.map((each) => standingOf(each, now)).sort(nearestFirst)[0];

export const sliceAt = ({ sliceMs }: Meter, now: number): number => Math.floor(now / sliceMs);

function standingOf({ meter, slices }: Counted, now: number): Standing {
  const oldest = Math.floor((now - meter.windowMs) / meter.sliceMs);
  // Counted while the clock was far ahead: it would be held against the subject until that time really comes.
  const newest = Math.floor((now + meter.windowMs) / meter.sliceMs);
  let used = 0;
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for (const [slice, count] of slices) {
    if (slice < oldest || slice > newest) {
      slices.delete(slice);
      continue;
    }
    used += count;
    first = Math.min(first, slice);
    last = Math.max(last, slice);
  }
  const pauseMs = meter.pauseMs?.(used) ?? 0;
  // The clock may have been set back: nobody waits for a slice that is still to come.
  const lastEnd = (Math.min(last, Math.floor(now / meter.sliceMs)) + 1) * meter.sliceMs;
  const pausedUntil = pauseMs > 0 ? lastEnd + pauseMs : now;
  const leaves = first === Number.POSITIVE_INFINITY ? now + meter.windowMs : endOf(meter, first);
  const isPaused = pausedUntil > now;
  return {
    allowed: used < meter.limit && !isPaused,
    limit: meter.limit,
    remaining: Math.max(0, meter.limit - used),
    resetSeconds: Math.max(1, Math.ceil(((isPaused ? pausedUntil : leaves) - now) / 1000)),
  };
}

/** When a slice no longer counts. */
export const endOf = (meter: Meter, slice: number) => (slice + 1) * meter.sliceMs + meter.windowMs;

function nearestFirst(a: Standing, b: Standing): number {
  if (a.allowed !== b.allowed) return a.allowed ? 1 : -1;
  // Of two limits that are both used up, the one that lasts longer is the one to wait for.
  if (!a.allowed) return b.resetSeconds - a.resetSeconds;
  return a.remaining / a.limit - b.remaining / b.limit || a.remaining - b.remaining;
}
