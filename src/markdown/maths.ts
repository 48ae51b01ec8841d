import { outsideCode } from "../text/code-spans.ts";
import { closesFence, type FenceOpening, fenceOpening } from "../text/markdown-lines.ts";
import { codeSpan } from "../text/write-markdown.ts";

const OPENING = /^(\s*)(\$\$|\\\[)[ \t]*(.*)$/;
const LINES_MAX = 200;
/** Between single dollars as Pandoc reads them: no space inside of them, and no number or name right behind. */
const DOLLARS = /(?<![\\$\w])\$(?![\s${])((?:[^$\n\\]|\\.){1,1000}?)(?<!\s)\$(?![\w${])/g;
const DOUBLE = /(?<!\\)\$\$(?=[^\s$])((?:[^$\n\\]|\\.){1,1000}?)\$\$/g;
const ROUND = /(?<!\\)\\\(((?:[^\n\\]|\\[^\n()]){1,1000}?)\\\)/g;
/** What sums of money, variables of a shell and words in brackets have not. */
const TEX = /\\[A-Za-z,;:!{}|]|[\^_]|^\s*[A-Za-z]'?\s*$|^[\w\s+\-*/=<>().,|']*=[\w\s+\-*/=<>().,|']*$/;

/**
 * Writes the maths of a page as code, in which its TeX stays as it is: Markdown would take marks and backslashes out of
 * it. A formula on lines of its own becomes a block.
 */
export function unwrapMaths(markdown: string): string {
  if (!/\$|\\[([]/.test(markdown)) return markdown;
  const lines = markdown.split("\n");
  const out: string[] = [];
  let prose: string[] = [];
  let fence: FenceOpening | undefined;
  const flush = () => {
    if (prose.length > 0) out.push(outsideCode(prose.join("\n"), unwrapInline));
    prose = [];
  };
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    const isInside = fence !== undefined;
    if (fence === undefined) fence = fenceOpening(line);
    else if (closesFence(line, fence)) fence = undefined;
    const block = isInside || fence !== undefined ? undefined : readBlock(lines, at);
    if (isInside || fence !== undefined || /^(?: {4}|\t| {0,3}#)/.test(line)) {
      flush();
      out.push(line);
    } else if (block !== undefined) {
      flush();
      out.push("", ...block.tex, "");
      at = block.end;
    } else prose.push(line);
  }
  flush();
  return out.join("\n");
}

/** The formula that begins on a line, as a block of code, and its last line. */
function readBlock(lines: readonly string[], start: number): { tex: string[]; end: number } | undefined {
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
    if (tex.length === 0 || (mark !== "$$" && !TEX.test(tex.join(" ")))) return undefined;
    return { tex: ["```tex", ...tex, "```"].map((each) => indent + each), end: at };
  }
  return undefined;
}

function unwrapInline(words: string): string {
  if (!/\$|\\\(/.test(words)) return words;
  const write = (whole: string, tex: string) =>
    TEX.test(tex) && !tex.includes("`") ? codeSpan(`$${tex.trim()}$`) : whole;
  // Each formula is code by then, which the next step leaves out.
  return outsideCode(words.replace(DOUBLE, write).replace(ROUND, write), (rest) =>
    rest.replace(DOLLARS, write),
  );
}
