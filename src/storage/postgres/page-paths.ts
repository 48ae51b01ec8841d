// A path may be longer than an entry of an index. What looks for paths goes by what the indexes have of them: a hash, or
// as much of the beginning as nearly every path has.

const BEGINNING = 600;

/** Whether a column has this very text, by an index of its MD5. */
export const isPath = (column: string, path: string): string =>
  `(md5(${column}) = md5(${path}) AND ${column} = ${path})`;

/** By an index of beginnings. */
export const ordered = (column: string): string => `left(${column}, ${BEGINNING}), ${column}`;

export const isBehind = (column: string, path: string): string =>
  `(left(${column}, ${BEGINNING}), ${column}) > (left(${path}, ${BEGINNING}) COLLATE "C", ${path} COLLATE "C")`;
