import { asDiff } from "./code.ts";

/** A comment that only says how lines of code are shown: `// [!code ++]`. */
const MARK =
  /(?<!\s)\s*(?:(?:\/\/|\/\*|<!--|#|--|%{1,2}|;{1,2}|"|\{\/\*)\s*)?\[!code\s+(?!\s)([^\]]{1,300})\]\s*(?:\*\/\}?|-->)?[ \t]*/;

/** Before and behind these, code is there only for the compiler that types an example: Twoslash. */
const CUT_BEFORE = /^\s*\/\/ ?---cut(?:-before)?---\s*$/;
const CUT_AFTER = /^\s*\/\/ ?---cut-after---\s*$/;
const CUT_START = /^\s*\/\/ ?---cut-start---\s*$/;
const CUT_END = /^\s*\/\/ ?---cut-end---\s*$/;

/** Code without what a reader never sees of a Twoslash example. */
function withoutCuts(written: readonly string[]): readonly string[] {
  if (!written.some((line) => line.includes("---cut"))) return written;
  const after = written.findIndex((line) => CUT_AFTER.test(line));
  const kept = written.slice(
    written.findLastIndex((line) => CUT_BEFORE.test(line)) + 1,
    after < 0 ? undefined : after,
  );
  let isCut = false;
  return kept.filter((line) => {
    if (CUT_START.test(line)) isCut = true;
    const isShown = !isCut;
    if (CUT_END.test(line)) isCut = false;
    return isShown;
  });
}

/** Code as readers see it: without its marks, and as a diff where lines are marked as new or gone. */
export function shownCode(
  language: string,
  source: readonly string[],
): { language: string; lines: readonly string[] } {
  const written = withoutCuts(source);
  if (!written.some((line) => line.includes("[!code"))) return { language, lines: written };
  const lines: string[] = [];
  const added = new Set<number>();
  const removed = new Set<number>();
  for (const line of written) {
    const [mark, said = ""] = MARK.exec(line) ?? [];
    if (mark === undefined) {
      lines.push(line);
      continue;
    }
    const rest = line.replace(MARK, "");
    const isAlone = rest.trim() === "";
    // A mark on a line of its own is about those below it.
    const first = lines.length + 1;
    const count = Number(/:(\d{1,4})$/.exec(said)?.[1] ?? 1);
    for (let each = first; each < first + count; each++) {
      if (said.startsWith("++")) added.add(each);
      else if (said.startsWith("--")) removed.add(each);
    }
    if (!isAlone) lines.push(rest);
  }
  if (added.size + removed.size === 0) return { language, lines };
  return { language: "diff", lines: asDiff(lines, added, removed) };
}

/** How a region of a file is marked, in the comments of many languages. */
const MARKS = [
  /^\/\/\s*#?(region|endregion)\b\s*([\w*.-]*)/i,
  /^\/\*\s*#?(region|endregion)\b\s*([\w*.-]*)\s*\*\//i,
  /^#\s?pragma\s+(region|endregion)\b\s*([\w*.-]*)/i,
  /^<!--\s*#?(region|endregion)\b\s*([\w*.-]*)\s*-->/i,
  /^(?:::|@?rem)\s*#?(region|endregion)\b\s*([\w*.-]*)/i,
  /^#\s?(region|end ?region)\b\s*([\w*.-]*)/i,
  /^--\s*#?(region|endregion)\b\s*([\w*.-]*)/i,
];

function markIn(line: string): { isEnd: boolean; name: string } | undefined {
  const text = line.trim();
  for (const mark of MARKS) {
    const [, kind, name = ""] = mark.exec(text) ?? [];
    if (kind !== undefined) return { isEnd: kind.toLowerCase() !== "region", name };
  }
  return undefined;
}

/** The lines of the regions with a name, without their marks; undefined where there is none. */
export function linesOfRegion(lines: readonly string[], name: string): string[] | undefined {
  const found: string[] = [];
  let open: number | undefined;
  let isThere = false;
  for (const [index, line] of lines.entries()) {
    const mark = markIn(line);
    if (mark === undefined || (mark.name !== name && !(mark.isEnd && mark.name === ""))) continue;
    if (open === undefined && !mark.isEnd) open = index;
    else if (open !== undefined && mark.isEnd && mark.name === name) {
      found.push(...lines.slice(open + 1, index));
      open = undefined;
      isThere = true;
    }
  }
  return isThere ? found.filter((line) => markIn(line)?.name !== name) : undefined;
}

/** Lines without the spaces that they all begin with. */
export function withoutCommonIndent(lines: readonly string[]): string[] {
  const indents = lines
    .filter((line) => line.trim() !== "")
    .map((line) => /^\s*/.exec(line)?.[0].length ?? 0);
  const common = Math.min(...indents, Number.POSITIVE_INFINITY);
  return Number.isFinite(common) ? lines.map((line) => line.slice(common)) : [...lines];
}
