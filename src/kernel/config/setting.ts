/** How a setting's text becomes its value. */
type Kind = "text" | "integer" | "number" | "measure" | "list" | "choice";

interface Shape<K extends Kind, T> {
  kind: K;
  default: T;
  help: string;
  /** The environment variable, where it is not called after the name. */
  env?: string;
  secret?: true;
}

export type TextSetting = Shape<"text", string>;
export type Integer = Shape<"integer", number> & { min: number; max: number };
export type Decimal = Shape<"number", number> & { min: number; max: number };
export type Measure = Shape<"measure", number | null> & { min: number; max: number };
type List = Shape<"list", readonly string[]>;
export type Choice<V extends string> = Shape<"choice", V> & { choices: readonly V[] };
/** One row of the table of settings. */
export type SettingRow = TextSetting | Integer | Decimal | Measure | List | Choice<string>;

/** A row with what follows from its name. */
export type Setting = SettingRow & {
  /** The environment variable. With `_FILE` behind it, the value is read from that file. */
  env: string;
  /** What is counted: the name of a setting that counts something ends in it. */
  unit?: string;
};

type Bounds = readonly [min: number, max: number];

/** A setting that is any text. */
export const text = (fallback: string, help: string): TextSetting => ({
  kind: "text",
  default: fallback,
  help,
});
/** A text that is never shown, none by default. */
export const secret = (help: string): TextSetting => ({ ...text("", help), secret: true });
/** A whole number within bounds. */
export const integer = (fallback: number, [min, max]: Bounds, help: string): Integer => ({
  kind: "integer",
  default: fallback,
  min,
  max,
  help,
});
/** Any number within bounds. */
export const decimal = (fallback: number, [min, max]: Bounds, help: string): Decimal => ({
  kind: "number",
  default: fallback,
  min,
  max,
  help,
});
/** Any number within bounds, and none by default. */
export const measure = ([min, max]: Bounds, help: string): Measure => ({
  kind: "measure",
  default: null,
  min,
  max,
  help,
});
/** Texts with commas between them, none by default. */
export const list = (help: string): List => ({ kind: "list", default: [], help });
/** One of a few words. */
export const choice = <const V extends string>(
  choices: readonly V[],
  fallback: NoInfer<V>,
  help: string,
): Choice<V> => ({ kind: "choice", choices, default: fallback, help });
