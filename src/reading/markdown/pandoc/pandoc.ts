import { asRecord, asText } from "@docent/kernel/text/json";
import { closesFence, fenceOpening, indentOf } from "@docent/kernel/text/markdown-lines";
import { placeMark } from "../anchors.ts";
import { splitFrontMatter } from "../front-matter.ts";
import { unwrapDefinitionLists } from "../unwrap-definitions.ts";
import { type CellDefaults, defaultsAfter, readHead, withoutAnnotations, writeCell } from "./cells.ts";
import {
  addHeading,
  closeFrame,
  type Frame,
  linesOf,
  openFrame,
  pageFrame,
  readDivLine,
  takesHeading,
} from "./divs.ts";
import { type PandocFacts, type PandocHeading, pandocFacts, pandocLines, wordsOf } from "./facts.ts";
import { createPandocNames, type NameHeading } from "./identifiers.ts";
import { type InlineContext, writeInline } from "./inline.ts";
import { type PandocProject, placeOf } from "./references.ts";
import { codeWithValues } from "./shortcodes.ts";
import { drawnTableAt } from "./tables.ts";

export type { CellDefaults } from "./cells.ts";
export { withoutOptions } from "./cells.ts";
export { labelsOn, type PandocHeading, pandocFacts, pandocLines, wordsOf } from "./facts.ts";
export { createPandocNames } from "./identifiers.ts";
export { expandIncludes } from "./includes.ts";
export type { PandocProject, Reference } from "./references.ts";

interface PandocOptions {
  /** The page's front matter. */
  data?: Readonly<Record<string, unknown>>;
  project?: PandocProject;
  nameHeading?: NameHeading;
  /** How cells are shown that say nothing of it. */
  defaults?: CellDefaults;
}

interface PandocPage {
  markdown: string;
  headings: PandocHeading[];
  /** What a chunk has set for those after it. */
  defaults: CellDefaults;
}

interface Reading {
  lines: string[];
  at: number;
  facts: PandocFacts;
  headings: ReadonlyMap<number, PandocHeading>;
  frames: Frame[];
  /** Divs that are open too deep to be told apart. */
  overMax: number;
  prose: string[];
  context: InlineContext;
  defaults: CellDefaults;
  /** Captions of bookdown that stand elsewhere: `(ref:name) Words`. */
  texts: Map<string, string>;
  isInMaths: boolean;
  isBelowTable: boolean;
}

const NESTING_MAX = 20;
export const CELLS_SHOWN: CellDefaults = { echo: true, include: true };

/** A page of Quarto or R Markdown in Docent's Markdown. Never throws, and takes time linear in the page's length. */
export function pandocToMarkdown(body: string, options: PandocOptions = {}): PandocPage {
  const { data = {}, project = {}, nameHeading = createPandocNames() } = options;
  const lines = pandocLines(body);
  const facts = pandocFacts(lines, nameHeading);
  const metadata = { ...project.metadata, ...data };
  const reading: Reading = {
    lines,
    at: 0,
    facts,
    headings: new Map(facts.headings.map((heading) => [heading.start, heading])),
    frames: [pageFrame()],
    overMax: 0,
    prose: [],
    context: contextOf(facts, { ...project, metadata }),
    defaults: defaultsIn(metadata, options.defaults ?? CELLS_SHOWN),
    texts: textsIn(lines),
    isInMaths: false,
    isBelowTable: false,
  };
  while (reading.at < lines.length) takeLine(reading);
  flush(reading);
  while (reading.frames.length > 1) closeLast(reading);
  const subtitle = asText(data["subtitle"])?.trim();
  const above = subtitle === undefined || subtitle === "" ? [] : [writeInline(subtitle, reading.context), ""];
  const written = [...above, ...(reading.frames[0]?.lines ?? [])].join("\n");
  return { markdown: unwrapDefinitionLists(written), headings: facts.headings, defaults: reading.defaults };
}

/** The front matter of a page, which may begin below empty lines, as it is for web pages, and its body. */
export function splitPandoc(source: string): ReturnType<typeof splitFrontMatter> {
  const split = splitFrontMatter(source.replace(/^\uFEFF?\s*\n(?=---)/, ""));
  const ofWeb = asRecord(asRecord(split.data["format"])["html"]);
  for (const name of ["title", "subtitle", "description", "execute"])
    if (Object.hasOwn(ofWeb, name)) split.data[name] = ofWeb[name];
  return split;
}

