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
