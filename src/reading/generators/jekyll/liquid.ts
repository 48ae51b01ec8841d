import { codeFence } from "@docent/kernel/text/write-markdown";
import { splitFrontMatter } from "../../markdown/front-matter.ts";
import { type DocsTree, folderOf, joinLocation, resolveLocation } from "../docs-tree.ts";
import { createInclusions, type Inclusions, readIncluded } from "../writing/writing.ts";
import { addressOf, type JekyllPage } from "./pages.ts";
import type { JekyllSettings } from "./settings.ts";
import { isTrue, type Names, textOf, valueIn } from "./values.ts";

/** What writing the Liquid of a page knows. */
export interface LiquidSource {
  tree: DocsTree;
  settings: JekyllSettings;
  /** What the files of `_data` say. */
  data: Readonly<Record<string, unknown>>;
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
  /** How many tags may lack their end, and how often loops may turn: it may be anybody's page. */
  budget: { unclosed: number; turns: number };
}

const namesOf = ({ page, values, settings, data }: Writing): Names => ({
  page,
  values,
  site: { ...settings.site, data },
});

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
    budget: { unclosed: UNCLOSED_MAX, turns: TURNS_MAX },
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
    const before = body.slice(at, match.index);
    out.push(/^\{[%{]-/.test(match[0]) ? before.replace(/(?<![ \t])[ \t]+$/, "") : before);
    at = match.index + match[0].length;
    const [, name, written = "", value] = match;
    if (name === undefined) {
      out.push(textOf(valueIn(withoutDashes(value ?? ""), namesOf(writing))));
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
      return writeHighlight(await write(inner, writing), words.split(/\s/, 1)[0] ?? "", writing);
    case "capture":
      writing.values.set(words.trim(), await write(inner, writing));
      return "";
    case "if":
    case "unless":
    case "case":
      return write(branchTaken(name, words, inner, writing), writing);
    case "for": {
      const written = await writeLoop(words, inner, writing);
      if (written !== undefined) return written;
      break;
    }
  }
  writing.faults.add(`what {% ${name} ${words.slice(0, 60)} %} makes when the site is built is not known`);
  return "";
}
/** Code, which in a file of HTML is written in its tags: on one line, because there Markdown would go on below it. */
function writeHighlight(inner: string, language: string, { files }: Writing): string {
  const code = inner.replace(/^\n+/, "").trimEnd();
  if (!HTML.test(files.at(-1) ?? "")) return `\n${codeFence(code, language)}\n`;
  const text = code.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll("\n", "&#10;");
  return `<pre><code class="language-${language.replace(/[^\w+#.-]/g, "")}">${text}</code></pre>`;
}

const HTML = /\.html?$/i;

/** What an included file of HTML makes, on one line. To Markdown, an empty line would end it, and an indent make code of it. */
function asOneBlock(html: string): string {
  const lines = html.split("\n").map((line) => line.trim());
  const block = lines.filter((line) => line !== "").join(" ");
  return /^<(?:div|section|ul|ol|dl|table|pre|figure|p|nav)\b/i.test(block) ? `${block}\n\n` : block;
}

/** A part of what a tag holds, and the mark that it begins with. */
interface Branch {
  name: string;
  words: string;
  text: string;
}

const BRANCHES_MAX = 200;

/** The parts of what a tag holds, the first of which begins with the tag itself. */
function branchesOf(name: string, words: string, inner: string): Branch[] {
  const branches: Branch[] = [];
  let open = { name, words };
  let depth = 0;
  let from = 0;
  for (const match of inner.matchAll(/\{%-?\s*(\w+)\b([^%]*)%\}/g)) {
    const [whole, mark = "", written = ""] = match;
    if (/^(?:if|unless|case|for)$/.test(mark)) depth++;
    if (/^end(?:if|unless|case|for)$/.test(mark)) depth--;
    if (depth > 0 || !/^(?:else|elsif|when)$/.test(mark) || branches.length > BRANCHES_MAX) continue;
    branches.push({ ...open, text: inner.slice(from, match.index) });
    open = { name: mark, words: withoutDashes(written) };
    from = match.index + whole.length;
  }
  return [...branches, { ...open, text: inner.slice(from) }];
}

/** What is written of a tag's branches: the first whose condition holds. */
function branchTaken(name: string, words: string, inner: string, writing: Writing): string {
  const names = namesOf(writing);
  const isTaken = (branch: Branch) => {
    if (branch.name === "else") return true;
    if (branch.name === "when")
      return branch.words
        .split(/\s+or\s+|\s*,\s*/)
        .some((each) => valueIn(each, names) === valueIn(words, names));
    return branch.name !== "case" && isTrue(branch.words, names) === (branch.name !== "unless");
  };
  return branchesOf(name, words, inner).find(isTaken)?.text ?? "";
}

const TURNS_MAX = 10_000;

/** What a loop over a list makes, once for each of its entries; undefined where it is not known what it goes over. */
async function writeLoop(words: string, inner: string, writing: Writing): Promise<string | undefined> {
  const [, name = "", of = ""] = /^([\w-]+)\s+in\s+(\S+)/.exec(words) ?? [];
  const value = valueIn(of, namesOf(writing));
  const list: unknown[] | undefined = Array.isArray(value) ? value : undefined;
  const [each, otherwise] = branchesOf("for", words, inner);
  if (name === "" || list === undefined) return undefined;
  if (list.length === 0) return otherwise === undefined ? "" : write(otherwise.text, writing);
  const { values, budget, inclusions } = writing;
  const before = values.get(name);
  const written: string[] = [];
  for (const [index, entry] of list.entries()) {
    budget.turns -= 1;
    if (budget.turns < 0 || inclusions.charactersLeft < 0) break;
    values.set(name, entry);
    values.set("forloop", {
      first: index === 0,
      last: index === list.length - 1,
      index: index + 1,
      index0: index,
    });
    written.push(await write(each?.text ?? "", writing));
  }
  values.set(name, before);
  if (budget.turns < 0) writing.faults.add("its loops make too much, and are cut");
  return written.join("");
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
      writing.values.set(to, valueIn(value, namesOf(writing)));
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

/** A file's name, of which parts may be values. */
const FILE_NAME = /^(?:\{\{[^{}]{0,500}\}\}|[^\s{}])+/;
const ARGUMENT = /[\w-]+\s*=\s*(?:"[^"]*"|'[^']*'|\S+)/g;

async function writeInclude(name: string, words: string, writing: Writing): Promise<string> {
  const { inclusions, settings, files, faults } = writing;
  const [named = ""] = FILE_NAME.exec(words) ?? [];
  const file = named.replace(/\{\{([^{}]*)\}\}/g, (_, value: string) =>
    textOf(valueIn(withoutDashes(value), namesOf(writing))),
  );
  if (file === "" && named !== "") {
    faults.add(`the file that {% ${name} ${named.slice(0, 200)} %} names is not known`);
    return "";
  }
  const rest = words.slice(named.length).match(ARGUMENT) ?? [];
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
    if (key !== "" && key !== "__proto__") given[key] = valueIn(value, namesOf(writing));
  }
  const values = new Map(writing.values).set("include", given);
  const { body } = splitFrontMatter(included.text);
  const text = await write(body, { ...writing, values, files: [...files, included.location] });
  // What has lines of code in it, or Markdown, is left as it is.
  const isHtml = HTML.test(included.location) && !/^\s*(?:```|~~~)|markdown=|<pre\b[^<]*\n/m.test(text);
  return isHtml ? asOneBlock(text) : text.trim();
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
