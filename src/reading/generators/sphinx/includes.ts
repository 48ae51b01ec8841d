import { folderOf, resolveLocation } from "../docs-tree.ts";
import { type Inclusions, readIncluded } from "../writing/writing.ts";
import type { SphinxSettings } from "./settings.ts";

/** A page that is being read. */
export interface Reading {
  inclusions: Inclusions;
  settings: SphinxSettings;
  location: string;
  faults: Set<string>;
  /** The long files that are in the page already. */
  longFiles: Set<string>;
}

/** A directive as it is written, with what is below it. */
interface Inclusion {
  path: string;
  options: ReadonlyMap<string, string>;
}

/** The text of a file that a page takes in; says what is wrong otherwise. */
export async function readNamed(
  written: string,
  from: string,
  { inclusions, settings, faults }: Reading,
  above: readonly string[],
): Promise<{ location: string; text: string } | undefined> {
  const place = written.startsWith("/")
    ? resolveLocation(settings.root, `.${written}`)
    : resolveLocation(folderOf(from), written);
  const included = await readIncluded(inclusions, place, above);
  if (included.fault === undefined) return included;
  faults.add(`${written}, which it includes, ${included.fault}`);
  return undefined;
}

const INCLUDE = /^(\s*)(?:[-*]\s+)?\.\. (include|literalinclude):: *(\S.*?)(?<!\s)\s*$/;
const CODE =
  /^\s*\.\. (?:code|code-block|sourcecode|parsed-literal|literal|highlight|prompt|console)::(?:\s|$)/;

/** Puts the files that a page of reStructuredText includes into their places. */
export async function expandRst(
  text: string,
  from: string,
  reading: Reading,
  above: readonly string[] = [reading.location],
): Promise<string> {
  const lines = text.split(/\r\n?|\n/);
  const out: string[] = [];
  /** The indent of what code stands below, in which nothing is included. */
  let codeIndent = -1;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    const indent = line.length - line.trimStart().length;
    if (line.trim() !== "" && indent <= codeIndent) codeIndent = -1;
    if (codeIndent < 0 && (CODE.test(line) || (/::\s*$/.test(line) && !/^\s*\.\. \S/.test(line))))
      codeIndent = indent;
    const match = codeIndent < 0 ? INCLUDE.exec(line) : null;
    if (match === null) {
      out.push(line);
      continue;
    }
    const [, before = "", kind, path = ""] = match;
    const options = new Map<string, string>();
    for (; /^\s+:[\w-]+:/.test(lines[at + 1] ?? ""); at++) {
      const [, name = "", value = ""] =
        /^\s+:([\w-]+):\s*(?!\s)(|.+?(?<!\s))\s*$/.exec(lines[at + 1] ?? "") ?? [];
      options.set(name, value);
    }
    const written =
      kind === "include"
        ? await includedRst({ path, options }, from, reading, above)
        : await includedCode({ path, options }, from, reading);
    out.push(...written.split("\n").map((each) => (each === "" ? "" : before + each)));
  }
  return out.join("\n");
}

async function includedRst(
  inclusion: Inclusion,
  from: string,
  reading: Reading,
  above: readonly string[],
): Promise<string> {
  const { path, options } = inclusion;
  // docutils' own files define names of characters.
  if (/^<.*>$/.test(path)) return "";
  const found = await readNamed(path, from, reading, above);
  if (found === undefined) return "";
  const text = partOf(found.text, options).replace(/\t/g, "        ");
  if (text.length >= LONG) {
    const part = JSON.stringify([found.location, ...options]);
    if (reading.longFiles.has(part)) return "";
    reading.longFiles.add(part);
  }
  const language = options.get("code");
  if (language !== undefined || options.has("literal")) return codeDirective(text, language ?? "");
  if (
    /myst|markdown/.test(options.get("parser") ?? "") ||
    (found.location.endsWith(".md") && options.has("parser"))
  )
    return `.. docent-markdown::\n\n${indented(text)}`;
  return `${await expandRst(text, found.location, reading, [...above, found.location])}\n`;
}

