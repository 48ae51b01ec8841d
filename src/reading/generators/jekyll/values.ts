import { isRecord } from "@docent/kernel/text/json";
import { addressOf, type JekyllPage } from "./pages.ts";

/** What names in a page's Liquid stand for. */
export interface Names {
  page: JekyllPage;
  site: Readonly<Record<string, unknown>>;
  /** Names that the page, or what includes it, has given to values. */
  values: ReadonlyMap<string, unknown>;
}

/** The value of `a.b | filter: x`. */
export function valueIn(words: string, names: Names): unknown {
  const [first = "", ...filters] = splitPipes(words);
  let value = operand(first.trim(), names);
  for (const filter of filters) {
    const [, name = "", written = ""] = /^\s*([\w-]+)\s*:?\s*([\s\S]*)$/.exec(filter) ?? [];
    const [argument] = written.match(/"[^"]*"|'[^']*'|[^,\s]+/g) ?? [];
    value = filtered(value, name, argument === undefined ? undefined : operand(argument, names));
  }
  return value;
}

const splitPipes = (words: string) => words.match(/(?:"[^"]*"|'[^']*'|[^|"'])+/g) ?? [];

/** A name, and in brackets a word or what another name stands for. */
const STEP = /\.?([\w-]+)|\[\s*(?:"([^"]*)"|'([^']*)'|([\w.-]+))\s*\]/g;
const STEPS_MAX = 20;

function operand(word: string, names: Names): unknown {
  if (/^(["'])[\s\S]*\1$/.test(word)) return word.slice(1, -1);
  if (/^-?\d+(?:\.\d+)?$/.test(word)) return Number(word);
  if (word === "true" || word === "false") return word === "true";
  if (word === "nil" || word === "null" || word === "blank" || word === "empty") return undefined;
  const [root = "", ...rest] = [...word.matchAll(STEP)]
    .slice(0, STEPS_MAX)
    .map(([, name, double, single, named]) =>
      named === undefined ? (name ?? double ?? single ?? "") : textOf(operand(named, names)),
    );
  if (root === "site" && (rest[0] === "baseurl" || rest[0] === "url")) return "";
  if (root === "page" && rest[0] === "url") return addressOf(names.page);
  return rest.reduce<unknown>(stepInto, startOf(root, names));
}

function startOf(root: string, { values, site, page }: Names): unknown {
  if (values.has(root)) return values.get(root);
  if (root === "site") return site;
  return root === "page" ? { ...page.data, title: page.title } : undefined;
}

function stepInto(value: unknown, name: string): unknown {
  if (Array.isArray(value)) {
    if (name === "size") return value.length;
    return value.at(name === "first" ? 0 : name === "last" ? -1 : Number(name));
  }
  return isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

function filtered(value: unknown, name: string, argument: unknown): unknown {
  const text = textOf(value);
  switch (name) {
    case "default":
      return value === undefined || value === "" || value === false ? argument : value;
    case "downcase":
      return text.toLowerCase();
    case "upcase":
      return text.toUpperCase();
    case "capitalize":
      return text.charAt(0).toUpperCase() + text.slice(1);
    case "append":
      return text + textOf(argument);
    case "prepend":
      return textOf(argument) + text;
    case "remove":
      return text.replaceAll(textOf(argument), "");
    case "strip":
      return text.trim();
    case "split":
      return text === "" ? [] : text.split(textOf(argument));
    case "join":
      return Array.isArray(value) ? value.map(textOf).join(textOf(argument)) : value;
    case "first":
    case "last":
    case "size":
      return typeof value === "string" && name === "size" ? value.length : stepInto(value, name);
    case "relative_url":
    case "absolute_url":
      return text.startsWith("/") || /^[a-z]+:/i.test(text) ? text : `/${text}`;
    default:
      // Most others only change how words are written. What they make of a list is not known.
      return Array.isArray(value) ? undefined : value;
  }
}

export const textOf = (value: unknown): string =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? String(value) : "";

/** Whether a condition holds: `a == "b" and c`. */
export function isTrue(words: string, names: Names): boolean {
  const [left = "", join, right] = splitOnce(words, /\s(and|or)\s/);
  if (join === undefined || right === undefined) return compares(words, names);
  const holds = compares(left, names);
  return join === "and" ? holds && isTrue(right, names) : holds || isTrue(right, names);
}

/** The words before and after the first mark that is in no quotes, and what it says. */
function splitOnce(words: string, mark: RegExp): [string, string?, string?] {
  const hidden = words.replace(/"[^"]*"|'[^']*'/g, (quoted) => "\uE000".repeat(quoted.length));
  const found = mark.exec(hidden);
  if (found === null) return [words];
  return [words.slice(0, found.index), found[1] ?? "", words.slice(found.index + found[0].length)];
}

function compares(words: string, names: Names): boolean {
  const [left, sign, right = ""] = splitOnce(words, /(?<!\s)\s*(==|!=|>=|<=|>|<|\scontains\s)\s*/);
  const value = valueIn(left.trim(), names);
  if (sign === undefined) return value !== undefined && value !== false && value !== null;
  const other = valueIn(right.trim(), names);
  switch (sign.trim()) {
    case "==":
      return (value ?? undefined) === (other ?? undefined);
    case "!=":
      return (value ?? undefined) !== (other ?? undefined);
    case "contains":
      return Array.isArray(value) ? value.includes(other) : textOf(value).includes(textOf(other));
    default:
      return typeof value === "number" && typeof other === "number" && isOrdered(value, sign.trim(), other);
  }
}

const isOrdered = (value: number, sign: string, other: number) =>
  sign === ">"
    ? value > other
    : sign === "<"
      ? value < other
      : sign === ">="
        ? value >= other
        : value <= other;
