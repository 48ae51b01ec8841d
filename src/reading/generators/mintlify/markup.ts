import { unwrapMdx } from "../../markdown/mdx/mdx.ts";
import { codeAt, shownCode, type WrittenCode, writeCode } from "../writing/writing.ts";
import { createHeadingIds, type HeadingIds, placeOfLine } from "./heading-ids.ts";

/** Mintlify's Markdown as Docent's, with the published ids in its headings. */
export function readMarkup(
  body: string,
  data: Record<string, unknown>,
): { markdown: string; faults: string[] } {
  const ids = createHeadingIds();
  const { mode } = data;
  const marking: Marking = {
    lines: body.split("\n"),
    written: [],
    ids,
    folded: 0,
    stepSizes: [],
    isInCodeGroup: false,
    namesHeadings: mode !== "custom" && mode !== "frame",
  };
  for (let at = 0; at < marking.lines.length; ) at += takeLine(marking, at);
  return unwrapMdx(marking.written.join("\n"), data);
}

interface Marking {
  lines: readonly string[];
  written: string[];
  ids: HeadingIds;
  /** How many parts are open that readers unfold, whose headings are in no list. */
  folded: number;
  /** The size of titles that each open list of steps gives its steps. */
  stepSizes: string[];
  /** Whether code that has a title is a tab. */
  isInCodeGroup: boolean;
  /** Pages without the theme's frame have no ids. */
  namesHeadings: boolean;
}

