import { placeMark } from "../../markdown/anchors.ts";
import { isCalloutName, writeTab } from "../../markdown/callouts.ts";
import { plainInline } from "../../markdown/plain-text.ts";
import {
  codeAt,
  linesOfRegion,
  readIncluded,
  shownCode,
  withoutCommonIndent,
  writeCode,
} from "../writing/writing.ts";
import { locate, type PagePlace } from "./includes.ts";
import { hideBraces } from "./vue.ts";

/** What the blocks of a page are read with. */
interface BlockSource extends PagePlace {
  /** The titles of callouts that have none of their own. */
  titles: ReadonlyMap<string, string>;
}

const CONTAINER = /^([ \t]*)(:{3,})[ \t]*([A-Za-z][\w-]*)[ \t]*(.*)$/;
const NESTED_MAX = 20;

/** A page's containers, groups of code, and code from other files, as Docent's Markdown. */
export async function readBlocks(source: BlockSource, markdown: string): Promise<string> {
  return (await convert(source, markdown.split("\n"), { isGroup: false, depth: 0 })).join("\n");
}

const HEADING = /^ {0,3}#{1,6}[ \t]/;
const CLASSES = /^\{(?:\s*\.[\w-]+)+\s*\}$/;

/** A heading without the classes that it is given where it has no id besides. */
function withoutClasses(line: string): string {
  if (!HEADING.test(line)) return line;
  const heading = line.trimEnd();
  const start = heading.lastIndexOf("{");
  return start > 0 && CLASSES.test(heading.slice(start)) ? heading.slice(0, start).trimEnd() : line;
}

