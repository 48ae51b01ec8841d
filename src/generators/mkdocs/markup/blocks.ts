import { isCalloutName } from "../../../markdown/callouts.ts";
import { languageOf } from "../../../markdown/md/md.ts";
import { closesFence, type FenceOpening, fenceOpening, indentOf } from "../../../text/markdown-lines.ts";

/** `!!! warning "Title"`, `??? note` (folded) and `=== "Tab"`: what belongs to them is indented by four. */
const INDENTED =
  /^(?:(!!!|\?\?\?\+?)(?: +([\w-]+))?((?: +[\w-]+)*)(?: +"((?:[^"\\]|\\.)*)")?|===[+!]{0,2} +"((?:[^"\\]|\\.)*)") *$/;
/** `/// note | Title`, which as many slashes end. */
const SLASHED = /^(\/{3,}) *([\w-]+) *(?:\| *(.*?) *)?$/;
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
}

interface State {
  lines: readonly string[];
  at: number;
  out: string[];
  open: OpenBlock[];
  fence: FenceOpening | undefined;
  slashNames: ReadonlySet<string>;
}

/** Turns callouts, tabs and folded parts, which are code in plain Markdown, into containers and labels. */
export function unwrapBlocks(markdown: string, ownTypes: readonly string[]): string {
  const state: State = {
    lines: markdown.split("\n"),
    at: 0,
    out: [],
    open: [],
    fence: undefined,
    slashNames: new Set([...OTHER_BLOCKS, ...ownTypes]),
  };
  while (state.at < state.lines.length) step(state);
  for (const { ending } of state.open.toReversed()) state.out.push(...ending);
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
    state.out.push(state.fence === undefined ? own : own.replace(/\((\d{1,3})\)!/g, "($1)"));
  } else if (!opensBlock(state, own, depth)) {
    state.fence = fenceOpening(own);
    state.out.push(...(state.fence === undefined ? [own] : plainFence(own, state.fence)));
  }
}

/** A line that is further left ends what is indented. */
function leaveIndented(state: State, line: string): void {
  if (line.trim() === "") return;
  const columns = indentOf(line);
  for (let last = state.open.at(-1); last !== undefined && last.slashes === 0; last = state.open.at(-1)) {
    if (columns >= last.indent) return;
    state.out.push(...last.ending);
    state.open.pop();
    state.fence = undefined;
  }
}

function opensBlock(state: State, own: string, depth: number): boolean {
  const text = own.trim();
  if (text.startsWith("/")) return slashes(state, own, text);
  const [whole, mark, kind = "", , title, tab] = INDENTED.exec(text) ?? [];
  if (whole === undefined || state.open.length >= NESTING_MAX) return false;
  const below = state.lines.slice(state.at, state.at + 20).find((line) => line.trim() !== "");
  const column = indentOf(own) + depth * INDENT + INDENT;
  const isEmpty = below === undefined || indentOf(below) < column;
  if (isEmpty && mark === undefined) return false;
  const { beginning, ending } = marks(own, tab === undefined ? kind : "", tab ?? title);
  state.out.push(...beginning);
  state.open.push({ slashes: 0, indent: column, ending });
  return true;
}

function slashes(state: State, own: string, text: string): boolean {
  const last = state.open.at(-1);
  if (SLASHES.test(text) && last !== undefined && last.slashes === text.length) {
    state.out.push(...last.ending);
    state.open.pop();
    return true;
  }
  const [, run = "", name = "", title] = SLASHED.exec(text) ?? [];
  const isKnown = state.slashNames.has(name) || isCalloutName(name);
  if (run === "" || !isKnown || state.open.length >= NESTING_MAX) return false;
  let type: string | undefined;
  for (; OPTION.test(state.lines[state.at] ?? ""); state.at++)
    type ??= /^ *type *: *["']?([\w-]+)/.exec(state.lines[state.at] ?? "")?.[1];
  const kind =
    name === "admonition" || name === "details" ? (type ?? (name === "admonition" ? "note" : "")) : name;
  const isCallout = !OTHER_BLOCKS.includes(kind);
  const shown = ["html", "caption", "figure-caption", "table-caption", "define"].includes(name) ? "" : title;
  const { beginning, ending } = marks(own, isCallout ? kind : "", shown);
  state.out.push(...beginning);
  state.open.push({ slashes: run.length, indent: 0, ending });
  return true;
}

/** What is written where a block begins, and where it ends. In a list, containers are only labels. */
function marks(
  own: string,
  kind: string,
  title: string | undefined,
): { beginning: string[]; ending: string[] } {
  const indent = " ".repeat(indentOf(own));
  const words = title?.replaceAll('\\"', '"').trim();
  const type = kind.charAt(0).toUpperCase() + kind.slice(1).replaceAll("-", " ");
  if (kind === "" || indent !== "") {
    const label = words ?? type;
    return { beginning: label === "" ? [""] : ["", `${indent}**${label}**`, ""], ending: [""] };
  }
  const isKnown = isCalloutName(kind);
  const name = isKnown ? kind.toLowerCase() : (KINDS[kind.toLowerCase()] ?? "note");
  const said = (words ?? (isKnown ? "" : type)).replace(/[[\]]/g, "");
  return { beginning: ["", `:::${name}${said === "" ? "" : `[${said}]`}`, ""], ending: ["", ":::", ""] };
}

/** A fence with its language alone; the title that it has is written above it. */
function plainFence(own: string, { info }: FenceOpening): string[] {
  if (info === "") return [own];
  const run = /^([ \t]*)(`{3,}|~{3,})/.exec(own);
  const [, indent = "", marks = "```"] = run ?? [];
  const language = /^\{?\s*[\w-]+\s*=/.test(info)
    ? undefined
    : languageOf(info.replace(/^\{\s*#[\w-]+/, "{"));
  const title = /\btitle=(?:"([^"]{1,300})"|'([^']{1,300})')/.exec(info);
  const name = title?.[1] ?? title?.[2];
  const fence = `${indent}${marks}${language ?? ""}`;
  return name === undefined ? [fence] : [`${indent}**${name}**`, "", fence];
}

function withoutColumns(line: string, columns: number): string {
  if (columns === 0) return line;
  return line.trim() === "" ? "" : " ".repeat(Math.max(0, indentOf(line) - columns)) + line.trimStart();
}
