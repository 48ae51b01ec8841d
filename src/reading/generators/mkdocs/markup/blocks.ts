import {
  closesFence,
  type FenceOpening,
  fenceMarks,
  fenceOpening,
  indentOf,
} from "@docent/kernel/text/markdown-lines";
import { isCalloutName, TAB_END, tabOpening } from "../../../markdown/callouts.ts";
import { languageOf } from "../../../markdown/md/md.ts";

import { calloutKind, writeCallout } from "../../writing/writing.ts";
import { placeOfTab } from "../tab-ids.ts";

/** `!!! warning "Title"`, `??? note` (folded) and `=== "Tab"`: what belongs to them is indented by four. */
const INDENTED =
  /^(?:(!!!|\?\?\?\+?)(?: *([\w-]+))?((?: +[\w-]+)*)(?: +"(.{0,1000})")?|===[+!]{0,2} +"(.{0,1000})") *$/;
/** `/// note | Title`, which as many slashes end. */
const SLASHED = /^(\/{3,}) *([\w-]+) *(?:\| *(?! )(|.+?(?<! )) *)?$/;
const SLASHES = /^\/{3,}$/;
const OPTION = /^ {4,}[\w-]+ *:/;
const INDENT = 4;
const NESTING_MAX = 30;

/** Blocks of `///` that are no callouts. */
const OTHER_BLOCKS = [
  "admonition",
  "details",
  "tab",
  "html",
  "caption",
  "figure-caption",
  "table-caption",
  "define",
];

/** Material's further kinds of callouts, by Docent's that mean the same. */
const KINDS: Readonly<Record<string, string>> = {
  failure: "danger",
  fail: "danger",
  missing: "danger",
  bug: "danger",
  done: "success",
};

interface OpenBlock {
  /** The slashes that end it; 0 for a block that is indented. */
  slashes: number;
  /** The column from which lines belong to it, for one that is indented. */
  indent: number;
  /** What is written where it ends. */
  ending: string[];
  /** The column of a callout in a list, which is written as a quote: containers stand at the margin alone. */
  quotedAt: number | undefined;
}

interface State {
  lines: readonly string[];
  at: number;
  out: string[];
  open: OpenBlock[];
  fence: FenceOpening | undefined;
  slashNames: ReadonlySet<string>;
  takesAnyName: boolean;
  marksTabs: boolean;
}

/** Turns callouts, tabs and folded parts, which are code in plain Markdown, into containers and labels. */
export function unwrapBlocks(
  markdown: string,
  {
    ownTypes,
    takesAnyName,
    marksTabs,
  }: { ownTypes: readonly string[]; takesAnyName: boolean; marksTabs: boolean },
): string {
  const state: State = {
    lines: markdown.split("\n"),
    at: 0,
    out: [],
    open: [],
    fence: undefined,
    slashNames: new Set([...OTHER_BLOCKS, ...ownTypes]),
    takesAnyName,
    marksTabs,
  };
  while (state.at < state.lines.length) step(state);
  while (state.open.length > 0) close(state);
  return state.out.join("\n");
}

function step(state: State): void {
  const line = state.lines[state.at] ?? "";
  state.at += 1;
  leaveIndented(state, line);
  const depth = state.open.filter(({ slashes }) => slashes === 0).length;
  const own = withoutColumns(line, depth * INDENT);
  if (state.fence !== undefined) {
    if (closesFence(own, state.fence)) state.fence = undefined;
    write(state, [state.fence === undefined ? own : own.replace(/\((\d{1,3})\)!/g, "($1)")]);
  } else if (!opensBlock(state, own, depth)) {
    state.fence = fenceOpening(own);
    write(state, state.fence === undefined ? [own] : plainFence(own, state.fence));
  }
}

const quotedAtIn = ({ open }: State) => open.find(({ quotedAt }) => quotedAt !== undefined)?.quotedAt;

/** Writes lines, within the quote that a callout in a list is. */
function write(state: State, lines: readonly string[]): void {
  const column = quotedAtIn(state);
  if (column === undefined) state.out.push(...lines);
  else
    for (const line of lines) {
      const text = withoutColumns(line, column);
      state.out.push(`${" ".repeat(column)}>${text.trim() === "" ? "" : ` ${text}`}`);
    }
}

function begin(state: State, block: { slashes: number; indent: number }, written: Marks): void {
  write(state, written.beginning);
  state.open.push({ ...block, ending: written.ending, quotedAt: written.quotedAt });
}

function close(state: State): void {
  const { ending = [] } = state.open.pop() ?? {};
  write(state, ending);
}

/** A line that is further left ends what is indented. */
function leaveIndented(state: State, line: string): void {
  if (line.trim() === "") return;
  const columns = indentOf(line);
  for (let last = state.open.at(-1); last !== undefined && last.slashes === 0; last = state.open.at(-1)) {
    if (columns >= last.indent) return;
    // Code that nothing closes ends with the block that it is in.
    if (state.fence !== undefined) write(state, [state.fence.character.repeat(state.fence.length)]);
    state.fence = undefined;
    close(state);
  }
}

