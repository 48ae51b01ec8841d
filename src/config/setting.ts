/** How a setting's text becomes its value. */
export type Kind = "text" | "integer" | "number" | "list" | "choice";

interface Shape<K extends Kind, T> {
  kind: K;
  default: T;
  /** The environment variable. With `_FILE` behind it, the value is read from that file. */
  env: string;
  /** What is counted: the name of a setting that counts something ends in it. */
  unit?: string;
  help: string;
  secret?: true;
}

export type Text = Shape<"text", string>;
export type Integer = Shape<"integer", number> & { min: number; max: number };
export type Decimal = Shape<"number", number> & { min: number; max: number };
type List = Shape<"list", readonly string[]>;
export type Choice<V extends string> = Shape<"choice", V> & { choices: readonly V[] };
/** One row of the table of settings. */
export type Setting = Text | Integer | Decimal | List | Choice<string>;

/** A setting that is any text. */
export const text = (name: string, fallback: string, help: string): Text => ({
  kind: "text",
  default: fallback,
  env: envName(name),
  help,
});
/** A whole number within bounds; `unit` is what it counts. */
export const integer = (
  name: string,
  fallback: number,
  [min, max]: readonly [number, number],
  unit: string,
  help: string,
): Integer => ({ kind: "integer", default: fallback, min, max, unit, env: envName(name), help });
/** Texts with commas between them, none by default. */
export const list = (name: string, help: string): List => ({
  kind: "list",
  default: [],
  env: envName(name),
  help,
});
/** One of a few words. */
export const choice = <const V extends string>(
  name: string,
  choices: readonly V[],
  fallback: NoInfer<V>,
  help: string,
): Choice<V> => ({ kind: "choice", choices, default: fallback, env: envName(name), help });

const envName = (name: string) => `DOCENT_${name.toUpperCase()}`;
