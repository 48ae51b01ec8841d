/** A row of the table. */
export interface Figure {
  name: string;
  unit: "ms" | "KB" | "MB" | "s" | "per second" | "bytes" | "tokens" | "";
  /** The measured value of each run. */
  values: number[];
  /** Shown in place of median, least and most, for a figure that is a summary already. */
  shown?: string;
  aim?: Aim;
}

/** The target of a figure: its median should be below a bound, or at least as much. */
export type Aim = ({ below: number } | { atLeast: number }) & {
  /** The value to compare with the bound, where it is not the median. */
  measured?: number;
};

/** Figures of several programs side by side; that of Docent is the first. */
export interface Comparison {
  columns: string[];
  rows: ComparedRow[];
}

export interface ComparedRow {
  name: string;
  unit: Figure["unit"];
  /** One for each column; a text where there is no figure and a reason for it. */
  values: (number | string)[];
  /** For the first column. */
  aim?: Aim | undefined;
}

/** Figures that were measured in one way. */
export interface Measure {
  title: string;
  /** The method in one sentence. */
  how: string;
  figures: Figure[];
  compared?: Comparison;
}

export const median = (values: number[]) => percentile(values, 50);

/** The least value that at least `percent` of the values do not exceed. */
export function percentile(values: number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] ?? Number.NaN;
}

export const least = (values: number[]) => percentile(values, 0);
export const most = (values: number[]) => percentile(values, 100);

/** A value with its significant digits. */
export function show(value: number): string {
  if (value >= 1000) return Math.round(value).toLocaleString("en-US");
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

/** A value with its unit. */
export const showWith = (value: number, unit: Figure["unit"]) =>
  `${show(value)}${unit === "" ? "" : ` ${unit}`}`;

/** Whether an aim is met; undefined where there is none. */
export function isMet({ aim, values }: { aim?: Aim | undefined; values: number[] }): boolean | undefined {
  if (aim === undefined) return undefined;
  const measured = aim.measured ?? median(values);
  return "below" in aim ? measured < aim.below : measured >= aim.atLeast;
}
