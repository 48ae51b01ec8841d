/**
 * What the engines say in ways of their own, each a piece of a statement's text. Everything else is said once: `$name` for
 * what is given, `CAST($name AS bigint)` where PostgreSQL cannot tell of what kind that is, `AS "camelCase"` for what a row
 * calls it, `ON CONFLICT … DO UPDATE` with its columns, `NOT flag` for a boolean.
 */
export interface Dialect {
  engine: "sqlite" | "postgres";
  /** Whether an expression is one of a list, which is given by that name. */
  isOneOf(expression: string, list: string, kind: ListKind): string;
  /** Whether no such list is given. */
  hasNo(list: string, kind: ListKind): string;
  /** The strings of an expression that is a JSON array, as rows whose column is `value`. */
  stringsIn(json: string): string;
  /** The objects of a JSON array that is given by that name, as rows of so many columns. */
  recordsIn(json: string, columns: Readonly<Record<string, ColumnKind>>): string;
  /** A JSON array, as text, of what an expression is in each row of a group, where it is not NULL. */
  jsonOf(expression: string, order?: string): string;
  /** A JSON object of so many fields. */
  objectOf(fields: Readonly<Record<string, string>>): string;
  /** The greater of two numbers, neither of which is NULL. */
  greater(one: string, other: string): string;
  /** How PostgreSQL keeps other servers from what is read; SQLite has one writer. */
  locking(how: string): string;
  /** The number of rows to leave out, where there is no limit behind. */
  offset(count: string): string;
  /** Names the index that SQLite would not choose by itself; PostgreSQL knows what its tables hold. */
  along(index: string): string;
}

export type ListKind = "text" | "int";
export type ColumnKind = "text" | "int" | "bigint";

export const sqliteDialect: Dialect = {
  engine: "sqlite",
  isOneOf: (expression, list) => `${expression} IN (SELECT value FROM json_each($${list}))`,
  hasNo: (list) => `$${list} IS NULL`,
  stringsIn: (json) => `json_each(${json})`,
  recordsIn: (json, columns) =>
    `(SELECT ${Object.keys(columns)
      .map((name) => `value ->> '${name}' AS "${name}"`)
      .join(", ")} FROM json_each($${json}))`,
  jsonOf: (expression, order = "") =>
    `json_group_array(${expression}${order && ` ORDER BY ${order}`}) FILTER (WHERE ${expression} IS NOT NULL)`,
  objectOf: (fields) => `json_object(${pairsOf(fields)})`,
  greater: (one, other) => `max(${one}, ${other})`,
  locking: () => "",
  offset: (count) => `LIMIT -1 OFFSET ${count}`,
  along: (index) => `INDEXED BY ${index}`,
};

export const postgresDialect: Dialect = {
  engine: "postgres",
  isOneOf: (expression, list, kind) => `${expression} = ANY($${list}::${kind}[])`,
  hasNo: (list, kind) => `$${list}::${kind}[] IS NULL`,
  stringsIn: (json) => `json_array_elements_text(${json}::json) AS strings (value)`,
  recordsIn: (json, columns) =>
    `json_to_recordset($${json}::text::json) AS records (${Object.entries(columns)
      .map(([name, kind]) => `"${name}" ${kind}`)
      .join(", ")})`,
  jsonOf: (expression, order = "") =>
    `coalesce(json_agg(${expression}${order && ` ORDER BY ${order}`}) FILTER (WHERE ${expression} IS NOT NULL), '[]')::text`,
  objectOf: (fields) => `json_build_object(${pairsOf(fields)})`,
  greater: (one, other) => `greatest(${one}, ${other})`,
  locking: (how) => how,
  offset: (count) => `OFFSET ${count}`,
  along: () => "",
};

const pairsOf = (fields: Readonly<Record<string, string>>) =>
  Object.entries(fields)
    .map(([name, value]) => `'${name}', ${value}`)
    .join(", ");