async function includedCode(inclusion: Inclusion, from: string, reading: Reading): Promise<string> {
  const code = await readLiteral(inclusion, from, reading);
  if (code === undefined) return "";
  return codeDirective(code, inclusion.options.get("language") ?? "", inclusion.options.get("caption"));
}

/** Logs of changes take each other in again and again: a second time there is nothing new in a long file. */
const LONG = 10_000;

const indented = (text: string) => text.replace(/^(?=.)/gm, "   ");
const codeDirective = (code: string, language: string, caption?: string) =>
  `\n.. code-block:: ${language}\n${caption ? `   :caption: ${caption}\n` : ""}\n${indented(code)}\n`;

/** The chosen part of a file, as it is. */
export async function readLiteral(
  { path, options }: Inclusion,
  from: string,
  reading: Reading,
): Promise<string | undefined> {
  const found = await readNamed(path, from, reading, [reading.location]);
  if (found === undefined) return undefined;
  const object = options.get("pyobject");
  const text = object === undefined ? partOf(found.text, options) : pythonObject(found.text, object);
  if (text === undefined) reading.faults.add(`${path} has no ${object}`);
  return text?.trimEnd();
}

/** By numbers of lines, or by what stands before and after. */
export function partOf(text: string, options: ReadonlyMap<string, string>): string {
  let lines = text.split("\n");
  const chosen = options.get("lines");
  const { length } = lines;
  if (chosen !== undefined) {
    const wanted = new Set<number>();
    for (const [, first = "", dash, last] of chosen.matchAll(/(\d*)\s*(-)?\s*(\d+)?\s*(?:,|$)/g)) {
      if (first === "" && last === undefined) continue;
      const from = Number(first || 1);
      const to = dash === undefined ? from : Math.min(Number(last ?? length), length);
      for (let line = from; line <= to; line++) wanted.add(line - 1);
    }
    lines = lines.filter((_, index) => wanted.has(index));
  }
  const start = options.get("start-line");
  const end = options.get("end-line");
  if (start !== undefined || end !== undefined)
    lines = lines.slice(Number(start ?? 0), end === undefined ? undefined : Number(end));
  const startAt = options.get("start-at");
  const startAtLine = startAt === undefined ? -1 : lines.findIndex((line) => line.includes(startAt));
  if (startAtLine >= 0) lines = lines.slice(startAtLine);
  // `include` takes what follows the words, `literalinclude` the lines after theirs.
  let whole = lines.join("\n");
  const after = options.get("start-after");
  if (after !== undefined && whole.includes(after))
    whole = whole
      .slice(whole.indexOf(after) + after.length)
      .replace(/^[^\n]*\n/, (rest) => (/^\s*$/.test(rest) || options.has("language") ? "" : rest));
  const before = options.get("end-before");
  if (before !== undefined && whole.includes(before)) {
    const cut = whole.slice(0, whole.indexOf(before));
    whole = options.has("language") ? cut.slice(0, cut.lastIndexOf("\n") + 1) : cut;
  }
  const endAt = options.get("end-at");
  if (endAt !== undefined && whole.includes(endAt))
    whole = whole.slice(0, whole.indexOf(endAt)) + (whole.slice(whole.indexOf(endAt)).split("\n")[0] ?? "");
  const dedent = Number(options.get("dedent") || 0);
  return dedent > 0 ? whole.replace(new RegExp(`^ {1,${Math.min(dedent, 99)}}`, "gm"), "") : whole;
}

/** A function or class of a Python file with its body. */
function pythonObject(text: string, path: string): string | undefined {
  let lines = text.split("\n");
  for (const name of path.split(".")) {
    const at = lines.findIndex((line) =>
      new RegExp(`^\\s*(?:async\\s+)?(?:def|class)\\s+${name.replace(/\W/g, "")}\\b`).test(line),
    );
    if (at < 0) return undefined;
    const indent = (lines[at] ?? "").search(/\S/);
    let start = at;
    while ((lines[start - 1] ?? "").trimStart().startsWith("@")) start--;
    const end = lines.findIndex(
      (line, index) =>
        index > at && line.trim() !== "" && line.search(/\S/) <= indent && !/^\s*[)\]}]/.test(line),
    );
    lines = lines.slice(start, end < 0 ? undefined : end);
  }
  return lines.join("\n");
}
