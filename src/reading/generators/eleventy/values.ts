import { isRecord } from "@docent/kernel/text/json";
import { codeFence } from "@docent/kernel/text/write-markdown";
import { isComputed } from "../config/config.ts";
import { slugOf } from "./heading-ids.ts";

/** What only a run of the site would tell. */
export const UNKNOWN = Symbol("unknown");

/** What names stand for in a template. */
export interface Names {
  values: ReadonlyMap<string, unknown>;
  /** All that is said of the page. */
  data: Readonly<Record<string, unknown>>;
  /** Filters that are programs of the site's own. */
  ownFilters: ReadonlySet<string>;
}

const STRING = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/.source;
const PIECES = new RegExp(`(?:${STRING}|[^|"'])+`, "g");
const ARGUMENTS = new RegExp(`${STRING}|[^,\\s"'():]+`, "g");

/** The value of an expression: `a.b | filter: "x"` in Liquid, `a.b or "c" | filter("x")` in Nunjucks. */
export function valueIn(words: string, names: Names): unknown {
  const [first = "", ...filters] = words.match(PIECES) ?? [];
  let value = alternatives(first.trim(), names);
  for (const filter of filters) {
    const [, name = "", written = ""] =
      /^([\w-]+)\s*(?:[:(]\s*)?(?!\s)([\s\S]*?)\)?$/.exec(filter.trim()) ?? [];
    const given = (written.match(ARGUMENTS) ?? []).slice(0, 5).map((each) => operand(each, names));
    const isKnown = value !== UNKNOWN && !given.includes(UNKNOWN) && !names.ownFilters.has(name);
    value = isKnown
      ? filtered(value, name, given)
      : name === "default" && value === UNKNOWN
        ? UNKNOWN
        : unknownBy(name, value);
  }
  return value;
}

/** Some filters say nothing of what words are. */
const unknownBy = (name: string, value: unknown) => (/^(?:safe|url)$/.test(name) ? value : UNKNOWN);

function alternatives(words: string, names: Names): unknown {
  const parts = words.split(/\s+or\s+/);
  for (const part of parts.slice(0, -1)) {
    const value = operand(part.trim(), names);
    if (value === UNKNOWN || (value !== undefined && value !== null && value !== false && value !== ""))
      return value;
  }
  return operand(parts.at(-1)?.trim() ?? "", names);
}