const ATTRIBUTES = /^[ \t]*\{((?:\s*[.#][\w:-]{1,100})+)\s*\}[ \t]*$/;

/** Attributes on a line of their own belong to the block beside them: links lead to their id. */
function withPlaceMark(line: string): string {
  const attributes = ATTRIBUTES.exec(line)?.[1];
  return attributes === undefined ? line : placeMark(/#(\S+)/.exec(attributes)?.[1] ?? "");
}

interface Inside {
  /** Whether code is the content of a tab. */
  isGroup: boolean;
  depth: number;
}

async function convert(source: BlockSource, lines: readonly string[], inside: Inside): Promise<string[]> {
  const out: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    const code = codeAt(lines, at);
    const snippet = code === undefined ? snippetIn(line) : null;
    const container = code === undefined ? CONTAINER.exec(line) : null;
    if (code !== undefined) {
      out.push(...codeAs(code, inside));
      at += code.length - 1;
    } else if (snippet !== null) {
      const { indent, written, range } = snippet;
      const { info, lines: shown } = await readSnippet(source, written);
      out.push(...codeAs({ info, lines: linesIn(shown, range), indent }, inside));
    } else if (container !== null && inside.depth < NESTED_MAX) {
      const end = endOf(lines, at, container[2] ?? ":::");
      out.push(...(await containerAs(source, container, lines.slice(at + 1, end), inside)));
      at = end;
    } else if (!/^\s*\[\[toc\]\]\s*$/i.test(line)) out.push(withPlaceMark(withoutClasses(line)));
  }
  return out;
}

/** VuePress 2 writes `@[code{1-3} js](path)` for what was `<<< path` before. */
const IMPORT = /^([ \t]*)@\[code(?:\{([\d,-]*)\})?(?:[ \t]+([\w-]+)[^\]]*)?\]\(([^()\s]+)\)[ \t]*$/;

/** The code that a line takes from another file: as `readSnippet` is told of it, with the lines that are wanted. */
function snippetIn(line: string): { indent: string; written: string; range?: string | undefined } | null {
  const [, indent = "", written] = /^([ \t]*)<<<[ \t]*(\S.*)$/.exec(line) ?? [];
  if (written !== undefined) return { indent, written };
  const [, before = "", range, language, path] = IMPORT.exec(line) ?? [];
  if (path === undefined) return null;
  return { indent: before, written: language === undefined ? path : `${path}{${language}}`, range };
}

function linesIn(lines: string[], range = ""): string[] {
  const [, first = "", dash = "", last = ""] = /^(\d*)(-?)(\d*)$/.exec(range) ?? [];
  if (first + last === "") return lines;
  return lines.slice(
    first === "" ? 0 : Number(first) - 1,
    last !== "" ? Number(last) : dash === "" ? Number(first) : undefined,
  );
}

/** The line that closes a container: the first with as many colons and nothing else. */
function endOf(lines: readonly string[], at: number, colons: string): number {
  const closing = new RegExp(`^[ \\t]*:{${colons.length},}[ \\t]*$`);
  const end = lines.findIndex((line, index) => index > at && closing.test(line));
  return end < 0 ? lines.length : end;
}

async function containerAs(
  source: BlockSource,
  [, indent = "", , name = "", rest = ""]: RegExpExecArray,
  content: readonly string[],
  { depth }: Inside,
): Promise<string[]> {
  if (TABS.test(name)) return tabsAs(source, { indent, content, depth });
  const title = rest.replace(/(?<!\s)\s*\{[^{}]*\}\s*$/, "").trim();
  const inner = await convert(source, content, { isGroup: name === "code-group", depth: depth + 1 });
  if (name === "code-group-item") return tabAs(title.replace(/:active$/, ""), inner, indent);
  const body = name === "v-pre" ? inner.map(hideBraces) : inner;
  if (["raw", "v-pre", "code-group"].includes(name)) return ["", ...body, ""];
  const words = title === "" ? (source.titles.get(name) ?? "") : title;
  // In a list, a container would end it.
  if (!isCalloutName(name) || indent !== "") {
    const label = words === "" && name === "details" ? "Details" : words;
    return [...labelled(label, indent), ...body, ""];
  }
  return ["", `:::${name}${words === "" ? "" : `[${withoutBrackets(words)}]`}`, "", ...body, "", ":::", ""];
}

/** Containers of tabs, which plugins of VuePress and VitePress have. */
const TABS = /^(?:code-)?tabs$/;
/** Where a tab begins, with its name: `@tab:active npm#id`, or `== npm`. */
const TAB = /^[ \t]*(?:@tab(?::active)?|==)[ \t]+(\S.*)$/;

async function tabsAs(
  source: BlockSource,
  { indent, content, depth }: { indent: string; content: readonly string[]; depth: number },
): Promise<string[]> {
  const tabs: { label: string; lines: string[] }[] = [{ label: "", lines: [] }];
  for (let at = 0; at < content.length; at++) {
    const line = content[at] ?? "";
    const code = codeAt(content, at);
    const label = code === undefined ? TAB.exec(line)?.[1] : undefined;
    if (label !== undefined) tabs.push({ label: label.replace(/#[\w-]*$/, "").trim(), lines: [] });
    else tabs.at(-1)?.lines.push(...content.slice(at, at + (code?.length ?? 1)));
    if (code !== undefined) at += code.length - 1;
  }
  const out: string[] = [];
  for (const { label, lines } of tabs) {
    const inner = await convert(source, lines, { isGroup: false, depth: depth + 1 });
    out.push(...tabAs(label, inner, indent));
  }
  return out;
}

function tabAs(label: string, inner: readonly string[], indent: string): string[] {
  if (indent !== "") return [...labelled(label, indent), ...inner, ""];
  return ["", ...writeTab(label, ["", ...inner, ""], { isNested: false }), ""];
}

const withoutBrackets = (title: string) =>
  /[[\]]/.test(title) ? plainInline(title).replace(/[[\]]/g, "") : title;

function labelled(label: string, indent: string): string[] {
  return label === "" ? [] : ["", `${indent}**${label}**`, ""];
}

/** Code below its label, or as the content of a tab. */
function codeAs(
  { info, lines, indent }: { info: string; lines: string[]; indent: string },
  { isGroup }: Inside,
): string[] {
  const label = labelOfCode(info, isGroup);
  const shown = writeShown(info, lines, indent);
  if (!isGroup || indent !== "") return [...labelled(label, indent), ...shown];
  return ["", ...writeTab(label, ["", ...shown, ""], { isNested: false }), ""];
}

function writeShown(info: string, lines: readonly string[], indent: string): string[] {
  const { language, lines: shown } = shownCode(languageOfCode(info), lines);
  return writeCode(language, shown, indent);
}

const CHARACTERS_MAX = 200_000;

/** The code that `<<< path#region{1,3 js} [name]` names, with what a fence around it says. */
async function readSnippet(
  { inclusions, contentRoot, location, faults }: PagePlace,
  written: string,
): Promise<{ info: string; lines: string[] }> {
  const { path, region, language, title } = partsOf(written);
  const target = locate(contentRoot, location, path);
  const file = await readIncluded(inclusions, target, []);
  const info = `${language} [${title}]`;
  if (file.fault !== undefined) {
    faults.push(`${path}, whose code it shows, ${file.fault}`);
    return { info, lines: [] };
  }
  const { text } = file;
  if (text.length > CHARACTERS_MAX)
    faults.push(`${path}, whose code it shows, is too large: its end is left out`);
  const all = text.slice(0, CHARACTERS_MAX).replace(/\r\n/g, "\n").replace(/\n$/, "").split("\n");
  const chosen = region === "" ? all : linesOfRegion(all, region);
  if (chosen === undefined)
    faults.push(`${path}, whose code it shows, has no region ${region}: all of it is shown`);
  return { info, lines: region === "" || chosen === undefined ? all : withoutCommonIndent(chosen) };
}

/** `path[#region][{[lines] [language] [more]}] [[name]]`, from its end, because a path may contain anything. */
function partsOf(written: string): { path: string; region: string; language: string; title: string } {
  const [, before = written, title = ""] = /^([^[]*)\[(.+)\]$/.exec(written.trim()) ?? [];
  let rest = before.trim();
  const brace = rest.endsWith("}") ? rest.lastIndexOf("{") : -1;
  const inside = brace > 0 ? rest.slice(brace + 1, -1).trim() : "";
  if (brace > 0) rest = rest.slice(0, brace).trimEnd();
  const language = /^[\d,\s-]*$/.test(inside)
    ? ""
    : (inside.replace(/^[\d,-]+\s+/, "").split(/\s+/, 1)[0] ?? "");
  const region = /#([\w.-]+)$/.exec(rest)?.[1] ?? "";
  const path = region === "" ? rest : rest.slice(0, -region.length - 1);
  const name = path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
  const extension = /\.([a-zA-Z\d]+)$/.exec(name)?.[1] ?? "";
  return { path, region, language: language || extension, title: title || name };
}

/** The language of code, from what follows its fence: `js{1,3}:line-numbers [file.js]`. */
function languageOfCode(info: string): string {
  const word = /^[\w+#.-]+/.exec(info)?.[0] ?? "";
  const language = word.replace(/-vue$/, "");
  return language === "ansi" || language === "txt" ? "" : language;
}

/** The name of code: a tab has one in any case. */
function labelOfCode(info: string, isTab: boolean): string {
  const title =
    /\[(.*)\]/
      .exec(info)?.[1]
      ?.replace(/(?<!\s)\s*~[^~]*~\s*$/, "")
      .trim() ?? "";
  if (title !== "" || !isTab) return title.replaceAll("*", "\\*");
  return languageOfCode(info) || "txt";
}
