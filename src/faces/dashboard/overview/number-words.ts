import { formatDuration, formatNumber, formatShare } from "../kit/text/format-number.ts";

/** A number in words, and how it compares with the period before. */
interface NumberWords {
  value: string;
  change: { text: string; tone: "good" | "bad" | "quiet" } | undefined;
  note: string;
}

/** The fewest questions from which a share is told: one of one is not everybody. */
const ENOUGH = 5;

const ROUNDED = new Intl.NumberFormat("en", { signDisplay: "exceptZero", maximumFractionDigits: 0 });
/** Writes a difference with its sign, +12 or −3: with a minus, not a hyphen. */
const signed = (value: number) => ROUNDED.format(value).replace("-", "−");
/** The least change of a share that is told: a smaller one may be chance. */
const POINTS_MIN = 3;

/** Words for a count. More or less of it is neither good nor bad. */
export function countWords(count: number, before: number): NumberWords {
  const hasBefore = before > 0;
  const percent = hasBefore ? ((count - before) / before) * 100 : 0;
  return {
    value: formatNumber(count),
    change:
      hasBefore && Math.round(percent) !== 0 ? { text: `${signed(percent)}%`, tone: "quiet" } : undefined,
    note: hasBefore ? `${formatNumber(before)} before` : "none in the period before",
  };
}

/** Words for a count of readers, of whom a client need not say which is which. */
export function readerWords(
  now: { readers: number; questions: number },
  before: { readers: number },
): NumberWords {
  const areAlike = now.readers === 0 && now.questions > 0;
  return areAlike
    ? { value: "–", change: undefined, note: "their clients send no reader id" }
    : countWords(now.readers, before.readers);
}

/** The share of a total; none where the total is too small to tell. */
export interface Share {
  share: number | null;
  of: number;
}

/** Words for a share that went well: more is better. */
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

/** The least change of a wait that is told: nobody notices a smaller one. */
const WAIT_CHANGE_MIN = 0.1;

/** Words for a wait: less is better. */
export function waitWords(now: Wait | null, before: Wait | null): NumberWords {
  if (now === null) return { value: "–", change: undefined, note: "nobody has waited yet" };
  const share = before === null || before.medianMs === 0 ? 0 : now.medianMs / before.medianMs - 1;
  const tone = share > 0 ? "bad" : "good";
  return {
    value: formatDuration(now.medianMs),
    change: Math.abs(share) < WAIT_CHANGE_MIN ? undefined : { text: `${signed(share * 100)}%`, tone },
    note: `95% within ${formatDuration(now.p95Ms)}`,
  };
}
