import {
  addCode,
  addHeading,
  addMarkdown,
  addWords,
  type Body,
  breakLine,
  closeFrame,
  endParagraph,
  openFrame,
  setCode,
} from "./body.ts";
import { plainWords, type Run, readText } from "./escapes.ts";
import { writeRuns } from "./inline.ts";
import { addWord, createInline, type Inline, isInlineMacro, writeInlineLine } from "./mdoc-line.ts";
import { beginItem, beginList, endItem, endList, type List, nextCell } from "./mdoc-lists.ts";
import type { RoffLine } from "./roff.ts";
import { writeTable } from "./tbl.ts";

/** How far a page in the macros of mdoc(7) is read. */
export interface MdocWriting {
  body: Body;
  inline: Inline;
  lists: List[];
  /** The head of an item goes on: what is written belongs to it. */
  isHead: boolean;
  displays: { isCode: boolean; frames: number }[];
  /** A reference to a book, by its parts. */
  reference: Run[] | undefined;
  title: { name: string; section: string } | undefined;
}

export const createMdocWriting = (body: Body): MdocWriting => ({
  body,
  inline: createInline(),
  lists: [],
  isHead: false,
  displays: [],
  reference: undefined,
  title: undefined,
});

type Macro = (writing: MdocWriting, args: string[]) => void;
const nothing: Macro = () => undefined;

const MACROS: Readonly<Record<string, Macro>> = {
  Dd: nothing,
  Os: nothing,
  Dt: (writing, [name = "", section = ""]) => {
    writing.title ??= { name: plainWords(name), section: plainWords(section) };
  },
  Sh: (writing, args) => heading(writing, 2, args),
  Ss: (writing, args) => heading(writing, 3, args),
  Pp: (writing) => paragraph(writing),
  Lp: (writing) => paragraph(writing),
  Nd: (writing, args) => {
    addWord(writing.inline, "–", "R");
    writeInlineLine(writing.inline, args);
  },
  Bl: (writing, args) => {
    flush(writing);
    beginList(writing, args);
  },
  It: (writing, args) => {
    flush(writing);
    beginItem(writing, args);
  },
  El: (writing) => {
    flush(writing);
    endList(writing);
  },
  Ta: (writing) => {
    flush(writing);
    nextCell(writing);
  },
  Bd: (writing, args) => beginDisplay(writing, args),
  Ed: (writing) => endDisplay(writing),
  D1: (writing, args) => oneLine(writing, args),
  Dl: (writing, args) => oneLine(writing, args),
  Bk: nothing,
  Ek: nothing,
  Hf: nothing,
  Rs: (writing) => {
    flush(writing);
    writing.reference = [];
  },
  Re: (writing) => {
    const { reference } = writing;
    writing.reference = undefined;
    if (reference === undefined || reference.length === 0) return;
    addWords(writing.body, [...reference, { text: ".", font: "R" }]);
  },
  Ex: (writing, args) => {
    const names = args.filter((arg) => arg !== "-std");
    addWord(writing.inline, "The", "R");
    writeNames(writing, names.length === 0 ? [writing.inline.name] : names);
    const verb = names.length > 1 ? "utilities exit" : "utility exits";
    addWord(writing.inline, `${verb} 0 on success, and >0 if an error occurs.`, "R");
  },
  Rv: (writing, args) => {
    const names = args.filter((arg) => arg !== "-std").map((name) => `${name}()`);
    addWord(writing.inline, "The", "R");
    writeNames(writing, names.length === 0 ? [`${writing.inline.name}()`] : names);
    addWord(
      writing.inline,
      `${names.length > 1 ? "functions return" : "function returns"} the value 0 if successful; otherwise the value -1 is returned and the global variable`,
      "R",
    );
    addWord(writing.inline, "errno", "I");
    addWord(writing.inline, "is set to indicate the error.", "R");
  },
  br: (writing) => line(writing),
  sp: (writing) => paragraph(writing),
  nf: ({ body }) => setCode(body, true),
  fi: ({ body }) => setCode(body, false),
  Bf: nothing,
  Ef: nothing,
  Ud: (writing) => addWord(writing.inline, "currently under development.", "R"),
  Bt: (writing) => addWord(writing.inline, "is currently in beta test.", "R"),
};

/** Whether pages cannot give a name another meaning. */
export const isMdocMacro = (name: string) => Object.hasOwn(MACROS, name) || isInlineMacro(name);

/** Writes a line of a page. */
export function writeMdocLine(writing: MdocWriting, line: RoffLine): void {
  switch (line.kind) {
    case "table": {
      flush(writing);
      const write = (text: string) =>
        writeRuns(readText(text, { now: "R", before: "R" }).runs, writing.body.link);
      addMarkdown(writing.body, writeTable(line.lines, write));
      return;
    }
    case "equation":
      flush(writing);
      endParagraph(writing.body);
      addCode(writing.body, line.text);
      return;
    case "text":
      writeText(writing, line.text);
      return;
    case "macro":
      writeMacro(writing, line.name, line.args);
      return;
  }
}

