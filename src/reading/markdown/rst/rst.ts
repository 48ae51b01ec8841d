import { codeFence, escapeLineStart } from "@docent/kernel/text/write-markdown";
import { placeMark, withPlace } from "../anchors.ts";
import { writeRows } from "./cells.ts";
import { readRstDirective, writeDirective, writeImage } from "./directives.ts";
import { findFootnotes, footnoteLabel } from "./footnotes.ts";
import type { RstSite } from "./inline.ts";
import { nameOf, type RstNames, writeRstInline } from "./inline.ts";
import { dedentBlock, indentedEnd, isBlank, paragraphEnd, prefixLines } from "./lines.ts";
import { readDefinition, readFields, readList, readOptions } from "./lists.ts";
import { tableAt } from "./tables.ts";
import { adornmentOf, docutilsId, titleAt } from "./titles.ts";
import { type BlockReader, type BlockStart, pushHeading, type RstWriting } from "./writing.ts";

export { writeDefinitions } from "../definition-list.ts";
export { cardHref, cardParts, isCard } from "./cards.ts";
export { inOneLine } from "./cells.ts";
export { depthInside, readRstDirective } from "./directives.ts";
export type { RstSite } from "./inline.ts";
export { writeRstInline } from "./inline.ts";
export { dedentBlock, isBlank, leadingSpaces, prefixLines } from "./lines.ts";
export { listRows, tableAt } from "./tables.ts";
export type { RstDirective, RstWriting } from "./writing.ts";

const MAX_DEPTH = 12;

/** Converts plain reStructuredText to Markdown. Unknown constructs keep their words; it never throws. */
export function rstToMarkdown(rst: string, site?: RstSite): string {
  const lines = rst.replace(/\r\n?/g, "\n").split("\n").map(expandTabs);
  const writing: RstWriting = {
    names: readNames(lines, site),
    adornments: [],
    headingLevel: 1,
    label: undefined,
    places: [],
    anchors: new Set(),
    module: "",
    isInClass: false,
    definitions: undefined,
    codeLanguage: "",
    body: (inner, depth, out) => writeBody(inner, depth, out, writing),
  };
  const out: string[] = [];
  writeBody(lines, 0, out, writing);
  return out.filter((block) => block !== "").join("\n\n");
}

function expandTabs(line: string): string {
  return line.includes("\t") ? line.replace(/\t/g, "        ") : line;
}

const READERS: BlockReader[] = [
  readExplicit,
  readTitle,
  readTable,
  readQuote,
  readList,
  readFields,
  readOptions,
  readLineBlock,
  readDoctest,
  readDefinition,
];

function writeBody(lines: readonly string[], depth: number, out: string[], writing: RstWriting): void {
  if (depth > MAX_DEPTH) {
    pushParagraph(lines.join(" "), out, writing);
    return;
  }
  let at = 0;
  while (at < lines.length) {
    if (isBlank(lines[at])) {
      at += 1;
      continue;
    }
    const waiting = writing.places;
    const written = out.length;
    let end: number | undefined;
    for (const read of READERS) {
      end = read({ lines, at, depth, out, writing });
      if (end === undefined) continue;
      if (read !== readExplicit) {
        writing.label = undefined;
        if (read !== readTitle) writing.names.site?.otherBlock();
      }
      break;
    }
    if (end === undefined) {
      writing.label = undefined;
      writing.names.site?.otherBlock();
    }
    at = end ?? readParagraph(lines, at, out, writing);
    if (writing.places === waiting) placeLabels(out, written, writing);
  }
}

