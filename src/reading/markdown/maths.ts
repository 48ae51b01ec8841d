import { outsideCode } from "@docent/kernel/text/code-spans";
import { type FenceOpening, fenceBehind } from "@docent/kernel/text/markdown-lines";
import { codeFence, mathsSpan } from "@docent/kernel/text/write-markdown";

const OPENING = /^(\s*)(\$\$|\\\[)[ \t]*(.*)$/;
const LINES_MAX = 200;
/** Between single dollars as Pandoc reads them: no space inside of them, and no number or name right behind. */
const DOLLARS = /(?<![\\$\w`])\$(?![\s${`])((?:[^$\n\\]|\\.){1,1000}?)(?<!\s)\$(?![\w${`\\])/g;
const DOUBLE = /(?<!\\)\$\$(?=[^\s$])((?:[^$\n\\]|\\.){1,1000}?)\$\$/g;
const ROUND = /(?<![\\\w])\\\(((?:[^\n\\]|\\[^\n()]){1,1000}?)\\\)/g;
const COMMAND = /\\[A-Za-z]{2,}/;
/** A power of anything, or an index of what has one letter: words with dashes below are names. */
const SCRIPT = /[\w)\]}']\^[\w{\\(+\-*']|(?:(?<![A-Za-z0-9\\])[A-Za-z]|[)\]}|'])_[\w{\\(]/;
/** Between dollars this is enough; words have it in brackets, too. */
const SIGN = /\\[,;:!{}|]|^\s*[A-Za-z]'?\s*$|^[\w\s+\-*/=<>().,|']*=[\w\s+\-*/=<>().,|']*$/;
/** What is maths where there is maths beside it. */
const PLAIN = /^[\w\s+\-*/=<>()[\].,|':!\\]{1,60}$/;
const WORDS_IN_TEX =
  /\\(?:text\w*|math\w+|operatorname|mbox|begin|end|color|label|tag)\*?\s*\{[^{}]*\}|\\[A-Za-z]+/g;
const PROSE = /[A-Za-z]{3,}[,;:]?\s+[A-Za-z]{2,}\s*|\]\(/;

/** What is known of a page while it is read. */
interface Reading {
  /** Formulas that can be nothing else were found: others beside them need not prove it. */
  isOfMaths: boolean;
}

/**
 * Writes the maths of a page as GitHub does with what Markdown would change: TeX in code, between dollars within a line,
 * and as a block of `math` on lines of its own.
 */
export function unwrapMaths(markdown: string): string {
  if (!/\$|\\[([]/.test(markdown)) return markdown;
  const reading: Reading = { isOfMaths: false };
  const written = unwrapLines(markdown, reading);
  return reading.isOfMaths ? unwrapLines(markdown, reading) : written;
}

function unwrapLines(markdown: string, reading: Reading): string {
  const lines = markdown.split("\n");
  const out: string[] = [];
  let prose: string[] = [];
  let fence: FenceOpening | undefined;
  const flush = () => {
    if (prose.length > 0) out.push(outsideCode(prose.join("\n"), (words) => unwrapInline(words, reading)));
    prose = [];
  };
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    const isInside = fence !== undefined;
    fence = fenceBehind(line, fence);
    const block = isInside || fence !== undefined ? undefined : readBlock(lines, at);
    if (isInside || fence !== undefined || /^(?: {4}|\t| {0,3}#)/.test(line)) {
      flush();
      out.push(line);
    } else if (block !== undefined) {
      flush();
      out.push("", ...block.lines, "");
      reading.isOfMaths = true;
      at = block.end;
    } else prose.push(line);
  }
  flush();
  return out.join("\n");
}

/** The formula that begins on a line, as a block of code, and its last line. */
function readBlock(lines: readonly string[], start: number): { lines: string[]; end: number } | undefined {
  const [, indent = "", mark, first = ""] = OPENING.exec(lines[start] ?? "") ?? [];
  if (mark === undefined) return undefined;
  const closing = mark === "$$" ? "$$" : "\\]";
  const inside: string[] = [];
  for (let at = start; at < Math.min(lines.length, start + LINES_MAX); at++) {
    const line = (at === start ? first : (lines[at] ?? "")).trim();
    const close = line.indexOf(closing);
    if (close < 0) {
      if (line !== "") inside.push(line);
      continue;
    }
    if (line.slice(close + closing.length).trim() !== "") return undefined;
    inside.push(line.slice(0, close).trim());
    const tex = inside.filter((each) => each !== "");
    // Brackets around words are brackets.
    if (tex.length === 0 || (mark !== "$$" && !isCertain(tex.join(" ")))) return undefined;
    const written = codeFence(tex.join("\n"), "math").split("\n");
    return { lines: written.map((each) => indent + each), end: at };
  }
  return undefined;
}

function unwrapInline(words: string, reading: Reading): string {
  if (!/\$|\\\(/.test(words)) return words;
  const writeIf = (isMaths: (tex: string) => boolean) => (whole: string, tex: string) => {
    if (tex.includes("`") || !isMaths(tex)) return whole;
    if (isCertain(tex)) reading.isOfMaths = true;
    return mathsSpan(tex.trim());
  };
  const beside = (tex: string) => isCertain(tex) || (reading.isOfMaths && PLAIN.test(tex) && !isProse(tex));
  const between = (tex: string) => beside(tex) || (SIGN.test(tex) && !isProse(tex));
  // Each formula is code by then, which the next step leaves out.
  return outsideCode(words.replace(DOUBLE, writeIf(between)).replace(ROUND, writeIf(beside)), (rest) =>
    rest.replace(DOLLARS, writeIf(between)),
  );
}

const isCertain = (tex: string) => (COMMAND.test(tex) || SCRIPT.test(tex)) && !isProse(tex);

/** Whether words follow each other: prices, variables and addresses have dollars as well. */
const isProse = (tex: string) => PROSE.test(tex.replace(WORDS_IN_TEX, " "));
