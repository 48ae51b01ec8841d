/** One row of the table. */
export interface Figure {
  name: string;
  unit: "ms" | "KB" | "MB" | "s" | "per second" | "bytes" | "tokens" | "";
  /** What was measured, once for each run. */
  values: number[];
  /** Shown in place of median, least and most, for what has been counted over many values already. */
  shown?: string;
  aim?: Aim;
}

/** What the figure should be: below a bound at its median. */
export interface Aim {
  below: number;
  /** What is held against the bound, where it is not the median. */
  measured?: number;
}

/** Figures that were measured in one way. */
export interface Measure {
  title: string;
  /** One sentence on how. */
  how: string;
  figures: Figure[];
}

export const median = (values: number[]) => percentile(values, 50);

/** The least value that so many percent of the values do not exceed. */
export function percentile(values: number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] ?? Number.NaN;
}

export const least = (values: number[]) => percentile(values, 0);
export const most = (values: number[]) => percentile(values, 100);

/** As many digits as mean something. */
export function show(value: number): string {
  if (value >= 1000) return Math.round(value).toLocaleString("en-US");
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

/** Whether an aim is met; undefined where there is none. */
export function isMet({ aim, values }: Figure): boolean | undefined {
  return aim === undefined ? undefined : (aim.measured ?? median(values)) < aim.below;
}
