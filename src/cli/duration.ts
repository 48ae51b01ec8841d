import { AppError } from "../errors.ts";

const UNITS_MS: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000 };
const LEAST_MS = 60_000;
const MOST_MS = 365 * 86_400_000;

/** A time as people write it, such as 30m, 6h or 1d. */
export function readDuration(option: string, text: string): number {
  const [, count = "", unit = ""] = /^(\d{1,6})([mhd])$/.exec(text.trim()) ?? [];
  const ms = Number(count) * (UNITS_MS[unit] ?? 0);
  if (ms >= LEAST_MS && ms <= MOST_MS) return ms;
  throw new AppError("invalid_request", `--${option} is a time such as 30m, 6h or 1d, not ${text}.`);
}

/** The same in the largest unit that it is a whole number of. */
export function showDuration(ms: number): string {
  const fitting = Object.entries(UNITS_MS).findLast(([, unitMs]) => ms % unitMs === 0);
  return fitting ? `${ms / fitting[1]}${fitting[0]}` : `${Math.round(ms / 1000)}s`;
}
