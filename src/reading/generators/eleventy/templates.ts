import { codeFence } from "@docent/kernel/text/write-markdown";
import { splitFrontMatter } from "../../markdown/front-matter.ts";
import { type DocsTree, folderOf, joinLocation, resolveLocation } from "../docs-tree.ts";
import {
  calloutKind,
  createInclusions,
  type Inclusions,
  readIncluded,
  writeCallout,
} from "../writing/writing.ts";
import type { EleventySettings } from "./settings.ts";
import { conditionIn, type Names, textOf, UNKNOWN, valueIn } from "./values.ts";

/** What writing out the templates of a page knows. */
interface TemplateSource {
  tree: DocsTree;
  settings: EleventySettings;
}

interface Writing extends TemplateSource {
  names: Names & { values: Map<string, unknown> };
  faults: Set<string>;
  files: readonly string[];
  depth: number;
  inclusions: Inclusions;
  /** How many marks may still be looked at for the ends of tags, and how often loops may turn: it may be anybody's page. */
  budget: { looked: number; turns: number };
}

/** Stands where what is shown is not known: an id of a heading, or an address, cannot be known with it. */
const NOT_KNOWN = "\uE030";

export const isKnownText = (text: string) => !text.includes(NOT_KNOWN);

/** A page without the marks of what is not known. */
export const withoutMarks = (text: string) => text.replace(/[ \t]?\uE030/g, "");

const UNKNOWN_LINK = /(?<!!)\[([^[\]\n]{0,500})\]\([^()\n]{0,500}\uE030[^()\n]{0,500}\)/g;
const UNKNOWN_ATTRIBUTE =
  /\s(?:href|src|id)=(?:"[^"\n]{0,500}\uE030[^"\n]{0,500}"|'[^'\n]{0,500}\uE030[^'\n]{0,500}')/g;

/** Links to addresses that are not known are only words. */
const withoutUnknownLinks = (text: string) =>
  isKnownText(text) ? text : text.replace(UNKNOWN_LINK, "$1").replace(UNKNOWN_ATTRIBUTE, "");

const DEPTH_MAX = 30;
const LOOKED_MAX = 1_000_000;
const TURNS_MAX = 5_000;
const FAULTS_MAX = 50;

/** A tag, a value, or what may be a comment. */
interface Mark {
  /** The name of a tag; undefined for a value and a comment. */
  name: string | undefined;
  /** What follows the name, or the value; undefined for a comment. */
  given: string | undefined;
  source: string;
  start: number;
  end: number;
}

