/**
 * What the engines say in ways of their own, each a piece of a statement's text. Everything else is said once: `$name` for
 * what is given, `CAST($name AS bigint)` where PostgreSQL cannot tell of what kind that is, `AS "camelCase"` for what a row
 * calls it, `ON CONFLICT … DO UPDATE` with its columns, `NOT flag` for a boolean.
 */
export interface Dialect {
  engine: "sqlite" | "postgres";
  /** Whether an expression is one of a list, which is given by that name. */
  isOneOf(expression: string, list: string, kind: ListKind): string;
  /** The same of text that may be too long for an index of PostgreSQL, which then has its digest. */
  isOneOfLong(expression: string, list: string): string;
  /** Whether a column is the same text, likewise. */
  isSame(column: string, text: string): string;
  /** Whether no such list is given. */
  hasNo(list: string, kind: ListKind): string;
  /** The strings of an expression that is a JSON array, as rows whose column is `value`. */
  stringsIn(json: string): string;
  /** The same of an array of anything, of which `->>` reads the fields. */
  itemsIn(json: string): string;
  /** The names of the fields of a JSON object, as rows whose column is `key`. */
  keysIn(json: string): string;
  /** The lists of a JSON array of lists that is given by that name, as rows whose column is `list`. */
  listsIn(json: string): string;
  /** The objects of a JSON array that is given by that name, as rows of so many columns. */
  recordsIn(json: string, columns: Readonly<Record<string, ColumnKind>>, alias?: string): string;
  /** The rows that `runRows` writes: PostgreSQL is given all of them at once, as `$rowsJson`, and SQLite one after another. */
  rows(columns: Readonly<Record<string, ColumnKind>>): string;
  /** A JSON array, as text, of what an expression is in each row of a group, where it is not NULL. */
  jsonOf(expression: string, order?: string): string;
  /** What an expression is in the latest row of a group. SQLite takes it from there where `max(at)` is selected beside it. */
  ofLatest(expression: string, at: string, id: string): string;
  /** A JSON object of so many fields. */
  objectOf(fields: Readonly<Record<string, string>>): string;
  /** The greater of two numbers, neither of which is NULL. */
  greater(one: string, other: string): string;
  /** A field of a column that is a JSON object, as text. */
  fieldOf(column: string, name: string): string;
  /** A column of JSON text, to be put into an object. */
  json(column: string): string;
  /** Whether text has one of the patterns of a list in it, large and small letters alike. */
  isLikeOneOf(expression: string, list: string): string;
  /** Bytes that are given where PostgreSQL cannot tell of what kind they are. */
  bytes(given: string): string;
  /** A number that rows are not to be looked up by: another column finds fewer of them, which no statistics know yet. */
  unindexed(column: string): string;
  /** What an index of long text has of a column, in which no text is twice. */
  uniqueOf(column: string): string;
  /** By what long text is ordered along its index, and whether it is behind another there. */
  orderOf(column: string): string;
  isBehind(column: string, text: string): string;
  /** Where a text has another in it, from 1 on; 0 where it has not. */
  placeOf(part: string, text: string): string;
  /** Compares text as every engine would, byte by byte. */
  bytewise(expression: string): string;
  /** Compares text with a pattern, large and small letters alike. */
  like: string;
  /** Whether a flag is false, so that an index of those is used. */
  isNot(flag: string): string;
  /** The day, as text, of milliseconds since 1970; and those at which a day begins. */
  dayOf(milliseconds: string): string;
  beginningOf(day: string): string;
  /** Joins a table to those before it in this order, which SQLite would not keep by itself. */
  joinNext: string;
  /** A piece that PostgreSQL alone needs: a lock among servers, or a column that SQLite has not. */
  onPostgres(piece: string): string;
  /** The number of rows to leave out, where there is no limit behind. */
  offset(count: string): string;
  /** Names the index that SQLite would not choose by itself; PostgreSQL knows what its tables hold. */
  along(index: string): string;
}

type ListKind = "text" | "int";
type ColumnKind = "text" | "int" | "bigint" | "float8";

/** PostgreSQL's indexes have as much of the beginning of a text as nearly every one has. */
const BEGINNING = 600;

