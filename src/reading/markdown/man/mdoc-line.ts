import { type Font, plainWords, type Run, readText } from "./escapes.ts";
import { library, standard, systemOf } from "./mdoc-names.ts";

/** Words of a line in the macros of mdoc(7), as they are put together. */
export interface Inline {
  runs: Run[];
  /** Whether a space stands before what comes next. */
  spaced: boolean;
  /** `.Sm off`: words stand close to each other. */
  isClose: boolean;
  /** What is open: of a line until its end, of two macros until the second. */
  open: { close: string; by: string | undefined }[];
  /** The page's own name. */
  name: string;
  /** `Fo` is open, with how many of its arguments were written. */
  called: number | undefined;
  /** Functions, types and headers stand in lines of their own. */
  isSynopsis: boolean;
}

export const createInline = (): Inline => ({
  runs: [],
  spaced: false,
  isClose: false,
  open: [],
  name: "",
  called: undefined,
  isSynopsis: false,
});

const FONTS: Readonly<Record<string, Font>> = {
  Fl: "B",
  Cm: "B",
  Ic: "B",
  Sy: "B",
  Cd: "B",
  Nm: "B",
  Fn: "B",
  Ar: "I",
  Em: "I",
  Va: "I",
  Vt: "I",
  Fa: "I",
  Ft: "I",
  Pa: "I",
  Li: "C",
  Dv: "C",
  Ev: "C",
  Er: "C",
  Fd: "B",
  Ms: "B",
  No: "R",
  Tn: "R",
  An: "R",
  Ad: "I",
};

/** What encloses the rest of its line, and what encloses all up to a second macro. */
const ENCLOSED: Readonly<Record<string, readonly [string, string]>> = {
  Op: ["[", "]"],
  Aq: ["<", ">"],
  Bq: ["[", "]"],
  Brq: ["{", "}"],
  Dq: ["“", "”"],
  Pq: ["(", ")"],
  Qq: ['"', '"'],
  Sq: ["‘", "’"],
  Ql: ["‘", "’"],
};
const OPENED: Readonly<Record<string, readonly [string, string, string]>> = {
  Oo: ["[", "]", "Oc"],
  Ao: ["<", ">", "Ac"],
  Bo: ["[", "]", "Bc"],
  Bro: ["{", "}", "Brc"],
  Do: ["“", "”", "Dc"],
  Po: ["(", ")", "Pc"],
  Qo: ['"', '"', "Qc"],
  So: ["‘", "’", "Sc"],
  Xo: ["", "", "Xc"],
  Eo: ["", "", "Ec"],
};
const CLOSING = new Set(Object.values(OPENED).map(([, , by]) => by));
const SYSTEMS = new Set(["Ux", "Bx", "Nx", "Ox", "Fx", "Dx", "Bsx", "At"]);
const OTHERS = new Set(["Sx", "Ns", "Ap", "Pf", "Xr", "Lk", "Mt", "St", "Lb", "In", "Fo", "Fc", "Sm", "Ta"]);

/** Macros that may stand within a line. */
export const isInlineMacro = (name: string) =>
  Object.hasOwn(FONTS, name) ||
  Object.hasOwn(ENCLOSED, name) ||
  Object.hasOwn(OPENED, name) ||
  CLOSING.has(name) ||
  SYSTEMS.has(name) ||
  OTHERS.has(name);

const isClosingMark = (word: string) => /^[.,:;)\]?!]$/.test(word);
const isOpeningMark = (word: string) => word === "(" || word === "[";

/** Adds a word, with a space before it where one belongs there. */
export function addWord(inline: Inline, word: string, font: Font, href?: string): void {
  const { runs, joins } = readText(word, { now: font, before: font });
  const text = runs.map((run) => run.text).join("");
  if (isClosingMark(text)) inline.spaced = false;
  if (inline.spaced && inline.runs.length > 0)
    inline.runs.push({ text: " ", font: inline.runs.at(-1)?.font === font ? font : "R" });
  const isMark = /^[.,:;()[\]?!|]$/.test(text);
  inline.runs.push(...runs.map((run) => ({ ...run, font: isMark ? ("R" as const) : run.font, href })));
  inline.spaced = !inline.isClose && !joins && !isOpeningMark(text);
}

