import { ANALYZER_REVISION } from "../analyze.ts";

/**
 * Raised whenever segments are encoded differently: what has another format is not read. Where only the text changes that
 * is cut into terms, the analyzer's revision is raised: what is of another one is still read.
 */
const FORMAT_REVISION = 6;

/** What a segment is of that this version makes. Both numbers only ever grow. */
export const SEGMENT_REVISION = `${ANALYZER_REVISION}.${FORMAT_REVISION}`;

/** A segment of an older revision is made anew by whoever looks after indexes; one of a newer revision never is. */
type RevisionAge = "current" | "older" | "newer";

export function ageOf(revision: string): RevisionAge {
  if (revision === SEGMENT_REVISION) return "current";
  const [analyzer, format] = numbersIn(revision);
  return analyzer > Number(ANALYZER_REVISION) || format > FORMAT_REVISION ? "newer" : "older";
}

/** Whether this version can read what a segment of a revision holds. */
export const isReadable = (revision: string): boolean => numbersIn(revision)[1] === FORMAT_REVISION;

function numbersIn(revision: string): [analyzer: number, format: number] {
  const [analyzer, format] = revision.split(".");
  return [Number(analyzer), Number(format)];
}
