const NUMBER = new Intl.NumberFormat("en");
const SHORT = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });
const PERCENT = new Intl.NumberFormat("en", { style: "percent", maximumFractionDigits: 0 });

/** Writes a number as 12,345. */
export const formatNumber = (value: number) => NUMBER.format(value);

/** Writes a number as 12.3K, where there is little room. */
export const formatShort = (value: number) => SHORT.format(value);

/** A share of 0 to 1 as 62%; null is told as none. */
export const formatShare = (share: number | null) => (share === null ? "–" : PERCENT.format(share));

/** A time span as 340 ms, 2.1 s or 3 min. */
export function formatDuration(ms: number | null): string {
  if (ms === null) return "–";
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  return `${Math.round(ms / 60_000)} min`;
}

const BYTE_UNITS = ["bytes", "kB", "MB", "GB", "TB"] as const;

/** A size as 1.4 MB, in the thousands in which limits are set. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let step = 0;
  while (Math.round(value) >= 1000 && step < BYTE_UNITS.length - 1) {
    value /= 1000;
    step += 1;
  }
  return `${step === 0 ? value : value.toFixed(value < 9.95 ? 1 : 0)} ${BYTE_UNITS[step]}`;
}

/** "1 page", "1,204 pages". */
export const counted = (count: number, one: string, many = `${one}s`) =>
  `${formatNumber(count)} ${count === 1 ? one : many}`;
