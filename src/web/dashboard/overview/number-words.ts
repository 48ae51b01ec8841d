import { formatDuration, formatNumber, formatShare } from "../kit/text/format-number.ts";

/** What a number is shown as, and how it compares with the time before. */
interface NumberWords {
  value: string;
  change: { text: string; tone: "good" | "bad" | "quiet" } | undefined;
  note: string;
}

/** Fewer than these say nothing of all: one of one is not everybody. */
const ENOUGH = 5;

const ROUNDED = new Intl.NumberFormat("en", { signDisplay: "exceptZero", maximumFractionDigits: 0 });
/** +12, −3: with a minus, not a hyphen. */
const signed = (value: number) => ROUNDED.format(value).replace("-", "−");
/** A share that moved less than that may have moved by chance. */
const POINTS_MIN = 3;

/** How often something happened. More or less of it is neither good nor bad. */
export function countWords(count: number, before: number): NumberWords {
  const hasBefore = before > 0;
  const percent = hasBefore ? ((count - before) / before) * 100 : 0;
  return {
    value: formatNumber(count),
    change:
      hasBefore && Math.round(percent) !== 0 ? { text: `${signed(percent)}%`, tone: "quiet" } : undefined,
    note: hasBefore ? `${formatNumber(before)} before` : "none before",
  };
}

/** A share of so many; of too few, none is told. */
export interface Share {
  share: number | null;
  of: number;
}

/** Which part of something went well: more is better. */
export function shareWords(now: Share, before: Share, one: string, many: string): NumberWords {
  const counted = `${formatNumber(now.of)} ${now.of === 1 ? one : many}`;
  if (now.share === null || now.of < ENOUGH)
    return {
      value: "–",
      change: undefined,
      note: now.of === 0 ? `no ${many} yet` : `${counted}: too few to tell`,
    };
  const isComparable = before.share !== null && before.of >= ENOUGH;
  const points = isComparable ? Math.round((now.share - (before.share ?? 0)) * 100) : 0;
  return {
    value: formatShare(now.share),
    change: points === 0 ? undefined : pointsChange(points),
    note: isComparable ? `${formatShare(before.share)} before` : `of ${counted}`,
  };
}

function pointsChange(points: number): NumberWords["change"] {
  const unit = Math.abs(points) === 1 ? "point" : "points";
  const tone = Math.abs(points) < POINTS_MIN ? "quiet" : points > 0 ? "good" : "bad";
  return { text: `${signed(points)} ${unit}`, tone };
}

/** A wait as an overview counts it. */
interface Wait {
  medianMs: number;
  p95Ms: number;
}

/** Below this share, nobody notices a difference. */
const WAIT_CHANGE_MIN = 0.1;

/** How long people waited: less is better. */
export function waitWords(now: Wait | null, before: Wait | null): NumberWords {
  if (now === null) return { value: "–", change: undefined, note: "nobody has waited yet" };
  const share = before === null || before.medianMs === 0 ? 0 : now.medianMs / before.medianMs - 1;
  const tone = share > 0 ? "bad" : "good";
  return {
    value: formatDuration(now.medianMs),
    change: Math.abs(share) < WAIT_CHANGE_MIN ? undefined : { text: `${signed(share * 100)}%`, tone },
    note: `95 of 100 within ${formatDuration(now.p95Ms)}`,
  };
}