function writeText(writing: MdocWriting, text: string): void {
  const { body, inline } = writing;
  if (body.code !== undefined) {
    flush(writing);
    const { runs } = readText(text, { now: "R", before: "R" });
    return void body.code.push(runs.map((run) => run.text).join(""));
  }
  if (text.trim() === "") {
    paragraph(writing);
    return;
  }
  if (/^\s/.test(text) && !writing.isHead) line(writing);
  const words = /\t/.test(text) && writing.lists.at(-1)?.kind === "table" ? text.split("\t") : [text.trim()];
  for (const [index, each] of words.entries()) {
    if (index > 0) {
      flush(writing);
      nextCell(writing);
    }
    addWord(inline, each, "R");
  }
  endLine(writing);
}

/** In a synopsis these begin a line. */
const BEGINS_LINE = new Set(["Nm", "Ft", "In", "Fd", "Cd", "Vt", "Fo"]);

function writeMacro(writing: MdocWriting, name: string, args: string[]): void {
  const part = /^%([A-Z])$/.exec(name)?.[1];
  if (part !== undefined) {
    addToReference(writing, part, args);
    return;
  }
  const { body, inline } = writing;
  if (Object.hasOwn(MACROS, name) && !(name === "Ta" && args.length > 0)) {
    MACROS[name]?.(writing, args);
    endLine(writing);
    return;
  }
  if (!isInlineMacro(name)) return;
  const isLine = body.isSynopsis && !writing.isHead && writing.lists.length === 0 && body.code === undefined;
  inline.isSynopsis = isLine;
  const isFunction = name === "Fn" && inline.runs.length === 0 && body.words.length <= 1;
  if (isLine && inline.open.length === 0 && (BEGINS_LINE.has(name) || isFunction)) line(writing);
  writeInlineLine(inline, [name, ...args]);
  if (isLine && (name === "In" || name === "Fd" || name === "Fn" || name === "Fc" || name === "Cd"))
    line(writing);
  endLine(writing);
}

/** Lines of code end where they end in the source. */
function endLine(writing: MdocWriting): void {
  if (writing.isHead) {
    if (!writing.inline.open.some(({ by }) => by !== undefined)) endItem(writing, "head");
  } else if (writing.body.code !== undefined) flush(writing);
}

/** Hands what was put together over to the paragraph. */
function flush({ body, inline, isHead }: Pick<MdocWriting, "body" | "inline" | "isHead">): void {
  if (isHead || inline.runs.length === 0) return;
  addWords(body, inline.runs);
  inline.runs = [];
  inline.spaced = false;
}

function line(writing: MdocWriting): void {
  flush(writing);
  if (!writing.isHead) breakLine(writing.body);
}

function paragraph(writing: MdocWriting): void {
  if (writing.isHead) return;
  flush(writing);
  endParagraph(writing.body);
}

function heading(writing: MdocWriting, level: number, args: string[]): void {
  if (writing.isHead) endItem(writing, "head");
  flush(writing);
  const { inline, body } = writing;
  while (writing.lists.length > 0) endList(writing);
  inline.open = [];
  inline.called = undefined;
  writing.displays = [];
  writeInlineLine({ ...inline, isSynopsis: false }, []);
  const head = { ...createInline(), name: inline.name };
  writeInlineLine(head, args);
  addHeading(body, level, head.runs);
}

function writeNames({ inline }: MdocWriting, names: readonly string[]): void {
  for (const [index, name] of names.entries()) {
    if (index > 0 && index === names.length - 1) addWord(inline, "and", "R");
    addWord(inline, name, "B");
    if (index < names.length - 2) addWord(inline, ",", "R");
  }
}

function oneLine(writing: MdocWriting, args: string[]): void {
  flush(writing);
  endParagraph(writing.body);
  const inline = { ...createInline(), name: writing.inline.name };
  writeInlineLine(inline, args);
  const text = inline.runs.map((run) => run.text).join("");
  if (writing.body.code !== undefined) writing.body.code.push(text);
  else addCode(writing.body, text);
}

function beginDisplay(writing: MdocWriting, args: string[]): void {
  flush(writing);
  const { body } = writing;
  const isCode = args.some((arg) => /^-(?:literal|unfilled|diag)$/.test(arg)) && body.code === undefined;
  writing.displays.push({ isCode, frames: body.frames.length });
  if (isCode) setCode(body, true);
  else if (body.code === undefined) openFrame(body, "indent");
}

function endDisplay(writing: MdocWriting): void {
  const display = writing.displays.pop();
  flush(writing);
  if (display === undefined) return;
  if (display.isCode) setCode(writing.body, false);
  else if (writing.body.code === undefined)
    while (writing.body.frames.length > display.frames) closeFrame(writing.body);
}

/** The parts of a reference: authors, a title, the book that it is in, and others. */
function addToReference(writing: MdocWriting, part: string, args: string[]): void {
  const { reference } = writing;
  const inline = createInline();
  writeInlineLine(inline, args);
  const isTitle = part === "B" || part === "J" || part === "T";
  const runs = inline.runs.map((run): Run => (isTitle && run.font === "R" ? { ...run, font: "I" } : run));
  if (reference === undefined) addWords(writing.body, runs);
  else reference.push(...(reference.length > 0 ? [{ text: ", ", font: "R" } as const] : []), ...runs);
}
