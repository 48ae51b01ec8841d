import {
  atxHeading,
  CODE_COLUMNS,
  closesFence,
  dedent,
  type FenceOpening,
  fenceOpening,
  indentOf,
  isBlank,
  isQuote,
  isRule,
  type ListMarker,
  listMarker,
} from "@docent/kernel/text/markdown-lines";
import { fenceOf, goesOn, type IndentedCode, indentedCodeAt, saidOf } from "./indented-code.ts";

/** Mends the lists of a model's text as it streams. */
interface ListMender {
  /** The text as far as it is decided: the beginning of a line may be held back, and so is a line of code. */
  write(text: string): string;
  /** What was held back. */
  end(): string;
}

/**
 * Small models write code in the items of lists with its fence, its lines or its end indented as it comes, and go on
 * counting behind code that ended the list. By Markdown's rules the code is then words, and words are code. This moves
 * such code to where its item has it, before anything else reads the text: every client sees the same. Code that has no
 * fence gets one. What else the rules read as it was meant stays as it is.
 */
export function createListMender(): ListMender {
  const reading: Reading = {
    items: [],
    code: undefined,
    indented: undefined,
    numbers: undefined,
    before: "other",
  };
  let held = "";
  /** The beginning of this line was written: the rest of it follows as it comes. */
  let isPassing = false;

  return {
    write(text) {
      held += text;
      let out = "";
      for (let end = held.indexOf("\n"); end !== -1; end = held.indexOf("\n")) {
        const line = held.slice(0, end);
        const said = isPassing ? line : mendLine(reading, line);
        out += said === undefined ? "" : `${said}\n`;
        isPassing = false;
        held = held.slice(end + 1);
      }
      if (held === "" || (!isPassing && !isDecided(reading, held))) return out;
      out += isPassing ? held : (mendLine(reading, held) ?? "");
      isPassing = true;
      held = "";
      return out;
    },
    end() {
      const rest = held === "" || isPassing ? held : (mendLine(reading, held) ?? "");
      const fence = reading.indented === undefined ? "" : fenceOf(reading.indented);
      const said = fence !== "" && (isPassing || rest !== "") ? `${rest}\n${fence}` : rest + fence;
      held = "";
      isPassing = false;
      reading.indented = undefined;
      return said;
    },
  };
}

interface Item {
  /** `-`, or what stands behind the number. */
  kind: string;
  number: number | undefined;
  /** Where its text begins. */
  column: number;
}

/** Code that is open. */
interface Code {
  fence: FenceOpening;
  /** The item that it is in; undefined where it is in none. */
  item: Item | undefined;
  /** Where its fence is written. */
  column: number;
  /** How much of the indent of its lines is the list's; undefined before the first line. */
  base: number | undefined;
  /** Its first line is indented less than its fence: nothing but its end, or the next number, ends it. */
  isLoose: boolean;
}

/** The numbers of the last list at the margin. */
interface Numbers {
  kind: string;
  next: number;
  /** Whether the list has one item. */
  isAlone: boolean;
  /** Something at the margin has ended it. */
  isEnded: boolean;
  /** Nothing but code has come since. */
  isNear: boolean;
}

interface Reading {
  /** The items that are open, the outermost first. */
  items: Item[];
  code: Code | undefined;
  /** Code that is open and had no fence. */
  indented: IndentedCode | undefined;
  numbers: Numbers | undefined;
  /** What the line before was: words may go on. */
  before: "nothing" | "words" | "other";
}

const LINE_CHARACTERS_MAX = 2000;
/** Marks of items, and what may become one. */
const BEGINNING = /^[ \t]*(?:(?:[-+*]|\d{1,9}[.)])[ \t]+)*(?:[-+*]|\d{1,9}[.)]?)?$/;
const FENCE_BEGINNING = /^[ \t]*(?:(?:[-+*]|\d{1,9}[.)])[ \t]+)*(?:`{1,2}|~{1,2}|(?:`{3}|~{3}).*)$/;

