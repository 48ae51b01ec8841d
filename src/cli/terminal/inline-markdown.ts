import type { Words } from "./wrap-words.ts";

/** What of a terminal decides how Markdown is drawn. */
export interface Look {
  /** Bold and colours are shown. */
  hasStyles: boolean;
  /** Links can be followed without their address being seen. */
  hasLinks: boolean;
}

/** Draws what stands in a line, as it comes. */
export interface InlineDrawing {
  /** Begins a line, all of it bold if it is a heading. Code that was open stays open. */
  begin(line: { isBold: boolean }): void;
  /** May hold back what is still undecided; never where nothing more comes on this line. */
  write(text: string, isWhole: boolean): Words[];
}

const PLAIN = /[^\\`*[]+/y;
const TICKS = /`+/y;
const ESCAPED = /\\[!-/:-@[-`{-~]/y;
/** Bold up to its end: code and escaped marks in it are none of its own. */
const BOLD = /\*\*(?=\S)(?:\\.|`+(?!`)[^`\n]+`+(?!`)|[^*`\\\n]|\*(?!\*))+\*\*/y;
const WORDS_OF_LINK = String.raw`\[((?:\\.|[^\]\\[\n]|\[[^\]\n]*\])*)\]`;
const LINK = new RegExp(
  String.raw`${WORDS_OF_LINK}\(<?([^()<>\s]*(?:\([^()\s]*\)[^()<>\s]*)*)>?(?:[ \t]+"[^"\n]*")?\)`,
  "y",
);
const NO_LINK = new RegExp(`${WORDS_OF_LINK}[^(]`, "y");

export function createInlineDrawing({ hasStyles, hasLinks }: Look): InlineDrawing {
  let held = "";
  let isHeading = false;
  let isBold = false;
  /** The marks that end the code that is open. */
  let ticks: string | undefined;

  const words = (text: string): Words => ({
    text,
    look: ticks !== undefined ? "code" : isHeading || isBold ? "bold" : undefined,
  });

  /** Marks that are shown where code has no look of its own. */
  const marks = (text: string): Words[] => (hasStyles ? [] : [{ text }]);

  /** Reads up to the end of what is decided, and returns where that is. */
  function read(text: string, isWhole: boolean, out: Words[]): number {
    let at = 0;
    const take = (pattern: RegExp) => {
      pattern.lastIndex = at;
      return pattern.exec(text);
    };
    while (at < text.length) {
      const length = ticks === undefined ? readProse() : readCode(ticks);
      if (length === 0) break;
      at += length;
    }
    return at;

    function readCode(open: string): number {
      const next = text.indexOf("`", at);
      if (next !== at) {
        const inside = text.slice(at, next < 0 ? undefined : next);
        out.push(words(inside));
        return inside.length;
      }
      const run = take(TICKS)?.[0] ?? "";
      if (at + run.length === text.length && !isWhole) return 0;
      if (run !== open) out.push(words(run));
      else {
        ticks = undefined;
        out.push(...marks(run));
      }
      return run.length;
    }

    function readProse(): number {
      const simple = take(PLAIN)?.[0] ?? take(ESCAPED)?.[0];
      if (simple !== undefined) {
        out.push(words(simple.startsWith("\\") && simple.length === 2 ? simple.slice(1) : simple));
        return simple.length;
      }
      if (text[at] === "`") return openCode(take(TICKS)?.[0] ?? "`");
      if (text[at] === "*") return readBold();
      if (text[at] === "[") return readLink();
      // A backslash that escapes nothing.
      return at + 1 < text.length || isWhole ? literal(1) : 0;
    }

    function literal(length: number): number {
      out.push(words(text.slice(at, at + length)));
      return length;
    }

    function openCode(run: string): number {
      if (at + run.length === text.length && !isWhole) return 0;
      out.push(...marks(run));
      ticks = run;
      return run.length;
    }

    function readBold(): number {
      const isMark = text.startsWith("**", at);
      if (!isMark) return at + 1 < text.length || isWhole ? literal(1) : 0;
      if (!isBold && take(BOLD) === null) return isWhole || /\s/.test(text[at + 2] ?? "") ? literal(2) : 0;
      isBold = !isBold;
      return 2;
    }

    function readLink(): number {
      const [whole, label, url] = take(LINK) ?? [];
      if (whole === undefined || label === undefined || url === undefined)
        return isWhole || take(NO_LINK) !== null ? literal(1) : 0;
      out.push({ ...words(plainOf(label)), url });
      const isKnown = (hasStyles && hasLinks && /^https?:/i.test(url)) || plainOf(label) === url;
      if (!isKnown) out.push({ text: ` (${url})`, look: "dim" });
      return whole.length;
    }
  }

  return {
    begin(line) {
      isHeading = line.isBold;
      isBold = false;
    },
    write(text, isWhole) {
      const all = held + text;
      const out: Words[] = [];
      held = all.slice(read(all, isWhole, out));
      return out;
    },
  };
}

/** The words of a link without marks. */
const plainOf = (label: string) => label.replace(/\\([!-/:-@[-`{-~])|\*\*|`+/g, "$1");