/** Marks what has been written since as the place that the labels above it name. A heading has its own id. */
function placeLabels(out: string[], from: number, writing: RstWriting): void {
  const marks = writing.places.map(placeMark).join("");
  const first = out[from];
  if (marks === "" || first === undefined) return;
  writing.places = [];
  if (/^#{1,6} /.test(first)) return;
  const placed = withPlace([first], marks);
  if (writing.definitions === first) writing.definitions = placed.at(-1);
  out.splice(from, 1, ...placed);
}

function readTitle({ lines, at, depth, out, writing }: BlockStart): number | undefined {
  const title = titleAt(lines, at);
  if (title !== undefined) {
    if (!writing.adornments.includes(title.adornment)) writing.adornments.push(title.adornment);
    const level = writing.adornments.indexOf(title.adornment) + 1;
    const words = writeRstInline(title.words, writing.names);
    if (depth === 0) pushHeading(out, level, words, writing);
    else out.push(`**${words}**`);
    return title.end;
  }
  // A line between paragraphs, or an underline without its title.
  const isRule =
    adornmentOf(lines[at] ?? "") !== undefined &&
    (lines[at] ?? "").trim().length >= 4 &&
    isBlank(lines[at + 1]);
  return isRule ? at + 1 : undefined;
}

/** Reads what `..` begins: targets, directives, footnotes, and otherwise a comment. */
function readExplicit({ lines, at, depth, out, writing }: BlockStart): number | undefined {
  const line = lines[at] ?? "";
  if (!/^\.\.(?:\s|$)/.test(line)) return /^__ \S/.test(line) ? at + 1 : undefined;
  const end = indentedEnd(lines, at + 1);
  const block = lines.slice(at + 1, end);
  const rest = line.slice(2).trim();
  const directive = /^(?:\|[^|]{1,100}\|\s+)?([\w][\w:.+-]{0,60}?)\s?::(?:\s+(.*))?$/.exec(rest);
  if (directive?.[1] !== undefined) {
    if (!rest.startsWith("|"))
      writeDirective(readRstDirective(directive[1], directive[2]?.trim() ?? "", block), depth, out, writing);
    return end;
  }
  const label = /^_(?:`([^`]{1,300})`|([^:]{1,300})):$/.exec(rest);
  if (label && !isBlank(block[0])) {
    // Its address is on the lines below.
    writing.names.site?.target(label[1] ?? label[2] ?? "", true);
    return paragraphEnd(lines, at + 1);
  }
  if (label) {
    writing.label = docutilsId(label[1] ?? label[2] ?? "") || undefined;
    const given = writing.names.site?.target((label[1] ?? label[2] ?? "").replaceAll("\\", ""), false);
    writing.places = [...writing.places, given ?? writing.label ?? ""];
    return at + 1;
  }
  const address = /^_(?:`([^`]{1,300})`|([^_:`][^:]{0,300})):\s+\S/.exec(rest);
  if (address !== null) writing.names.site?.target(address[1] ?? address[2] ?? "", true);
  const note = /^\[([^\]]{1,60})\]\s+(.*)$/.exec(rest);
  if (note) writing.names.site?.target((note[1] ?? "").replace(/^#/, ""), true);
  if (note) writeNote(note[1] ?? "", [note[2] ?? "", ...dedentBlock(block)].join(" "), out, writing);
  // An empty comment ends the block above it, and takes nothing from below.
  return rest === "" && isBlank(lines[at + 1]) ? at + 1 : end;
}

function writeNote(written: string, text: string, out: string[], writing: RstWriting): void {
  const label = footnoteLabel(written, "notes", writing.names.footnotes);
  if (label === undefined) pushParagraph(`[${written}] ${text}`, out, writing);
  else out.push(`[^${label}]: ${writeRstInline(text, writing.names)}`);
}

function readTable({ lines, at, out, writing }: BlockStart): number | undefined {
  const table = tableAt(lines, at);
  if (table === undefined) return undefined;
  writeRows(table.rows, "", out, writing);
  return table.end;
}

function readQuote({ lines, at, depth, out, writing }: BlockStart): number | undefined {
  if (!/^\s/.test(lines[at] ?? "")) return undefined;
  const end = indentedEnd(lines, at);
  const blocks: string[] = [];
  writing.body(dedentBlock(lines.slice(at, end)), depth + 1, blocks);
  // Lists and code are often indented for looks; indented words are a quote.
  if (blocks.some((block) => /^(?:[-`|#]|\d+\.)/.test(block))) out.push(...blocks);
  else if (blocks.length > 0) out.push(prefixLines(blocks.join("\n\n"), "> "));
  return end;
}

function readLineBlock({ lines, at, out, writing: { names } }: BlockStart): number | undefined {
  if (!/^\|(?:\s|$)/.test(lines[at] ?? "")) return undefined;
  let end = at;
  while (end < lines.length && /^(?:\||\s+\S)/.test(lines[end] ?? "")) end += 1;
  const words = lines.slice(at, end).map((line) => writeRstInline(line.replace(/^\|/, ""), names));
  const shown = words.filter((line) => line !== "").map(escapeLineStart);
  if (shown.length > 0) out.push(shown.join("\\\n"));
  return end;
}

function readDoctest({ lines, at, out }: BlockStart): number | undefined {
  if (!(lines[at] ?? "").startsWith(">>> ")) return undefined;
  const end = paragraphEnd(lines, at);
  out.push(codeFence(lines.slice(at, end).join("\n"), "pycon"));
  return end;
}

/** Reads a paragraph; `::` at its end makes the indented block below it code. */
function readParagraph(lines: readonly string[], at: number, out: string[], writing: RstWriting): number {
  let end = at + 1;
  while (end < lines.length && !isBlank(lines[end]) && titleAt(lines, end) === undefined) end += 1;
  const text = lines.slice(at, end).join("\n").trimEnd();
  if (!text.endsWith("::")) {
    pushParagraph(text, out, writing);
    return end;
  }
  const words = text.slice(0, -2);
  pushParagraph(/\S$/.test(words) ? `${words}:` : words, out, writing);
  const codeEnd = indentedEnd(lines, end);
  const code = dedentBlock(lines.slice(end, codeEnd));
  if (code.length > 0) out.push(codeFence(code.join("\n"), writing.codeLanguage));
  return Math.max(end, codeEnd);
}

function pushParagraph(text: string, out: string[], { names }: RstWriting): void {
  const words = writeRstInline(text, names);
  if (words !== "") out.push(escapeLineStart(words));
}

const TARGET = /^(\s*)\.\. _(?:`([^`]{1,300})`|([^`:_][^:]{0,300}?)):(?:\s+(\S.*)|\s*)$/;
const ANONYMOUS = /^(\s*)(?:__|\.\. __:)\s+(\S.*)$/;
const SUBSTITUTION = /^(\s*)\.\. \|([^|]{1,100})\| (replace|unicode|image)::\s*(.*)$/;

