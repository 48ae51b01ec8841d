import { isRecord } from "@docent/kernel/text/json";
import { splitFrontMatter } from "../../markdown/front-matter.ts";
import { type DocsTree, folderOf, resolveLocation } from "../docs-tree.ts";
import { codeAt, createInclusions, type Inclusions, readIncluded } from "../writing/writing.ts";
import type { BookSettings } from "./settings.ts";
import { attributesOf, holds, writeTag } from "./tags.ts";

interface Writing {
  settings: BookSettings;
  faults: Set<string>;
  values: Map<string, unknown>;
  /** The files around, the outermost first. */
  files: readonly string[];
  depth: number;
  /** Code, which templates leave alone: it stands elsewhere until they are written. */
  code: string[];
  inclusions: Inclusions;
  /** How many tags may lack their end. */
  budget: { unclosed: number };
}

const FAULTS_MAX = 50;
const DEPTH_MAX = 40;
const UNCLOSED_MAX = 50;

const HIDDEN = /\uE000(\d{1,9})\uE001/g;
const TAG =
  /\{%-?[ \t\n]*(@?[\w/-]+)((?:[^%"]|"[^"]{0,5000}"|%(?!\})){0,2000}?)-?%\}|\{\{([^{}\n]{0,500})\}\}/g;

const LOOP = "includes itself, or is nested too deeply";
const WORDS = { loop: LOOP, deep: LOOP };

/** A page's body with its tags written out, as far as they need no run. */
export async function writeTemplates(
  tree: DocsTree,
  settings: BookSettings,
  location: string,
  body: string,
): Promise<{ markdown: string; faults: string[] }> {
  const writing: Writing = {
    settings,
    faults: new Set(),
    values: new Map([["book", settings.variables]]),
    files: [location],
    depth: 0,
    code: [],
    inclusions: createInclusions(tree, WORDS),
    budget: { unclosed: UNCLOSED_MAX },
  };
  const written = await write(hideCode(body.replace(/[\uE000\uE001]/g, ""), writing.code), writing);
  const markdown = written.replace(HIDDEN, (_, number: string) => writing.code[Number(number)] ?? "");
  return { markdown, faults: [...writing.faults].slice(0, FAULTS_MAX) };
}

function hideCode(text: string, kept: string[]): string {
  const hide = (code: string) => `\uE000${kept.push(code) - 1}\uE001`;
  const lines = text.split("\n");
  const out: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    const code = codeAt(lines, at);
    if (code === undefined) out.push(lines[at] ?? "");
    else {
      // Its indent stays outside, so that what is around can be moved with it.
      const indent = /^[ \t]*/.exec(lines[at] ?? "")?.[0] ?? "";
      for (const [index, line] of lines.slice(at, at + code.length).entries())
        out.push(index === 0 ? indent + hide(line.slice(indent.length)) : hide(line));
      at += code.length - 1;
    }
  }
  return out.join("\n").replace(/(`+)(?!`)([^`\n\uE000]{1,1000})\1(?!`)/g, hide);
}

async function write(body: string, writing: Writing): Promise<string> {
  const out: string[] = [];
  const tag = new RegExp(TAG);
  let at = 0;
  for (;;) {
    tag.lastIndex = at;
    const match = tag.exec(body);
    if (match === null) break;
    const before = body.slice(at, match.index);
    out.push(before);
    at = match.index + match[0].length;
    const [whole, name, words = "", value = ""] = match;
    if (name === undefined) {
      out.push(writing.settings.isHonKit ? wordsOf(value, writing) : whole);
      continue;
    }
    const indent =
      /(?:^|\n)([ \t]+)$/.exec(body.slice(Math.max(0, match.index - 100), match.index))?.[1] ?? "";
    const end = holds(name) && writing.budget.unclosed > 0 ? endOf(body, at, name) : undefined;
    if (holds(name) && end === undefined) writing.budget.unclosed--;
    const inner = end === undefined ? undefined : body.slice(at, end.start);
    if (end !== undefined) at = end.next;
    out.push(await writeOne({ name, words: words.trim(), inner, indent }, writing));
  }
  out.push(body.slice(at));
  const text = out.join("");
  writing.inclusions.charactersLeft -= text.length;
  return text;
}

/** Where what a tag holds ends; undefined where nothing closes it. */
function endOf(body: string, from: number, name: string): { start: number; next: number } | undefined {
  const mark = new RegExp(`\\{%-?\\s*(end)?${name}(?![\\w-])[^%]*%\\}`, "g");
  mark.lastIndex = from;
  let depth = 1;
  for (let match = mark.exec(body); match !== null; match = mark.exec(body)) {
    if (name === "raw") depth = match[1] === undefined ? depth : 0;
    else depth += match[1] === undefined ? 1 : -1;
    if (depth === 0) return { start: match.index, next: match.index + match[0].length };
  }
  return undefined;
}

interface Tag {
  name: string;
  words: string;
  /** What it holds. */
  inner: string | undefined;
  indent: string;
}

async function writeOne(tag: Tag, writing: Writing): Promise<string> {
  const { name, words, inner, indent } = tag;
  if (writing.depth > DEPTH_MAX) {
    writing.faults.add("its tags are nested too deeply: the inmost are left out");
    return "";
  }
  const within = { ...writing, depth: writing.depth + 1 };
  if (name === "raw") return inner ?? "";
  if (name === "include") return indented(await writeIncluded(words, writing), indent);
  if (name === "if" && writing.settings.isHonKit && inner !== undefined)
    return write(branchOf(inner, isTrue(words, writing)), within);
  if (name === "set") {
    const [, to = "", value = ""] = /^(\w+)\s*=\s*([\s\S]+)$/.exec(words) ?? [];
    writing.values.set(to, operand(value.trim(), writing));
    return "";
  }
  const body = inner === undefined ? "" : await write(withoutIndent(inner, indent), within);
  const written = writeTag({ name, attributes: attributesOf(words), body, isNested: indent !== "" });
  if (written !== undefined) return indented(written, indent);
  if (!name.startsWith("end"))
    writing.faults.add(`what {% ${name.slice(0, 40)} %} makes when the site is built is not known`);
  return body;
}

const indented = (text: string, indent: string) =>
  indent === "" ? text : text.replace(/\n(?=[^\n])/g, `\n${indent}`);

const withoutIndent = (text: string, indent: string) =>
  indent === "" ? text : text.replace(new RegExp(`^[ \\t]{1,${indent.length}}`, "gm"), "");

async function writeIncluded(words: string, writing: Writing): Promise<string> {
  const { inclusions, settings, files, faults, code } = writing;
  const path = /["']([^"']+)["']/.exec(words)?.[1] ?? words;
  const folder = path.startsWith("/") ? settings.folder : folderOf(files.at(-1) ?? "");
  const location = /^[a-z]+[+:]/i.test(path) ? undefined : resolveLocation(folder, path.replace(/^\/+/, ""));
  const included = await readIncluded(inclusions, location, files);
  if (included.fault !== undefined) {
    faults.add(`${path.slice(0, 200)}, which it includes, ${included.fault}`);
    return "";
  }
  const body = hideCode(splitFrontMatter(included.text).body.replace(/[\uE000\uE001]/g, ""), code);
  return (await write(body, { ...writing, files: [...files, included.location] })).trim();
}

/** The part before `else`, or after it. */
function branchOf(inner: string, isTaken: boolean): string {
  let depth = 0;
  for (const match of inner.matchAll(/\{%-?\s*(\w+)\b[^%]*%\}/g)) {
    const [whole, name = ""] = match;
    if (name === "if") depth++;
    if (name === "endif") depth--;
    if (depth === 0 && (name === "else" || name === "elif"))
      return isTaken ? inner.slice(0, match.index) : inner.slice(match.index + whole.length);
  }
  return isTaken ? inner : "";
}

function isTrue(words: string, writing: Writing): boolean {
  const [, left = words, sign, right = ""] =
    /^([^=!](?:[^=!]*[^=!\s])?)\s*([=!]==?)\s*(.+)$/.exec(words) ?? [];
  const value = operand(left.trim(), writing);
  if (sign === undefined) return Boolean(value);
  return (value === operand(right.trim(), writing)) === sign.startsWith("=");
}

function wordsOf(words: string, writing: Writing): string {
  const value = operand(words.split("|", 1)[0]?.trim() ?? "", writing);
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? `${value}`
    : "";
}

function operand(word: string, { values }: Writing): unknown {
  if (/^(["'])[^"']*\1$/.test(word)) return word.slice(1, -1);
  if (/^-?\d+(?:\.\d+)?$/.test(word)) return Number(word);
  if (word === "true" || word === "false") return word === "true";
  const [root = "", ...names] = word.replace(/\[["']([^"']+)["']\]/g, ".$1").split(".");
  return names.reduce<unknown>(
    (value, name) => (isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined),
    values.get(root),
  );
}
