import { writeMarkdownTable } from "@docent/kernel/text/write-markdown";
import { addMarkdown, addWords, closeFrame, endParagraph, openFrame, setCode } from "./body.ts";
import type { Run } from "./escapes.ts";
import { writeRuns } from "./inline.ts";
import type { MdocWriting } from "./mdoc.ts";
import { writeInlineLine } from "./mdoc-line.ts";

/** A list that is open. */
export interface List {
  kind: "terms" | "bullets" | "numbers" | "plain" | "table";
  /** How many frames there were before its item. */
  frames: number;
  items: number;
  /** The rows of a table, and whether one is open. */
  rows: string[][];
  isOpen: boolean;
}

const KINDS: Readonly<Record<string, List["kind"]>> = {
  "-tag": "terms",
  "-hang": "terms",
  "-ohang": "terms",
  "-inset": "terms",
  "-diag": "terms",
  "-bullet": "bullets",
  "-dash": "bullets",
  "-hyphen": "bullets",
  "-enum": "numbers",
  "-item": "plain",
  "-column": "table",
};

export function beginList(writing: MdocWriting, args: readonly string[]): void {
  const { body, lists } = writing;
  setCode(body, false);
  endParagraph(body);
  const kind = args.map((arg) => KINDS[arg]).find((each) => each !== undefined) ?? "plain";
  lists.push({ kind, frames: body.frames.length, items: 0, rows: [], isOpen: false });
}

export function beginItem(writing: MdocWriting, args: string[]): void {
  const list = writing.lists.at(-1);
  if (list === undefined) return;
  endItem(writing, "all");
  const { body, inline } = writing;
  list.items += 1;
  list.isOpen = true;
  switch (list.kind) {
    case "terms":
      writing.isHead = true;
      inline.runs = [];
      inline.spaced = false;
      writeInlineLine(inline, args);
      return;
    case "table": {
      list.rows.push([]);
      openFrame(body, "indent");
      writeCells(writing, args);
      return;
    }
    default:
      openFrame(body, list.kind === "plain" ? "indent" : "item", {
        mark: list.kind === "numbers" ? `${list.items}.` : "-",
      });
      // Few pages write an item's words there.
      if (args.length > 0) writeInlineLine(inline, args);
  }
}

/** The cells of a row stand between `Ta`, or between tabs. */
function writeCells(writing: MdocWriting, args: readonly string[]): void {
  const cells: string[][] = [[]];
  for (const arg of args) {
    const [first = "", ...rest] = arg.split("\t");
    if (arg === "Ta") {
      cells.push([]);
      continue;
    }
    if (first !== "" || rest.length === 0) cells.at(-1)?.push(first);
    for (const each of rest) cells.push(each === "" ? [] : [each]);
  }
  for (const [index, cell] of cells.entries()) {
    if (index > 0) nextCell(writing);
    writeInlineLine(writing.inline, cell);
  }
}

/** Ends the cell of a table that is open, so that the next words are another one's. */
export function nextCell(writing: MdocWriting): void {
  const list = writing.lists.at(-1);
  const { body, inline } = writing;
  if (list?.kind !== "table") return;
  const words: Run[] = [
    ...body.words.flatMap((line, index) => (index > 0 ? [{ text: " ", font: "R" } as const, ...line] : line)),
  ];
  if (words.length > 0 && inline.runs.length > 0) words.push({ text: " ", font: "R" });
  const cell = writeRuns([...words, ...inline.runs], body.link);
  list.rows.at(-1)?.push(cell.replace(/(?<!\\)\|/g, "\\|"));
  body.words = [];
  inline.runs = [];
  inline.spaced = false;
}

/** Ends an item, or only its head. */
export function endItem(writing: MdocWriting, what: "head" | "all"): void {
  const list = writing.lists.at(-1);
  const { body, inline } = writing;
  if (writing.isHead) {
    writing.isHead = false;
    const term = writeRuns(inline.runs, body.link);
    inline.runs = [];
    inline.spaced = false;
    inline.open = inline.open.filter(({ by }) => by !== undefined && by !== "Xc");
    if (term !== "") openFrame(body, "definition", { terms: [...termsAbove(writing), term] });
    else openFrame(body, "indent");
  }
  if (what === "head" || list === undefined || !list.isOpen) return;
  if (list.kind === "table") nextCell(writing);
  if (inline.runs.length > 0) {
    addWords(body, inline.runs);
    inline.runs = [];
  }
  list.isOpen = false;
  setCode(body, false);
  while (body.frames.length > list.frames) closeFrame(body);
}

/** Of terms above each other the last one has the words. */
function termsAbove({ body }: MdocWriting): string[] {
  const blocks = body.frames.at(-1)?.blocks ?? [];
  const last = blocks.at(-1);
  if (last?.kind !== "definition" || last.blocks.length > 0 || !last.terms[0]?.startsWith("`-")) return [];
  blocks.pop();
  return last.terms;
}

export function endList(writing: MdocWriting): void {
  endItem(writing, "all");
  const list = writing.lists.pop();
  if (list?.kind !== "table") return;
  const rows = list.rows.filter((row) => row.some((cell) => cell !== ""));
  if (rows.length > 0) addMarkdown(writing.body, writeMarkdownTable(rows));
}
