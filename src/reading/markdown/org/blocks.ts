import { codeFence, escapeLineStart, writeMarkdownTable } from "@docent/kernel/text/write-markdown";
import { placeMark, withPlace } from "../anchors.ts";
import { isCalloutName, writeCallout } from "../callouts.ts";
import { readHtmlBlocks } from "../html/html.ts";
import { dedentBlock, isBlank, leadingSpaces, prefixLines } from "../rst/rst.ts";
import { writeOrgInline } from "./inline.ts";
import { isItem, readList } from "./lists.ts";
import type { OrgWriting } from "./org.ts";
import { isBlockMark } from "./outline.ts";

/** Nested deeper, lines are words. */
const DEEP_MAX = 12;
const DRAWER = /^[ \t]*:([\w-]{1,60}):[ \t]*$/;
const LANGUAGE = /^[\w+#.-]{1,40}$/;
/** What languages are called in Org, and elsewhere. */
const LANGUAGES: Readonly<Record<string, string>> = {
  "emacs-lisp": "elisp",
  shell: "sh",
  conf: "ini",
  "conf-unix": "ini",
  "c++": "cpp",
  text: "",
  org: "org",
};

/** Lines of one body, with where the last of each mark of an end stands in it. */
interface Lines {
  lines: readonly string[];
  depth: number;
  ends: ReadonlyMap<string, number>;
  out: string[];
  writing: OrgWriting;
  /** The title and the name of what comes next. */
  next: { caption: string; name: string };
}

/** Writes lines of Org as blocks of Markdown. */
export function writeOrgBody(
  lines: readonly string[],
  depth: number,
  out: string[],
  writing: OrgWriting,
): void {
  if (depth > DEEP_MAX) {
    pushWords(lines.join(" "), out, writing);
    return;
  }
  const body: Lines = { lines, depth, ends: endsIn(lines), out, writing, next: { caption: "", name: "" } };
  let at = 0;
  while (at < lines.length) {
    if (isBlank(lines[at])) {
      at += 1;
      continue;
    }
    const written = out.length;
    at = readBlock(body, at);
    placeNext(body, written);
  }
}

/** A block's title stands above it, and its name is a place. */
function placeNext({ out, next, writing }: Lines, from: number): void {
  if (out.length === from || (next.caption === "" && next.name === "")) return;
  const written = out.splice(from);
  if (next.caption !== "")
    written.unshift(`**${writeOrgInline(next.caption, writing.names).replaceAll("**", "")}**`);
  out.push(...(next.name === "" ? written : withPlace(written, placeMark(next.name.replace(/\s+/g, "-")))));
  next.caption = "";
  next.name = "";
}

function endsIn(lines: readonly string[]): ReadonlyMap<string, number> {
  const ends = new Map<string, number>();
  for (const [at, line] of lines.entries()) {
    const block = /^[ \t]*#\+end_(\S+)[ \t]*$/i.exec(line)?.[1];
    if (block !== undefined) ends.set(block.toLowerCase(), at);
    else if (/^[ \t]*:END:[ \t]*$/i.test(line)) ends.set(":end:", at);
    else if (/^[ \t]*\\end\{/.test(line)) ends.set(`\\${/\{([\w*]{1,40})/.exec(line)?.[1]}`, at);
    else if (/^[ \t]*#\+end:/i.test(line)) ends.set("dynamic", at);
  }
  return ends;
}

/** Where the mark of an end stands below a line; undefined where there is none. */
function endOf(
  { lines, ends }: Lines,
  name: string,
  from: number,
  isEnd: (line: string) => boolean,
): number | undefined {
  const last = ends.get(name) ?? -1;
  for (let at = from; at <= last; at++) if (isEnd(lines[at] ?? "")) return at;
  return undefined;
}

/** Reads the block that begins on a line; returns where the next one may. */
function readBlock(body: Lines, at: number): number {
  const line = body.lines[at] ?? "";
  const words = line.trimStart();
  if (words.startsWith("#")) {
    const end = readMark(body, at, words);
    if (end !== undefined) return end;
  }
  if (words.startsWith(":")) {
    const end = readColon(body, at, words);
    if (end !== undefined) return end;
  }
  if (words.startsWith("|")) return readTable(body, at);
  if (/^(?:SCHEDULED|DEADLINE|CLOSED|CLOCK):/.test(words) || /^-{5,}[ \t]*$/.test(words)) return at + 1;
  if (isItem(line)) return readList(body.lines, at, body.depth, body.out, body.writing);
  const note = /^\[fn:([\w-]{1,60})\][ \t]*(.*)$/.exec(line);
  if (note !== null) return readNote(body, at, note[1] ?? "", note[2] ?? "");
  const formula = /^[ \t]*\\begin\{([\w*]{1,40})\}/.exec(line)?.[1];
  if (formula !== undefined) {
    const end = endOf(body, `\\${formula}`, at, (each) => each.includes(`\\end{${formula}}`));
    if (end !== undefined) {
      body.out.push(codeFence(dedentBlock(body.lines.slice(at, end + 1)).join("\n"), "math"));
      return end + 1;
    }
  }
  return readParagraph(body, at);
}

/** Comments, keywords and blocks. Undefined for words. */
function readMark(body: Lines, at: number, words: string): number | undefined {
  if (/^#(?:\s|$)/.test(words)) return at + 1;
  const [, kind, name = "", rest = ""] = isBlockMark.exec(words) ?? [];
  if (kind !== undefined && kind.toLowerCase() === "begin") {
    const low = name.toLowerCase();
    const isEnd = (line: string) => {
      const mark = /^[ \t]*#\+end_(\S+)[ \t]*$/i.exec(line)?.[1];
      return mark?.toLowerCase() === low;
    };
    const end = endOf(body, low, at + 1, isEnd);
    if (end === undefined) return at + 1;
    writeBlock(body, { name: low, rest, lines: body.lines.slice(at + 1, end) });
    return end + 1;
  }
  if (kind !== undefined) return at + 1;
  const [, key = "", value = ""] = /^#\+(\w[\w-]{0,40})(?:\[[^\]]{0,200}\])?:[ \t]*(.*)$/.exec(words) ?? [];
  if (key === "") return undefined;
  if (/^caption$/i.test(key)) body.next.caption = value.trim();
  if (/^name$/i.test(key)) body.next.name = value.trim();
  if (/^html$/i.test(key)) body.out.push(...readHtmlBlocks(value, { keepsImages: true, keepsPlaces: true }));
  return at + 1;
}

/** What a page keeps for Org itself. */
const UNSHOWN = /^(?:PROPERTIES|LOGBOOK)$/i;

/** Drawers are shown but for those of Org itself; lines that begin with a colon are code. */
function readColon(body: Lines, at: number, words: string): number | undefined {
  const drawer = DRAWER.exec(words)?.[1];
  if (drawer !== undefined && !/^END$/i.test(drawer)) {
    const end = endOf(body, ":end:", at + 1, (line) => /^[ \t]*:END:[ \t]*$/i.test(line));
    if (end !== undefined && !UNSHOWN.test(drawer))
      writeOrgBody(body.lines.slice(at + 1, end), body.depth + 1, body.out, body.writing);
    return (end ?? at) + 1;
  }
  if (/^:END:[ \t]*$/i.test(words)) return at + 1;
  if (!/^:(?:[ \t]|$)/.test(words)) return undefined;
  let end = at;
  while (end < body.lines.length && /^[ \t]*:(?:[ \t]|$)/.test(body.lines[end] ?? "")) end += 1;
  const code = body.lines.slice(at, end).map((line) => line.trimStart().slice(2));
  if (code.some((line) => line.trim() !== "")) body.out.push(codeFence(code.join("\n").trimEnd()));
  return end;
}

/** Lines of code, in which a comma stands before what would be a mark. */
const unescaped = (lines: readonly string[]) =>
  lines.map((line) => line.replace(/^([ \t]*),(,*(?:\*|#\+))/, "$1$2"));

function writeBlock(body: Lines, block: { name: string; rest: string; lines: readonly string[] }): void {
  const { name, rest, lines } = block;
  const { out, writing, depth } = body;
  const inside = (): string[] => {
    const blocks: string[] = [];
    writeOrgBody(lines, depth + 1, blocks, writing);
    return blocks;
  };
  switch (name) {
    case "src":
    case "example": {
      if (/:exports[ \t]+(?:none|results)\b/.test(rest)) return;
      const code = dedentBlock(unescaped(lines)).join("\n");
      const first = (/^\S+/.exec(rest)?.[0] ?? "").toLowerCase();
      const language =
        name === "src" && LANGUAGE.test(first) && !first.startsWith("-") ? (LANGUAGES[first] ?? first) : "";
      if (code !== "") out.push(codeFence(code, language));
      return;
    }
    case "comment":
      return;
    case "export":
    case "html": {
      const backend = name === "html" ? "html" : rest.trim().split(/\s/)[0]?.toLowerCase();
      if (backend === "html")
        out.push(...readHtmlBlocks(lines.join("\n"), { keepsImages: true, keepsPlaces: true }));
      else if (backend === "md" || backend === "markdown") out.push(lines.join("\n").trim());
      return;
    }
    case "verse": {
      const verse = dedentBlock(lines).map((line) => escapeLineStart(writeOrgInline(line, writing.names)));
      out.push(prefixLines(verse.join("\\\n").replace(/(?:\\\n){2,}/g, "\n\n"), "> "));
      return;
    }
    case "quote": {
      const quoted = inside();
      if (quoted.length > 0) out.push(quotedLines(quoted));
      return;
    }
    default: {
      const blocks = inside();
      if (blocks.length === 0) return;
      if (isCalloutName(name))
        out.push(
          writeCallout({ kind: name, title: undefined, body: blocks.join("\n\n") }, { isNested: depth > 0 }),
        );
      else out.push(...blocks);
    }
  }
}

const quotedLines = (blocks: readonly string[]) =>
  blocks
    .join("\n\n")
    .split("\n")
    .map((line) => (line === "" ? ">" : `> ${line}`))
    .join("\n");

const RULER = /^[ \t]*\|[-+|: \t]*-[-+|: \t]*$/;
/** How wide columns are is no row. */
const WIDTHS = /^(?:<[lrc]?\d*>|\/)?$/;

function readTable({ lines, out, writing }: Lines, from: number): number {
  let at = from;
  const rows: string[][] = [];
  for (; at < lines.length && /^[ \t]*\|/.test(lines[at] ?? ""); at++) {
    const line = lines[at] ?? "";
    if (RULER.test(line)) continue;
    const cells = line
      .trim()
      .replace(/^\||\|$/g, "")
      .split("|")
      .map((cell) => cell.trim());
    if (!cells.every((cell) => WIDTHS.test(cell))) rows.push(cells);
  }
  const written = rows.map((row) =>
    row.map((cell) => writeOrgInline(cell, writing.names).replace(/(?<!\\)\|/g, "\\|")),
  );
  if (written.length > 0) out.push(writeMarkdownTable(written));
  return at;
}

/** A footnote goes on to the next one, or to two blank lines. */
function readNote({ lines, out, writing, depth }: Lines, from: number, label: string, first: string): number {
  let end = from + 1;
  while (end < lines.length) {
    if (/^\[fn:/.test(lines[end] ?? "") || (isBlank(lines[end]) && isBlank(lines[end + 1]))) break;
    end += 1;
  }
  const blocks: string[] = [];
  writeOrgBody([first, ...lines.slice(from + 1, end)], depth + 1, blocks, writing);
  out.push(`[^${label}]: ${prefixLines(blocks.join("\n\n"), "    ").trimStart()}`);
  return end;
}

const BEGINS_BLOCK = /^[ \t]*(?:#\+|#(?:\s|$)|\||:(?:\s|$)|\[fn:[\w-]{1,60}\])/;

function readParagraph({ lines, out, writing }: Lines, from: number): number {
  let end = from + 1;
  while (end < lines.length) {
    const line = lines[end] ?? "";
    if (isBlank(line) || BEGINS_BLOCK.test(line) || DRAWER.test(line) || isItem(line)) break;
    if (/^[ \t]*\\begin\{/.test(line)) break;
    end += 1;
  }
  const text = lines.slice(from, end).map((line) => line.slice(leadingSpaces(line)));
  pushWords(text.join("\n"), out, writing);
  return end;
}

function pushWords(text: string, out: string[], { names }: OrgWriting): void {
  const words = writeOrgInline(text, names);
  if (words !== "") out.push(words.split("\n").map(escapeLineStart).join("\n"));
}
