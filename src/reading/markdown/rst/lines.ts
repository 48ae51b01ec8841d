export function isBlank(line: string | undefined): boolean {
  return line === undefined || line.trim() === "";
}

export function leadingSpaces(line: string): number {
  return line.length - line.trimStart().length;
}

/** Lines without their common indent, and without blank ones at either end. */
export function dedentBlock(lines: readonly string[]): string[] {
  let least = Number.POSITIVE_INFINITY;
  for (const line of lines) if (!isBlank(line)) least = Math.min(least, leadingSpaces(line));
  const first = lines.findIndex((line) => !isBlank(line));
  const last = lines.findLastIndex((line) => !isBlank(line));
  return first < 0 ? [] : lines.slice(first, last + 1).map((line) => line.slice(least).trimEnd());
}

/** The end of the indented block, without trailing blank lines. */
export function indentedEnd(lines: readonly string[], start: number): number {
  let end = start;
  for (let at = start; at < lines.length; at++) {
    const line = lines[at] ?? "";
    if (isBlank(line)) continue;
    if (leadingSpaces(line) === 0) break;
    end = at + 1;
  }
  return end;
}

/** The end of a paragraph: the next blank line. */
export function paragraphEnd(lines: readonly string[], start: number): number {
  let end = start;
  while (end < lines.length && !isBlank(lines[end])) end += 1;
  return end;
}

/** Text with a prefix on each line; blank lines get no trailing space. */
export function prefixLines(text: string, prefix: string): string {
  return text
    .split("\n")
    .map((line) => (line === "" ? line || prefix.trimEnd() : prefix + line))
    .join("\n");
}