/** Words of front matter, such as a title, without what only Pandoc reads in them. */
export const pandocWords = (words: string, project: PandocProject = {}): string =>
  writeInline(words, { ...project, referenceOf: () => undefined, headingOf: () => undefined });

function contextOf({ headings, labels }: PandocFacts, project: PandocProject): InlineContext {
  const byId = new Map(headings.map((heading) => [heading.id, heading]));
  const byWords = new Map(
    headings.map((heading) => [normal(heading.source), heading.id]).reverse() as [string, string][],
  );
  return {
    ...project,
    referenceOf(label) {
      const heading = byId.get(label);
      if (heading !== undefined) return { href: `#${label}`, words: wordsOf(heading) };
      return labels.has(label) ? { href: `#${label}` } : project.referenceOf?.(label);
    },
    headingOf: (words) => byWords.get(normal(words)),
  };
}

const normal = (words: string) => words.replace(/\s+/g, " ").trim().toLowerCase();

function defaultsIn(metadata: Readonly<Record<string, unknown>>, usual: CellDefaults): CellDefaults {
  const said = { ...asRecord(asRecord(metadata["knitr"])["opts_chunk"]), ...asRecord(metadata["execute"]) };
  const read = (name: "echo" | "include") =>
    typeof said[name] === "boolean" ? said[name] === true : usual[name];
  return { echo: read("echo"), include: read("include") };
}

const TEXT = /^\(ref:([\w-]{1,100})\)[ \t]+(\S.*)$/;

const textsIn = (lines: readonly string[]) =>
  new Map(
    lines.flatMap((line): [string, string][] => {
      const [, name, words] = line.startsWith("(ref:") ? (TEXT.exec(line) ?? []) : [];
      return name === undefined || words === undefined ? [] : [[name, words]];
    }),
  );

function takeLine(reading: Reading): void {
  const { lines, at } = reading;
  const line = lines[at] ?? "";
  const heading = reading.headings.get(at);
  const comment = reading.facts.comments.get(at);
  if (heading !== undefined) {
    flush(reading);
    takeHeading(reading, heading);
    reading.at = heading.end;
    return;
  }
  if (comment !== undefined) {
    flush(reading);
    target(reading).push(...lines.slice(at, comment));
    reading.at = comment;
    return;
  }
  if (takeFence(reading, line) || takeDiv(reading, line) || takeTable(reading) || takeTex(reading, line))
    return;
  reading.at += 1;
  if (line.trim() === "") {
    flush(reading);
    target(reading).push("");
  } else reading.prose.push(line);
}

const current = ({ frames }: Reading): Frame => frames.at(-1) ?? pageFrame();
const target = (reading: Reading): string[] => linesOf(current(reading));

function takeHeading(reading: Reading, { level, source, id, classes }: PandocHeading): void {
  const frame = current(reading);
  const words = writeInline(source, reading.context);
  if (takesHeading(frame, level)) addHeading(frame, words);
  else if (!classes.includes("hidden"))
    target(reading).push("", `${"#".repeat(level)} ${words} {#${id}}`, "");
}

/** Code between fences: of a cell what the page shows of it, of what is raw HTML that. */
function takeFence(reading: Reading, line: string): boolean {
  const fence = fenceOpening(line);
  if (fence === undefined) return false;
  flush(reading);
  const { lines, at } = reading;
  let end = at + 1;
  while (end < lines.length && !closesFence(lines[end] ?? "", fence)) end++;
  reading.at = Math.min(end + 1, lines.length);
  const indent = /^[ \t]*/.exec(line)?.[0] ?? "";
  const inner = lines.slice(at + 1, end).map((each) => withoutIndent(each, indent));
  for (const each of codeLines(reading, fence.info, inner))
    target(reading).push(each === "" ? "" : indent + each);
  return true;
}

const withoutIndent = (line: string, indent: string) =>
  line.startsWith(indent) ? line.slice(indent.length) : line.trimStart();