/** Collects reference targets before anything is written, because they may follow the references. */
function readNames(lines: readonly string[], site: RstSite | undefined): RstNames {
  const names: RstNames = {
    targets: new Map(),
    anonymous: [],
    substitutions: new Map(),
    images: new Map(),
    footnotes: findFootnotes(lines),
    ...(site === undefined ? {} : { site }),
  };
  for (const [name, id] of site?.anchors ?? []) if (id !== undefined) names.targets.set(name, `#${id}`);
  const aliases = new Map<string, string>();
  /** Names that stand above an address with a name of its own, and mean the same. */
  let above: string[] = [];
  for (const [at, line] of lines.entries()) {
    const anonymous = ANONYMOUS.exec(line);
    if (anonymous !== null)
      names.anonymous.push(withMore(anonymous[2], lines, at, anonymous[1]).replace(/\s+/g, ""));
    const substitution = SUBSTITUTION.exec(line);
    if (substitution?.[3] === "image") {
      const block = lines.slice(at + 1, indentedEnd(lines, at + 1));
      const image = writeImage(readRstDirective("image", substitution[4] ?? "", block));
      names.images.set(nameOf(substitution[2] ?? ""), image);
    } else if (substitution?.[2] !== undefined) {
      const text = substitution[3] === "replace" ? withMore(substitution[4], lines, at, substitution[1]) : "";
      names.substitutions.set(nameOf(substitution[2]), text);
    }
    const target = line.includes(".. _") ? TARGET.exec(line) : null;
    const name = nameOf((target?.[2] ?? target?.[3] ?? "").replaceAll("\\", ""));
    if (target === null || name === "") {
      if (!isBlank(line)) above = [];
      continue;
    }
    const written = withMore(target[4], lines, at, target[1]);
    const address = written.replace(/\s+/g, "");
    if (address === "") above.push(name);
    else if (/^(?:`[^`]+`|[^\s:/]+)_$/.test(written))
      aliases.set(name, nameOf(written.replace(/^`|`?_$/g, "")));
    else for (const each of [name, ...above.splice(0)]) names.targets.set(each, address);
  }
  for (const [name, other] of aliases) {
    const address = names.targets.get(aliases.get(other) ?? other);
    if (address !== undefined) names.targets.set(name, address);
  }
  return names;
}

/** What a mark says on its line, with the lines below that are further in. */
function withMore(first: string | undefined, lines: readonly string[], at: number, indent = ""): string {
  const said = first === undefined || first === "" ? [] : [first.trim()];
  for (let next = at + 1; !isBlank(lines[next]); next++) {
    const line = lines[next] ?? "";
    if (line.length - line.trimStart().length <= indent.length) break;
    said.push(line.trim());
  }
  return said.join(" ");
}
