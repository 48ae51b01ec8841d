import { withoutComments } from "@docent/kernel/text/code-spans";
import { readHtml } from "../../../markdown/html/html.ts";
import { decodeEntities } from "../../../markdown/html-text.ts";
import { joinLocation } from "../../docs-tree.ts";
import { calloutKind, writeCallout } from "../../writing/writing.ts";
import type { ContentPage } from "../content.ts";
import { pageNamed, paramOf } from "../site.ts";
import type { Shortcode } from "./scan.ts";
import { type ShortcodeContext, type Written, withoutOuterLines } from "./writing.ts";

/** Raised where a template does more than can be read without running it. */
class NotPlain extends Error {}

const TEMPLATE_CHARACTERS_MAX = 20_000;
const ACTION = /\{\{(-?)\s*(?!\s)(|[\s\S]+?(?<!\s))\s*(-?)\}\}/g;
const INNER = "\uE001";

/** A piece of a template: text, or the words of an action. */
type Token = { text: string } | { words: string[] };

/**
 * What a shortcode becomes by the site's own template, where that only puts words into their places: arguments,
 * parameters, the inner text. Undefined for any other.
 */
export async function readTemplate(
  shortcode: Shortcode,
  context: ShortcodeContext,
): Promise<Written | undefined> {
  const source = await findTemplate(shortcode.name, context);
  if (source === undefined || source.length > TEMPLATE_CHARACTERS_MAX) return undefined;
  const inner = shortcode.inner === undefined ? "" : await context.inner(shortcode);
  const strings = await context.site.strings(context.page.language);
  let filled: string;
  try {
    const values = new Map<string, string>();
    filled = fill(tokensOf(source), {
      shortcode,
      context,
      strings,
      values,
      hasInner: inner.trim() !== "",
      pages: new Map(),
    });
  } catch (error) {
    if (error instanceof NotPlain) return undefined;
    throw error;
  }
  return asMarkdown(withoutComments(filled), inner, context);
}

/** A shortcode's own template, where the site or a theme in the source has one. */
export async function findTemplate(name: string, { site }: ShortcodeContext): Promise<string | undefined> {
  const { layers } = site.settings;
  const places = layers.flatMap((layer) =>
    ["_shortcodes", "shortcodes"].map((folder) => joinLocation(layer, `layouts/${folder}/${name}`)),
  );
  for (const place of places.flatMap((each) => [`${each}.html`, `${each}.md`])) {
    const text = await site.tree.text(place);
    if (text !== undefined) return text;
  }
  return undefined;
}

const HIGHLIGHTS = /\{\{[^{}]*\b(?:highlight|transform\.Highlight)\b/;

/** Whether a template that cannot be read shows what is inside of its shortcode as code. */
export async function highlightsInner(
  { name, inner }: Shortcode,
  context: ShortcodeContext,
): Promise<boolean> {
  if (inner === undefined) return false;
  const source = await findTemplate(name, context);
  return source !== undefined && HIGHLIGHTS.test(source) && /\.Inner\b/.test(source);
}

function tokensOf(source: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  let trims = false;
  const addText = (text: string) => tokens.push({ text: trims ? text.trimStart() : text });
  // Behind the last that closes, each that opens would look for its end in vain.
  const closed = source.slice(0, source.lastIndexOf("}}") + 2);
  for (const { 0: whole, 1: before, 2: action = "", 3: after, index } of closed.matchAll(ACTION)) {
    const text = source.slice(at, index);
    addText(before === "-" ? text.trimEnd() : text);
    if (!action.startsWith("/*")) tokens.push({ words: wordsOf(action) });
    trims = after === "-";
    at = index + whole.length;
  }
  addText(source.slice(at));
  return tokens;
}

const WORD = /"(?:[^"\\]|\\.)*"|`[^`]*`|\(|\)|\||:=|[^\s()|]+/g;
const wordsOf = (action: string): string[] => action.match(WORD) ?? [];

interface Filling {
  shortcode: Shortcode;
  context: ShortcodeContext;
  strings: ReadonlyMap<string, string>;
  /** Variables, and "." for what `with` is about. */
  values: Map<string, string>;
  hasInner: boolean;
  /** Pages that were looked up, by the values that stand for them. */
  pages: Map<string, ContentPage>;
}

