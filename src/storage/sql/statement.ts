import { type Column, getTableColumns, getTableName, type InferSelectModel, type Table } from "drizzle-orm";
import type { Dialect } from "./dialect.ts";

/** The text of a statement, the same for both databases or with pieces of the dialect. It names what it is given: `$siteId`. */
type Text = string | ((dialect: Dialect) => string);

/** What a statement is given, by name; a list for a piece that asks for one. Undefined is NULL. */
export type Values = Readonly<Record<string, Value | readonly (string | number | null)[]>>;
type Value = string | number | boolean | Uint8Array | null | undefined;

/** A list, or records that a piece asks for, as JSON that has in it what a database stores: no half of a character. */
export const listJson = (list: readonly unknown[]): string =>
  JSON.stringify(list, (_, value: unknown) => (typeof value === "string" ? value.toWellFormed() : value));

/** A statement for both databases. It is put together where an engine uses it for the first time. */
export interface Statement<Row> {
  /** Empty where an engine has no need of it: then it does nothing. */
  textFor(dialect: Dialect): string;
  /** What an engine read, as its rows. */
  read(rows: unknown[]): Row[];
}

/** A statement whose rows are as they are said to be: numbers, text and bytes, and 1 or 0 for true or false. */
export function statement<Row = never>(text: Text): Statement<Row> {
  return { textFor: eachOnce(text), read: rowsOf<Row> };
}

/** What a statement reads is said where it is written, and not looked at in each row. Suites over both databases do. */
const rowsOf = <Row>(rows: unknown[]) => rows as Row[];

/** A statement that reads columns of a table, which say what its rows are; `rest` begins behind the columns. */
export function select<T extends Table, Name extends NameIn<T>>(
  table: T,
  names: readonly Name[],
  rest: Text,
): Statement<Pick<InferSelectModel<T>, Name>> {
  const selected = columns(table, names);
  const flags = names.filter((name) => columnOf(table, name).dataType === "boolean");
  return {
    textFor: eachOnce((dialect) => `SELECT ${selected} ${typeof rest === "string" ? rest : rest(dialect)}`),
    read(rows) {
      for (const flag of flags) for (const row of rows) readFlag(row, flag);
      return rowsOf(rows);
    },
  };
}

type NameIn<T extends Table> = keyof InferSelectModel<T> & string;

/** Columns of a table in a list that is selected, by the names that the code has for them. */
export const columns = <T extends Table>(table: T, names: readonly NameIn<T>[] = namesIn(table)): string =>
  names.map((name) => `${getTableName(table)}.${columnOf(table, name).name} AS "${name}"`).join(", ");

/** The beginning of a statement that adds a row to a table: all columns, or those named, of values of the same names. */
export function insertInto<T extends Table>(table: T, names: readonly NameIn<T>[] = namesIn(table)): string {
  const into = names.map((name) => columnOf(table, name).name).join(", ");
  return `INSERT INTO ${getTableName(table)} (${into}) VALUES (${names.map((name) => `$${name}`).join(", ")})`;
}

/** The same of all columns, where there is something to add: `rest` is a condition, or what it is read from. */
export function insertWhere<T extends Table>(table: T, rest: string): string {
  const names = namesIn(table);
  const into = names.map((name) => columnOf(table, name).name).join(", ");
  const given = names.map((name) => `CAST($${name} AS ${KINDS[columnOf(table, name).dataType] ?? "text"})`);
  return `INSERT INTO ${getTableName(table)} (${into}) SELECT ${given.join(", ")} ${rest}`;
}

/** What PostgreSQL takes a given value for, where it cannot tell by its place. */
const KINDS: Readonly<Record<string, string>> = { number: "bigint", boolean: "boolean" };

/** All columns of a table. */
export const namesIn = <T extends Table>(table: T): NameIn<T>[] => {
  const isName = (name: string): name is NameIn<T> => name in getTableColumns(table);
  return Object.keys(getTableColumns(table)).filter(isName);
};

function columnOf<T extends Table>(table: T, name: NameIn<T>): Column {
  const column: Column | undefined = getTableColumns(table)[name];
  if (column === undefined) throw new Error(`${getTableName(table)} has no ${name}`);
  return column;
}

function readFlag(row: unknown, name: string): void {
  if (typeof row !== "object" || row === null) return;
  const value: unknown = Reflect.get(row, name);
  if (value !== null) Reflect.set(row, name, value === 1);
}

/** A text of each engine, made once. */
function eachOnce(text: Text): (dialect: Dialect) => string {
  if (typeof text === "string") return () => text;
  const made = new Map<Dialect, string>();
  return (dialect) => {
    const known = made.get(dialect) ?? text(dialect);
    made.set(dialect, known);
    return known;
  };
}
