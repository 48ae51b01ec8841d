import { trimmedLength } from "../markdown/bare-url.ts";
import { citedNumbers } from "./citation-forms.ts";
import { createListColumns, type Fence, fenceLine, mayOpenFence, openFence } from "./code-fence.ts";
import { type Citable, createPageTargets } from "./page-targets.ts";

/** Turns what a responder writes into what a reader sees, as it comes. */
export interface CitationWriter {
  /** The reader's text for a piece of the responder's. May hold back an end that is not decided yet. */
  write(text: string): string;
  /** What was held back; code that is still open is closed. */
  end(): string;
  /** Numbers of the passages that were linked to, in the order of their first mention. */
  cited(): number[];
}

/** What may begin something other than words, and where it is looked at more closely. */
const SPECIAL = /[`~[\]!\\<【]|(?<![A-Za-z])[hfw]/i;
const ADDRESSES = ["http://", "https://", "ftp://", "www."];
const ADDRESS_CHARACTERS = Math.max(...ADDRESSES.map(({ length }) => length));
const ADDRESS = /^(?:(?:https?|ftp):\/\/(?:\[[0-9a-f:.%]*\])?|www\.)[^\s<>"`\\[\]【】、。，；：！？）」』]*/i;
const AUTOLINK = /^<(https?:[^\s<>]*)>/i;
/** Tags that do nothing but look: written without attributes they stay. */
const HARMLESS = /^<\/?(?:br|sub|sup|kbd)\s{0,2}\/?>/i;
const MAY_BE_ALLOWED =
  /^<(?:h(?:t(?:t(?:ps?(?::[^\s<>]*)?)?)?)?|\/?(?:br?|su[bp]?|s|k(?:bd?)?)?\s{0,2}\/?)$/i;