/** Writes a template's text, with the branches that are taken. */
function fill(tokens: readonly Token[], filling: Filling): string {
  let out = "";
  const stack: { isTaken: boolean; wasTaken: boolean; dot: string | undefined }[] = [];
  const isShown = () => stack.every(({ isTaken }) => isTaken);
  for (const token of tokens) {
    if ("text" in token) {
      if (isShown()) out += token.text;
      continue;
    }
    const [first = "", second, ...rest] = token.words;
    if (first === "if" || first === "with") {
      const value = isShown() ? pipedValue(token.words.slice(1), filling) : "";
      stack.push({ isTaken: value !== "", wasTaken: value !== "", dot: filling.values.get(".") });
      if (first === "with") filling.values.set(".", value);
    } else if (first === "else") {
      const open = stack.at(-1);
      if (open === undefined) throw new NotPlain();
      const below = stack.slice(0, -1).every(({ isTaken }) => isTaken);
      const isNext = second !== "if" || (below && !open.wasTaken && pipedValue(rest, filling) !== "");
      open.isTaken = !open.wasTaken && isNext;
      open.wasTaken ||= open.isTaken;
    } else if (first === "end") {
      const open = stack.pop();
      if (open === undefined) throw new NotPlain();
      if (open.dot === undefined) filling.values.delete(".");
      else filling.values.set(".", open.dot);
    } else if (isShown()) {
      if (first.startsWith("$") && (second === ":=" || second === "="))
        filling.values.set(first, pipedValue(rest, filling));
      else out += shownValue(token.words, filling);
    }
  }
  return out;
}

/** A page that was looked up is shown by what is said of it alone. */
function shownValue(words: readonly string[], filling: Filling): string {
  const value = pipedValue(words, filling);
  if (value.includes(PAGE)) throw new NotPlain();
  return value;
}

/** What changes nothing for a reader of words. */
const SAME =
  /^(?:markdownify|safeHTML|safeURL|safe\.\w+|htmlUnescape|plainify|strings\.TrimSpace|transform\.\w+|string|\$?\.Page\.RenderString|relURL|absURL|relLangURL)$/;

/** The first operand of these is the page that the reference is in. */
const REFERENCE = /^(?:rel)?ref$/;

/** The value of a pipeline. */
function pipedValue(words: readonly string[], filling: Filling): string {
  const steps = splitAt(words, "|");
  let value: string | undefined;
  for (const step of steps) value = stepOf(step, value, filling);
  return value ?? "";
}

function splitAt(words: readonly string[], mark: string): string[][] {
  const parts: string[][] = [[]];
  let depth = 0;
  for (const word of words) {
    if (word === "(") depth++;
    if (word === ")") depth--;
    if (word === mark && depth === 0) parts.push([]);
    else parts.at(-1)?.push(word);
  }
  return parts;
}

function stepOf(words: readonly string[], piped: string | undefined, filling: Filling): string {
  const [name = "", ...rest] = words;
  const values = operandsOf(REFERENCE.test(name) ? rest.slice(1) : rest, filling);
  const all = piped === undefined ? values : [...values, piped];
  const [first = "", second = ""] = all;
  if (SAME.test(name) && all.length > 0) return all.at(-1) ?? "";
  if (REFERENCE.test(name)) return referenceTo(first, filling);
  switch (name) {
    case "default":
      return second === "" ? first : second;
    case "eq":
      return all.slice(1).includes(first) ? "true" : "";
    case "ne":
      return all.slice(1).includes(first) ? "" : "true";
    case "not":
      return first === "" ? "true" : "";
    case "and":
      return all.every((each) => each !== "") ? (all.at(-1) ?? "") : "";
    case "or":
      return all.find((each) => each !== "") ?? "";
    case "lower":
    case "strings.ToLower":
      return first.toLowerCase();
    case "upper":
    case "strings.ToUpper":
      return first.toUpperCase();
    case "printf":
      return formatted(all);
    case "T":
    case "i18n":
      return filling.strings.get(first) ?? "";
    default:
      return accessed(name, values, piped, filling);
  }
}

/** `.Get 0`, `.Page.Param "x"`, or a value by itself. */
function accessed(
  name: string,
  values: readonly string[],
  piped: string | undefined,
  filling: Filling,
): string {
  const { shortcode, context } = filling;
  const [first] = values;
  if (/^\$?\.Get$/.test(name) && first !== undefined)
    return (
      (/^\d+$/.test(first)
        ? shortcode.positional[Number(first)]
        : shortcode.named.get(first.toLowerCase())) ?? ""
    );
  if (GET_PAGE.test(name) && first !== undefined) return pageValue(first, filling);
  if (/^\$?\.Page\.Param$/.test(name) && first !== undefined) return paramOf(context.page, first) ?? "";
  if (values.length > 0 || piped !== undefined) throw new NotPlain();
  return operandsOf([name], filling)[0] ?? "";
}

const GET_PAGE = /^(?:\$?\.(?:Page\.)?Site|site|\$?\.Page)\.GetPage$/;
/** Begins what stands for a page that was looked up. */
const PAGE = "\uE002";

function pageValue(name: string, { context: { site, page }, pages }: Filling): string {
  const found = pageNamed(site, page, name);
  if (found === undefined) return "";
  const value = PAGE + found.location;
  pages.set(value, found);
  return value;
}