function codeLines(reading: Reading, info: string, inner: readonly string[]): string[] {
  const head = readHead(info);
  if (head.kind === "raw") return /^html/.test(head.format) ? ["", ...inner, ""] : [];
  const project = reading.context;
  if (head.kind === "code") {
    const { attributes, language } = head;
    const file = attributes?.values.get("filename") ?? attributes?.values.get("lst-cap");
    const place = placeMark(attributes?.id ?? "");
    const title = file === undefined ? "" : `**${file}**`;
    const code = codeWithValues(withoutAnnotations(inner.join("\n")), project);
    const longest = Math.max(2, ...[...code.matchAll(/`{3,}/g)].map(([run]) => run.length));
    const fence = "`".repeat(longest + 1);
    return [
      ...(place + title === "" ? [] : [place + title, ""]),
      `${fence}${language}`,
      ...code.split("\n"),
      fence,
    ];
  }
  const written = writeCell(head, inner, { defaults: reading.defaults, project });
  if (written.isRun) reading.defaults = defaultsAfter(inner.join("\n"), reading.defaults);
  const [, name] = /^\(ref:([\w-]+)\)$/.exec(written.caption.trim()) ?? [];
  const caption = name === undefined ? written.caption : (reading.texts.get(name) ?? "");
  const words = writeInline(caption, project)
    .replace(/(?<!\s)\s*\n\s*/g, " ")
    .trim();
  const below = placeMark(written.label ?? "") + words;
  return [
    "",
    ...(written.code === "" ? [] : [...written.code.split("\n"), ""]),
    ...(below === "" ? [] : [below, ""]),
  ];
}

const ATTRIBUTE_LINES_MAX = 5;

/** A block may begin right behind the mark of a list. */
const IN_ITEM = /^([ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+){1,5})(:{3,}[ \t]*[^\s:].*)$/;

function takeDiv(reading: Reading, line: string): boolean {
  const [, mark, block] = line.includes(":::") ? (IN_ITEM.exec(line) ?? []) : [];
  if (mark !== undefined && block !== undefined && readDivLine(block) !== undefined) {
    reading.prose.push(mark.trimEnd());
    reading.lines[reading.at] = " ".repeat(mark.length) + block;
    return true;
  }
  if (!/^[ \t]*:{3}/.test(line)) return false;
  let length = 1;
  let written = line;
  // Attributes may go on below.
  while (/\{[^}]*$/.test(written) && length < ATTRIBUTE_LINES_MAX) {
    written += ` ${reading.lines[reading.at + length] ?? ""}`;
    length += 1;
  }
  const div = readDivLine(length > 1 && !written.includes("}") ? line : written);
  if (div === undefined) return false;
  flush(reading);
  reading.at += length;
  if (div === "end") {
    if (reading.overMax > 0) reading.overMax -= 1;
    else if (reading.frames.length > 1) closeLast(reading);
  } else if (reading.frames.length > NESTING_MAX) reading.overMax += 1;
  else reading.frames.push(openFrame(div.attributes, div.indent, current(reading), reading.context.metadata));
  return true;
}

function closeLast(reading: Reading): void {
  const frame = reading.frames.pop();
  if (frame === undefined) return;
  const id = frame.attributes === undefined ? undefined : placeOf(frame.attributes);
  if (frame.title !== undefined) frame.title = writeInline(frame.title, reading.context);
  // Thousands of lines are too many arguments for one call.
  for (const each of closeFrame(frame, placeMark(id ?? ""))) target(reading).push(each);
}

function takeTable(reading: Reading): boolean {
  const table =
    reading.prose.length > 0 || reading.isInMaths ? undefined : drawnTableAt(reading.lines, reading.at);
  if (table === undefined) return false;
  target(reading).push("", ...writeInline(table.lines.join("\n"), reading.context).split("\n"), "");
  reading.at = table.end;
  reading.isBelowTable = true;
  return true;
}

const TEX_LINE =
  /^ {0,3}\\(?!begin|end|item|LaTeX|TeX)[A-Za-z]{2,30}\*?(?:\[[^[\]]{0,200}\])*(?:\{[^{}]{0,300}\})*[ \t]*$/;
const MATHS = /^(?:equation|align|alignat|gather|multline|eqnarray|math|displaymath|flalign)\*?$/;
const TEX_LINES_MAX = 300;

/** What is for what is printed: Pandoc leaves it out. Formulas stay. */
function takeTex(reading: Reading, line: string): boolean {
  const { lines, at } = reading;
  if (((line.match(/\$\$/g) ?? []).length & 1) === 1) reading.isInMaths = !reading.isInMaths;
  if (reading.isInMaths || !/^ {0,3}\\/.test(line)) return false;
  if (TEX_LINE.test(line)) {
    reading.at += 1;
    return true;
  }
  const [, name = ""] = /^ {0,3}\\begin\{([A-Za-z]{1,30}\*?)\}/.exec(line) ?? [];
  if (name === "") return false;
  const last = lines.slice(at, at + TEX_LINES_MAX).findIndex((each) => each.includes(`\\end{${name}}`));
  if (last < 0) return false;
  flush(reading);
  reading.at = at + last + 1;
  if (!MATHS.test(name)) return true;
  const tex = lines.slice(at, at + last + 1).join("\n");
  const [whole = "", label = ""] = /(?<![ \t])[ \t]*\(\\#([\w:.-]{1,200})\)/.exec(tex) ?? [];
  target(reading).push("", placeMark(label), "", "$$", ...tex.replace(whole, "").split("\n"), "$$", "");
  return true;
}

const QUOTED_DIV = /^[ \t]*>[ \t]*:{3,}[ \t]*(?:\{[^{}]{0,300}\}|[\w-]{0,60})[ \t]*$/;
/** What R shows in one format alone may go over several lines: `r if (knitr::is_html_output()) '` … `'`. */
const FORMAT_BEGINS = /^`r[ \t]+if[^`]{1,200}\)[ \t]*['"][ \t]*$/;
const FORMAT_ENDS = /^['"]\)?`[ \t]*$/;
const CAPTION = /^(?: {0,3}:|Table:)[ \t]+(\S.*)$/;

/** Reads the lines of prose that have come together. */
function flush(reading: Reading): void {
  const { prose } = reading;
  if (prose.length === 0) return;
  reading.prose = [];
  const plain = prose.flatMap((line, index): string[] => {
    if (line.startsWith("(ref:") && TEXT.test(line)) return [];
    if (QUOTED_DIV.test(line)) return [">"];
    if (FORMAT_BEGINS.test(line) || FORMAT_ENDS.test(line)) return [];
    if (index > 0 && !reading.isInMaths && /^(?:=+|-+)[ \t]*$/.test(line))
      return line.startsWith("=") ? [`\\${line}`] : ["", line];
    const [, caption] = CAPTION.exec(line) ?? [];
    const isCaption =
      reading.isBelowTable || line.startsWith("Table:") || /\{[^{}]*#tbl-[^{}]*\}[ \t]*$/.test(line);
    if (caption !== undefined && isCaption && (index === 0 || /^\|/.test(prose[index - 1] ?? "")))
      return ["", captionOf(caption)];
    return [line.replace(/^( {0,3})(?:\(@[\w-]{0,60}\)|#\.)(?=[ \t])/, "$11.")];
  });
  reading.isBelowTable = /^[ \t]*\|/.test(prose.at(-1) ?? "");
  const isCode = prose.every((line) => indentOf(line) >= 4) && !isInList(target(reading));
  const written = isCode ? plain.join("\n") : writeInline(plain.join("\n"), reading.context);
  for (const line of written.split("\n")) target(reading).push(line);
}

function captionOf(caption: string): string {
  const [, words = caption, id] =
    /^(|.+?(?<![ \t]))[ \t]*\{(?=[^{}]*\}[ \t]*$)[^{}]*?#([^\s{}]+)[^{}]*\}[ \t]*$/.exec(caption) ?? [];
  return placeMark(id ?? "") + words.replace(/(?<![ \t])[ \t]*\{[^{}]*\}[ \t]*$/, "");
}

const LINES_BACK_MAX = 50;

/** Whether the last line at the margin begins an item: what is further in belongs to that. */
function isInList(lines: readonly string[]): boolean {
  for (let at = lines.length - 1; at >= 0 && at > lines.length - LINES_BACK_MAX; at--) {
    const line = lines[at] ?? "";
    if (line.trim() !== "" && indentOf(line) < 4)
      return /^ {0,3}(?:[-*+]|\d{1,9}[.)]|:|\[\^[^\]]+\]:)[ \t]/.test(line);
  }
  return false;
}