const glue = (inline: Inline) => {
  inline.spaced = false;
};

const openMark = (inline: Inline, mark: string) => {
  if (mark === "") return;
  addWord(inline, mark, "R");
  glue(inline);
};

const closeMark = (inline: Inline, mark: string) => {
  if (mark === "") return;
  glue(inline);
  addWord(inline, mark, "R");
};

/** Writes a line: the words of a macro, and of macros within it. */
export function writeInlineLine(inline: Inline, words: readonly string[]): void {
  // Marks at its end stand behind whatever the line opens.
  let end = words.length;
  while (end > 1 && isClosingMark(words[end - 1] ?? "")) end -= 1;
  const depth = inline.open.length;
  let at = 0;
  while (at < end) {
    const word = words[at] ?? "";
    at += 1;
    if (isInlineMacro(word)) at = writeMacro(inline, word, words, at, end);
    else addWord(inline, word, "R");
  }
  closeLineMarks(inline, depth);
  for (const mark of words.slice(end)) addWord(inline, mark, "R");
}

/** Closes what the line has opened for itself alone. */
function closeLineMarks(inline: Inline, depth: number): void {
  while (inline.open.length > depth && inline.open.at(-1)?.by === undefined)
    closeMark(inline, inline.open.pop()?.close ?? "");
}

/** The words up to the next macro. */
function ownWords(words: readonly string[], from: number, end: number): string[] {
  let at = from;
  while (at < end && !isInlineMacro(words[at] ?? "")) at += 1;
  return words.slice(from, at);
}

const OPEN_MAX = 50;

function writeMacro(
  inline: Inline,
  name: string,
  words: readonly string[],
  from: number,
  end: number,
): number {
  const enclosed = ENCLOSED[name];
  if (enclosed !== undefined) {
    openMark(inline, enclosed[0]);
    if (inline.open.length < OPEN_MAX) inline.open.push({ close: enclosed[1], by: undefined });
    return from;
  }
  const opened = OPENED[name];
  if (opened !== undefined) {
    openMark(inline, opened[0]);
    if (inline.open.length < OPEN_MAX) inline.open.push({ close: opened[1], by: opened[2] });
    return from;
  }
  if (CLOSING.has(name)) {
    closeBy(inline, name);
    return from;
  }
  const own = ownWords(words, from, end);
  const next = from + own.length;
  const font = FONTS[name];
  if (SYSTEMS.has(name)) return writeSystem(inline, name, own, from);
  if (font === undefined) return writeOther(inline, name, own, { from, next });
  writeSet(inline, name, own, font);
  if (name === "Fl" && own.length === 0 && next < end && words[next] !== "Ns") glue(inline);
  return next;
}

function closeBy(inline: Inline, name: string): void {
  if (!inline.open.some(({ by }) => by === name)) return;
  for (;;) {
    const last = inline.open.pop();
    if (last === undefined) return;
    closeMark(inline, last.close);
    if (last.by === name) return;
  }
}

function writeSystem(inline: Inline, name: string, own: readonly string[], from: number): number {
  const version = own.filter((word) => /^[\dvIV][\w.]*$/.test(word));
  const variant =
    name === "Bx" && version.length === 1 && /^[a-zR]\w*$/i.test(own[1] ?? "") ? [own[1] ?? ""] : [];
  const taken = own.length > 0 && own[0] === version[0] ? [own[0], ...variant] : [];
  addWord(inline, systemOf(name, taken.join(" ")) ?? name, "R");
  return from + taken.length;
}

