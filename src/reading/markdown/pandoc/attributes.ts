/** What stands in braces behind a heading, a span, an image or code: `{#id .class key="value"}`. */
export interface Attributes {
  id: string | undefined;
  classes: string[];
  values: ReadonlyMap<string, string>;
}

const NAME = String.raw`[\p{L}\p{N}_:.-]{1,100}`;
const VALUE = String.raw`"(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*'|[^\s"'{}]{0,500}`;
const PART = new RegExp(
  String.raw`\s*(?:#([^\s{}"']{1,200})|\.(${NAME})|(${NAME})\s*=\s*(${VALUE})|(-))`,
  "uy",
);
const CHARACTERS_MAX = 3_000;

/** The attributes between braces, without these; undefined where it is anything else. */
export function readAttributes(written: string): Attributes | undefined {
  if (written.length > CHARACTERS_MAX) return undefined;
  let id: string | undefined;
  const classes: string[] = [];
  const values = new Map<string, string>();
  const part = new RegExp(PART);
  const end = written.trimEnd().length;
  while (part.lastIndex < end) {
    const found = part.exec(written);
    if (found === null) return undefined;
    const [, named, className, key, value = "", unnumbered] = found;
    if (named !== undefined) id = named;
    else if (className !== undefined) classes.push(className);
    else if (unnumbered !== undefined) classes.push("unnumbered");
    else if (key !== undefined) values.set(key, withoutQuotes(value));
  }
  return { id: id ?? values.get("id"), classes: [...classes, ...classesIn(values.get("class"))], values };
}

const withoutQuotes = (value: string) =>
  /^["']/.test(value) ? value.slice(1, -1).replace(/\\([\s\S])/g, "$1") : value;

const classesIn = (value: string | undefined) => value?.split(/\s+/).filter((each) => each !== "") ?? [];

/** Braces whose quoted words may hold others. */
const BRACES = /\{((?:[^{}"']|"(?:[^"\\]|\\[\s\S]){0,2000}"|'(?:[^'\\]|\\[\s\S]){0,2000}')*)\}/y;

/** The attributes that begin at a place of a text, and where they end. */
export function attributesAt(text: string, at: number): { attributes: Attributes; end: number } | undefined {
  if (text.charAt(at) !== "{") return undefined;
  BRACES.lastIndex = at;
  const [whole, written] = BRACES.exec(text.slice(0, at + CHARACTERS_MAX)) ?? [];
  const attributes = written === undefined ? undefined : readAttributes(written);
  return attributes === undefined || whole === undefined ? undefined : { attributes, end: at + whole.length };
}