/** Whether it is known what a line begins that is still coming. */
function isDecided({ code }: Reading, line: string): boolean {
  if (line.length > LINE_CHARACTERS_MAX) return true;
  return code === undefined && !BEGINNING.test(line) && !FENCE_BEGINNING.test(line);
}

/** A line as it is written; undefined where what follows decides that. */
function mendLine(reading: Reading, line: string): string | undefined {
  const { code, indented } = reading;
  if (code !== undefined) return mendCode(reading, code, line);
  return indented === undefined ? mendWords(reading, line) : mendIndented(reading, indented, line);
}

function mendIndented(reading: Reading, code: IndentedCode, line: string): string | undefined {
  if (goesOn(code, line) && fenceOpening(line) === undefined) return saidOf(code, line);
  reading.indented = undefined;
  reading.before = code.blanks.length > 0 ? "nothing" : "other";
  return [fenceOf(code), ...code.blanks, mendWords(reading, line)].join("\n");
}

const spaces = (count: number) => " ".repeat(count);

function mendCode(reading: Reading, code: Code, line: string): string {
  const { fence, item, column } = code;
  const indent = indentOf(line);
  if (closes(reading, code, line)) {
    reading.code = undefined;
    const depth = indent - (item?.column ?? 0);
    return depth >= 0 && depth < CODE_COLUMNS ? line : `${spaces(column)}${line.trim()}`;
  }
  if (item === undefined || isBlank(line)) return line;
  if (code.base === undefined) {
    code.isLoose = indent < fence.indent;
    code.base = code.isLoose ? indent : fence.indent;
  }
  const isOutside = indent < item.column;
  const isOther = code.isLoose && (fenceOpening(line)?.info ?? "") !== "";
  if (isOutside && (!code.isLoose || isNextOf(item, line))) {
    reading.code = undefined;
    return mendWords(reading, line);
  }
  // The code was never closed, and more code begins.
  if (isOther) {
    reading.code = undefined;
    return `${spaces(column)}${fence.character.repeat(fence.length)}\n${mendWords(reading, line)}`;
  }
  return code.base === column && indent >= column ? line : `${spaces(column)}${dedent(line, code.base)}`;
}

/** Whether a line closes the code: behind or in a list, however far it is indented. */
function closes({ numbers }: Reading, { fence, item, column }: Code, line: string): boolean {
  const written = { ...fence, indent: 0 };
  if (!closesFence(line.trimStart(), written)) return false;
  return item !== undefined || numbers?.isNear === true || indentOf(line) < column + CODE_COLUMNS;
}

/** Whether a line begins the item behind one that is numbered. */
const isNextOf = ({ kind, number }: Item, line: string) => {
  const marker = listMarker(line.trimStart());
  return number !== undefined && marker?.kind === kind && Number(marker.start) === number + 1;
};

function mendWords(reading: Reading, line: string): string {
  if (isBlank(line)) {
    reading.before = "nothing";
    return line;
  }
  const indent = indentOf(line);
  const fence = fenceOpening(line);
  if (fence !== undefined) return openCode(reading, fence, line);
  const marker = markerAt(reading, line);
  if (marker !== undefined) return beginItem(reading, marker, line);
  const indented = beginIndented(reading, line);
  if (indented !== undefined) return `${fenceOf(indented)}\n${saidOf(indented, line) ?? ""}`;
  if (reading.before !== "words" || endsWords(line)) leaveItems(reading, indent);
  if (reading.items.length === 0 && reading.numbers !== undefined) {
    const { numbers } = reading;
    reading.numbers = endsWords(line) ? undefined : { ...numbers, isEnded: true, isNear: false };
  }
  reading.before = endsWords(line) ? "other" : "words";
  return line;
}

const endsWords = (line: string) => atxHeading(line) !== undefined || isRule(line) || isQuote(line);

/** Leaves the items whose text begins further to the right. */
function leaveItems(reading: Reading, indent: number): void {
  reading.items = reading.items.filter(({ column }) => column <= indent);
}

