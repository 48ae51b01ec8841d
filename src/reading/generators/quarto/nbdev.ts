import { asRecord, asText, jsonIn } from "@docent/kernel/text/json";
import { writeCode } from "../writing/writing.ts";

/**
 * A notebook as nbdev publishes it: a function or class that a cell exports is described, with its signature and
 * what it says of itself, and its code is not shown.
 */
export function describedNotebook(text: string): string {
  const notebook = asRecord(jsonIn(text));
  if (!Array.isArray(notebook["cells"])) return text;
  const all = notebook["cells"].map(asRecord);
  const first = all.findIndex((cell) => cell["cell_type"] === "markdown");
  // What is shown where its author wants it is not described once more.
  const shown = new Set(all.flatMap((cell) => SHOW.exec(sourceOf(cell))?.[1] ?? []));
  const { front, rest } = titleIn(all[first]);
  const cells = all.flatMap((cell, index) => (index === first ? rest : cellsOf(cell, shown)));
  return JSON.stringify({ ...notebook, cells: [...front, ...cells] });
}

type Values = Readonly<Record<string, unknown>>;

const DIRECTIVES = /^(?:[ \t]*#[ \t]?\|[^\n]*\n?)+/;
const SHOW = /^[ \t]*show_doc\([ \t]*([\w.]{1,200})/m;

function sourceOf({ source }: Values): string {
  return Array.isArray(source) ? source.map((line) => asText(line) ?? "").join("") : (asText(source) ?? "");
}

const TITLE = /^# ([^\n]{1,300})\n*(?:[ \t]*>[ \t]*([^\n]{1,1000})(?:\n|$))?/;

/** The first heading and the quote below it are the title of the page and what it is about. */
function titleIn(cell: Values | undefined): { front: Values[]; rest: Values[] } {
  if (cell === undefined) return { front: [], rest: [] };
  const written = sourceOf(cell);
  const [whole = "", title, description] = TITLE.exec(written) ?? [];
  const rest = [{ ...cell, source: withoutHidden(written.slice(whole.length)) }];
  if (title === undefined) return { front: [], rest };
  const said = JSON.stringify({ title, ...(description === undefined ? {} : { description }) });
  return { front: [{ cell_type: "raw", source: `---\n${said}\n---\n` }], rest };
}

function cellsOf(cell: Values, documented: ReadonlySet<string>): Values[] {
  const written = sourceOf(cell);
  if (cell["cell_type"] === "markdown") return [{ ...cell, source: withoutHidden(written) }];
  if (cell["cell_type"] !== "code") return [cell];
  const [directives = ""] = DIRECTIVES.exec(written) ?? [];
  const shown = SHOW.exec(written)?.[1];
  if (shown !== undefined) return [described([headingOf(shown)])];
  if (/\|[ \t]*(?:default_exp|exporti|hide)\b/.test(directives)) return [];
  if (!/\|[ \t]*exports?\b/.test(directives)) return [cell];
  const code = written.slice(directives.length);
  const isShown = /\|[ \t]*exports\b/.test(directives);
  return [...definitionsIn(code, documented).map(described), ...(isShown ? [{ ...cell, source: code }] : [])];
}

const described = (lines: readonly string[]): Values => ({ cell_type: "markdown", source: lines.join("\n") });

const headingOf = (name: string) => `${name.includes(".") ? "####" : "###"} ${name.replaceAll("_", "\\_")}`;

/** A dash behind a heading says that it is not for readers. */
const withoutHidden = (markdown: string) => markdown.replace(/^#{1,6} [^\n]* -[ \t]*$/gm, "");

const DEFINITION = /^(?:async[ \t]+)?(?:def|class)[ \t]+(\w{1,100})/;
const SIGNATURE_LINES_MAX = 40;
const DOC_LINES_MAX = 200;
const DOC = /^[ \t]+[rRfF]?("""|'''|"|')/;

/** The functions and classes that code defines at its margin, each as a heading, a signature and words. */
function definitionsIn(code: string, documented: ReadonlySet<string>): string[][] {
  const lines = code.split("\n");
  return lines.flatMap((line, at) => {
    const name = DEFINITION.exec(line)?.[1];
    if (name === undefined) return [];
    const end = endOfSignature(lines, at);
    const signature = lines.slice(at, end);
    const patched = isPatch(lines, at)
      ? /\([ \t]*\w{1,100}[ \t]*:[ \t]*([\w.]{1,100})/.exec(line)?.[1]
      : undefined;
    if (name.startsWith("_") && patched === undefined) return [];
    const full = patched === undefined ? name : `${patched}.${name}`;
    if (documented.has(full)) return [];
    const own = [...signature.slice(0, -1), (signature.at(-1) ?? "").replace(/:[^:\])}]*$/, "")];
    return [[headingOf(full), "", ...writeCode("python", own), "", docAt(lines, end)]];
  });
}

function endOfSignature(lines: readonly string[], at: number): number {
  let depth = 0;
  for (let end = at; end < lines.length && end < at + SIGNATURE_LINES_MAX; end++) {
    for (const mark of (lines[end] ?? "").replace(/#.*$/, ""))
      depth += "([{".includes(mark) ? 1 : ")]}".includes(mark) ? -1 : 0;
    if (depth <= 0) return end + 1;
  }
  return at + 1;
}

/** Whether a function is put into a class that is defined elsewhere. */
function isPatch(lines: readonly string[], at: number): boolean {
  for (let above = at - 1; above >= 0 && lines[above]?.startsWith("@"); above--)
    if (/^@patch\b/.test(lines[above] ?? "")) return true;
  return false;
}

/** What code says of itself on the lines below its signature. */
function docAt(lines: readonly string[], at: number): string {
  const first = lines[at] ?? "";
  const [opening, quotes = ""] = DOC.exec(first) ?? [];
  if (opening === undefined) return "";
  const said: string[] = [];
  for (let end = at; end < lines.length && end < at + DOC_LINES_MAX; end++) {
    const line = end === at ? first.slice(opening.length) : (lines[end] ?? "");
    const close = line.indexOf(quotes);
    said.push(close < 0 ? line.trim() : line.slice(0, close).trim());
    if (close >= 0 || quotes.length === 1) break;
  }
  return said.join("\n").trim();
}
