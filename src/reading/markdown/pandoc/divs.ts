import { isRecord } from "@docent/kernel/text/json";
import { isCalloutName, writeCallout, writeTab } from "../callouts.ts";
import { type Attributes, readAttributes } from "./attributes.ts";
import { isForHtml } from "./inline.ts";
import { environmentOf } from "./references.ts";

/** A line that begins or ends a fenced div. */
type DivLine = { attributes: Attributes; indent: string } | "end" | undefined;

const DIV = /^([ \t]*):{3,}[ \t]*(.*)$/;

export function readDivLine(line: string): DivLine {
  const [, indent = "", rest] = DIV.exec(line) ?? [];
  if (rest === undefined) return undefined;
  const written = rest
    .trimEnd()
    .replace(/(?<!:):+$/, "")
    .trimEnd();
  if (written === "") return "end";
  if (/^[\w-]{1,60}$/.test(written))
    return { attributes: { id: undefined, classes: [written], values: new Map() }, indent };
  const [, braces] = /^(?:[\w-]{1,60}[ \t]*)?\{(.*)\}$/s.exec(written) ?? [];
  const attributes = braces === undefined ? undefined : readAttributes(braces);
  return attributes === undefined ? undefined : { attributes, indent };
}

/** A tab, from its heading on. */
interface Tab {
  label: string;
  lines: string[];
}

/** A block whose end has not come. */
export interface Frame {
  kind: "page" | "plain" | "callout" | "tabs" | "theorem" | "hidden";
  attributes: Attributes | undefined;
  indent: string;
  /** Whether it is in a list or a callout. */
  isNested: boolean;
  lines: string[];
  title: string | undefined;
  /** The level of the headings that are tabs. */
  level: number | undefined;
  tabs: Tab[];
}

export const pageFrame = (): Frame => ({
  kind: "page",
  attributes: undefined,
  indent: "",
  isNested: false,
  lines: [],
  title: undefined,
  level: undefined,
  tabs: [],
});

export function openFrame(attributes: Attributes, indent: string, parent: Frame, metadata: unknown): Frame {
  const kind = kindOf(attributes, metadata);
  const isNested = parent.isNested || parent.kind === "callout" || indent !== "";
  return { ...pageFrame(), kind, attributes, indent, isNested, title: attributes.values.get("title") };
}

function kindOf(attributes: Attributes, metadata: unknown): Frame["kind"] {
  const { classes } = attributes;
  if (isHiddenBlock(attributes, metadata)) return "hidden";
  if (calloutOf(attributes) !== undefined) return "callout";
  if (classes.some((name) => name === "panel-tabset" || name === "tabset")) return "tabs";
  return environmentOf(attributes) === undefined ? "plain" : "theorem";
}

/** Whether a block is for speakers, for printing, or for another edition. */
function isHiddenBlock({ classes, values }: Attributes, metadata: unknown): boolean {
  if (classes.some((name) => /^(?:hidden|notes|speaker-notes)$/.test(name))) return true;
  const isVisible = classes.includes("content-visible");
  if (!isVisible && !classes.includes("content-hidden")) return false;
  const holds = [
    ...conditions(values.get("when-format"), isForHtml, true),
    ...conditions(values.get("unless-format"), isForHtml, false),
    ...conditions(values.get("when-profile"), () => false, true),
    ...conditions(values.get("unless-profile"), () => false, false),
    ...conditions(values.get("when-meta"), (path) => isTrueAt(metadata, path), true),
    ...conditions(values.get("unless-meta"), (path) => isTrueAt(metadata, path), false),
  ].every((each) => each);
  return isVisible ? !holds : holds;
}

const conditions = (value: string | undefined, is: (value: string) => boolean, wanted: boolean) =>
  value === undefined ? [] : [is(value) === wanted];

function isTrueAt(data: unknown, path: string): boolean {
  let value = data;
  for (const name of path.split("."))
    value = isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return value === true || value === "true";
}

/** The callouts of Quarto, and those that books of bookdown are styled with. */
const BOOK_CALLOUTS =
  /^(?:rmd|info|note|tip|warning|caution|important)?(?:note|tip|warning|caution|important|box|block)$/;

function calloutOf({ classes }: Attributes): string | undefined {
  for (const name of classes) {
    const kind = /^callout-(\w+)$/.exec(name)?.[1];
    if (kind !== undefined) return isCalloutName(kind) ? kind : "note";
    if (isCalloutName(name)) return name;
    const [, ofBook = ""] = BOOK_CALLOUTS.test(name)
      ? (/(note|tip|warning|caution|important|info)/.exec(name) ?? [])
      : [];
    if (ofBook !== "") return ofBook;
  }
  return undefined;
}

/** Whether a heading in a block is something else there: the title of a callout or theorem, or of a tab. */
export function takesHeading(frame: Frame, level: number): boolean {
  const isFirst = frame.lines.every((line) => line.trim() === "");
  if (frame.kind === "tabs") {
    if (frame.level === undefined) frame.level = level;
    return frame.level === level;
  }
  if (frame.kind === "callout" || frame.kind === "theorem") return isFirst && frame.title === undefined;
  return false;
}

export function addHeading(frame: Frame, words: string): void {
  if (frame.kind === "tabs") frame.tabs.push({ label: words, lines: [] });
  else frame.title = words;
}

/** Where lines of a block go. */
export const linesOf = (frame: Frame): string[] => frame.tabs.at(-1)?.lines ?? frame.lines;

/** A block that has ended, as Markdown. `place` is the mark of what leads there. */
export function closeFrame(frame: Frame, place: string): string[] {
  const { kind, attributes, isNested, indent, title } = frame;
  if (kind === "hidden" || attributes === undefined) return [];
  const marked = place === "" ? [] : [indent + place, ""];
  const lines = frame.lines;
  if (kind === "callout") {
    const dedented = lines.map((line) =>
      line.startsWith(indent) ? line.slice(indent.length) : line.trimStart(),
    );
    const body = (place === "" ? dedented : [place, "", ...dedented]).join("\n");
    const written = writeCallout({ kind: calloutOf(attributes) ?? "note", title, body }, { isNested });
    return ["", ...written.split("\n").map((line) => (line === "" ? "" : indent + line)), ""];
  }
  if (kind === "tabs")
    return ["", ...marked, ...lines, ...frame.tabs.flatMap((tab) => tabLines(tab, frame)), ""];
  if (kind === "theorem") {
    const name = environmentOf(attributes) ?? "";
    const said = title ?? attributes.values.get("name");
    const head = name === "" ? "" : `${indent}**${name}**${said === undefined ? "" : ` (${said})`}`;
    return ["", ...marked, head, "", ...lines, ""];
  }
  return ["", ...marked, ...lines, ""];
}

const tabLines = ({ label, lines }: Tab, { isNested, indent }: Frame): string[] => {
  const written = writeTab(label, ["", ...lines, ""], { isNested });
  return ["", ...written.map((line, index) => (index === 0 && line !== "" ? indent + line : line)), ""];
};
