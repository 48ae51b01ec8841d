/**
 * SQL that keeps the rows of `table` that are visible in a generation, `$generation` where no other is named: those born
 * in it or before that had not died by then. A generation without a number is still being staged: what is born in it is
 * not there yet, and what dies in it still is. Used together with `visibleWhere`.
 */
export const visibleJoins = (table: string, generation = "$generation") => `
  JOIN generations AS ${table}_born ON ${table}_born.id = ${table}.born AND ${table}_born.number <= ${generation}
  LEFT JOIN generations AS ${table}_died ON ${table}_died.id = ${table}.died`;

/** The condition that goes with `visibleJoins`. */
export const visibleWhere = (table: string, generation = "$generation") =>
  `(${table}_died.number IS NULL OR ${table}_died.number > ${generation})`;

/** How a statement tells which rows of a table are there. */
export interface Visibility {
  joins(table: string): string;
  where(table: string): string;
}

/** What readers see in `$generation`. */
export const PUBLISHED: Visibility = { joins: visibleJoins, where: visibleWhere };

/** What they would see if what the run `$staged` has staged were published on top of `$generation`. */
export const WITH_STAGED: Visibility = {
  joins: (table) => `
  JOIN generations AS ${table}_born ON ${table}_born.id = ${table}.born
    AND (${table}_born.number <= $generation OR ${table}_born.id = $staged)
  LEFT JOIN generations AS ${table}_died ON ${table}_died.id = ${table}.died`,
  where: (table) => `(${table}_died.id IS NULL OR (${table}_died.id <> $staged AND ${visibleWhere(table)}))`,
};