/** What a template says of a page that it looked up: `.RelPermalink`, `$page.Title`. */
function ofPage(word: string, { values, pages, context: { site } }: Filling): string | undefined {
  const [, variable = ".", field] = /^(\$\w+)?\.(RelPermalink|Permalink|Title|LinkTitle)$/.exec(word) ?? [];
  const page = pages.get(values.get(variable) ?? "");
  if (field === undefined || page === undefined) return undefined;
  if (/Title/.test(field)) return page.title;
  const path = site.paths.get(page);
  if (path === undefined) throw new NotPlain();
  return `/${encodeURI(path)}`;
}

/** The address of a page and its anchor. */
function referenceTo(written: string, { context: { site, page } }: Filling): string {
  const [name = "", anchor] = written.split("#", 2);
  const target = name === "" ? page : pageNamed(site, page, name);
  const path = target === undefined ? undefined : site.paths.get(target);
  if (path === undefined) throw new NotPlain();
  return `/${encodeURI(path)}${anchor === undefined ? "" : `#${anchor}`}`;
}

function formatted([format = "", ...values]: readonly string[]): string {
  let next = 0;
  return format.replace(/%([svdq%])/g, (_, verb: string) => (verb === "%" ? "%" : (values[next++] ?? "")));
}

/** The values of words: literals, variables, what stands in parentheses. */
function operandsOf(words: readonly string[], filling: Filling): string[] {
  const values: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? "";
    if (word === "(") {
      const end = closingOf(words, at);
      values.push(pipedValue(words.slice(at + 1, end), filling));
      at = end;
    } else values.push(operandOf(word, filling));
  }
  return values;
}

function closingOf(words: readonly string[], open: number): number {
  let depth = 0;
  for (let at = open; at < words.length; at++) {
    if (words[at] === "(") depth++;
    if (words[at] === ")" && --depth === 0) return at;
  }
  throw new NotPlain();
}

function operandOf(word: string, filling: Filling): string {
  const { values, shortcode, context, hasInner } = filling;
  if (/^["`]/.test(word)) return word.slice(1, -1).replace(/\\(["\\])/g, "$1");
  if (/^-?\d+$/.test(word)) return word;
  if (word === "true" || word === "false") return word === "true" ? "true" : "";
  if (/^\$?\.Inner(?:Deindent)?$/.test(word)) return hasInner ? INNER : "";
  if (word === "." || /^\$\w+$/.test(word)) {
    const value = values.get(word);
    if (value !== undefined) return value;
  }
  const said = ofPage(word, filling);
  if (said !== undefined) return said;
  if (/^\$?\.Page\.Title$/.test(word)) return context.page.title;
  if (/^\$?\.IsNamedParams$/.test(word)) return shortcode.named.size > 0 ? "true" : "";
  const param = /^(?:\$?\.?(?:Page\.)?[Ss]ite\.Params|\$?\.Page\.Params)\.([\w.]+)$/.exec(word)?.[1];
  if (param !== undefined) return paramOf(context.page, param) ?? "";
  throw new NotPlain();
}

const ALERT =
  /class\s*=\s*["'][^"']*\b(?:alert|callout|admonition|notice|note)\b(?:[^"']*?(?:alert|callout|admonition|notice)-+(\w+))?/;
/** What stands in bold above the rest, in a line of its own: a title. Anywhere else it is a part of what is said. */
const TITLE = /^\*\*([^*\n]{1,300})\*\*(?:\\|[ \t]*)\n+(?=\S)/;

/** What a template wrote as Markdown: the inner text is some already. */
function asMarkdown(filled: string, inner: string, context: ShortcodeContext): Written {
  const put = (text: string) => text.replaceAll(INNER, () => withoutOuterLines(inner));
  const html = filled.trim();
  if (!/<[a-z]/i.test(html)) {
    const text = put(decodeEntities(html));
    return text.includes("\n") ? { block: text } : { inline: text };
  }
  const markdown = wordsOfHtml(html);
  const alert = ALERT.exec(html);
  if (alert !== null) {
    const [line = "", title] = TITLE.exec(markdown) ?? [];
    const body = put(markdown.slice(line.length));
    return { block: writeCallout({ kind: calloutKind(alert[1] ?? "") ?? "note", title, body }, context) };
  }
  const text = put(markdown).trim();
  return /\n/.test(text) || /<(?:div|p|table|ul|section)\b/.test(html) ? { block: text } : { inline: text };
}

/** Headings of a template are none of the page's. */
const wordsOfHtml = (html: string) =>
  readHtml(html)
    .markdown.trim()
    .replace(/^#{1,6} (.*)$/gm, "**$1**");
