import { codeFence, escapeLabel } from "@docent/kernel/text/write-markdown";
import { isCalloutName, writeTab } from "../../markdown/callouts.ts";
import { type DocsTree, joinLocation } from "../docs-tree.ts";
import {
  codeAt,
  createInclusions,
  eachOutsideCode,
  type Inclusions,
  readIncluded,
  writeCallout,
} from "../writing/writing.ts";
import type { HexoPage } from "./pages.ts";
import type { HexoSettings } from "./settings.ts";

/** What tags of pages take something from. */
export interface TagSource {
  tree: DocsTree;
  settings: HexoSettings;
  bySlug: ReadonlyMap<string, HexoPage>;
}

interface Tags extends TagSource {
  page: HexoPage;
  faults: string[];
  inclusions: Inclusions;
  /** How many lines may still be looked at for the ends of blocks: many may be open, and none closed. */
  linesLeft: number;
}

const LINES_MAX = 1_000_000;
const OPENING = /^([ \t]*)\{%-?\s*(\w+)\b\s*(?!\s)(|.+?(?<!\s))\s*-?%\}[ \t]*$/;
/** Tags around text, and what ends them. */
const BLOCKS: Readonly<Record<string, string>> = {
  codeblock: "endcodeblock",
  code: "endcode",
  raw: "endraw",
  note: "endnote",
  blockquote: "endblockquote",
  quote: "endquote",
  pullquote: "endpullquote",
  tabs: "endtabs",
};
const NESTED_MAX = 10;

/** A page's body with what Hexo's tags stand for, as Markdown. */
export async function writeTags(
  source: TagSource,
  page: HexoPage,
  body: string,
  faults: string[],
): Promise<string> {
  const inclusions = createInclusions(source.tree);
  const tags: Tags = { ...source, page, faults, inclusions, linesLeft: LINES_MAX };
  const written = await blocksIn(tags, body.replace(/\r\n?/g, "\n").split("\n"), 0);
  return eachOutsideCode(written.join("\n"), (part) => withLineTags(tags, part));
}

async function blocksIn(tags: Tags, lines: readonly string[], depth: number): Promise<string[]> {
  const out: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    const code = codeAt(lines, at);
    if (code !== undefined) {
      out.push(...lines.slice(at, at + code.length));
      at += code.length - 1;
      continue;
    }
    const [, indent = "", name = "", given = ""] = OPENING.exec(line) ?? [];
    const end = BLOCKS[name] === undefined ? -1 : endOf(tags, lines, at, name);
    if (end > at && depth < NESTED_MAX) {
      const block = { name, given, lines: lines.slice(at + 1, end), isNested: indent !== "" || depth > 0 };
      out.push(...(await blockAs(tags, block, depth)).map((each) => (each === "" ? "" : indent + each)));
      at = end;
    } else if (name === "include_code") out.push(...(await includedCode(tags, given)));
    else out.push(line);
  }
  return out;
}

/** The line that ends a block; -1 where none does. */
function endOf(tags: Tags, lines: readonly string[], start: number, name: string): number {
  const closes = new RegExp(`^[ \\t]*\\{%-?\\s*${BLOCKS[name]}\\s*-?%\\}`);
  const opens = new RegExp(`^[ \\t]*\\{%-?\\s*${name}\\b`);
  let open = 1;
  for (let at = start + 1; at < lines.length && tags.linesLeft-- > 0; at++) {
    if (closes.test(lines[at] ?? "")) open -= 1;
    // What is code may show the very tag.
    else if (!/code|raw/.test(name) && opens.test(lines[at] ?? "")) open += 1;
    if (open === 0) return at;
  }
  return -1;
}

interface TagBlock {
  name: string;
  given: string;
  lines: readonly string[];
  isNested: boolean;
}

async function blockAs(
  tags: Tags,
  { name, given, lines, isNested }: TagBlock,
  depth: number,
): Promise<string[]> {
  if (name === "raw") return [...lines];
  if (name === "code" || name === "codeblock") return codeOf(given, lines);
  const inside = await blocksIn(tags, lines, depth + 1);
  if (name === "note") return noteOf(given, inside, isNested);
  if (name === "tabs") return tabsOf(inside, isNested);
  const source = given.replace(/(?<!\s)\s*https?:\/\/\S+/, "").trim();
  const words = source === "" ? inside : [...inside, "", `— ${source}`];
  return words.map((line) => (line === "" ? ">" : `> ${line}`));
}

