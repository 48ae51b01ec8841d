import { isRecord } from "@docent/kernel/text/json";
import { computed, isComputed } from "./values.ts";

const NESTED_MAX = 50;
const STATEMENTS_MAX = 20_000;
const ENTRIES_MAX = 50_000;
/** What doubles with each line grows no further. */
const TEXT_CHARACTERS_MAX = 500_000;

/**
 * Reads what a Python module assigns at its top level. Nothing is run: literals, their sums, and names of what
 * was assigned before are values, everything else is `Computed`.
 */
export function readPythonModule(text: string): Readonly<Record<string, unknown>> {
  return readModule({ text: text.replace(/\r\n?/g, "\n"), at: 0, values: new Map() });
}

const NAME = /[A-Za-z_]\w*/y;
const STRING_START = /([rRbBuUfF]{0,2})('''|"""|'|")/y;
const STRING_BEGINS = /["'rRbBuUfF]/;
const ENTRY_KEY = /\[(?=["'])/y;
const CLOSING_BRACE = /\}/y;
const NUMBER = /-?(?:0[xX][\da-fA-F]+|\d[\d_]*(?:\.\d*)?(?:[eE][+-]?\d+)?)/y;

/** What cannot be read without running the module. */
class NotLiteral extends Error {}

/** A module that is being read. */
interface PythonText {
  text: string;
  at: number;
  values: Map<string, unknown>;
}

function readModule(py: PythonText): Readonly<Record<string, unknown>> {
  for (let count = 0; py.at < py.text.length && count < STATEMENTS_MAX; count++) {
    // What is indented is run later, or only sometimes.
    const isOuter = take(py, /[^\S\n]+/y) === undefined;
    if (isOuter) readStatement(py);
    toLineEnd(py);
  }
  return Object.fromEntries(py.values);
}

function readStatement(py: PythonText): void {
  const name = take(py, NAME);
  if (name === undefined) {
    // Only a string that stands alone may hold lines that look like statements.
    return;
  }
  const assigned = take(py, /[^\S\n]*(?::[^=\n]{1,200})?(\+?=)(?!=)/y);
  if (assigned !== undefined) {
    const value = valueHere(py);
    if (assigned.endsWith("+=")) add(py, name, value);
    else py.values.set(name, value);
    return;
  }
  const method = take(py, /\.(?:append|extend|update)\(/y);
  const key = method === undefined ? take(py, ENTRY_KEY) : undefined;
  if (method !== undefined) grow(py, name, method);
  else if (key !== undefined) setEntry(py, name);
}

function grow(py: PythonText, name: string, method: string): void {
  const value = valueHere(py);
  const before = py.values.get(name);
  if (method.startsWith(".update")) {
    if (isKnownRecord(before) && isRecord(value)) Object.assign(before, value);
  } else if (Array.isArray(before)) add(py, name, method.startsWith(".append") ? [value] : value);
}

/** Adds to a value. Lists and dictionaries grow where they are, as Python's do: a copy for each line takes too long. */
function add(py: PythonText, name: string, added: unknown): void {
  const before = py.values.get(name);
  if (Array.isArray(before) && Array.isArray(added))
    before.push(...added.slice(0, Math.max(0, ENTRIES_MAX - before.length)));
  else py.values.set(name, sumOrComputed(before, added, name));
}

function sumOrComputed(before: unknown, added: unknown, name: string): unknown {
  try {
    return sumOf(before, added);
  } catch (error) {
    if (error instanceof NotLiteral) return computed(`${name} += …`);
    throw error;
  }
}

const isKnownRecord = (value: unknown): value is Record<string, unknown> =>
  isRecord(value) && !isComputed(value);

function setEntry(py: PythonText, name: string): void {
  const key = valueHere(py);
  const before = py.values.get(name);
  if (take(py, /\s*\][^\S\n]*=(?!=)/y) === undefined || typeof key !== "string" || !isKnownRecord(before))
    return;
  if (key !== "__proto__") before[key] = valueHere(py);
}

/** The value that begins here, and `Computed` where a run would tell it. */
function valueHere(py: PythonText): unknown {
  const start = py.at;
  try {
    return expressionAt(py, 0);
  } catch (error) {
    if (!(error instanceof NotLiteral)) throw error;
    py.at = start;
    const end = py.text.indexOf("\n", start);
    return computed(py.text.slice(start, end < 0 ? undefined : end));
  }
}

function expressionAt(py: PythonText, depth: number): unknown {
  if (depth > NESTED_MAX) throw new NotLiteral();
  let value = operandAt(py, depth);
  for (;;) {
    skipSpace(py, depth > 0);
    if (take(py, /\+(?!=)/y) !== undefined) value = sumOf(value, operandAt(py, depth));
    else break;
  }
  // A condition, a comparison or a method makes it something else.
  if (take(py, /(?:[.*/%[(<>&|]|==|!=|(?:if|and|or|in|is|not|for)\b)/y) !== undefined) throw new NotLiteral();
  return value;
}

function operandAt(py: PythonText, depth: number): unknown {
  skipSpace(py, depth > 0);
  const { text } = py;
  const next = text.charAt(py.at);
  if (next === "[") return sequenceAt(py, "]", depth);
  if (next === "(") return parenthesizedAt(py, depth);
  if (next === "{") return bracesAt(py, depth);
  STRING_START.lastIndex = py.at;
  if (STRING_START.test(text)) return stringsAt(py, depth);
  const number = take(py, NUMBER);
  if (number !== undefined) return Number(number.replaceAll("_", ""));
  const name = take(py, NAME);
  if (name === "True" || name === "False") return name === "True";
  if (name === "None") return null;
  if (name === "dict" && take(py, /\(/y) !== undefined) return keywordsAt(py, depth);
  if (name === undefined || !py.values.has(name)) throw new NotLiteral();
  return py.values.get(name);
}

function sequenceAt(py: PythonText, closing: string, depth: number): unknown[] {
  py.at++;
  const items: unknown[] = [];
  for (;;) {
    skipSpace(py, true);
    if (py.text.charAt(py.at) === closing) break;
    if (py.at >= py.text.length || items.length > ENTRIES_MAX) throw new NotLiteral();
    items.push(itemOf(py, depth, closing));
    skipSpace(py, true);
    if (take(py, /,/y) === undefined && py.text.charAt(py.at) !== closing) throw new NotLiteral();
  }
  py.at++;
  return items;
}

/** An element of a list or an entry: one that is computed leaves the others as they are. */
function itemOf(py: PythonText, depth: number, closing: string): unknown {
  const start = py.at;
  try {
    return expressionAt(py, depth + 1);
  } catch (error) {
    if (!(error instanceof NotLiteral) || depth > NESTED_MAX) throw error;
    py.at = start;
    skipTo(py, new Set([",", closing]));
    return computed(py.text.slice(start, py.at));
  }
}

function parenthesizedAt(py: PythonText, depth: number): unknown {
  const start = py.at;
  const items = sequenceAt(py, ")", depth);
  const isTuple = items.length !== 1 || /,\s*\)$/.test(py.text.slice(start, py.at));
  return isTuple ? items : items[0];
}

function bracesAt(py: PythonText, depth: number): unknown {
  py.at++;
  const entries = new Map<string, unknown>();
  const items: unknown[] = [];
  for (;;) {
    skipSpace(py, true);
    if (take(py, CLOSING_BRACE) !== undefined) break;
    if (py.at >= py.text.length || entries.size + items.length > ENTRIES_MAX) throw new NotLiteral();
    const key = expressionAt(py, depth + 1);
    skipSpace(py, true);
    if (take(py, /:/y) === undefined) items.push(key);
    else entries.set(String(key), itemOf(py, depth, "}"));
    skipSpace(py, true);
    if (take(py, /,/y) === undefined && py.text.charAt(py.at) !== "}") throw new NotLiteral();
  }
  return items.length > 0 ? items : Object.fromEntries(entries);
}

function keywordsAt(py: PythonText, depth: number): unknown {
  const entries = new Map<string, unknown>();
  for (;;) {
    skipSpace(py, true);
    if (take(py, /\)/y) !== undefined) return Object.fromEntries(entries);
    const name = take(py, NAME);
    skipSpace(py, true);
    if (name === undefined || take(py, /=(?!=)/y) === undefined) throw new NotLiteral();
    entries.set(name, itemOf(py, depth, ")"));
    skipSpace(py, true);
    if (take(py, /,/y) === undefined && py.text.charAt(py.at) !== ")") throw new NotLiteral();
  }
}

/** Strings that follow each other are one. */
function stringsAt(py: PythonText, depth: number): string {
  let whole = "";
  for (;;) {
    STRING_START.lastIndex = py.at;
    const start = STRING_START.exec(py.text);
    if (start === null) return whole;
    whole += stringAt(py, start[1] ?? "", start[2] ?? "'", STRING_START.lastIndex);
    skipSpace(py, depth > 0);
  }
}

function stringAt(py: PythonText, prefix: string, quote: string, start: number): string {
  let end = start;
  while (end < py.text.length && !py.text.startsWith(quote, end)) {
    if (quote.length === 1 && py.text.charAt(end) === "\n") throw new NotLiteral();
    end += py.text.charAt(end) === "\\" ? 2 : 1;
  }
  py.at = end + quote.length;
  const body = py.text.slice(start, end);
  const plain = /r/i.test(prefix) ? body : unescaped(body);
  return /f/i.test(prefix) ? formattedText(py, plain) : plain;
}

function bounded(text: string): string {
  if (text.length > TEXT_CHARACTERS_MAX) throw new NotLiteral();
  return text;
}

function formattedText(py: PythonText, text: string): string {
  let left = TEXT_CHARACTERS_MAX;
  return text.replace(/\{\{|\}\}|\{([^{}]{0,200})\}/g, (mark, name: string | undefined) => {
    if (name === undefined) return mark.charAt(0);
    const value = py.values.get(name.trim());
    if (typeof value !== "string" && typeof value !== "number") throw new NotLiteral();
    left -= String(value).length;
    if (left < 0) throw new NotLiteral();
    return String(value);
  });
}

function sumOf(before: unknown, added: unknown): unknown {
  if (typeof before === "string" && typeof added === "string") return bounded(before + added);
  if (Array.isArray(before) && Array.isArray(added)) return [...before, ...added].slice(0, ENTRIES_MAX);
  if (Array.isArray(before) && isComputed(added)) return before;
  throw new NotLiteral();
}

/** Goes to the end of a statement, past brackets and strings that are open. */
function toLineEnd(py: PythonText): void {
  skipTo(py, new Set(["\n"]));
  py.at++;
}

function skipTo(py: PythonText, ends: ReadonlySet<string>): void {
  let open = 0;
  while (py.at < py.text.length) {
    const next = py.text.charAt(py.at);
    if (open <= 0 && ends.has(next)) return;
    STRING_START.lastIndex = py.at;
    const start = STRING_BEGINS.test(next) ? STRING_START.exec(py.text) : null;
    if (start !== null && !/\w/.test(py.text.charAt(py.at - 1)))
      skipString(py, start[2] ?? "'", STRING_START.lastIndex);
    else if (next === "#") take(py, /[^\n]*/y);
    else {
      if ("([{".includes(next)) open++;
      if (")]}".includes(next)) open--;
      py.at += next === "\\" ? 2 : 1;
    }
  }
}

function skipString(py: PythonText, quote: string, start: number): void {
  let end = start;
  while (end < py.text.length && !py.text.startsWith(quote, end)) {
    if (quote.length === 1 && py.text.charAt(end) === "\n") break;
    end += py.text.charAt(end) === "\\" ? 2 : 1;
  }
  py.at = py.text.charAt(end) === "\n" ? end : end + quote.length;
}

function skipSpace(py: PythonText, isInside: boolean): void {
  take(py, isInside ? /(?:\s+|#[^\n]*|\\\n)*/y : /(?:[^\S\n]+|\\\n)*/y);
}

function take(py: PythonText, pattern: RegExp): string | undefined {
  pattern.lastIndex = py.at;
  const match = pattern.exec(py.text);
  if (match === null || match[0] === "") return undefined;
  py.at = pattern.lastIndex;
  return match[0];
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", "\n": "" };
const unescaped = (body: string) =>
  body.replace(/\\(u[\da-fA-F]{4}|x[\da-fA-F]{2}|[\s\S])/g, (mark, escaped: string) =>
    escaped.length > 1
      ? String.fromCharCode(Number.parseInt(escaped.slice(1), 16))
      : (ESCAPES[escaped] ?? ("\\'\"".includes(escaped) ? escaped : mark)),
  );
