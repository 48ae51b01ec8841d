import type { Tone } from "../text/badge.tsx";

/** A line: which of a point's values it follows. */
export interface Series {
  name: string;
  label: string;
  tone: Tone;
}

/** What is known of one moment. A value that is null is a gap in its line. */
export interface ChartPoint {
  /** The moment, in words: `3 Nov`. */
  label: string;
  values: Readonly<Record<string, number | null>>;
}
