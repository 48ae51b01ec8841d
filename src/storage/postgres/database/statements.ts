import type { Values } from "../../sql/statement.ts";
import { wholeJson, wholeText } from "../../whole-text.ts";

/** A statement is given a list where it says `::int[]` or `::text[]`. What is JSON says so at the end of its name, as columns do. */
export interface Statements {
  /** The text with numbers in the place of names, and what they stand for. */
  bind(text: string, values: Values): { positional: string; given: unknown[] };
  /** Rows as the mappers know them, from whichever engine: numbers as numbers, 1 for true and 0 for false. */
  read<Row>(rows: readonly Row[] & { columns: Columns | null }): Row[];
}

type Columns = { name: string; type: number }[];

const NAME = /\$([A-Za-z]\w*)/g;

export function createStatements(): Statements {
  /** The statements of the source code, which are few. */
  const known = new Map<string, { positional: string; names: string[] }>();

  function parse(text: string) {
    const names: string[] = [];
    const positional = text.replace(NAME, (_, name: string) => {
      if (!names.includes(name)) names.push(name);
      return `$${names.indexOf(name) + 1}`;
    });
    return { positional, names };
  }

  return {
    bind(text, values) {
      const statement = known.get(text) ?? parse(text);
      known.set(text, statement);
      return {
        positional: statement.positional,
        given: statement.names.map((name) =>
          clean(givenAs(values, name), isJson(name) ? wholeJson : wholeText),
        ),
      };
    },
    read(rows) {
      for (const { name, type } of rows.columns ?? []) {
        const convert = CONVERSIONS.get(type);
        if (convert !== undefined) for (const row of rows) convertIn(row, name, convert);
      }
      // The driver's own kind of list is left behind.
      return [...rows];
    },
  };
}

function givenAs(values: Values, name: string): Values[string] {
  if (!(name in values)) throw new Error(`the statement was not given $${name}`);
  return values[name] ?? null;
}

const isJson = (name: string) => name.endsWith("Json");

/**
 * All text, on its way in: what is stored, and what is looked for, which would not be found otherwise. The list of a
 * column's values is named as each of them would be.
 */
function clean(value: Values[string], whole: (text: string) => string): unknown {
  if (typeof value === "string") return whole(value);
  if (!isList(value)) return value;
  return value.map((each) => (typeof each === "string" ? whole(each) : each));
}

const isList = (value: Values[string]): value is readonly (string | number | null)[] => Array.isArray(value);

/** By the number of the type: bool, int8 and numeric, which arrive as true or false, and as text. */
const CONVERSIONS = new Map<number, (value: unknown) => number>([
  [16, (value) => (value === true ? 1 : 0)],
  [20, Number],
  [1700, Number],
]);

function convertIn(row: unknown, name: string, convert: (value: unknown) => number): void {
  if (typeof row !== "object" || row === null || !(name in row)) return;
  const value: unknown = Reflect.get(row, name);
  if (value !== null) Reflect.set(row, name, convert(value));
}
