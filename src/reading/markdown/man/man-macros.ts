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
import { type Font, type Fonts, plainWords, type Run, readText, setFont } from "./escapes.ts";
import { wordsOf, writeRuns } from "./inline.ts";
import type { RoffLine } from "./roff.ts";
import { writeTable } from "./tbl.ts";

/** How far a page in the macros of man(7) is read. */
interface ManWriting {
  body: Body;
  fonts: Fonts;
  /** The next line is a term: the first of its definition, or one more. */
  term: "first" | "more" | undefined;
  /** A macro without words sets the next line. */
  waiting: ((runs: Run[]) => void) | undefined;
  /** The next words go on without a space. */
  joins: boolean;
  /** Terms stand close to each other. */
  isClose: boolean;
  /** How many `.RS` are open, and how many frames there were before each. */
  indents: number[];
  link: { href: string; runs: Run[] } | undefined;
  title: { name: string; section: string } | undefined;
}

export const createManWriting = (body: Body): ManWriting => ({
  body,
  fonts: { now: "R", before: "R" },
  term: undefined,
  waiting: undefined,
  joins: false,
  isClose: false,
  indents: [],
  link: undefined,
  title: undefined,
});

type Macro = (writing: ManWriting, args: string[]) => void;

/** A macro of fonts: its words are set in them by turns. */
const set =
  (...fonts: [Font, ...Font[]]): Macro =>
  (writing, args) => {
    if (args.length === 0) {
      const [font] = fonts;
      writing.waiting = (runs) =>
        write(
          writing,
          runs.map((run) => ({ ...run, font: run.font === "R" ? font : run.font })),
        );
      return;
    }
    const runs: Run[] = [];
    let joins = false;
    for (const [index, arg] of args.entries()) {
      const font = fonts[index % fonts.length] ?? "R";
      if (index > 0 && fonts.length === 1) runs.push({ text: " ", font });
      const read = readText(arg, { now: font, before: "R" });
      runs.push(...read.runs);
      joins = read.joins;
    }
    write(writing, runs);
    writing.joins = joins;
    writing.fonts = { now: "R", before: "R" };
  };

const paragraph: Macro = (writing) => {
  endItems(writing);
  endParagraph(writing.body);
  writing.fonts = { now: "R", before: "R" };
};

const nothing: Macro = () => undefined;
const nextLine: Macro = ({ body }) => breakLine(body);

const MACROS: Readonly<Record<string, Macro>> = {
  TH: (writing, [name = "", section = ""]) => {
    writing.title ??= { name: plainWords(name), section: plainWords(section) };
  },
  SH: (writing, args) => heading(writing, 2, args),
  SS: (writing, args) => heading(writing, 3, args),
  PP: paragraph,
  P: paragraph,
  LP: paragraph,
  HP: paragraph,
  TP: (writing) => {
    endItems(writing);
    writing.term = "first";
  },
  TQ: (writing) => {
    endParagraph(writing.body);
    writing.term = "more";
  },
  IP: (writing, args) => indentedParagraph(writing, args),
  RS: (writing) => {
    const { body, indents } = writing;
    if (body.code !== undefined) return void indents.push(-1);
    indents.push(body.frames.length);
    openFrame(body, "indent");
  },
  RE: (writing) => {
    const { body } = writing;
    const frames = writing.indents.pop();
    if (frames === undefined || frames < 0) return;
    setCode(body, false);
    while (body.frames.length > frames) closeFrame(body);
  },
  B: set("B"),
  I: set("I"),
  SM: set("R"),
  SB: set("B"),
  R: set("R"),
  CW: set("C"),
  BI: set("B", "I"),
  BR: set("B", "R"),
  IB: set("I", "B"),
  IR: set("I", "R"),
  RB: set("R", "B"),
  RI: set("R", "I"),
  nf: ({ body }) => setCode(body, true),
  fi: ({ body }) => setCode(body, false),
  EX: ({ body }) => setCode(body, true),
  EE: ({ body }) => setCode(body, false),
  Vb: ({ body }) => setCode(body, true),
  Ve: ({ body }) => setCode(body, false),
  br: nextLine,
  sp: ({ body }) => endParagraph(body),
  Sp: ({ body }) => endParagraph(body),
  PD: (writing, [distance]) => {
    writing.isClose = distance === "0";
  },
  ft: ({ fonts }, [font = ""]) => setFont(fonts, font),
  UR: (writing, [href = ""]) => openLink(writing, plainWords(href)),
  MT: (writing, [address = ""]) => openLink(writing, `mailto:${plainWords(address)}`),
  UE: (writing, args) => closeLink(writing, args),
  ME: (writing, args) => closeLink(writing, args),
  URL: (writing, [href = "", words = "", after = ""]) => {
    openLink(writing, plainWords(href));
    write(writing, readText(words, { now: "R", before: "R" }).runs);
    closeLink(writing, [after]);
  },
  MTO: (writing, [address = "", words = "", after = ""]) => {
    openLink(writing, `mailto:${plainWords(address)}`);
    write(writing, readText(words, { now: "R", before: "R" }).runs);
    closeLink(writing, [after]);
  },
  MR: (writing, [name = "", section = "", after = ""]) =>
    write(writing, [{ text: `${plainWords(name)}(${plainWords(section)})${plainWords(after)}`, font: "R" }]),
  SY: (writing, [name = ""]) => {
    endItems(writing);
    breakLine(writing.body);
    write(writing, readText(name, { now: "B", before: "R" }).runs);
  },
  YS: ({ body }) => endParagraph(body),
  OP: (writing, [option = "", value]) => {
    const runs: Run[] = [{ text: "[", font: "R" }, ...readText(option, { now: "B", before: "R" }).runs];
    if (value !== undefined)
      runs.push({ text: " ", font: "R" }, ...readText(value, { now: "I", before: "R" }).runs);
    write(writing, [...runs, { text: "]", font: "R" }]);
  },
  de: nothing,
  DT: nothing,
};