/** Begins code; what is too deep for a fence in its item stands where the item's text does. */
function openCode(reading: Reading, fence: FenceOpening, line: string): string {
  leaveItems(reading, fence.indent);
  const item = reading.items.at(-1);
  const isDeep = fence.indent - (item?.column ?? 0) >= CODE_COLUMNS;
  reading.before = "other";
  // At the margin that is code by its indent.
  if (item === undefined && isDeep) return line;
  if (item === undefined && reading.numbers) reading.numbers = { ...reading.numbers, isEnded: true };
  const column = isDeep ? (item?.column ?? 0) : fence.indent;
  reading.code = { fence, item, column, base: undefined, isLoose: false };
  return isDeep ? `${spaces(column)}${line.trimStart()}` : line;
}

/** Begins code that has no fence; undefined where a line begins none. */
function beginIndented(reading: Reading, line: string): IndentedCode | undefined {
  if (reading.before !== "nothing") return undefined;
  const indent = indentOf(line);
  const item = reading.items.findLast(({ column }) => column <= indent);
  const code = indentedCodeAt(line, item?.column ?? 0);
  if (code === undefined) return undefined;
  leaveItems(reading, indent);
  if (item === undefined && reading.numbers) reading.numbers = { ...reading.numbers, isEnded: true };
  reading.indented = code;
  return code;
}

/** The mark of an item that a line begins; undefined where it is words, or code by its indent. */
function markerAt({ items, before, numbers }: Reading, line: string): ListMarker | undefined {
  const indent = indentOf(line);
  const around = items.filter(({ column }) => column <= indent);
  const text = line.trimStart();
  const marker = isRule(text) ? undefined : listMarker(text);
  if (marker === undefined || indent - (around.at(-1)?.column ?? 0) >= CODE_COLUMNS) return undefined;
  const hasSibling = around.length < items.length;
  const goesOn =
    around.length === 0 && numbers?.kind === marker.kind && numbers.next === Number(marker.start);
  return before !== "words" || marker.interrupts || hasSibling || goesOn ? marker : undefined;
}

function beginItem(reading: Reading, marker: ListMarker, line: string): string {
  const indent = indentOf(line);
  leaveItems(reading, indent);
  const isAtMargin = reading.items.length === 0;
  const number = marker.start === undefined ? undefined : Number(marker.start);
  let said = line;
  if (isAtMargin && number === undefined && reading.numbers)
    reading.numbers = { ...reading.numbers, isEnded: true, isNear: false };
  if (isAtMargin && number !== undefined) said = count(reading, { kind: marker.kind, number }, line);
  const item = { kind: marker.kind, number, column: indent + marker.contentIndent };
  reading.items.push(item);
  reading.before = isBlank(marker.rest) ? "nothing" : "words";
  const fence = fenceOpening(marker.rest);
  if (fence !== undefined && fence.indent === 0) {
    const { column } = item;
    reading.before = "other";
    reading.code = { fence: { ...fence, indent: column }, item, column, base: undefined, isLoose: false };
  }
  return said;
}

/** The line that begins a numbered item at the margin, with the number that it goes on with. */
function count(reading: Reading, { kind, number }: { kind: string; number: number }, line: string): string {
  const { numbers, before } = reading;
  const isOfSame = numbers?.kind === kind;
  if (isOfSame && !numbers.isEnded) {
    reading.numbers = { ...numbers, next: numbers.next + 1, isAlone: false, isNear: true };
    return line;
  }
  // Each item has the number 1, and is a list of its own because of the code between them.
  const isCounted = isOfSame && numbers.isAlone && numbers.isNear && number === 1 && numbers.next < 10;
  const next = isCounted ? numbers.next : number;
  reading.numbers = { kind, next: next + 1, isAlone: true, isEnded: false, isNear: true };
  // Behind words, only the number 1 begins a list.
  const apart = before === "words" && number !== 1 ? "\n" : "";
  return apart + (isCounted ? line.replace(/\d+/, `${next}`) : line);
}
