import { splitFrontMatter } from "../../markdown/front-matter.ts";
import { isRecord } from "../../text/json.ts";
import { codeFence } from "../../text/write-markdown.ts";
import { type DocsTree, folderOf, joinLocation, resolveLocation } from "../docs-tree.ts";
import { createInclusions, type Inclusions, readIncluded } from "../writing/writing.ts";
import type { JekyllPage } from "./pages.ts";
import type { JekyllSettings } from "./settings.ts";

/** What writing the Liquid of a page knows. */
export interface LiquidSource {
  tree: DocsTree;
  settings: JekyllSettings;
  /** By their place below the site's folder. */
  byPlace: ReadonlyMap<string, JekyllPage>;
}

interface Writing extends LiquidSource {
  page: JekyllPage;
  faults: Set<string>;
  /** Names that the page has given to values. */
  values: Map<string, unknown>;
  /** The files around, the outermost first. */
  files: readonly string[];
  /** How deep it stands in tags that hold others. */
  depth: number;
  inclusions: Inclusions;
  /** How many tags may lack their end: it may be anybody's page. */
  budget: { unclosed: number };
}

const FAULTS_MAX = 50;
const DEPTH_MAX = 40;
const UNCLOSED_MAX = 50;

const LOOP = "includes itself, or is nested too deeply";
const WORDS = { long: "would make the page too large", loop: LOOP, deep: LOOP };

/** A page's body with its Liquid written out, as far as it can be without running it. */
export async function writeLiquid(
  source: LiquidSource,
  page: JekyllPage,
  body: string,
): Promise<{ text: string; faults: string[] }> {
  const writing: Writing = {
    ...source,
    page,
    faults: new Set(),
    values: new Map(),
    files: [page.location],
    depth: 0,
    inclusions: createInclusions(source.tree, WORDS),
    budget: { unclosed: UNCLOSED_MAX },
  };
  const text = await write(body, writing);
  return { text, faults: [...writing.faults].slice(0, FAULTS_MAX) };
}

const TAG =
  /\{%-?\s*([\w-]+)([^{}%]{0,2000}(?:(?:%(?!\})|[{}])[^{}%]{0,2000}){0,20}?)%\}|\{\{([^{}]{0,2000}(?:[{}][^{}]{0,500}){0,5}?)\}\}/g;
/** Tags that hold what is between them and their end. */
const HOLDING = ["if", "unless", "for", "case", "capture", "tablerow", "raw", "comment", "highlight"];

/** A dash beside a tag's mark takes white space off around it. */
const withoutDashes = (words: string) => words.trim().replace(/^-|-$/g, "").trim();

async function write(body: string, writing: Writing): Promise<string> {
  const out: string[] = [];
  let at = 0;
  const tag = new RegExp(TAG);
  for (;;) {
    tag.lastIndex = at;
    const match = tag.exec(body);
    if (match === null) break;
    out.push(body.slice(at, match.index));
    at = match.index + match[0].length;
    const [, name, written = "", value] = match;
    if (name === undefined) {
      out.push(textOf(valueIn(withoutDashes(value ?? ""), writing)));
      continue;
    }
    const words = withoutDashes(written);
    const end = writing.budget.unclosed > 0 ? endOf(body, at, name) : undefined;
    if (end !== undefined) {
      const within = { ...writing, depth: writing.depth + 1 };
      out.push(await writeBlock(name, words, body.slice(at, end.start), within));
      at = end.next;
    } else if (HOLDING.includes(name)) writing.budget.unclosed--;
    else out.push(await writeTag(name, words, writing));
  }
  out.push(body.slice(at));
  const text = out.join("");
  writing.inclusions.charactersLeft -= text.length;
  return text;
}

/** Where what a tag holds ends; undefined for one that holds nothing. */
function endOf(body: string, from: number, name: string): { start: number; next: number } | undefined {
  if (!HOLDING.includes(name)) return undefined;
  const mark = new RegExp(`\\{%-?\\s*(end)?${name}\\b[^%]*%\\}`, "g");
  mark.lastIndex = from;
  let depth = 1;
  for (let match = mark.exec(body); match !== null; match = mark.exec(body)) {
    if (name === "raw" || name === "comment") depth = match[1] === undefined ? depth : 0;
    else depth += match[1] === undefined ? 1 : -1;
    if (depth === 0) return { start: match.index, next: match.index + match[0].length };
  }
  return undefined;
}

async function writeBlock(name: string, words: string, inner: string, writing: Writing): Promise<string> {
  if (writing.depth > DEPTH_MAX) {
    writing.faults.add("its tags are nested too deeply: the inmost are left out");
    return "";
  }
  switch (name) {
    case "raw":
      return inner;
    case "comment":
      return "";
    case "highlight":
      return `\n${codeFence(inner.replace(/^\n+|\s+$/g, ""), words.split(/\s/, 1)[0] ?? "")}\n`;
    case "capture":
      writing.values.set(words.trim(), await write(inner, writing));
      return "";
    case "if":
    case "unless":
      return write(branchOf(inner, isTrue(words, writing) === (name === "if")), writing);
    default:
      writing.faults.add(
        `what {% ${name} ${words.slice(0, 60)} %} makes when the site is built is not known`,
      );
      return "";
  }
}