/** Whether pages cannot give a name another meaning. */
export const isManMacro = (name: string) => Object.hasOwn(MACROS, name);

/** Writes a line of a page. */
export function writeManLine(writing: ManWriting, line: RoffLine): void {
  const { body } = writing;
  switch (line.kind) {
    case "table":
      setCode(body, false);
      addMarkdown(
        body,
        writeTable(line.lines, (text) =>
          writeRuns(readText(text, { now: "R", before: "R" }).runs, body.link),
        ),
      );
      return;
    case "equation":
      endParagraph(body);
      addCode(body, line.text);
      return;
    case "macro": {
      const macro = Object.hasOwn(MACROS, line.name) ? MACROS[line.name] : undefined;
      macro?.(writing, line.args);
      return;
    }
    case "text":
      writeText(writing, line.text);
      return;
  }
}

function writeText(writing: ManWriting, text: string): void {
  const { body, fonts, waiting } = writing;
  if (text.trim() === "" && body.code !== undefined) return void body.code.push("");
  if (text.trim() === "") {
    endParagraph(body);
    return;
  }
  const { runs, joins } = readText(text, fonts);
  writing.waiting = undefined;
  if (/^\s/.test(text) && writing.term === undefined && waiting === undefined) breakLine(body);
  if (waiting !== undefined) waiting(runs);
  else write(writing, runs);
  writing.joins = joins;
}

/** Words go to the term that is waited for, to a link, or to the paragraph. */
function write(writing: ManWriting, runs: Run[]): void {
  const { body, term, link, joins } = writing;
  writing.joins = false;
  if (link !== undefined && term === undefined) {
    if (link.runs.length > 0 && !joins) link.runs.push({ text: " ", font: "R" });
    link.runs.push(...runs);
  } else if (term !== undefined) addTerm(writing, runs);
  else addWords(body, runs, { glued: joins });
}

function addTerm(writing: ManWriting, runs: Run[]): void {
  const { body, term } = writing;
  if (runs.every(({ text }) => text.trim() === "")) return;
  writing.term = undefined;
  // In a synopsis it is what the line begins with.
  if (body.isSynopsis) {
    endParagraph(body);
    addWords(body, runs);
    return;
  }
  const written = writeRuns(runs, body.link);
  const frame = body.frames.at(-1);
  if (term === "more" && frame?.kind === "definition" && frame.blocks.length === 0) frame.terms.push(written);
  else {
    const mark = markOf(runs);
    if (mark === undefined) openFrame(body, "definition", { terms: [...carried(writing), written] });
    else openFrame(body, "item", { mark });
  }
}

/** The terms of a definition without words are those of the next one, where both stand close to each other. */
function carried({ body, isClose }: ManWriting): string[] {
  const { blocks = [] } = body.frames.at(-1) ?? {};
  const last = blocks.at(-1);
  if (last?.kind !== "definition" || last.blocks.length > 0) return [];
  if (!isClose && !last.terms[0]?.startsWith("`-")) return [];
  blocks.pop();
  return last.terms;
}

/** The mark of a list's item; undefined for a term. */
function markOf(runs: readonly Run[]): string | undefined {
  const text = wordsOf(runs).trim();
  if (/^(?:[•·●○◦▪*o+–—-]|\(bu)$/.test(text)) return "-";
  const number = /^[([]?(\d{1,4})[.)\]]?$/.exec(text)?.[1];
  return number !== undefined && text !== number ? `${number}.` : undefined;
}

function indentedParagraph(writing: ManWriting, [tag = ""]: string[]): void {
  const { body } = writing;
  if (body.code !== undefined && tag === "") {
    endParagraph(body);
    return;
  }
  const { runs } = readText(tag, { now: "R", before: "R" });
  if (wordsOf(runs).trim() === "") {
    // A line without words goes on with the item above.
    writing.term = undefined;
    endParagraph(body);
    return;
  }
  endItems(writing);
  writing.fonts = { now: "R", before: "R" };
  writing.term = "first";
  addTerm(writing, runs);
}

/** Ends the items and definitions that are open here. */
function endItems(writing: ManWriting): void {
  const { body } = writing;
  writing.term = undefined;
  writing.waiting = undefined;
  while (body.frames.length > 1) {
    const kind = body.frames.at(-1)?.kind;
    if (kind !== "definition" && kind !== "item") return;
    closeFrame(body);
  }
}

function heading(writing: ManWriting, level: number, args: string[]): void {
  writing.term = undefined;
  writing.waiting = undefined;
  writing.link = undefined;
  writing.indents = [];
  writing.fonts = { now: "R", before: "R" };
  const begin = (runs: readonly Run[]) => addHeading(writing.body, level, runs);
  if (args.length === 0) writing.waiting = begin;
  else begin(readText(args.join(" "), { now: "R", before: "R" }).runs);
}

function openLink(writing: ManWriting, href: string): void {
  writing.link = { href, runs: [] };
}

function closeLink(writing: ManWriting, [after = ""]: string[]): void {
  const { link } = writing;
  writing.link = undefined;
  if (link === undefined) return;
  const words = wordsOf(link.runs).trim() || link.href.replace(/^mailto:/, "");
  write(writing, [
    { text: words, font: "R", href: link.href },
    { text: plainWords(after), font: "R" },
  ]);
}
