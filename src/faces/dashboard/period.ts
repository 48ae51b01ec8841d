/** Days that a page can look back, as its address says: `?days=30`. */
export const PERIODS = [7, 30, 90] as const;
export type PeriodDays = (typeof PERIODS)[number];

/** The period that an address names. */
export function periodIn(query: URLSearchParams): PeriodDays | undefined {
  return PERIODS.find((days) => String(days) === query.get("days"));
}

/** The first moment of the period that ends today, in the viewer's own days. */
export function beginOf(days: PeriodDays, now: Date): string {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - days + 1).toISOString();
}