const HEADING = /^([ \t]*)(#{1,6})[ \t]+(\S.*?)(?<![ \t])(?:[ \t]+#+)?[ \t]*$/;
const GIVEN = /^(|.+?(?<![ \t]))[ \t]*\{[ \t]*#([^}]|[^}]{2,300}?(?<![ \t]))[ \t]*\}$/;
const TAGGED = /^([ \t]*)<h([1-6])(\s[^<>]*)?>(.*)<\/h\2>[ \t]*$/;
const FOLDING = /<(\/?)(?:Accordion|AccordionGroup|Expandable|Update|Prompt)\b(?=([^<>]*)(\/?>|$))/g;
const NO_ID_LEVEL = 5;

/** Takes a line of the page, or what begins with it, and says how many lines that were. */
function takeLine(marking: Marking, at: number): number {
  const { lines, written } = marking;
  const line = lines[at] ?? "";
  const code = codeAt(lines, at);
  if (code !== undefined) {
    written.push(...codeOf(code, marking));
    return code.length;
  }
  const forAgents = /^[ \t]*<Visibility\s+for=["']agents["']/.test(line)
    ? endOf(lines, at, "</Visibility>")
    : 0;
  if (forAgents > 0) return forAgents;
  const titled = /^[ \t]*<(?:Update|Steps?)\b/.test(line) ? takeTitled(marking, at) : 0;
  if (titled > 0) return titled;
  const framed = takeFramed(marking, at);
  if (framed > 0) return framed;
  const place = placeOfLine(line);
  if (place !== undefined) written.push(place, "");
  written.push(headingIn(marking, line) ?? line);
  countFolded(marking, line);
  return 1;
}

const FRAME = /^[ \t]*<div\s+id=["']([^"'\s]+)["']\s*>[ \t]*$/;

/** A heading that an element with an id of its own frames, as in translations: links lead to that id. */
function takeFramed(marking: Marking, at: number): number {
  const [, id] = FRAME.exec(marking.lines[at] ?? "") ?? [];
  const heading =
    id === undefined ? undefined : headingIn({ ...marking, ids: ANY_IDS }, marking.lines[at + 1] ?? "");
  if (id === undefined || heading === undefined || marking.lines[at + 2]?.trim() !== "</div>") return 0;
  // Its usual id is on the page too, and counts for the others.
  const usual = headingIn(marking, marking.lines[at + 1] ?? "") ?? heading;
  marking.written.push(usual.trimStart().replace(/\{#[^}]*\}$/, `{#${id}}`));
  return 3;
}

const ANY_IDS: HeadingIds = { ofHeading: () => "", ofTitle: () => "" };

const HIDDEN_LINES_MAX = 5_000;

/** The number of lines until one that holds something; 0 where none does. */
function endOf(lines: readonly string[], at: number, wanted: string): number {
  const last = Math.min(lines.length, at + HIDDEN_LINES_MAX);
  for (let end = at; end < last; end++) if (lines[end]?.includes(wanted)) return end - at + 1;
  return 0;
}

const CODE_GROUP = /<(\/?)(?:CodeGroup|RequestExample|ResponseExample)\b/;

function countFolded(marking: Marking, line: string): void {
  const group = CODE_GROUP.exec(line);
  if (group !== null) marking.isInCodeGroup = group[1] === "";
  for (const [, slash, , ending] of line.matchAll(FOLDING))
    if (ending !== "/>") marking.folded = Math.max(0, marking.folded + (slash === "/" ? -1 : 1));
  if (line.includes("</Steps>")) marking.stepSizes.pop();
}

/** What is longer is no heading. */
const HEADING_CHARACTERS_MAX = 5_000;

function headingIn(marking: Marking, line: string): string | undefined {
  if (line.length > HEADING_CHARACTERS_MAX) return undefined;
  const { ids, namesHeadings } = marking;
  const tagged = TAGGED.exec(line);
  if (tagged !== null) {
    const [, indent = "", level = "", attributes = "", words = ""] = tagged;
    const given = attributeIn(attributes, "id");
    const isNamed = given !== undefined || (Number(level) < NO_ID_LEVEL && namesHeadings);
    return `${indent}${"#".repeat(Number(level))} ${words.trim()} {#${isNamed ? ids.ofTitle(words, given) : ""}}`;
  }
  const [, indent = "", marks = "", source = ""] = HEADING.exec(line) ?? [];
  if (marks === "") return undefined;
  const [, words = "", given] = GIVEN.exec(source) ?? [];
  if (given !== undefined) return `${indent}${marks} ${words} {#${ids.ofTitle(words, given)}}`;
  const isNamed = marks.length < NO_ID_LEVEL && namesHeadings;
  return `${indent}${marks} ${source} {#${isNamed ? ids.ofHeading(source, marking.folded > 0) : ""}}`;
}

const TAG_LINES_MAX = 20;

/** A tag whose title is a heading: an entry of a changelog, and a step where its list says so. */
function takeTitled(marking: Marking, at: number): number {
  const { lines, written, ids } = marking;
  const tag: string[] = [];
  while (tag.length < TAG_LINES_MAX && !/>/.test(tag.at(-1) ?? "") && at + tag.length < lines.length)
    tag.push(lines[at + tag.length] ?? "");
  const [whole, indent = "", name = "", attributes = "", rest = ""] =
    /^([ \t]*)<(Update|Steps?)\b((?:[^>"'{]|"[^"]*"|'[^']*'|\{[^}]*\})*)>([\s\S]*)$/.exec(tag.join("\n")) ??
    [];
  if (whole === undefined) return 0;
  if (name === "Steps") {
    marking.stepSizes.push(attributeIn(attributes, "titleSize") ?? "");
    return 0;
  }
  const size =
    name === "Step" ? (attributeIn(attributes, "titleSize") ?? marking.stepSizes.at(-1) ?? "") : "h1";
  const title = attributeIn(attributes, name === "Step" ? "title" : "label") ?? "";
  if (!/^h[123]$/.test(size) || title === "" || (name === "Step" && /\bnoAnchor\b/.test(attributes)))
    return 0;
  const id = ids.ofTitle(title, attributeIn(attributes, "id"));
  const others = attributes.replace(/\s(?:title|label)=(?:"[^"]*"|'[^']*')/, "");
  written.push(`${indent}${"#".repeat(Number(size.slice(1)))} ${title} {#${id}}`, "");
  written.push(`${indent}<${name}${others.replace(/\n/g, " ")}>${rest}`);
  countFolded(marking, tag.join(" "));
  return tag.length;
}

function attributeIn(attributes: string, name: string): string | undefined {
  const found = new RegExp(`\\s${name}=(?:"([^"]*)"|'([^']*)'|\\{["'\`]([^"'\`{}]*)["'\`]\\})`).exec(
    attributes,
  );
  return found?.[1] ?? found?.[2] ?? found?.[3];
}

/** Words after a fence that say how code is shown. */
const SWITCHES =
  /(?:^|\s)(?:lines|wrap|expandable|twoslash|nocopy|noCopy|showLineNumbers|ignore|copy)(?:=(?:true|false))?(?=\s|$)/g;

/** Code with its language alone; the title that it has is written above it. */
function codeOf({ indent, info, lines }: WrittenCode, { isInCodeGroup }: Marking): string[] {
  const [, word = "", meta = ""] = /^([^\s{]*)(.*)$/.exec(info) ?? [];
  const options = /([\w-]+)=(?:"([^"]*)"|'([^']*)'|\{[^}]*\}|\S+)/g;
  const said = /\b(?:title|filename)=(?:"([^"]*)"|'([^']*)')/.exec(meta);
  const plain = meta
    .replace(options, " ")
    .replace(/\{[^}]*\}|\[[^\]]*\]/g, " ")
    .replace(SWITCHES, " ");
  const title = (said?.[1] ?? said?.[2] ?? plain).replace(/\s+/g, " ").trim();
  const isPlain = /^(?:text|txt|plaintext|ansi)$/i.test(word);
  const shown = shownCode(isPlain ? "" : word, lines);
  const code = writeCode(shown.language, shown.lines, indent);
  if (title === "") return code;
  return isInCodeGroup
    ? [`${indent}<Tab title="${title.replaceAll('"', "'")}">`, "", ...code, "", `${indent}</Tab>`]
    : [`${indent}**${title.replaceAll("*", "\\*")}**`, "", ...code];
}
