import { closesFence, type FenceOpening, fenceOpening, indentOf } from "@docent/kernel/text/markdown-lines";
import { isCalloutName } from "./callouts.ts";

/** `:::{note} Title`, as MyST writes it. */
const COLONS = /^([ \t]*)(:{3,})\{([\w:+.-]{1,60})\}[ \t]*(.*)$/;
/** `.. note:: Text`, which is left where reStructuredText was converted, or stands in a docstring. */
const DOTS = /^([ \t]*)\.\. ([A-Za-z][\w+.-]{0,60}(?::[\w+.-]{1,60})?)::(?:[ \t]+(.*))?$/;
const OPTION = /^[ \t]*:[\w-]{1,60}:(?:[ \t]|$)/;
const CLOSING = /^[ \t]*(:{3,})[ \t]*$/;
const ANY = /^[ \t]*(?::{3,}\{|\.\. [A-Za-z][\w+.:-]*::)/m;
/** What they hold is code, which stays indented, as code is in Markdown. */
const OF_CODE = /^(?:code|code-block|sourcecode|testcode|testoutput|doctest|prompt)$/;
const NESTING_MAX = 20;

/** A directive whose end has not come. */
interface OpenDirective {
  /** Of MyST's: the colons that close it. */
  colons?: number;
  /** Of reStructuredText's: lines that are further in belong to it. */
  indent?: number;
  isCallout: boolean;
}

interface Unwrapping {
  out: string[];
  open: OpenDirective[];
  fence: FenceOpening | undefined;
  /** Lines with the options of the directive that has just begun are left out. */
  isInOptions: boolean;
}

/**
 * Unwraps directives of Sphinx in Markdown: callouts become `:::` containers, code stays code, of any other the title and
 * the words are kept.
 */
export function unwrapDirectives(markdown: string): string {
  if (!ANY.test(markdown)) return markdown;
  const state: Unwrapping = { out: [], open: [], fence: undefined, isInOptions: false };
  for (const line of markdown.split("\n")) takeLine(state, line);
  closeFurtherIn(state, 0);
  return state.out.join("\n");
}

function takeLine(state: Unwrapping, line: string): void {
  if (state.fence !== undefined) {
    if (closesFence(line, state.fence)) state.fence = undefined;
    state.out.push(shifted(state, line));
    return;
  }
  if (state.isInOptions && OPTION.test(line)) return;
  state.isInOptions = false;
  if (line.trim() !== "") closeFurtherIn(state, indentOf(line));
  const fence = fenceOpening(line);
  if (fence) state.fence = fence;
  else if (state.open.length < NESTING_MAX && (openColons(state, line) || openDots(state, line))) return;
  else if (close(state, line)) return;
  state.out.push(shifted(state, line));
}

function openColons(state: Unwrapping, line: string): boolean {
  const [, , colons, name = "", title = ""] = COLONS.exec(line) ?? [];
  if (colons === undefined) return false;
  begin(state, name, title, { colons: colons.length, isCallout: isCalloutName(name) });
  return true;
}

function openDots(state: Unwrapping, line: string): boolean {
  const [, , name = "", title = ""] = DOTS.exec(line) ?? [];
  if (name === "") return false;
  if (OF_CODE.test(name)) {
    state.out.push("");
    state.isInOptions = true;
  } else begin(state, name, "", { indent: indentOf(line), isCallout: isCalloutName(name) });
  // The words behind a callout's name are its first ones, and not its title.
  if (isCalloutName(name) && title !== "") state.out.push(title);
  return true;
}

function begin(state: Unwrapping, name: string, title: string, directive: OpenDirective): void {
  const words = title.trim();
  state.isInOptions = true;
  state.open.push(directive);
  if (directive.isCallout) state.out.push("", `:::${name}${words === "" ? "" : `[${words}]`}`, "");
  else state.out.push("", ...(words === "" ? [] : [`**${words}**`, ""]));
}

/** Ends a directive of MyST. Other containers keep their closing lines. */
function close(state: Unwrapping, line: string): boolean {
  const colons = CLOSING.exec(line)?.[1]?.length;
  const last = state.open.at(-1);
  if (colons === undefined || last?.colons === undefined || colons < last.colons) return false;
  end(state);
  return true;
}

function end({ out, open }: Unwrapping): void {
  if (open.pop()?.isCallout) out.push("", ":::", "");
}

/** Ends the directives of reStructuredText that a line with this indent is not in. */
function closeFurtherIn(state: Unwrapping, indent: number): void {
  for (
    let last = state.open.at(-1);
    last?.indent !== undefined && indent <= last.indent;
    last = state.open.at(-1)
  )
    end(state);
}

const BODY_INDENT = 3;

/** A line without the indent of the directives that it is in. */
function shifted({ open }: Unwrapping, line: string): string {
  const columns = open.reduce((sum, { indent }) => sum + (indent === undefined ? 0 : BODY_INDENT), 0);
  return columns === 0 ? line : line.replace(new RegExp(`^ {1,${columns}}`), "");
}
