/** The name of a snippet, with the lines or the section that are meant. */
interface Specifier {
  path: string;
  /** `2:5` or `2:5,8:9`. */
  ranges: string | undefined;
  section: string | undefined;
}

const RANGES = /^(.*?)(?::(-?\d*(?::-?\d*)?(?:,-?\d*(?::-?\d*)?)*))$/;
const SECTION = /^(.*?):([a-z][-_0-9a-z]*)$/i;

export function splitSpecifier(written: string): Specifier {
  if (/^https?:/.test(written)) return { path: written, ranges: undefined, section: undefined };
  const ranges = RANGES.exec(written);
  if (ranges !== null) return { path: ranges[1] ?? "", ranges: ranges[2], section: undefined };
  const section = SECTION.exec(written);
  return { path: section?.[1] ?? written, ranges: undefined, section: section?.[2] };
}

const RANGES_MAX = 100;

/** The lines that ranges such as `2:5,8:9` name, from 1 and with their ends; all where there are none. */
export function linesOf(text: string, ranges: string | undefined, between = "\n"): string {
  if (ranges === undefined || ranges === "") return text;
  const lines = text.replace(/\n$/, "").split("\n");
  return ranges
    .split(",")
    .slice(0, RANGES_MAX)
    .map((range) => {
      const [from = "", to] = range.split(":");
      const start = fromEnd(Number(from === "" ? 1 : from), lines.length);
      const end = to === undefined ? start : fromEnd(Number(to === "" ? -1 : to), lines.length);
      return lines.slice(Math.max(0, start - 1), end).join("\n");
    })
    .join(between);
}

/** -1 is the last line. */
const fromEnd = (line: number, count: number) => (line < 0 ? count + line + 1 : line);

const MARK = /-+8<-+[ \t]+\[[ \t]*(start|end)[ \t]*:[ \t]*([a-z][-_0-9a-z]*)[ \t]*\]/i;

/** The lines between the marks of a section; undefined where there is none of that name. */
export function sectionOf(text: string, name: string): string | undefined {
  const lines = text.split("\n");
  const isMark = (line: string, kind: string) => {
    const [, said = "", of = ""] = line.includes("8<") ? (MARK.exec(line) ?? []) : [];
    return said.toLowerCase() === kind && of === name;
  };
  const start = lines.findIndex((line) => isMark(line, "start"));
  if (start < 0) return undefined;
  const length = lines.slice(start + 1).findIndex((line) => isMark(line, "end"));
  return lines.slice(start + 1, length < 0 ? undefined : start + 1 + length).join("\n");
}

export const withoutSectionMarks = (text: string) =>
  text.includes("8<")
    ? text
        .split("\n")
        .filter((line) => !(line.includes("8<") && MARK.test(line)))
        .join("\n")
    : text;
