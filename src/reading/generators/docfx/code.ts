import { asText } from "@docent/kernel/text/json";
import { linesIn } from "../writing/writing.ts";

/** Which part of a file of code is shown. */
export interface CodePart {
  /** Lines, such as "1-3,7". */
  range: string | undefined;
  /** What a pair of marks is called. */
  tag: string | undefined;
}

/** The part that `file.cs?name=demo`, `file.cs#demo` or `file.cs#L2-L5` means. */
export function partIn(query: string, fragment: string): CodePart {
  const given = new URLSearchParams(query);
  const lines = /^L(\d+)(?:-L?(\d+))?$/i.exec(fragment);
  const [start, end] = [given.get("start"), given.get("end")];
  const range =
    given.get("range") ??
    (start !== null || end !== null ? `${start ?? 1}-${end ?? ""}` : undefined) ??
    (lines === null ? undefined : `${lines[1]}-${lines[2] ?? lines[1]}`);
  const tag = asText(given.get("name")) ?? asText(given.get("region")) ?? (lines === null ? fragment : "");
  return { range, tag: tag === "" ? undefined : tag };
}

/** The lines of a part; undefined where the file has no such part. */
export function linesOfPart(text: string, { range, tag }: CodePart): string[] | undefined {
  const lines = text.replace(/\r?\n$/, "").split(/\r?\n/);
  if (tag !== undefined) {
    const tagged = taggedLines(lines, tag);
    return tagged === undefined ? undefined : withoutIndent(tagged);
  }
  if (range === undefined) return lines.filter((line) => !isMark(line));
  const wanted = linesIn(range.replace(/(\d+)\s*-\s*(?=,|$)/g, `$1-${lines.length}`));
  return withoutIndent(lines.filter((_, index) => wanted.has(index + 1)));
}

/** `// <demo>`, `# <demo>`, `<!-- <demo> -->`, and `#region demo`. */
const MARK = /^\s*(?:\/\/|'|<!--|--|#|rem\b|%|;|\/\*)\s*<(\/?)([\w.-]{1,100})>\s*(?:(?:-->|\*\/)\s*)?$/i;
const REGION = /^\s*(?:\/\/\s*)?#\s*(end\s*region|region)\b\s*"?([\w.-]{0,100})"?/i;
const isMark = (line: string) => MARK.test(line);

function taggedLines(lines: readonly string[], tag: string): string[] | undefined {
  const name = tag.toLowerCase();
  const start = lines.findIndex((line) => {
    const mark = MARK.exec(line);
    const region = REGION.exec(line);
    return mark?.[2]?.toLowerCase() === name && mark[1] === ""
      ? true
      : region?.[2]?.toLowerCase() === name && /^region$/i.test(region[1] ?? "");
  });
  if (start < 0) return undefined;
  const isRegion = REGION.test(lines[start] ?? "");
  let depth = 1;
  for (let at = start + 1; at < lines.length; at++) {
    const line = lines[at] ?? "";
    const side = isRegion ? REGION.exec(line)?.[1] : undefined;
    if (side !== undefined) depth += /^region$/i.test(side) ? 1 : -1;
    const mark = isRegion ? null : MARK.exec(line);
    if (depth === 0 || (mark?.[1] === "/" && mark[2]?.toLowerCase() === name))
      return lines.slice(start + 1, at).filter((each) => !isMark(each));
  }
  return undefined;
}

function withoutIndent(lines: readonly string[]): string[] {
  const indents = lines.flatMap((line) =>
    line.trim() === "" ? [] : [/^[ \t]*/.exec(line)?.[0].length ?? 0],
  );
  const least = indents.reduce((lowest, indent) => Math.min(lowest, indent), 200);
  return lines.map((line) => line.slice(Math.min(least, line.length)));
}
