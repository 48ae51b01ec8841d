import type { Fence, ListItems } from "./code-fence.ts";
import type { PageTarget } from "./page-targets.ts";
import type { TableLines } from "./table-lines.ts";

/** How far the reading of a model's text has come, and what was said of it. */
export interface Writing {
  /** Where the passages are, by their numbers. */
  readonly urls: ReadonlyMap<number, string>;
  readonly targetOf: (written: string) => PageTarget | undefined;
  /** The docs' own e-mail addresses, in small letters: they may be links. */
  readonly mailboxes: ReadonlySet<string>;
  /** Numbers of the passages that were linked to. */
  readonly cited: Set<number>;
  readonly lists: ListItems;
  readonly table: TableLines;
  /** What has come and is not decided. */
  held: string;
  /** What was said of the line we are in. */
  line: string;
  /** Something was taken out here: what stood on either side of it must not grow together. */
  isCut: boolean;
  /** A bracket that is no link was said in this paragraph: with it the paragraph begins, or within a line. */
  bracket: "first" | "within" | undefined;
  /** The code that is open. */
  fence: Fence | undefined;
  /** Nothing more will come. */
  isEnding: boolean;
}

/** How many marks behind a cut are read to find whether a sentence ends there. */
export const CLOSING_CHARACTERS_MAX = 20;
/** How much is held back, waiting for what would decide it. */
export const HELD_CHARACTERS_MAX = 2000;
const LINE_CHARACTERS_MAX = 1000;
const BLANK_LINE = /\n[ \t]*\n/;
/** The mark at the end of a sentence, behind which nothing goes on. */
const SENTENCE_END = /^(?:[.,;!?)]+(?:\s|$)|[、。，；！？）」』])/;

/** Reads so much, and says something else in its place. */
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

/** Reads so much, and says it. */
export function pass(writing: Writing, length: number): string {
  return replace(writing, length, writing.held.slice(0, length));
}

/** Reads what stands inside something that goes: it may hold citations, or another link. */
export function unwrap(writing: Writing, inside: string, length: number): string {
  writing.held = inside + writing.held.slice(length);
  writing.isCut = true;
  return "";
}

/** Whether more has to come before something can be said of what is held. */
export function isUndecided(writing: Writing, charactersMin: number): boolean {
  return !writing.isEnding && writing.held.length < charactersMin;
}

/** What has come of the paragraph, and whether what is looked for must be in it. */
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

/** Of a line only its beginning and its end are looked at; a model that ends none would make each piece dearer than the last. */
function shortened(line: string): string {
  const half = LINE_CHARACTERS_MAX / 2;
  return line.length <= LINE_CHARACTERS_MAX ? line : line.slice(0, half) + line.slice(-half);
}