export const sqliteDialect: Dialect = {
  engine: "sqlite",
  isOneOf: (expression, list) => `${expression} IN (SELECT value FROM json_each($${list}))`,
  isOneOfLong: (expression, list) => sqliteDialect.isOneOf(expression, list, "text"),
  isSame: (column, text) => `${column} = ${text}`,
  hasNo: (list) => `$${list} IS NULL`,
  stringsIn: (json) => `json_each(${json})`,
  keysIn: (json) => `json_each(${json})`,
  itemsIn: (json) => `json_each(${json})`,
  listsIn: (json) => `(SELECT value AS list FROM json_each($${json})) AS lists`,
  recordsIn: (json, columns, alias = "records") =>
    `(SELECT ${Object.keys(columns)
      .map((name) => `value ->> '${name}' AS "${name}"`)
      .join(", ")} FROM json_each($${json})) AS ${alias}`,
  rows: (columns) =>
    `(SELECT ${Object.keys(columns)
      .map((name) => `$${name} AS "${name}"`)
      .join(", ")}) AS written`,
  ofLatest: (expression) => expression,
  jsonOf: (expression, order = "") =>
    `json_group_array(${expression}${order && ` ORDER BY ${order}`}) FILTER (WHERE ${expression} IS NOT NULL)`,
  objectOf: (fields) => `json_object(${pairsOf(fields)})`,
  greater: (one, other) => `max(${one}, ${other})`,
  fieldOf: (column, name) => `${column} ->> '${name}'`,
  json: (column) => `json(${column})`,
  isLikeOneOf: (expression, list) =>
    `EXISTS (SELECT 1 FROM json_each($${list}) AS form WHERE ${expression} LIKE form.value ESCAPE '\\')`,
  bytes: (given) => given,
  unindexed: (column) => `+${column}`,
  uniqueOf: (column) => column,
  orderOf: (column) => column,
  isBehind: (column, text) => `${column} > ${text}`,
  placeOf: (part, text) => `instr(${text}, ${part})`,
  bytewise: (expression) => expression,
  like: "LIKE",
  isNot: (flag) => `${flag} = 0`,
  dayOf: (milliseconds) => `date((${milliseconds}) / 1000, 'unixepoch')`,
  beginningOf: (day) => `(unixepoch(${day}) * 1000)`,
  joinNext: "CROSS JOIN",
  onPostgres: () => "",
  offset: (count) => `LIMIT -1 OFFSET ${count}`,
  along: (index) => `INDEXED BY ${index}`,
};

export const postgresDialect: Dialect = {
  engine: "postgres",
  isOneOf: (expression, list, kind) => `${expression} = ANY($${list}::${kind}[])`,
  isOneOfLong: (expression, list) =>
    `(${postgresDialect.isOneOf(expression, list, "text")} AND md5(${expression}) IN (SELECT md5(wanted) FROM unnest($${list}::text[]) AS wanted))`,
  isSame: (column, text) => `(md5(${column}) = md5(${text}) AND ${column} = ${text})`,
  hasNo: (list, kind) => `$${list}::${kind}[] IS NULL`,
  stringsIn: (json) => `json_array_elements_text(${json}::json) AS strings (value)`,
  keysIn: (json) => `json_object_keys(${json}::json) AS keys (key)`,
  itemsIn: (json) => `json_array_elements(${json}::json) AS items (value)`,
  listsIn: (json) => `json_array_elements($${json}::text::json) AS lists (list)`,
  recordsIn: (json, columns, alias = "records") =>
    `json_to_recordset($${json}::text::json) AS ${alias} (${Object.entries(columns)
      .map(([name, kind]) => `"${name}" ${kind}`)
      .join(", ")})`,
  jsonOf: (expression, order = "") =>
    `coalesce(json_agg(${expression}${order && ` ORDER BY ${order}`}) FILTER (WHERE ${expression} IS NOT NULL), '[]')::text`,
  objectOf: (fields) => `json_build_object(${pairsOf(fields)})`,
  greater: (one, other) => `greatest(${one}, ${other})`,
  rows: (columns) => postgresDialect.recordsIn("rowsJson", columns, "written"),
  ofLatest: (expression, at, id) => `(array_agg(${expression} ORDER BY ${at} DESC, ${id} DESC))[1]`,
  fieldOf: (column, name) => `${column}::json ->> '${name}'`,
  json: (column) => `${column}::json`,
  isLikeOneOf: (expression, list) => `${expression} ILIKE ANY ($${list}::text[])`,
  bytes: (given) => `${given}::bytea`,
  unindexed: (column) => `coalesce(${column}, 0)`,
  uniqueOf: (column) => `md5(${column})`,
  orderOf: (column) => `left(${column}, ${BEGINNING}), ${column}`,
  isBehind: (column, text) =>
    `(left(${column}, ${BEGINNING}), ${column}) > (left(${text}, ${BEGINNING}) COLLATE "C", ${text} COLLATE "C")`,
  placeOf: (part, text) => `strpos(${text}, ${part})`,
  bytewise: (expression) => `${expression} COLLATE "C"`,
  like: "ILIKE",
  isNot: (flag) => `NOT ${flag}`,
  dayOf: (milliseconds) => `to_char(to_timestamp((${milliseconds}) / 1000) AT TIME ZONE 'UTC', 'YYYY-MM-DD')`,
  beginningOf: (day) => `(extract(epoch FROM (${day} || ' 00:00Z')::timestamptz) * 1000)`,
  joinNext: "JOIN",
  onPostgres: (piece) => piece,
  offset: (count) => `OFFSET ${count}`,
  along: () => "",
};

const pairsOf = (fields: Readonly<Record<string, string>>) =>
  Object.entries(fields)
    .map(([name, value]) => `'${name}', ${value}`)
    .join(", ");
