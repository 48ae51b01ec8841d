import { writeDefinitions } from "../definition-list.ts";
import { dedentBlock, isBlank, leadingSpaces, prefixLines } from "../rst/rst.ts";
import { writeOrgInline } from "./inline.ts";
import type { OrgWriting } from "./org.ts";

const ITEM = /^([ \t]*)([-+]|\d{1,9}[.)]|[A-Za-z][.)])(?:[ \t]+|$)(.*)$/;
const STARRED = /^([ \t]+)(\*)[ \t]+(.*)$/;
/** Where the term of a list of definitions ends. */
const TERM = /(?<![ \t])[ \t]+::(?:[ \t]+|$)/;

const itemOf = (line: string) => ITEM.exec(line) ?? STARRED.exec(line);

/** Whether a list begins on a line. */
export const isItem = (line: string) => itemOf(line) !== null;

interface Item {
  mark: string;
  term: string | undefined;
  box: string;
  lines: string[];
}

/** Reads the list that begins on a line, and writes it; returns where it ends. */
export function readList(
  lines: readonly string[],
  from: number,
  depth: number,
  out: string[],
  writing: OrgWriting,
): number {
  const columns = leadingSpaces(lines[from] ?? "");
  const items: Item[] = [];
  let at = from;
  while (at < lines.length) {
    const line = lines[at] ?? "";
    if (isBlank(line)) {
      // Two blank lines end a list.
      if (isBlank(lines[at + 1])) break;
      at += 1;
      continue;
    }
    const found = itemOf(line);
    if (leadingSpaces(line) !== columns || found === null) break;
    const end = itemEnd(lines, at + 1, columns);
    items.push(readItem(found, lines.slice(at + 1, end)));
    at = end;
  }
  writeItems(items, depth, out, writing);
  return at;
}

/** Where an item ends: at the next line that is not further in than it. */
function itemEnd(lines: readonly string[], from: number, columns: number): number {
  let end = from;
  for (let at = from; at < lines.length; at++) {
    const line = lines[at] ?? "";
    if (isBlank(line)) {
      if (isBlank(lines[at + 1])) break;
      continue;
    }
    if (leadingSpaces(line) <= columns) break;
    end = at + 1;
  }
  return end;
}

function readItem(found: RegExpExecArray, below: readonly string[]): Item {
  const [, , mark = "-", rest = ""] = found;
  const words = rest.replace(/^\[@\w+\][ \t]*/, "");
  const box = /^\[([ xX-])\](?:[ \t]+|$)/.exec(words);
  const own = box === null ? words : words.slice(box[0].length);
  const term = /^\d/.test(mark) ? null : TERM.exec(own.slice(0, 1_000));
  const first = term === null ? own : own.slice(term.index + term[0].length);
  return {
    mark: /^\d/.test(mark) ? `${Number.parseInt(mark, 10)}.` : "-",
    term: term === null ? undefined : own.slice(0, term.index),
    box: box === null ? "" : `[${box[1] === " " ? " " : box[1] === "-" ? " " : "x"}] `,
    lines: [first, ...dedentBlock(below).map((line) => line)],
  };
}

function writeItems(items: readonly Item[], depth: number, out: string[], writing: OrgWriting): void {
  const blocksOf = (item: Item): string[] => {
    const blocks: string[] = [];
    writing.body(item.lines, depth + 1, blocks);
    return blocks;
  };
  if (items.length > 0 && items.every(({ term }) => term !== undefined)) {
    const definitions = items.map((item) => ({
      terms: [writeOrgInline(item.term ?? "", writing.names)],
      blocks: blocksOf(item),
    }));
    // One that is too long for a list does not take the others out of it.
    let run: typeof definitions = [];
    let length = 0;
    for (const each of definitions) {
      const own = each.blocks.join("").length;
      if (run.length > 0 && (own > 3_000 || length > 20_000)) {
        out.push(...writeDefinitions(run));
        [run, length] = [[], 0];
      }
      run.push(each);
      length += own;
      if (own > 3_000) {
        out.push(...writeDefinitions(run));
        [run, length] = [[], 0];
      }
    }
    if (run.length > 0) out.push(...writeDefinitions(run));
    return;
  }
  const written = items.flatMap((item) => {
    const blocks = blocksOf(item);
    const term = item.term === undefined ? "" : `**${writeOrgInline(item.term, writing.names)}** – `;
    const head = `${item.mark} `;
    const [first = "", ...rest] = blocks;
    const isWords = first !== "" && !/^(?:[-|>`#]|\d+\.\s)/.test(first);
    const body =
      isWords || item.term === undefined
        ? [term + first, ...rest]
        : [term.replace(/ – $/, ""), first, ...rest];
    const text = body
      .filter((each) => each !== "")
      .join(rest.length === 0 || !rest.every((each) => /^(?:- |\d+\. )/.test(each)) ? "\n\n" : "\n");
    return text === "" && item.box === ""
      ? []
      : [`${head}${item.box}${prefixLines(text, " ".repeat(head.length)).trimStart()}`.trimEnd()];
  });
  if (written.length > 0)
    out.push(written.join(written.some((each) => each.includes("\n\n")) ? "\n\n" : "\n"));
}
