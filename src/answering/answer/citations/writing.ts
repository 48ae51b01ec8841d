import type { Fence, ListItems } from "./code-fence.ts";
import type { FindPage } from "./page-targets.ts";
import type { TableLines } from "./table-lines.ts";

/** How far a model's text has been read, and what was written for it. */
export interface Writing {
  /** The addresses of the passages, by number. */
  readonly urls: Map<number, string>;
  readonly targetOf: FindPage;
  /** The docs' own e-mail addresses in lower case, which may be links. */
  readonly mailboxes: ReadonlySet<string>;
  /** The numbers of the passages linked to. */
  readonly cited: Set<number>;
  /** Code of the docs that looks like a citation: `delays[2]`. */
  readonly indexes: ReadonlySet<string>;
  readonly lists: ListItems;
  readonly table: TableLines;
  /** Text that has come but is not written yet. */
  held: string;
  /** The current line, as far as it is written. */
  line: string;
  /** Whether something was removed here, so that the texts on either side must not run together. */
  isCut: boolean;
  /** A bracket that is not a link was written in this paragraph: at its start, or within a line. */
  bracket: "first" | "within" | undefined;
  /** How the answer has cited so far, unless by name; undefined before. */
  habit: "brackets" | "parentheses" | undefined;
  /** Whether the text is the docs' own, which cites nothing. */
  isQuote: boolean;
  /** The open code fence. */
  fence: Fence | undefined;
  /** Whether nothing more will come. */
  isEnding: boolean;
}

/** How many marks after removed text are read to decide whether a sentence ends there. */
export const CLOSING_CHARACTERS_MAX = 20;
/** The most characters that are held back until more decides what they are. */
export const HELD_CHARACTERS_MAX = 2000;
const LINE_CHARACTERS_MAX = 1000;
const BLANK_LINE = /\n[ \t]*\n/;
/** Marks that end a sentence. */
const SENTENCE_END = /^(?:[.,;!?)]+(?:\s|$)|[、。，；！？）」』])/;

/** Consumes characters and writes other text in their place. Returns what was written. */
export function replace(writing: Writing, length: number, said: string): string {
  writing.held = writing.held.slice(length);
  if (said === "") {
    writing.isCut ||= length > 0;
    return "";
  }
  const whole = joint(writing, said) + said;
  writing.isCut = false;
  const lines = (writing.line + whole).split("\n");
  if (writing.fence === undefined)
    for (const line of lines.slice(0, -1)) {
      writing.lists.read(line);
      writing.table.read(line);
      if (/^[ \t]*$/.test(line)) writing.bracket = undefined;
    }
  writing.line = shortened(lines.at(-1) ?? "");
  return whole;
}

/** Consumes characters and writes them unchanged. */
export function pass(writing: Writing, length: number): string {
  return replace(writing, length, writing.held.slice(0, length));
}

/**
 * Removes a construct and puts its content back in front of the text to read, because it may contain
 * citations or another link.
 */
export function unwrap(writing: Writing, inside: string, length: number): string {
  writing.held = inside + writing.held.slice(length);
  writing.isCut = true;
  return "";
}

/** Whether more has to come before the held text can be decided. */
export function isUndecided(writing: Writing, charactersMin: number): boolean {
  return !writing.isEnding && writing.held.length < charactersMin;
}

/** The paragraph so far. It is `whole` when no more of it is expected. */
export function ahead(writing: Writing): { text: string; whole: boolean } {
  const text = writing.held.slice(0, HELD_CHARACTERS_MAX);
  const blank = text.search(BLANK_LINE);
  return {
    text: blank === -1 ? text : text.slice(0, blank),
    whole: writing.isEnding || blank !== -1 || writing.held.length > HELD_CHARACTERS_MAX,
  };
}

/**
 * A space where two texts together would be something that neither is by itself: two backtick runs a longer
 * one, two sides of a cut an address, a tag or a link.
 */
function joint({ line, isCut, held }: Writing, said: string): string {
  if (line.endsWith("`") && said.startsWith("`")) return " ";
  if (!isCut || !mayJoin(line.slice(-1), said.slice(0, 1))) return "";
  return SENTENCE_END.test(said + held.slice(0, CLOSING_CHARACTERS_MAX)) ? "" : " ";
}

/** Whether two characters that were separated may be the middle of a link, an address or an entity. */
function mayJoin(before: string, after: string): boolean {
  if (before === "]") return /[([:]/.test(after);
  // Scripts without spaces do not occur in addresses.
  const isForeign = /[^!-~]/.test(before) && /[^!-~]/.test(after);
  return !isForeign && /[\p{L}\p{N}.:/&#@]/u.test(before) && /[\p{L}\p{N}.:/#;@]/u.test(after);
}

/**
 * The beginning and end of a long line, the only parts that are examined: otherwise each piece of an endless
 * line would cost more than the last.
 */
function shortened(line: string): string {
  const half = LINE_CHARACTERS_MAX / 2;
  return line.length <= LINE_CHARACTERS_MAX ? line : line.slice(0, half) + line.slice(-half);
}
