import { asText, isRecord } from "../../../text/json.ts";

const TAG = /\{\{([\s\S]{0,2000}?)\}\}|\{%[-+]?([\s\S]{0,2000}?)[-+]?%\}|\{#(?=\s)[\s\S]{0,5000}?#\}/g;
const NAME = /^[A-Za-z_][\w.]{0,200}$/;
const FAULTS_MAX = 20;

/** What Jinja makes of a page, as far as values tell: what is computed is left out, and named. */
export function expandMacros(
  markdown: string,
  values: Readonly<Record<string, unknown>>,
  faults: Set<string>,
): string {
  if (!/\{[{%#]/.test(markdown)) return markdown;
  const state: Jinja = { values, faults, open: [], isRaw: false };
  const pieces: string[] = [];
  let at = 0;
  for (const match of markdown.matchAll(TAG)) {
    const before = markdown.slice(at, match.index);
    const shown = isShown(state);
    if (shown) pieces.push(before);
    at = match.index + match[0].length;
    const [whole, expression, statement] = match;
    if (state.isRaw && !/^\s*endraw\s*$/.test(statement ?? "")) pieces.push(whole);
    else if (statement !== undefined) readStatement(state, statement.trim());
    else if (expression !== undefined && shown) pieces.push(expressionValue(state, expression.trim()));
  }
  if (isShown(state)) pieces.push(markdown.slice(at));
  return pieces.join("");
}

interface Jinja {
  values: Readonly<Record<string, unknown>>;
  faults: Set<string>;
  /** For each statement that is open, whether what is in it is shown. */
  open: { name: string; isShown: boolean }[];
  isRaw: boolean;
}

const isShown = ({ open }: Jinja) => open.every((each) => each.isShown);

function readStatement(state: Jinja, statement: string): void {
  const name = /^\w+/.exec(statement)?.[0] ?? "";
  if (name === "raw") state.isRaw = true;
  else if (name === "endraw") state.isRaw = false;
  else if (name === "if") state.open.push({ name, isShown: isTrue(state, statement.slice(2)) });
  else if (name === "elif" || name === "else") {
    const last = state.open.at(-1);
    if (last?.name === "if") last.isShown = !last.isShown;
  } else if (["for", "macro", "call", "filter"].includes(name)) {
    fault(state, statement);
    state.open.push({ name, isShown: name === "filter" });
  } else if (name.startsWith("end")) state.open.pop();
  else fault(state, statement);
}

/** What is not known counts as true: its words are rather shown than lost. */
function isTrue(state: Jinja, condition: string): boolean {
  const [, not, name = ""] = /^\s*(not\s+)?([\w.]+)\s*$/.exec(condition) ?? [];
  if (name === "") return true;
  const value = lookUp(state.values, name);
  return (not === undefined) === (value === undefined ? true : Boolean(value));
}

function expressionValue(state: Jinja, expression: string): string {
  const literal = /^(?:"([^"]*)"|'([^']*)')$/.exec(expression);
  if (literal !== null) return literal[1] ?? literal[2] ?? "";
  const value = NAME.test(expression) ? lookUp(state.values, expression) : undefined;
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean")
    return String(value);
  fault(state, expression);
  return "";
}

function fault({ faults }: Jinja, written: string): void {
  if (faults.size < FAULTS_MAX)
    faults.add(`{{ ${written.replace(/\s+/g, " ").slice(0, 80)} }} is computed, and left out`);
}

function lookUp(values: Readonly<Record<string, unknown>>, name: string): unknown {
  let value: unknown = values;
  for (const key of name.split("."))
    value = isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return value;
}

/** What a page's macros can name. */
export function macroValues(
  config: Readonly<Record<string, unknown>>,
  data: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const extra = isRecord(config["extra"]) ? config["extra"] : {};
  const title = asText(data["title"]);
  return Object.assign(Object.create(null), extra, data, {
    config,
    page: { meta: data, ...(title === undefined ? {} : { title }) },
  });
}
