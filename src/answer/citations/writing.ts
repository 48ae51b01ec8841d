import type { Fence, ListItems } from "./code-fence.ts";
import type { PageTarget } from "./page-targets.ts";
import type { TableLines } from "./table-lines.ts";

/** How far a model's text has been read, and what was written for it. */
export interface Writing {
  /** Addresses of the passages, by their numbers. */
  readonly urls: ReadonlyMap<number, string>;
  readonly targetOf: (written: string) => PageTarget | undefined;
  /** The docs' own e-mail addresses, in small letters: they may be links. */
  readonly mailboxes: ReadonlySet<string>;
  /** Numbers of the passages that were linked to. */
  readonly cited: Set<number>;
  readonly lists: ListItems;
  readonly table: TableLines;
  /** Text that has come, and that nothing was written for so far. */
  held: string;
  /** The line that is being written, as far as it has come. */
  line: string;
  /** Something was taken out here: the texts on either side of it must not grow together. */
  isCut: boolean;
  /** A bracket that is no link was written in this paragraph: it begins the paragraph, or stands within a line. */
  bracket: "first" | "within" | undefined;
  /** The code that is open. */
  fence: Fence | undefined;
  /** Nothing more will come. */
  isEnding: boolean;
}

/** How many marks behind something that was taken out are read to find whether a sentence ends there. */
export const CLOSING_CHARACTERS_MAX = 20;
/** How many characters are held back at most, until more decides what they are. */
export const HELD_CHARACTERS_MAX = 2000;
const LINE_CHARACTERS_MAX = 1000;
const BLANK_LINE = /\n[ \t]*\n/;
/** Marks that end a sentence. */
const SENTENCE_END = /^(?:[.,;!?)]+(?:\s|$)|[、。，；！？）」』])/;

/** Reads so many characters, and writes other text in their place. Returns what was written. */
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

/** Reads so many characters, and writes them as they are. */
export function pass(writing: Writing, length: number): string {
  return replace(writing, length, writing.held.slice(0, length));
}

/**
 * Takes out so many characters, and puts what stood inside of them in front of what is to be read: it may hold
 * citations, or another link.
 */
export function unwrap(writing: Writing, inside: string, length: number): string {
  writing.held = inside + writing.held.slice(length);
  writing.isCut = true;
  return "";
}

/** Whether more has to come before the held text can be decided on. */
export function isUndecided(writing: Writing, charactersMin: number): boolean {
  return !writing.isEnding && writing.held.length < charactersMin;
}

/** The paragraph as far as it has come. It is `whole` when nothing more of it is waited for. */
export function ahead(writing: Writing): { text: string; whole: boolean } {
  const text = writing.held.slice(0, HELD_CHARACTERS_MAX);
  const blank = text.search(BLANK_LINE);
  return {
    text: blank === -1 ? text : text.slice(0, blank),
    whole: writing.isEnding || blank !== -1 || writing.held.length > HELD_CHARACTERS_MAX,
  };
}

/**
 * A space where two texts would make something of each other that neither is alone: backticks another code span, the
 * two ends of a cut an address, a tag or a link.
 */
function joint({ line, isCut, held }: Writing, said: string): string {
  if (line.endsWith("`") && said.startsWith("`")) return " ";
  if (!isCut || !mayJoin(line.slice(-1), said.slice(0, 1))) return "";
  return SENTENCE_END.test(said + held.slice(0, CLOSING_CHARACTERS_MAX)) ? "" : " ";
}

/** Whether two characters that had something between them may be the middle of a link, an address or an entity. */
function mayJoin(before: string, after: string): boolean {
  if (before === "]") return /[([:]/.test(after);
  // Scripts that are written without spaces have no addresses.
  const isForeign = /[^!-~]/.test(before) && /[^!-~]/.test(after);
  return !isForeign && /[\p{L}\p{N}.:/&#@]/u.test(before) && /[\p{L}\p{N}.:/#;@]/u.test(after);
}

/**
 * The beginning and the end of a long line, which are all that is looked at: a model that never ends a line would make
 * each piece dearer than the last.
 */
function shortened(line: string): string {
  const half = LINE_CHARACTERS_MAX / 2;
  return line.length <= LINE_CHARACTERS_MAX ? line : line.slice(0, half) + line.slice(-half);
}