/** `[title] [lang:language] [url] [link text] [options]`. */
function codeOf(given: string, lines: readonly string[]): string[] {
  const language = /(?:^|\s)lang(?:uage)?:(\S+)/.exec(given)?.[1] ?? "";
  const title = given.replace(/(?:^|\s)\w+:\S+.*$|\s*https?:\/\/.*$/g, "").trim();
  return [
    ...(title === "" ? [] : [`**${title}**`, ""]),
    ...codeFence(lines.join("\n"), language).split("\n"),
  ];
}

function noteOf(given: string, lines: readonly string[], isNested: boolean): string[] {
  const [kind = "", ...words] = given.split(/\s+/);
  const named = /^warn/i.test(kind) ? "warning" : kind.toLowerCase();
  const isKind = isCalloutName(named);
  const isStyle = isKind || /^(?:default|primary)$/.test(named);
  const title = (isStyle ? words : [kind, ...words]).join(" ").replace(/^["']|["']$/g, "");
  const body = lines.join("\n");
  return ["", ...writeCallout({ kind: isKind ? named : "note", title, body }, { isNested }).split("\n"), ""];
}

const TAB = /^[ \t]*<!--\s*(tab|endtab)\b\s*(?!\s)(|.+?(?<!\s))\s*-->[ \t]*$/;

function tabsOf(lines: readonly string[], isNested: boolean): string[] {
  const out: string[] = [];
  let open: { label: string; lines: string[] } | undefined;
  for (const line of lines) {
    const [, mark, label = ""] = TAB.exec(line) ?? [];
    if (mark === "tab") open = { label: label.replace(/@\S*$/, "").trim() || "Tab", lines: [] };
    else if (mark === "endtab" && open !== undefined) {
      out.push("", ...writeTab(open.label, ["", ...open.lines, ""], { isNested }), "");
      open = undefined;
    } else (open?.lines ?? out).push(line);
  }
  return [...out, ...(open?.lines ?? [])];
}

/** `[title] [lang:language] path`, below the folder of code. */
async function includedCode({ settings, inclusions, page, faults }: Tags, given: string): Promise<string[]> {
  const path = given.split(/\s+/).at(-1) ?? "";
  const file = await readIncluded(inclusions, joinLocation(settings.codeFolder, path), [page.location]);
  if (file.fault !== undefined) {
    faults.push(`${path}, whose code it shows, ${file.fault}`);
    return [];
  }
  const named = given.slice(0, given.length - path.length);
  const language = /\blang:/.test(named) ? named : `${named} lang:${/\.(\w+)$/.exec(path)?.[1] ?? ""}`;
  return codeOf(language, file.text.trimEnd().split("\n"));
}

const TAG = /\{%-?\s*(\w+)\b([^{}%]*(?:%(?!\})[^{}%]*)*)-?%\}/g;

/** Tags within a line. What is not known of them is how a page looks, or what is shown from elsewhere. */
const withLineTags = (tags: Tags, text: string) =>
  text.includes("{%")
    ? text.replace(TAG, (_, name: string, given: string) => lineTag(tags, name, wordsIn(given)))
    : text;

const wordsIn = (given: string) =>
  [...given.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? "",
  );

function lineTag({ bySlug, page }: Tags, name: string, [first = "", ...others]: string[]): string {
  if (name === "post_link") {
    const [slug = "", anchor] = first.split("#", 2);
    const post = bySlug.get(slug);
    const title = others.filter((each) => !/^(?:true|false)$/.test(each)).join(" ") || post?.title || slug;
    const rest = anchor === undefined ? "" : `#${anchor}`;
    return post === undefined
      ? escapeLabel(title)
      : `[${escapeLabel(title)}](/${encodeURI(post.path)}${rest})`;
  }
  if (name === "link") {
    const at = others.findIndex((each) => /^(?:https?:)?\/|\.html?\b/.test(each));
    const words = [first, ...others.slice(0, Math.max(0, at))].join(" ");
    return at < 0 ? escapeLabel(words) : `[${escapeLabel(words)}](${others[at]})`;
  }
  const image = /^(?:img|asset_img)$/.test(name)
    ? [first, ...others].find((each) => /\.\w{2,5}$/.test(each))
    : undefined;
  if (image !== undefined) {
    const place =
      name === "img" || page.assets === undefined ? image : `${nameOfFolder(page.assets)}/${image}`;
    const alt = others.filter((each) => each !== image && !/^\d+$/.test(each)).at(-1) ?? "";
    return `![${escapeLabel(alt)}](${encodeURI(place)})`;
  }
  return "";
}

const nameOfFolder = (folder: string) => folder.slice(folder.lastIndexOf("/") + 1);
