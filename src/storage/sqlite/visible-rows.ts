/**
 * SQL that keeps the rows of `table` that are alive in a generation, `$generation` where no other is named: born in it or before, and not yet
 * died. A generation without a number is being staged: what is born in it is not there yet, what dies in it still is.
 */
export const aliveJoins = (table: string, generation = "$generation") => `
  JOIN generations AS ${table}_born ON ${table}_born.id = ${table}.born AND ${table}_born.number <= ${generation}
  LEFT JOIN generations AS ${table}_died ON ${table}_died.id = ${table}.died`;

export const aliveWhere = (table: string, generation = "$generation") =>
  `(${table}_died.number IS NULL OR ${table}_died.number > ${generation})`;