const OPENING = /\{[%{#]/g;
const ENDS: Readonly<Record<string, string>> = { "%": "%}", "{": "}}", "#": "#}" };
const MARK_CHARACTERS_MAX = 2_000;
/** What begins like a mark and does not end is looked at so often: it may be anybody's page. */
const OPEN_MAX = 1_000;

/** The marks of a text. What ends one may stand in quotes before; a quote that is not closed is a sign. */
function marksIn(body: string): Mark[] {
  const marks: Mark[] = [];
  const opening = new RegExp(OPENING);
  let open = 0;
  for (let found = opening.exec(body); found !== null && open < OPEN_MAX; found = opening.exec(body)) {
    const start = found.index;
    const kind = body[start + 1] ?? "";
    const end = endOfMark(body, start + 2, ENDS[kind] ?? "", kind !== "#");
    if (end === undefined) {
      open += 1;
      continue;
    }
    const source = body.slice(start, end);
    const inside = source.slice(2, -2).replace(/^-|-$/g, "");
    const [whole = "", name] = kind === "%" ? (/^\s*([\w#]+)/.exec(inside) ?? []) : [];
    if (kind === "%" && name === undefined) continue;
    marks.push({ name, given: kind === "#" ? undefined : inside.slice(whole.length), source, start, end });
    opening.lastIndex = end;
  }
  return marks;
}

function endOfMark(body: string, from: number, close: string, hasQuotes: boolean): number | undefined {
  const last = Math.min(body.length, from + MARK_CHARACTERS_MAX);
  let quote = "";
  for (let at = from; hasQuotes && at < last; at++) {
    const sign = body[at] ?? "";
    if (quote !== "") {
      if (sign === "\\") at += 1;
      else if (sign === quote) quote = "";
    } else if (sign === '"' || sign === "'") quote = sign;
    else if (sign === close[0] && body[at + 1] === close[1]) return at + close.length;
  }
  const end = body.slice(from, last).indexOf(close);
  return end < 0 ? undefined : from + end + close.length;
}

/** A page's text with its tags written out, as far as that can be without running anything. */
export async function writeTemplates(
  source: TemplateSource,
  location: string,
  text: string,
  data: Readonly<Record<string, unknown>>,
): Promise<{ text: string; faults: string[] }> {
  const writing: Writing = {
    ...source,
    names: { values: new Map(), data, ownFilters: source.settings.ownFilters },
    faults: new Set(),
    files: [location],
    depth: 0,
    inclusions: createInclusions(source.tree),
    budget: { looked: LOOKED_MAX, turns: TURNS_MAX },
  };
  const written = await write(text.replaceAll(NOT_KNOWN, ""), writing);
  return { text: withoutUnknownLinks(written), faults: [...writing.faults].slice(0, FAULTS_MAX) };
}

/** A text of one line, as an address; undefined where only a run would tell. */
export function writeLine(text: string, names: Names): string | undefined {
  let isKnown = !text.includes("{%");
  const written = text.replace(/\{\{-?([^{}]{0,500}?)-?\}\}/g, (_, words: string) => {
    const value = valueIn(words, names);
    if (value === UNKNOWN || value === undefined) isKnown = false;
    return value === UNKNOWN ? "" : textOf(value);
  });
  return isKnown ? written : undefined;
}

/** Whether what is between `{#` and `#}` is a comment: in Liquid it is not. */
const isComment = (match: string, { settings, files }: Writing) =>
  match.startsWith("{#") && (settings.isNunjucks || /\.njk$/.test(files.at(-1) ?? ""));

async function write(body: string, writing: Writing): Promise<string> {
  const out: string[] = [];
  const marks = marksIn(body);
  let at = 0;
  for (let index = 0; index < marks.length; index++) {
    const { name, given, source, start, end } = marks[index] ?? { source: "", start: at, end: at };
    const before = body.slice(at, start);
    out.push(/^\{[%{]-/.test(source) ? before.trimEnd() : before);
    at = end;
    if (given === undefined) {
      if (!isComment(source, writing)) out.push(source);
      continue;
    }
    if (name === undefined) out.push(valueWritten(given, writing));
    else {
      const closing = endOf(marks, index, writing);
      const inner = closing === undefined ? undefined : body.slice(at, marks[closing]?.start);
      out.push(await tagWritten(name, given.trim(), inner, writing));
      at = closing === undefined ? at : (marks[closing]?.end ?? at);
      index = closing ?? index;
    }
    if (/-[%}]\}$/.test(marks[index]?.source ?? "")) {
      const blank = /^\s*/.exec(body.slice(at, at + MARK_CHARACTERS_MAX))?.[0].length ?? 0;
      at += blank;
    }
  }
  out.push(body.slice(at));
  const text = out.join("");
  writing.inclusions.charactersLeft -= text.length;
  return writing.inclusions.charactersLeft < 0 ? "" : text;
}

function valueWritten(expression: string, { names, faults }: Writing): string {
  const value = valueIn(expression, names);
  if (value === UNKNOWN) faults.add(`what {{ ${expression.trim().slice(0, 60)} }} shows is not known`);
  return value === UNKNOWN ? NOT_KNOWN : textOf(value);
}

/** Tags that hold nothing, whatever stands below them. */
const EMPTY =
  /^(?:include|render|extends|import|from|assign|increment|decrement|else|elif|elsif|when|break|continue|renderFile|layout|end\w*)$/;
const END_NAMES: Readonly<Record<string, string>> = { asyncEach: "endeach", asyncAll: "endall" };

/** The mark at which what a tag holds ends; undefined for one that holds nothing. */
function endOf(marks: readonly Mark[], from: number, { budget }: Writing): number | undefined {
  const { name = "", given = "" } = marks[from] ?? {};
  if (EMPTY.test(name) || (name === "set" && given.includes("="))) return undefined;
  const close = (END_NAMES[name] ?? `end${name}`).toLowerCase();
  const isPlain = /^(?:raw|verbatim|comment)$/.test(name);
  let depth = 1;
  for (let at = from + 1; at < marks.length && budget.looked-- > 0; at++) {
    const mark = marks[at];
    if (mark?.name?.toLowerCase() === close) depth -= 1;
    else if (mark?.name === name && !isPlain && !(name === "set" && mark.given?.includes("="))) depth += 1;
    if (depth === 0) return at;
  }
  return undefined;
}

async function tagWritten(
  name: string,
  given: string,
  inner: string | undefined,
  writing: Writing,
): Promise<string> {
  if (inner !== undefined && writing.depth < DEPTH_MAX)
    return blockWritten(name, given, inner, { ...writing, depth: writing.depth + 1 });
  switch (name) {
    case "set":
    case "assign": {
      const [, to = "", value = ""] = /^([\w]+)\s*=\s*([\s\S]*)$/.exec(given) ?? [];
      writing.names.values.set(to, valueIn(value.trim(), writing.names));
      return "";
    }
    case "include":
    case "render":
    case "renderFile":
      return included(name, given, writing);
    default:
      return shortcode(name, given, undefined, writing);
  }
}

async function blockWritten(name: string, given: string, inner: string, writing: Writing): Promise<string> {
  switch (name) {
    case "raw":
    case "verbatim":
      return inner;
    case "comment":
    case "macro":
    case "css":
    case "js":
      return "";
    case "block":
    case "renderTemplate":
    case "filter":
      return write(inner, writing);
    case "highlight":
      return `\n${codeFence((await write(inner, writing)).replace(/^\n+/, "").trimEnd(), /[\w+#-]+/.exec(given)?.[0] ?? "")}\n`;
    case "set":
    case "capture":
      writing.names.values.set(given.replace(/["']/g, "").trim(), await write(inner, writing));
      return "";
    case "if":
    case "unless":
      return branches(name, given, inner, writing);
    case "for":
      return loop(given, inner, writing);
    default:
      return shortcode(name, given, await write(inner, writing), writing);
  }
}

/** The parts of what a tag holds, each with the condition under which it is shown. */
function partsOf(given: string, inner: string): { given: string | undefined; text: string }[] {
  const parts: { given: string | undefined; text: string }[] = [];
  let open: string | undefined = given;
  let from = 0;
  let depth = 0;
  for (const { name = "", given: words = "", start, end } of marksIn(inner)) {
    if (/^(?:if|unless|for)$/.test(name)) depth += 1;
    if (/^end(?:if|unless|for)$/.test(name)) depth -= 1;
    if (depth > 0 || !/^(?:else|elif|elsif)$/.test(name)) continue;
    parts.push({ given: open, text: inner.slice(from, start) });
    open = name === "else" ? /^\s*if\s+([\s\S]*)$/.exec(words)?.[1] : words;
    from = end;
  }
  return [...parts, { given: open, text: inner.slice(from) }];
}

async function branches(name: string, given: string, inner: string, writing: Writing): Promise<string> {
  for (const [index, part] of partsOf(given, inner).entries()) {
    if (part.given === undefined) return write(part.text, writing);
    const held = conditionIn(part.given.trim(), writing.names);
    if (held === UNKNOWN) {
      writing.faults.add(`whether {% ${name} ${part.given.trim().slice(0, 60)} %} holds is not known`);
      return NOT_KNOWN;
    }
    if (held === (index > 0 || name === "if")) return write(part.text, writing);
  }
  return "";
}

async function loop(given: string, inner: string, writing: Writing): Promise<string> {
  const [, name = "", of = ""] = /^([\w]+)\s+in\s+([\s\S]+)$/.exec(given) ?? [];
  const list = valueIn(of.trim(), writing.names);
  if (!Array.isArray(list)) {
    const isNone = list !== UNKNOWN && (list === undefined || list === null || list === "");
    if (!isNone) writing.faults.add(`what {% for ${given.slice(0, 60)} %} goes over is not known`);
    return isNone ? "" : NOT_KNOWN;
  }
  const out: string[] = [];
  const { values } = writing.names;
  const before = values.get(name);
  for (const [index, entry] of list.entries()) {
    if (writing.budget.turns-- <= 0 || writing.inclusions.charactersLeft < 0) break;
    values.set(name, entry);
    values.set("loop", {
      index: index + 1,
      index0: index,
      first: index === 0,
      last: index === list.length - 1,
    });
    out.push(await write(inner, writing));
  }
  values.set(name, before);
  return out.join("");
}

async function included(name: string, given: string, writing: Writing): Promise<string> {
  const { settings, files, faults, names } = writing;
  const [word = ""] = /^(?:"[^"]*"|'[^']*'|[^\s,]+)/.exec(given) ?? [];
  const said = /^["']/.test(word) ? word.slice(1, -1) : word;
  const value = /^["']/.test(word) || /[./]/.test(word) ? said : textOf(valueIn(word, names));
  const folders = value.startsWith(".")
    ? [folderOf(files.at(-1) ?? "")]
    : [settings.includes, settings.layouts];
  const places = folders.flatMap((folder) =>
    name === "renderFile"
      ? (resolveLocation(settings.root, value) ?? [])
      : (resolveLocation(folder, value) ?? []),
  );
  const endings = ["", ".liquid", ".html", ".njk"];
  const location = places
    .flatMap((place) => endings.map((end) => place + end))
    .find((each) => writing.tree.has(each));
  const file = await readIncluded(
    writing.inclusions,
    location ?? (value === "" ? undefined : joinLocation(settings.includes, value)),
    files,
  );
  if (file.fault !== undefined) {
    faults.add(`${value.slice(0, 200) || given.slice(0, 200)}, which it includes, ${file.fault}`);
    return "";
  }
  const values = new Map(names.values);
  for (const [, key = "", argument = ""] of given
    .slice(word.length)
    .matchAll(/(\w+)\s*[:=]\s*("[^"]*"|'[^']*'|[\w.]+)/g))
    values.set(key, valueIn(argument, names));
  const { body } = splitFrontMatter(file.text);
  const inside = {
    ...writing,
    names: { ...names, values },
    files: [...files, file.location],
    depth: writing.depth + 1,
  };
  return writing.depth < DEPTH_MAX ? write(body, inside) : "";
}

/** What a program of the site's own shows: the words that it is given, if it is called as callouts are. */
function shortcode(name: string, given: string, body: string | undefined, { faults }: Writing): string {
  if (/^(?:end\w*|extends|import|from|layout|break|continue|else|elif|elsif|#.*)$/.test(name)) return "";
  const texts = [...given.matchAll(/"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'/g)].map(
    ([, a, b]) => a ?? b ?? "",
  );
  const named =
    calloutKind(name) ?? (/^(?:callout|alert|admonition|note|hint)$/i.test(name) ? "note" : undefined);
  const said = texts.map((text) => calloutKind(text)).find((kind) => kind !== undefined);
  const words = body ?? texts.find((text) => calloutKind(text) === undefined);
  if (named !== undefined && words !== undefined)
    return `\n\n${writeCallout({ kind: said ?? named, body: words }, { isNested: false })}\n\n`;
  if (body !== undefined) return body;
  faults.add(`what {% ${name.slice(0, 40)} %} shows is not known`);
  return NOT_KNOWN;
}
