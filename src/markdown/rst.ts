import { codeFence, codeSpan, escapeLineStart } from "./html/escape.ts";
import { readDirective, writeDirective, writeRows } from "./rst-directive.ts";
import { nameOf, type RstNames, writeRstInline } from "./rst-inline.ts";
import { dedent, indentedEnd, indentOf, isBlank, paragraphEnd } from "./rst-lines.ts";
import { tableAt } from "./rst-table.ts";
import { adornmentOf, docutilsId, titleAt } from "./rst-title.ts";
import { pushHeading, type RstWriting } from "./rst-writing.ts";

const MAX_DEPTH = 12;

/** Reads reStructuredText where it is plain, and writes it as Markdown. What it does not know keeps its words; it never throws. */
export function rstToMarkdown(rst: string): string {
  const lines = rst.replace(/\r\n?/g, "\n").split("\n").map(expandTabs);
  const writing: RstWriting = {
    names: readNames(lines),
    adornments: [],
    headingLevel: 1,
    label: undefined,
    anchors: new Set(),
    module: "",
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

/** What references stand for may come after them: it is read first. */
function readNames(lines: readonly string[]): RstNames {
  const names: RstNames = { targets: new Map(), substitutions: new Map() };
  for (const line of lines) {
    const target = /^\s*\.\. _(?:`([^`]{1,300})`|([^`:][^:]{0,300})):\s+(\S.*)$/.exec(line);
    const name = target?.[1] ?? target?.[2];
    if (name !== undefined)
      names.targets.set(nameOf(name.replaceAll("\\", "")), (target?.[3] ?? "").replace(/\s+/g, ""));
    const substitution = /^\s*\.\. \|([^|]{1,100})\| (replace|unicode)::\s*(.*)$/.exec(line);
    if (substitution?.[1] === undefined) continue;
    const text = substitution[2] === "replace" ? (substitution[3] ?? "") : "";
    names.substitutions.set(nameOf(substitution[1]), text);
  }
  return names;
}

/** Writes one kind of block and says where it ends; undefined where the line begins none. */
type BlockReader = (
  lines: readonly string[],
  at: number,
  depth: number,
  out: string[],
  writing: RstWriting,
) => number | undefined;

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
    let end: number | undefined;
    for (const read of READERS) {
      end = read(lines, at, depth, out, writing);
      if (end === undefined) continue;
      if (read !== readExplicit) writing.label = undefined;
      break;
    }
    if (end === undefined) writing.label = undefined;
    at = end ?? readParagraph(lines, at, out, writing);
  }
}

function readTitle(
  lines: readonly string[],
  at: number,
  depth: number,
  out: string[],
  writing: RstWriting,
): number | undefined {
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

/** `..` begins targets, directives, footnotes, and what is a comment because it is none of those. */
function readExplicit(
  lines: readonly string[],
  at: number,
  depth: number,
  out: string[],
  writing: RstWriting,
): number | undefined {
  const line = lines[at] ?? "";
  if (!/^\.\.(?:\s|$)/.test(line)) return /^__ \S/.test(line) ? at + 1 : undefined;
  const end = indentedEnd(lines, at + 1);
  const block = lines.slice(at + 1, end);
  const rest = line.slice(2).trim();
  const directive = /^(?:\|[^|]{1,100}\|\s+)?([\w][\w:.+-]{0,60}?)\s?::(?:\s+(.*))?$/.exec(rest);
  if (directive?.[1] !== undefined) {
    if (!rest.startsWith("|"))
      writeDirective(readDirective(directive[1], directive[2]?.trim() ?? "", block), depth, out, writing);
    return end;
  }
  const label = /^_(?:`([^`]{1,300})`|([^:]{1,300})):$/.exec(rest);
  if (label) {
    writing.label = docutilsId(label[1] ?? label[2] ?? "") || undefined;
    return at + 1;
  }
  const note = /^\[([^\]]{1,60})\]\s+(.*)$/.exec(rest);
  if (note) pushParagraph([`[${note[1]}] ${note[2]}`, ...dedent(block)].join(" "), out, writing);
  // An empty comment ends what is above it, and has nothing to do with what is below.
  return rest === "" && isBlank(lines[at + 1]) ? at + 1 : end;
}

function readTable(
  lines: readonly string[],
  at: number,
  _: number,
  out: string[],
  writing: RstWriting,
): number | undefined {
  const table = tableAt(lines, at);
  if (table === undefined) return undefined;
  writeRows(table.rows, "", out, writing);
  return table.end;
}

function readQuote(
  lines: readonly string[],
  at: number,
  depth: number,
  out: string[],
  writing: RstWriting,
): number | undefined {
  if (!/^\s/.test(lines[at] ?? "")) return undefined;
  const end = indentedEnd(lines, at);
  const blocks: string[] = [];
  writing.body(dedent(lines.slice(at, end)), depth + 1, blocks);
  // Lists and code are often indented for their looks; words are, to be quoted.
  if (blocks.some((block) => /^(?:[-`|#]|\d+\.)/.test(block))) out.push(...blocks);
  else if (blocks.length > 0) out.push(prefixLines(blocks.join("\n\n"), "> "));
  return end;
}

