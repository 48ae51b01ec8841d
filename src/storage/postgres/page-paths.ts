// A path may be longer than an entry of an index. What looks for paths goes by what the indexes have of them: a hash, or
// as much of the beginning as nearly every path has.

const BEGINNING = 600;

/** Whether a column has this very text, by an index of its MD5. */
export const isPath = (column: string, path: string): string =>
  `(md5(${column}) = md5(${path}) AND ${column} = ${path})`;

/**
 * Whether a page that is looked up by its path was born, or died, in a run: not by the index of that. No statistics know of a
 * run under way, so that it would be chosen, and all pages of the run be looked at for each.
 */
export const isOfRun = (column: string, run: string): string => `coalesce(${column}, 0) = ${run}`;

/** By an index of beginnings. */
export const ordered = (column: string): string => `left(${column}, ${BEGINNING}), ${column}`;

export const isBehind = (column: string, path: string): string =>
  `(left(${column}, ${BEGINNING}), ${column}) > (left(${path}, ${BEGINNING}) COLLATE "C", ${path} COLLATE "C")`;
