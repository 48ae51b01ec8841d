/** How names are marked as code: once in Markdown, twice in reStructuredText. */
type CodeMark = "`" | "``";

const GOOGLE =
  /^(Args|Arguments|Parameters|Params|Keyword Args|Keyword Arguments|Other Parameters|Returns?|Yields?|Raises|Except|Exceptions|Warns|Attributes|Methods|Examples?|Notes?|Warnings?|References|See Also|Todo|Important|Tip|Hint|Caution)(?::)[ \t]*$/;
/** Sections whose parts have a name each. */
const LISTS =
  /^(?:Args|Arguments|Parameters|Params|Keyword Arg|Other Parameters|Raises|Except|Warns|Attributes|Methods)/;
/** Sections whose parts may have a type alone. */
const RESULTS = /^(?:Return|Yield)/;

/**
 * A docstring whose sections, as Google and NumPy write them, are headed lists. Text that has no such sections stays as
 * it is.
 */
export function plainDocstring(doc: string, mark: CodeMark): string {
  const lines = doc.split("\n");
  const out: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    const isNumpy = /^\S.{0,60}$/.test(line) && /^(-{3,}|={3,})\s*$/.test(lines[at + 1] ?? "");
    const google = GOOGLE.exec(line)?.[1];
    const body = isNumpy
      ? numpyBody(lines, at + 2)
      : google === undefined
        ? undefined
        : indentedBody(lines, at + 1);
    if (body === undefined || body.lines.length === 0) {
      out.push(line);
      continue;
    }
    const title = (google ?? line).replace(/:\s*$/, "").trim();
    out.push("", `**${title}**`, "", ...sectionLines(title, body.lines, isNumpy, mark), "");
    at = body.end - 1;
  }
  return out
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

function sectionLines(title: string, lines: readonly string[], isNumpy: boolean, mark: CodeMark): string[] {
  if (!LISTS.test(title) && !RESULTS.test(title)) return [...lines];
  const parts = partsOf(lines);
  return parts.map(([first = "", ...rest]) => {
    const { name, type, words } = isNumpy ? numpyPart(first) : googlePart(first, RESULTS.test(title));
    const head = [
      ...(name === "" ? [] : [name.includes("`") ? typeAs(name, mark) : `${mark}${name}${mark}`]),
      ...(type === "" ? [] : [`(${typeAs(type, mark)})`]),
    ].join(" ");
    const [begins = "", ...goesOn] = words === "" ? withoutIndent(rest) : [words, ...withoutIndent(rest)];
    const opening = [head, begins.trim()].filter((each) => each !== "").join(" – ");
    return [`- ${opening}`, ...goesOn.map((line) => (line === "" ? "" : `  ${line}`))].join("\n");
  });
}

/** `name (type): words`, or `type: words` of what is returned. */
function googlePart(line: string, isResult: boolean): { name: string; type: string; words: string } {
  const named = /^(\*{0,2}[\w.]+(?:,\s*\*{0,2}[\w.]+)*)\s*(?:\(([^)]{0,200})\))?\s*:\s*(.*)$/.exec(line);
  if (named === null) return { name: "", type: "", words: line };
  const [, name = "", type = "", words = ""] = named;
  return isResult ? { name: "", type: name, words } : { name, type, words };
}

/** `name : type`, or a type alone. A role in a type has colons, too: `shard: Optional[:class:`int`]`. */
function numpyPart(line: string): { name: string; type: string; words: string } {
  const [, name = line, type = ""] = /^([^:`]*?)(?:(?<!\s)\s+:\s*|:\s+)(.*)$/.exec(line) ?? [];
  return { name: name.trim(), type: type.trim(), words: "" };
}

const ROLE = /(?<![\w:]):(?:\w+:)?\w+:`[~!.]?([^`<>]*?)(?:(?<!\s)\s*<[^<>`]*>)?`/g;

/** A type as code; one that is written with roles already says which of its words are names. */
function typeAs(type: string, mark: CodeMark): string {
  if (!type.includes("`")) return mark + type + mark;
  return mark === "``" ? type : type.replace(ROLE, (_, name: string) => `\`${name}\``);
}

/** What begins at the left edge is a part of its own, with what is indented below it. */
function partsOf(lines: readonly string[]): string[][] {
  const parts: string[][] = [];
  for (const line of lines)
    if (/^\S/.test(line)) parts.push([line]);
    else parts.at(-1)?.push(line);
  return parts;
}

function indentedBody(lines: readonly string[], start: number): { lines: string[]; end: number } {
  let end = start;
  while (end < lines.length && (/^\s/.test(lines[end] ?? "") || (lines[end] ?? "") === "")) end++;
  return { lines: withoutIndent(lines.slice(start, end)), end };
}

/** A section of NumPy's kind goes on to the next title that is underlined. */
function numpyBody(lines: readonly string[], start: number): { lines: string[]; end: number } {
  let end = start;
  while (end < lines.length && !/^(?:-{3,}|={3,})\s*$/.test(lines[end + 1] ?? "")) end++;
  return { lines: withoutIndent(lines.slice(start, end)), end };
}

function withoutIndent(lines: readonly string[]): string[] {
  const trimmed = lines.join("\n").replace(/^\n+/, "").trimEnd().split("\n");
  const indents = trimmed.filter((line) => line.trim() !== "").map((line) => line.search(/\S/));
  const common = indents.reduce((least, each) => Math.min(least, each), Number.POSITIVE_INFINITY);
  return trimmed.map((line) => line.slice(Number.isFinite(common) ? common : 0));
}
