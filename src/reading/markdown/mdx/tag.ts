import { expressionEnd, type ScanBudget } from "./scan.ts";

/** A JSX or HTML tag in a page. */
export interface JsxTag {
  /** "" for a fragment. */
  name: string;
  kind: "open" | "close" | "alone";
  /**
   * Attributes with a literal value: texts, numbers, lists of them; one without a value, or `true`, has "".
   */
  attributes: Map<string, string>;
  /** The texts of those that are lists. */
  lists: Map<string, readonly string[]>;
  /** Attributes with a value that only a run would tell, as they are written. */
  expressions: Map<string, string>;
  end: number;
}

const EXPRESSION_CHARACTERS_MAX = 2_000;
const NAME = /[A-Za-z_$][\w.$:-]{0,100}/y;
const SPACE = /\s*/y;
const VOID = new Set([
  "br",
  "hr",
  "img",
  "input",
  "meta",
  "link",
  "wbr",
  "source",
  "col",
  "area",
  "embed",
  "track",
]);

/** Reads the tag at a `<`; undefined where none follows, and the `<` is text. */
export function readTag(source: string, start: number, budget: ScanBudget): JsxTag | undefined {
  const closing = source.charAt(start + 1) === "/";
  const from = start + (closing ? 2 : 1);
  const name = match(NAME, source, from);
  const attributes = new Map<string, string>();
  const expressions = new Map<string, string>();
  const lists = new Map<string, readonly string[]>();
  const found = { attributes, expressions, lists };
  let at = from + name.length;
  if (name === "" && source.charAt(at) !== ">") return undefined;
  while (budget.left > 0) {
    const space = match(SPACE, source, at).length;
    budget.left -= space + 1;
    at += space;
    const character = source.charAt(at);
    if (character === ">") return { name, ...found, end: at + 1, kind: kindOf(name, closing) };
    if (character === "/") {
      return source.charAt(at + 1) === ">" ? { name, ...found, end: at + 2, kind: "alone" } : undefined;
    }
    const next =
      character === "{" ? expressionEnd(source, at, budget) : readAttribute(source, at, found, budget);
    if (next === undefined || (character !== "{" && space === 0 && at === from + name.length))
      return undefined;
    at = next;
  }
  return undefined;
}

function kindOf(name: string, closing: boolean): JsxTag["kind"] {
  if (closing) return "close";
  return VOID.has(name) ? "alone" : "open";
}

type Found = Pick<JsxTag, "attributes" | "expressions" | "lists">;

function readAttribute(source: string, start: number, found: Found, budget: ScanBudget): number | undefined {
  const name = match(NAME, source, start);
  if (name === "") return undefined;
  const equals = start + name.length + match(SPACE, source, start + name.length).length;
  if (source.charAt(equals) !== "=") {
    found.attributes.set(name, "");
    return start + name.length;
  }
  const at = equals + 1 + match(SPACE, source, equals + 1).length;
  const quote = source.charAt(at);
  if (quote === "{") return readExpressionValue(source, at, name, found, budget);
  if (quote !== '"' && quote !== "'") return undefined;
  const end = source.indexOf(quote, at + 1);
  budget.left -= (end < 0 ? source.length : end) - at;
  if (end < 0) return undefined;
  found.attributes.set(name, source.slice(at + 1, end));
  return end + 1;
}

function readExpressionValue(
  source: string,
  at: number,
  name: string,
  { attributes, expressions, lists }: Found,
  budget: ScanBudget,
): number | undefined {
  const end = expressionEnd(source, at, budget);
  const expression = end === undefined ? "" : source.slice(at + 1, end - 1).trim();
  const list = listIn(expression);
  if (list !== undefined) lists.set(name, list);
  const text = expression === "" ? undefined : (list?.join(", ") ?? literalWords(expression));
  if (text !== undefined) attributes.set(name, text);
  else if (expression.length < EXPRESSION_CHARACTERS_MAX) expressions.set(name, expression);
  return end;
}

const SIMPLE_LIST = /^\[\s*(?:(?:"[^"\\]*"|'[^'\\]*'|-?[\d.]+)\s*(?:,\s*|(?=\])))*\]$/;

/** The texts of a list of strings and numbers. */
function listIn(expression: string): string[] | undefined {
  if (expression.length >= EXPRESSION_CHARACTERS_MAX || !SIMPLE_LIST.test(expression)) return undefined;
  const items = expression.matchAll(/"([^"]*)"|'([^']*)'|(-?[\d.]+)/g);
  return [...items].map((item) => item[1] ?? item[2] ?? item[3] ?? "");
}

/** The value of an expression that can be read without running it: a string, a number, or `true`. */
function literalWords(expression: string): string | undefined {
  if (expression === "true") return "";
  return /^-?\d[\d_.]{0,30}$/.test(expression) ? expression : stringLiteral(expression);
}

/** The text of an expression that is a string literal. */
export function stringLiteral(expression: string): string | undefined {
  const quote = expression.charAt(0);
  if (expression.length < 2 || !"\"'`".includes(quote) || !expression.endsWith(quote)) return undefined;
  const inside = expression.slice(1, -1);
  const plain = inside.replace(/\\[\s\S]/g, "");
  if (plain.includes(quote) || (quote === "`" && plain.includes("${"))) return undefined;
  return inside.replace(/\\n/g, "\n").replace(/\\([\s\S])/g, "$1");
}

function match(pattern: RegExp, source: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(source)?.[0] ?? "";
}