const STEP = /\.?([\w-]+)|\[\s*(?:"([^"]*)"|'([^']*)'|(\w+))\s*\]/g;
const PATH = /^[A-Za-z_$][\w$-]*(?:\.[\w$-]+|\[\s*(?:"[^"]*"|'[^']*'|\w+)\s*\])*$/;

function operand(word: string, names: Names): unknown {
  if (new RegExp(`^(?:${STRING})$`).test(word)) return word.slice(1, -1).replace(/\\(.)/g, "$1");
  if (/^-?\d+(?:\.\d+)?$/.test(word)) return Number(word);
  if (word === "true" || word === "false") return word === "true";
  if (/^(?:nil|null|none|undefined|blank|empty|)$/.test(word)) return undefined;
  if (!PATH.test(word)) return UNKNOWN;
  const steps = [...word.matchAll(STEP)].slice(0, 20);
  let value: unknown = rootOf(steps[0]?.[1] ?? "", names);
  for (const [, name, double, single, variable] of steps.slice(1)) {
    if (value === UNKNOWN || isComputed(value)) return UNKNOWN;
    const key = variable === undefined ? (name ?? double ?? single ?? "") : textOf(rootOf(variable, names));
    value = stepInto(value, variable !== undefined && /^\d+$/.test(variable) ? variable : key);
  }
  return isComputed(value) ? UNKNOWN : value;
}

/** A name that nothing is known of may be one that a program gives. */
function rootOf(name: string, { values, data }: Names): unknown {
  if (values.has(name)) return values.get(name);
  return Object.hasOwn(data, name) ? data[name] : UNKNOWN;
}

function stepInto(value: unknown, name: string): unknown {
  if (Array.isArray(value)) {
    if (name === "size" || name === "length") return value.length;
    return value.at(name === "first" ? 0 : name === "last" ? -1 : Number(name));
  }
  if (typeof value === "string" && (name === "size" || name === "length")) return value.length;
  return isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

function filtered(value: unknown, name: string, given: readonly unknown[]): unknown {
  const text = textOf(value);
  const [first, second] = given;
  switch (name) {
    case "default":
      return value === undefined || value === "" || value === false || value === null ? first : value;
    case "slugify":
    case "slug":
      return slugOf(text, name) ?? UNKNOWN;
    case "lower":
    case "downcase":
      return text.toLowerCase();
    case "upper":
    case "upcase":
      return text.toUpperCase();
    case "capitalize":
      return text.charAt(0).toUpperCase() + text.slice(1);
    case "append":
      return text + textOf(first);
    case "prepend":
      return textOf(first) + text;
    case "remove":
      return text.replaceAll(textOf(first), "");
    case "replace":
      return first === "" ? text : text.replaceAll(textOf(first), textOf(second));
    case "trim":
    case "strip":
      return text.trim();
    case "split":
      return text === "" ? [] : text.split(textOf(first));
    case "join":
      return Array.isArray(value) ? value.map(textOf).join(textOf(first)) : value;
    case "first":
    case "last":
    case "size":
    case "length":
      return stepInto(value, name);
    case "highlight":
      // As the plugin for code has it.
      return `\n\n${codeFence(text.replace(/^\n+/, "").trimEnd(), textOf(first).replace(/[^\w+#-].*$/, ""))}\n\n`;
    case "safe":
    case "url":
    case "escape":
    case "e":
    case "string":
      return value;
    default:
      return UNKNOWN;
  }
}

export const textOf = (value: unknown): string =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? String(value) : "";

/** Whether a condition holds; UNKNOWN where only a run would tell. */
export function conditionIn(words: string, names: Names): boolean | typeof UNKNOWN {
  for (const [join, isEnough] of [
    [" or ", true],
    [" and ", false],
  ] as const) {
    const parts = splitOutside(words, join);
    if (parts.length < 2) continue;
    const held = parts.map((part) => conditionIn(part, names));
    if (held.includes(isEnough)) return isEnough;
    return held.includes(UNKNOWN) ? UNKNOWN : !isEnough;
  }
  const plain = words.trim();
  if (/^not\s/.test(plain)) {
    const held = conditionIn(plain.slice(4), names);
    return held === UNKNOWN ? UNKNOWN : !held;
  }
  return compared(plain, names);
}

function compared(words: string, names: Names): boolean | typeof UNKNOWN {
  const [, left = words, sign, right = ""] =
    /^((?:[^=!<>]*[^=!<>\s])?)\s*(===?|!==?)\s*(?!\s)([^=!<>]*)$/.exec(words) ?? [];
  const value = valueIn(left, names);
  if (value === UNKNOWN) return UNKNOWN;
  if (sign === undefined) return value !== undefined && value !== false && value !== null && value !== "";
  const other = valueIn(right, names);
  if (other === UNKNOWN) return UNKNOWN;
  return ((value ?? undefined) === (other ?? undefined)) === sign.startsWith("=");
}

/** The parts between a word that stands in no quotes. */
function splitOutside(words: string, join: string): string[] {
  const hidden = words.replace(new RegExp(STRING, "g"), (quoted) => "\uE000".repeat(quoted.length));
  const parts: string[] = [];
  let from = 0;
  for (let at = hidden.indexOf(join); at >= 0; at = hidden.indexOf(join, from)) {
    parts.push(words.slice(from, at));
    from = at + join.length;
  }
  return [...parts, words.slice(from)];
}