/** Words in the font of their macro, with what it adds to each. */
function writeSet(inline: Inline, name: string, own: readonly string[], font: Font): void {
  if (name === "Fn") {
    writeFunction(inline, own);
    return;
  }
  if (name === "Fa" && inline.called !== undefined) {
    for (const word of own) {
      if (inline.called > 0) addWord(inline, ",", "R");
      addWord(inline, word, "I");
      inline.called += 1;
    }
    return;
  }
  if (name === "An" && /^-(?:no)?split$/.test(own[0] ?? "")) return;
  const given =
    own.length === 0 || (name === "Nm" && isClosingMark(own[0] ?? "")) ? defaultOf(inline, name) : [];
  for (const word of [...given, ...own]) {
    const isMark = isClosingMark(word) || isOpeningMark(word) || word === "|";
    addWord(inline, name === "Fl" && !isMark ? `-${word}` : word, font);
    if (name === "Fa" && own.length > 1 && word !== own.at(-1) && !isMark) addWord(inline, ",", "R");
  }
  if (name === "Nm" && inline.name === "" && own[0] !== undefined) inline.name = plainWords(own[0]);
}

function defaultOf(inline: Inline, name: string): string[] {
  if (name === "Ar") return ["file", "..."];
  if (name === "Nm") return inline.name === "" ? [] : [inline.name];
  return name === "Fl" ? [""] : name === "Pa" ? ["~"] : [];
}

function writeFunction(inline: Inline, own: readonly string[]): void {
  const [name = "", ...rest] = own;
  const args = rest.filter((word) => !isClosingMark(word));
  addWord(inline, name, "B");
  glue(inline);
  addWord(inline, `(${args.join(", ")})`, args.length === 0 ? "B" : "R");
  if (inline.isSynopsis) closeMark(inline, ";");
  for (const mark of rest.filter(isClosingMark)) addWord(inline, mark, "R");
}

function writeOther(
  inline: Inline,
  name: string,
  own: readonly string[],
  { from, next }: { from: number; next: number },
): number {
  const [first = ""] = own;
  switch (name) {
    case "Ns":
      glue(inline);
      break;
    case "Ap":
      glue(inline);
      addWord(inline, "'", "R");
      glue(inline);
      break;
    case "Pf":
      if (first === "") return from;
      addWord(inline, first, "R");
      glue(inline);
      return from + 1;
    case "Xr":
    case "Lk":
    case "Mt":
    case "Sx":
      return writeReference(inline, name, own, { from, next });
    case "St":
    case "Lb":
      addWord(inline, name === "St" ? standard(first) : library(first), "R");
      return from + Math.min(1, own.length);
    case "In":
      addWord(inline, inline.isSynopsis ? `#include <${first}>` : `<${first}>`, "B");
      return from + Math.min(1, own.length);
    case "Fo":
      addWord(inline, first, "B");
      glue(inline);
      openMark(inline, "(");
      inline.called = 0;
      return next;
    case "Fc":
      closeMark(inline, inline.isSynopsis ? ");" : ")");
      inline.called = undefined;
      break;
    case "Sm":
      inline.isClose = first === "off" || (first === "" && !inline.isClose);
      inline.spaced ||= !inline.isClose;
      return from + Math.min(1, own.length);
    default:
  }
  return from;
}

/** A page, an address, or a section of this page. */
function writeReference(
  inline: Inline,
  name: "Xr" | "Lk" | "Mt" | "Sx",
  own: readonly string[],
  { from, next }: { from: number; next: number },
): number {
  const [first = "", second = ""] = own;
  switch (name) {
    case "Xr": {
      const isWhole = second !== "" && !isClosingMark(second);
      addWord(inline, isWhole ? `${first}(${second})` : first, "R");
      return from + Math.min(own.length, isWhole ? 2 : 1);
    }
    case "Lk": {
      const words = own.slice(1).filter((word) => !isClosingMark(word));
      addWord(inline, words.length === 0 ? first : words.join(" "), "R", plainWords(first));
      return from + own.length;
    }
    case "Mt":
      for (const word of own)
        addWord(inline, word, "R", isClosingMark(word) ? undefined : `mailto:${plainWords(word)}`);
      return next;
    case "Sx": {
      const words = own.filter((word, index) => index < own.length - 1 || !isClosingMark(word));
      const section = plainWords(words.join(" "));
      addWord(inline, section, "R", `#${section.replaceAll(" ", "_")}`);
      for (const mark of own.slice(words.length)) addWord(inline, mark, "R");
      return next;
    }
  }
}