/** The part before `else`, or after it. */
function branchOf(inner: string, isTaken: boolean): string {
  let depth = 0;
  for (const match of inner.matchAll(/\{%-?\s*(\w+)\b[^%]*%\}/g)) {
    const [whole, name = ""] = match;
    if (name === "if" || name === "unless" || name === "case" || name === "for") depth++;
    if (/^end(?:if|unless|case|for)$/.test(name)) depth--;
    if (depth === 0 && (name === "else" || name === "elsif"))
      return isTaken ? inner.slice(0, match.index) : inner.slice(match.index + whole.length);
  }
  return isTaken ? inner : "";
}

function isTrue(words: string, writing: Writing): boolean {
  const [, left = words, sign, right = ""] = /^(.+?)\s*(==|!=)\s*(.+)$/.exec(words) ?? [];
  const value = valueIn(left, writing);
  if (sign === undefined) return value !== undefined && value !== false && value !== null;
  return (value === valueIn(right, writing)) === (sign === "==");
}

async function writeTag(name: string, words: string, writing: Writing): Promise<string> {
  switch (name) {
    case "include":
    case "include_relative":
    case "include_cached":
      return writeInclude(name, words, writing);
    case "link":
    case "post_url":
      return linkTo(name, words, writing);
    case "assign": {
      const [, to = "", value = ""] = /^([\w-]+)\s*=\s*([\s\S]+)$/.exec(words) ?? [];
      writing.values.set(to, valueIn(value, writing));
      return "";
    }
    case "seo":
    case "feed_meta":
    case "break":
    case "continue":
    case "else":
    case "elsif":
    case "increment":
    case "cycle":
      return "";
    default:
      if (!name.startsWith("end")) writing.faults.add(`the tag {% ${name.slice(0, 40)} %} is not known`);
      return "";
  }
}

async function writeInclude(name: string, words: string, writing: Writing): Promise<string> {
  const { inclusions, settings, files, faults } = writing;
  const [file = "", ...rest] = words.match(/[\w-]+\s*=\s*(?:"[^"]*"|'[^']*'|\S+)|\{\{[^}]*\}\}|\S+/g) ?? [];
  const folder =
    name === "include_relative" ? folderOf(files.at(-1) ?? "") : joinLocation(settings.source, "_includes");
  const location = resolveLocation(folder, file.replace(/^\/+/, ""));
  const included = await readIncluded(inclusions, location, files);
  if (included.fault !== undefined) {
    faults.add(`${file.slice(0, 200)}, which it includes, ${included.fault}`);
    return "";
  }
  const given: Record<string, unknown> = Object.create(null);
  for (const argument of rest) {
    const [, key = "", value = ""] = /^([\w-]+)\s*=\s*([\s\S]*)$/.exec(argument) ?? [];
    if (key !== "" && key !== "__proto__") given[key] = valueIn(value, writing);
  }
  const values = new Map(writing.values).set("include", given);
  const { body } = splitFrontMatter(included.text);
  return (await write(body, { ...writing, values, files: [...files, included.location] })).trim();
}

function linkTo(name: string, words: string, { byPlace, faults }: Writing): string {
  const place = words.replace(/^["']|["']$/g, "").replace(/^\//, "");
  const found =
    name === "link"
      ? byPlace.get(place)
      : [...byPlace.values()].find(({ below }) => below.includes(`_posts/${place}.`));
  if (found !== undefined) return addressOf(found);
  faults.add(`no page is meant by {% ${name} ${words.slice(0, 200)} %}`);
  return `/${place}`;
}

/** A page's address from the site's root. */
export const addressOf = ({ path, isFolder }: JekyllPage) =>
  `/${encodeURI(path)}${isFolder && path !== "" ? "/" : ""}`;

/** The value of `a.b | filter: x`. */
function valueIn(words: string, writing: Writing): unknown {
  const [first = "", ...filters] = splitPipes(words);
  let value = operand(first.trim(), writing);
  for (const filter of filters) {
    const [, name = "", written = ""] = /^\s*([\w-]+)\s*:?\s*([\s\S]*)$/.exec(filter) ?? [];
    const [argument] = written.match(/"[^"]*"|'[^']*'|[^,\s]+/g) ?? [];
    value = filtered(value, name, argument === undefined ? undefined : operand(argument, writing));
  }
  return value;
}

const splitPipes = (words: string) => words.match(/(?:"[^"]*"|'[^']*'|[^|"'])+/g) ?? [];

function operand(word: string, { values, page, settings }: Writing): unknown {
  if (/^(["'])[\s\S]*\1$/.test(word)) return word.slice(1, -1);
  if (/^-?\d+(?:\.\d+)?$/.test(word)) return Number(word);
  if (word === "true" || word === "false") return word === "true";
  if (word === "nil" || word === "blank") return undefined;
  const [root = "", ...names] = word.replace(/\[["']([^"']+)["']\]/g, ".$1").split(".");
  if (root === "site" && (names[0] === "baseurl" || names[0] === "url")) return "";
  if (root === "page" && names[0] === "url") return addressOf(page);
  const start = values.has(root)
    ? values.get(root)
    : root === "site"
      ? settings.site
      : root === "page"
        ? { ...page.data, title: page.title }
        : undefined;
  return names.reduce<unknown>(
    (value, name) => (isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined),
    start,
  );
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
    case "relative_url":
    case "absolute_url":
      return text.startsWith("/") || /^[a-z]+:/i.test(text) ? text : `/${text}`;
    default:
      return value;
  }
}

const textOf = (value: unknown): string =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? String(value) : "";