const BULLET = /^[-*+•‣⁃](?=\s|$)/;
const NUMBER = /^(?:\(?(?:\d{1,9}|#|[a-zA-Z]|[ivxlcIVXLC]{2,5})[.)])(?=\s|$)/;

function readList(
  lines: readonly string[],
  at: number,
  depth: number,
  out: string[],
  writing: RstWriting,
): number | undefined {
  const line = lines[at] ?? "";
  const pattern = BULLET.test(line) ? BULLET : NUMBER.test(line) ? NUMBER : undefined;
  if (pattern === undefined || (pattern === NUMBER && !isListLine(lines, at))) return undefined;
  const items: string[] = [];
  let number = Number(/\d+/.exec(line.slice(0, 11))?.[0] ?? 1);
  let next = at;
  while (next < lines.length) {
    const item = lines[next] ?? "";
    const marker = pattern.exec(item)?.[0];
    if (marker === undefined || (pattern === NUMBER && !isListLine(lines, next))) break;
    const end = indentedEnd(lines, next + 1);
    const blocks: string[] = [];
    writing.body(dedentItem(item.slice(marker.length), lines.slice(next + 1, end)), depth + 1, blocks);
    const bullet = pattern === BULLET ? "- " : `${number}. `;
    if (blocks.length > 0)
      items.push(bullet + prefixLines(blocks.join("\n\n"), " ".repeat(bullet.length)).trimStart());
    number += 1;
    next = end;
    while (next < lines.length && isBlank(lines[next])) next += 1;
  }
  if (items.length > 0) out.push(items.join(items.some((item) => item.includes("\n\n")) ? "\n\n" : "\n"));
  return next;
}

/** "A. Einstein was" begins a list only where the next line belongs to one. */
function isListLine(lines: readonly string[], at: number): boolean {
  const next = lines[at + 1];
  return isBlank(next) || indentOf(next ?? "") > 1 || NUMBER.test(next ?? "");
}

function dedentItem(first: string, rest: readonly string[]): string[] {
  return [first.trim(), ...(isBlank(rest[0]) && !isBlank(first) ? ["", ...dedent(rest)] : dedent(rest))];
}

/** `:name: text`. At the top of a page they are said to the builder. */
function readFields(
  lines: readonly string[],
  at: number,
  depth: number,
  out: string[],
  writing: RstWriting,
): number | undefined {
  const isField = (line: string) =>
    /^:(?![\s:`])([^:\n]{1,200}(?::[^:\s`][^:\n]{0,100})*):(?:\s+(.*))?$/.exec(line);
  if (isField(lines[at] ?? "") === null) return undefined;
  const forBuilder = depth === 0 && out.length === 0;
  const items: string[] = [];
  let next = at;
  for (;;) {
    const field = isField(lines[next] ?? "");
    if (field === null) break;
    const end = indentedEnd(lines, next + 1);
    const blocks: string[] = [];
    writing.body([field[2] ?? "", ...dedent(lines.slice(next + 1, end))], depth + 1, blocks);
    items.push(
      `- ${fieldName(field[1] ?? "")}: ${prefixLines(blocks.join("\n\n"), "  ").trimStart()}`.trimEnd(),
    );
    next = end;
    if (isBlank(lines[next]) && isField(lines[next + 1] ?? "") !== null) next += 1;
  }
  if (!forBuilder) out.push(items.join(items.some((item) => item.includes("\n\n")) ? "\n\n" : "\n"));
  return next;
}

/** `param str name` documents `name`; other fields are called what they say. */
function fieldName(name: string): string {
  const [kind = "", ...rest] = name.split(/\s+/);
  const documented =
    /^(?:param|parameter|arg|argument|key|keyword|raises?|except|exception|type|ivar|var|cvar|vartype)$/.test(
      kind,
    );
  return documented && rest.length > 0 ? `\`${rest.join(" ")}\`` : `**${name}**`;
}

/** `-a, --all=X  text`: what a command takes. */
function readOptions(
  lines: readonly string[],
  at: number,
  depth: number,
  out: string[],
  writing: RstWriting,
): number | undefined {
  const option = /^(-{1,2}\w[^\s]{0,60}(?:[ ,]{1,2}-{0,2}[\w<=[\]-]{1,60}){0,6}?)(?:\s{2,}(\S.*))?$/.exec(
    lines[at] ?? "",
  );
  const end = indentedEnd(lines, at + 1);
  if (option?.[1] === undefined || (option[2] === undefined && end === at + 1)) return undefined;
  out.push(`**${codeSpan(option[1])}**`);
  writing.body([option[2] ?? "", ...dedent(lines.slice(at + 1, end))], depth + 1, out);
  return end;
}

function readLineBlock(
  lines: readonly string[],
  at: number,
  _: number,
  out: string[],
  { names }: RstWriting,
): number | undefined {
  if (!/^\|(?:\s|$)/.test(lines[at] ?? "")) return undefined;
  let end = at;
  while (end < lines.length && /^(?:\||\s+\S)/.test(lines[end] ?? "")) end += 1;
  const words = lines.slice(at, end).map((line) => writeRstInline(line.replace(/^\|/, ""), names));
  const shown = words.filter((line) => line !== "").map(escapeLineStart);
  if (shown.length > 0) out.push(shown.join("\\\n"));
  return end;
}

function readDoctest(lines: readonly string[], at: number, _: number, out: string[]): number | undefined {
  if (!(lines[at] ?? "").startsWith(">>> ")) return undefined;
  const end = paragraphEnd(lines, at);
  out.push(codeFence(lines.slice(at, end).join("\n"), "pycon"));
  return end;
}

/** A line of words with an indented block right under it. */
function readDefinition(
  lines: readonly string[],
  at: number,
  depth: number,
  out: string[],
  writing: RstWriting,
): number | undefined {
  const line = lines[at] ?? "";
  const next = lines[at + 1] ?? "";
  if (isBlank(next) || indentOf(next) === 0 || line.trimEnd().endsWith("::")) return undefined;
  const end = indentedEnd(lines, at + 1);
  const [term = "", ...classifiers] = line.split(" : ");
  const words = writeRstInline(term, writing.names).replaceAll("**", "");
  const kinds = classifiers.map((kind) => `, ${writeRstInline(kind, writing.names)}`).join("");
  if (words !== "") out.push(`**${words}**${kinds}`);
  writing.body(dedent(lines.slice(at + 1, end)), depth + 1, out);
  return end;
}

/** A paragraph; `::` at its end says that what is indented under it is code. */
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
  const code = dedent(lines.slice(end, codeEnd));
  if (code.length > 0) out.push(codeFence(code.join("\n"), writing.codeLanguage));
  return Math.max(end, codeEnd);
}

function pushParagraph(text: string, out: string[], { names }: RstWriting): void {
  const words = writeRstInline(text, names);
  if (words !== "") out.push(escapeLineStart(words));
}

function prefixLines(text: string, prefix: string): string {
  return text
    .split("\n")
    .map((line) => (line === "" ? line || prefix.trimEnd() : prefix + line))
    .join("\n");
}
