import { codeSpan } from "@docent/kernel/text/write-markdown";
import { joinDefinitions, writeDefinition, writeDefinitionList } from "../definition-list.ts";
import { writeRstInline } from "./inline.ts";
import { dedentBlock, indentedEnd, isBlank, leadingSpaces, prefixLines } from "./lines.ts";
import { type BlockStart, headingWords } from "./writing.ts";

/** A list of definitions that is longer goes on as another one. */
const LIST_CHARACTERS_MAX = 20_000;
const BULLET = /^[-*+•‣⁃](?=\s|$)/;
const NUMBER = /^(?:\(?(?:\d{1,9}|#|[a-zA-Z]|[ivxlcIVXLC]{2,5})[.)])(?=\s|$)/;

export function readList({ lines, at, depth, out, writing }: BlockStart): number | undefined {
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
    const rest = lines.slice(next + 1, end);
    writing.body(dedentItem(item.slice(marker.length), rest, marker.length), depth + 1, blocks);
    const bullet = pattern === BULLET ? "- " : `${number}. `;
    if (blocks.length > 0)
      items.push(
        bullet + prefixLines(blocks.map(headingWords).join("\n\n"), " ".repeat(bullet.length)).trimStart(),
      );
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
  return isBlank(next) || leadingSpaces(next ?? "") > 1 || NUMBER.test(next ?? "");
}

/** Options of a directive on the first line are further in than it, which is all that tells them from its item's words. */
function dedentItem(first: string, rest: readonly string[], markColumns: number): string[] {
  const columns = markColumns + leadingSpaces(first);
  const isDirective = /^\s*\.\. \S/.test(first);
  if (isDirective && rest.every((line) => isBlank(line) || leadingSpaces(line) >= columns))
    return [first.trim(), ...rest.map((line) => line.slice(columns).trimEnd())];
  return [
    first.trim(),
    ...(isBlank(rest[0]) && !isBlank(first) ? ["", ...dedentBlock(rest)] : dedentBlock(rest)),
  ];
}

/** Reads `:name: text`. At the top of a page such fields are for the builder. */
export function readFields({ lines, at, depth, out, writing }: BlockStart): number | undefined {
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
    writing.body([field[2] ?? "", ...dedentBlock(lines.slice(next + 1, end))], depth + 1, blocks);
    items.push(
      `- ${fieldName(field[1] ?? "")}: ${prefixLines(blocks.join("\n\n"), "  ").trimStart()}`.trimEnd(),
    );
    next = end;
    if (isBlank(lines[next]) && isField(lines[next + 1] ?? "") !== null) next += 1;
  }
  if (!forBuilder) out.push(items.join(items.some((item) => item.includes("\n\n")) ? "\n\n" : "\n"));
  return next;
}

/** `param str name` documents `name`; other fields keep their names. */
function fieldName(name: string): string {
  const [kind = "", ...rest] = name.split(/\s+/);
  const documented =
    /^(?:param|parameter|arg|argument|key|keyword|raises?|except|exception|type|ivar|var|cvar|vartype)$/.test(
      kind,
    );
  return documented && rest.length > 0 ? `\`${rest.join(" ")}\`` : `**${name}**`;
}

/** Reads command options: `-a, --all=X  text`. */
export function readOptions({ lines, at, depth, out, writing }: BlockStart): number | undefined {
  const option = /^(-{1,2}\w[^\s]{0,60}(?:[ ,]{1,2}-{0,2}[\w<=[\]-]{1,60}){0,6}?)(?:\s{2,}(\S.*))?$/.exec(
    lines[at] ?? "",
  );
  const end = indentedEnd(lines, at + 1);
  if (option?.[1] === undefined || (option[2] === undefined && end === at + 1)) return undefined;
  out.push(`**${codeSpan(option[1])}**`);
  writing.body([option[2] ?? "", ...dedentBlock(lines.slice(at + 1, end))], depth + 1, out);
  return end;
}

/** Reads a definition: a line of words with an indented block right below. */
export function readDefinition({ lines, at, depth, out, writing }: BlockStart): number | undefined {
  const line = lines[at] ?? "";
  const next = lines[at + 1] ?? "";
  if (isBlank(next) || leadingSpaces(next) === 0 || line.trimEnd().endsWith("::")) return undefined;
  const end = indentedEnd(lines, at + 1);
  const [term = "", ...classifiers] = line.split(" : ");
  const words = [term, ...classifiers].map((each) => writeRstInline(each, writing.names));
  const blocks: string[] = [];
  const definition = { terms: [words.join(", ")], blocks };
  writing.body(dedentBlock(lines.slice(at + 1, end)), depth + 1, blocks);
  const isSection = blocks.some((block) => /^#{1,6} /.test(block));
  const list = isSection || words[0] === "" ? undefined : writeDefinitionList([definition]);
  const before = out.at(-1) === writing.definitions ? out.pop() : undefined;
  if (list === undefined) out.push(...(before === undefined ? [] : [before]), ...writeDefinition(definition));
  else out.push(before === undefined ? list : joinDefinitions([before, list]));
  const last = list && out.at(-1);
  writing.definitions = last && last.length < LIST_CHARACTERS_MAX ? last : undefined;
  return end;
}