const WIDE_CITATION = /^【([^【】\n]{1,80})】/;
/** Words of a link that hold nothing that would be one itself, also where a bar ends a table's cell. */
const PLAIN_WORDS = /^(?:[^[\]<>`\\|]|`[^`\n[\]|]*`)+$/;
const BAR = /(?<!\\)\|/;
/** What may follow a bar in code that is no longer code in a table. */
const LINK_MARKS = /\]\(|<https?:/i;
/** A definition's label ends at the first bracket that closes, inside of code too. */
const DEFINITION = /^\[(?:[^[\]\\]|\\[\s\S])*\]:/;
/** What stands in the parentheses of a link: an address, and perhaps a title. */
const TARGET = /^\s*(?:<([^<>\n]*)>|([^\s<]\S*)?)(?:\s+(?:"[^"]*"|'[^']*'|\([^()]*\)))?\s*$/;
const BLANK_LINE = /\n[ \t]*\n/;
const HELD_CHARACTERS_MAX = 2000;
const LINE_CHARACTERS_MAX = 1000;

/**
 * `[n]` becomes a Markdown link to passage n; a number that no passage has is dropped. A link stays one where it leads
 * to a retrieved passage's page; of any other only the words stay, of an image its description. An address that stands
 * alone becomes code: it can be read and copied. Tags show as text. Code is left as it is.
 */
export function createCitationWriter(passages: Citable[]): CitationWriter {
  const urls = new Map(passages.map(({ number, url }) => [number, url]));
  const targetOf = createPageTargets(passages);
  const lists = createListColumns();
  const cited = new Set<number>();
  /** What has come and is not decided. */
  let held = "";
  /** What was said of the line we are in. */
  let line = "";
  let fence: Fence | undefined;
  let ending = false;

  function drain(): string {
    let out = "";
    for (;;) {
      const step = fence === undefined ? proseStep() : codeStep(fence);
      if (step === undefined) return out;
      out += step;
    }
  }

  /** The next piece of prose, or undefined when there is nothing to say before more has come. */
  function proseStep(): string | undefined {
    const special = held.search(SPECIAL);
    if (special !== 0) return held === "" ? undefined : pass(special === -1 ? held.length : special);
    switch (held[0]) {
      case "`":
      case "~":
        return marks();
      case "\\":
        return held.length > 1 || ending ? pass(2) : undefined;
      case "<":
        return angle();
      case "【":
        return wideBracket();
      case "!":
        return held.length === 1 && !ending ? undefined : held[1] === "[" ? bracket(1) : pass(1);
      case "[":
        return bracket(0);
      case "]":
        return held.length === 1 && !ending ? undefined : closeBracket();
      default:
        return address();
    }
  }

  /** Reads so much, and says something else in its place. */
  function replace(length: number, said: string): string {
    held = held.slice(length);
    const lines = (line + said).split("\n");
    if (fence === undefined) for (const whole of lines.slice(0, -1)) lists.line(whole);
    line = shortened(lines.at(-1) ?? "");
    return said;
  }

  const pass = (length: number) => replace(length, held.slice(0, length));

  /** Reads what stands inside something that goes: it may hold citations, or another link. */
  function unwrap(inside: string, length: number): string {
    held = inside + held.slice(length);
    return "";
  }

  /** What has come of the paragraph, and whether what is looked for must be in it. */
  function ahead(): { text: string; whole: boolean } {
    const text = held.slice(0, HELD_CHARACTERS_MAX);
    const blank = text.search(BLANK_LINE);
    return {
      text: blank === -1 ? text : text.slice(0, blank),
      whole: ending || blank !== -1 || held.length > HELD_CHARACTERS_MAX,
    };
  }

  function marks(): string | undefined {
    const run = /^(?:`+|~+)/.exec(held)?.[0] ?? "";
    if (run.length === held.length && !ending) return undefined;
    if (run.length >= 3 && mayOpenFence(line)) {
      const lineEnd = held.indexOf("\n");
      if (lineEnd === -1 && !ending && held.length <= HELD_CHARACTERS_MAX) return undefined;
      const end = lineEnd === -1 ? held.length : lineEnd + 1;
      const opened = openFence(line, run, held.slice(run.length, end), lists);
      if (opened !== undefined) {
        const said = opened.isDropped ? replace(end, "") : pass(end);
        fence = opened;
        return said;
      }
    }
    if (run.startsWith("~")) return pass(run.length);
    const { text, whole } = ahead();
    const end = spanEnd(text, run.length, whole);
    if (end === undefined && !whole) return undefined;
    // Escaped, because a client that saw code begin here would see none where we do.
    if (end === undefined || mayBeCut(text.slice(0, end)))
      return replace(run.length, "\\`".repeat(run.length));
    return pass(end);
  }

  /** In a table a bar ends the cell, and the code with it. */
  function mayBeCut(span: string): boolean {
    if (!BAR.test(span)) return false;
    return LINK_MARKS.test(span) || BAR.test(line.replace(/`+[^`]*`+/g, ""));
  }

  /** Code goes out line by line: only a whole line shows what it is to the fence. */
  function codeStep(open: Fence): string | undefined {
    const lineEnd = held.indexOf("\n");
    if (held === "" || (lineEnd === -1 && !ending && held.length <= HELD_CHARACTERS_MAX)) return undefined;
    const end = lineEnd === -1 ? held.length : lineEnd + 1;
    const kind = line === "" ? fenceLine(held.slice(0, end), open) : "inside";
    if (kind !== "inside") fence = undefined;
    if (kind === "after") return "";
    return open.isDropped ? replace(end, "") : pass(end);
  }

  function bracket(at: number): string | undefined {
    const { text, whole } = ahead();
    const close = closing(text, at, "[]", whole);
    const next = close === undefined ? undefined : text[close + 1];
    if (close === undefined || next === undefined)
      return whole ? plainBracket(at, text.slice(at + 1, close ?? at + 1)) : undefined;
    const inside = text.slice(at + 1, close);
    if (next !== "(") return plainBracket(at, inside);
    const end = closing(text, close + 1, "()", whole);
    if (end === undefined && !whole) return undefined;
    const target = end === undefined ? undefined : TARGET.exec(text.slice(close + 2, end));
    if (end === undefined || target == null) return plainBracket(at, inside);
    return link(at === 1, inside, target[1] ?? target[2] ?? "", end + 1);
  }

  /** Brackets that are no link: a citation, or words. */
  function plainBracket(at: number, inside: string): string {
    if (at === 1) return pass(1);
    const numbers = citedNumbers(inside);
    if (numbers !== undefined) return replace(inside.length + 2, linksTo(numbers));
    // A definition would turn words elsewhere into a link.
    return mayOpenFence(line) && DEFINITION.test(ahead().text) ? replace(1, "\\[") : pass(1);
  }

  /** What is a link to others than us, is none to them either. */
  const closeBracket = () => (held[1] === "(" ? replace(1, "\\]") : pass(1));

  function link(image: boolean, words: string, target: string, length: number): string {
    if (image) return unwrap(words, length);
    const numbers = citedNumbers(words);
    if (numbers !== undefined) return replace(length, linksTo(numbers));
    const page = targetOf(target);
    if (page === undefined || !PLAIN_WORDS.test(words)) return unwrap(words, length);
    cited.add(page.number);
    return replace(length, `${apart()}[${words}](${page.url})`);
  }

  function angle(): string | undefined {
    if (held.length === 1 && !ending) return undefined;
    if (!/^<[A-Za-z/!?]/.test(held)) return pass(1);
    const url = AUTOLINK.exec(held)?.[1];
    if (url !== undefined) return replace(url.length + 2, show(url));
    const harmless = HARMLESS.exec(held)?.[0];
    if (harmless !== undefined) return mayOpenFence(line) ? tagFirst(harmless) : pass(harmless.length);
    const undecided = !ending && held.length < HELD_CHARACTERS_MAX && MAY_BE_ALLOWED.test(held);
    return undecided ? undefined : replace(1, "\\<");
  }

  /** A tag alone on its line would begin a block of HTML, in which tags that show as text are tags again. */
  function tagFirst(tag: string): string | undefined {
    const behind = held.slice(tag.length, HELD_CHARACTERS_MAX);
    if (/^[ \t]*$/.test(behind) && !ending && held.length < HELD_CHARACTERS_MAX) return undefined;
    return /^[ \t]*(?:\n|$)/.test(behind) ? replace(tag.length, "") : pass(tag.length);
  }

  function wideBracket(): string | undefined {
    const inside = WIDE_CITATION.exec(held)?.[1];
    const numbers = inside === undefined ? undefined : citedNumbers(inside);
    if (inside !== undefined && numbers !== undefined) return replace(inside.length + 2, linksTo(numbers));
    const undecided = inside === undefined && !ending && /^【[^【】\n]{0,80}$/.test(held);
    return undecided ? undefined : pass(1);
  }

  /** Clients make links of addresses that stand alone. */
  function address(): string | undefined {
    const written = ADDRESS.exec(held.slice(0, HELD_CHARACTERS_MAX))?.[0];
    if (written === undefined || /[A-Za-z]$/.test(line)) {
      const begun = held.slice(0, ADDRESS_CHARACTERS).toLowerCase();
      const undecided = !ending && ADDRESSES.some((start) => start.startsWith(begun));
      return undecided && !/[A-Za-z]$/.test(line) ? undefined : pass(1);
    }
    if (written.length === held.length && !ending) return undefined;
    const length = trimmedLength(written);
    return length < 5 ? pass(written.length) : replace(length, show(written.slice(0, length)));
  }

  function show(url: string): string {
    const page = targetOf(url);
    if (page === undefined) return `\`${url.replaceAll("`", "%60")}\``;
    cited.add(page.number);
    return `<${page.url}>`;
  }

  function linksTo(numbers: number[]): string {
    const known = numbers.filter((number) => urls.has(number));
    for (const number of known) cited.add(number);
    return known
      .map((number, index) => `${index === 0 ? apart() : ""}[[${number}]](${urls.get(number)})`)
      .join("");
  }

  /** Behind an exclamation mark a link would be an image. */
  const apart = () => (line.endsWith("!") ? " " : "");

  return {
    write(text) {
      // Clients read a lone one as the end of a line.
      held += text.replaceAll("\r", "");
      return drain();
    },
    end() {
      ending = true;
      const out = drain();
      const closed = fence === undefined || fence.isDropped ? "" : closingOf(fence, line);
      fence = undefined;
      return out + closed;
    },
    cited: () => [...cited],
  };
}

// Clients post these texts, so neither may be tried from each mark of a long run to its end.
const CITATION_LINK = /\s?\[\[\d{1,3}\]\]\([^()\s]*\)/g;
const SUGGESTIONS_AT_END = /(?<!\n)\n*```suggestions\n[^`]*```\s*$/;

/** An earlier answer as the model wrote it: links to passages that this question may not have would mislead it. */
export function withoutCitations(answer: string): string {
  return answer.replace(CITATION_LINK, "").replace(SUGGESTIONS_AT_END, "");
}

/** Of a line only its beginning and its end are looked at; a model that ends none would make each piece dearer than the last. */
function shortened(line: string): string {
  const half = LINE_CHARACTERS_MAX / 2;
  return line.length <= LINE_CHARACTERS_MAX ? line : line.slice(0, half) + line.slice(-half);
}

/** Where the bracket that opens at `from` closes; undefined where it does not, or where that is not decided. */
function closing(text: string, from: number, brackets: "[]" | "()", whole: boolean): number | undefined {
  const [open, close] = brackets;
  let depth = 0;
  for (let index = from; index < text.length; index++) {
    const character = text[index];
    if (character === "`") {
      const run = /^`+/.exec(text.slice(index))?.[0].length ?? 1;
      const end = spanEnd(text.slice(index), run, whole);
      if (end === undefined && !whole) return undefined;
      index += (end ?? run) - 1;
    } else if (character === "\\") index++;
    else if (character === open) depth++;
    else if (character === close && --depth === 0) return index;
  }
  return undefined;
}

/**
 * Where a code span ends: on its line, at as many backticks as it began with. A run at the very end may go on. The next
 * line may begin a block, or be a row of a table, which cannot always be told from here.
 */
function spanEnd(text: string, length: number, whole: boolean): number | undefined {
  const body = text.slice(length).split("\n", 1)[0] ?? "";
  for (const run of body.matchAll(/`+/g)) {
    const end = length + run.index + run[0].length;
    const decided = whole || end < text.length;
    if (decided && run[0].length === length) return end;
  }
  return undefined;
}

/** The line that ends code which the model left open, so that what follows is not part of it. */
function closingOf({ marks, quotes, column }: Fence, line: string): string {
  const prefix = "> ".repeat(quotes) + " ".repeat(column);
  return `${line === "" ? "" : "\n"}${prefix}${marks}`;
}