function opensBlock(state: State, own: string, depth: number): boolean {
  const text = own.trim();
  if (text.startsWith("/")) return slashes(state, own, text);
  const [whole, , kind = "", , title, tab] = INDENTED.exec(text) ?? [];
  if (whole === undefined || state.open.length >= NESTING_MAX) return false;
  const column = indentOf(own) + depth * INDENT + INDENT;
  const written =
    tab === undefined
      ? marks(state, own, kind, title)
      : marks(state, own, "", tab, { isTab: true, place: tabMark(state, tab) });
  begin(state, { slashes: 0, indent: column }, written);
  return true;
}

function slashes(state: State, own: string, text: string): boolean {
  const last = state.open.at(-1);
  if (SLASHES.test(text) && last !== undefined && last.slashes === text.length) {
    close(state);
    return true;
  }
  const [, run = "", name = "", title] = SLASHED.exec(text) ?? [];
  const isKnown = state.slashNames.has(name) || isCalloutName(name);
  if (run === "" || !(isKnown || state.takesAnyName) || state.open.length >= NESTING_MAX) return false;
  let type: string | undefined;
  for (; OPTION.test(state.lines[state.at] ?? ""); state.at++)
    type ??= /^ *type *: *["']?([\w-]+)/.exec(state.lines[state.at] ?? "")?.[1];
  const kind =
    name === "admonition" || name === "details" ? (type ?? (name === "admonition" ? "note" : "")) : name;
  const isCallout = !OTHER_BLOCKS.includes(kind);
  const said = isKnown || title === undefined ? title : `${name.replaceAll("-", " ")} ${title}`;
  const shown = ["html", "caption", "figure-caption", "table-caption", "define"].includes(name) ? "" : said;
  const isTab = name === "tab";
  const tab = { isTab, place: isTab ? tabMark(state, said ?? "") : "" };
  begin(state, { slashes: run.length, indent: 0 }, marks(state, own, isCallout ? kind : "", shown, tab));
  return true;
}

/** What is written where a block begins and ends. */
interface Marks {
  beginning: string[];
  ending: string[];
  quotedAt: number | undefined;
}

/** Marks a tab by its label: its id depends on those of the page's headings, which are made later. */
const tabMark = ({ marksTabs }: State, label: string) => (marksTabs ? placeOfTab(label) : "");

function marks(
  state: State,
  own: string,
  kind: string,
  title: string | undefined,
  { isTab = false, place = "" } = {},
): Marks {
  const column = indentOf(own);
  const indent = " ".repeat(column);
  const words = title?.replaceAll('\\"', '"').trim();
  const type = kind.charAt(0).toUpperCase() + kind.slice(1).replaceAll("-", " ");
  const isInQuote = quotedAtIn(state) !== undefined;
  if (kind === "" || isInQuote) {
    const label = words ?? type;
    if (isTab && label !== "" && !isInQuote && column === 0)
      return {
        beginning: ["", tabOpening(label), "", ...(place === "" ? [] : [place, ""])],
        ending: ["", TAB_END, ""],
        quotedAt: undefined,
      };
    const beginning = label === "" ? [""] : ["", `${indent}${place}**${label}**`, ""];
    return { beginning, ending: [""], quotedAt: undefined };
  }
  const name = calloutKind(kind) ?? KINDS[kind.toLowerCase()] ?? "note";
  const said = (words ?? (isCalloutName(kind) ? "" : type)).replace(/[[\]]/g, "");
  if (column > 0) {
    const quote = writeCallout({ kind: name, title: said, body: "" }, { isNested: true });
    const beginning = ["", ...quote.split("\n").map((line) => `${indent}${line}`)];
    return { beginning, ending: [""], quotedAt: column };
  }
  const opening = `:::${name}${said === "" ? "" : `[${said}]`}`;
  return { beginning: ["", opening, ""], ending: ["", ":::", ""], quotedAt: undefined };
}

/** A fence with its language alone; the title that it has is written above it. */
function plainFence(own: string, { info }: FenceOpening): string[] {
  if (info === "") return [own];
  const indent = /^[ \t]*/.exec(own)?.[0] ?? "";
  const language = /^\{?\s*[\w-]+\s*=/.test(info)
    ? undefined
    : languageOf(info.replace(/^\{\s*#[\w-]+/, "{"));
  const title = /\btitle=(?:"([^"]{1,300})"|'([^']{1,300})')/.exec(info);
  const name = title?.[1] ?? title?.[2];
  const fence = `${fenceMarks(own)}${language ?? ""}`;
  return name === undefined ? [fence] : [`${indent}**${name}**`, "", fence];
}

function withoutColumns(line: string, columns: number): string {
  if (columns === 0) return line;
  return line.trim() === "" ? "" : " ".repeat(Math.max(0, indentOf(line) - columns)) + line.trimStart();
}
