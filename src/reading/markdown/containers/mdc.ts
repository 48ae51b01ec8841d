import { hideCode } from "@docent/kernel/text/code-spans";
import { asRecord, asText } from "@docent/kernel/text/json";
import {
  closesFence,
  dedent,
  type FenceOpening,
  fenceOpening,
  indentOf,
  isBlank,
} from "@docent/kernel/text/markdown-lines";
import { isCalloutName } from "../callouts.ts";

/** What Nuxt Content's Markdown has besides: `::note` … `::`, `:badge[New]{color="red"}`, `` `x`{lang="ts"} ``. */
const ANY =
  /^ {0,3}::[a-z][\w-]*(?:\[[^\]\n]*\])?(?:\{[^\n]*\})?[ \t]*$|^ {0,3}:[a-z][\w-]*\{[^\n]*\}[ \t]*$|`\{lang="|(?:^|[ \t]):(?:badge|icon|kbd|u-[a-z-]+)(?:\[|\{)/m;
const OPENING = /^[ \t]*(:{2,})([a-z][\w-]{0,60})(?:\[([^\]\n]{0,500})\])?(\{[^\n]{0,2000}\})?[ \t]*$/;
const CLOSING = /^[ \t]*(:{2,})[ \t]*$/;
/** The name of a part that a component puts elsewhere. */
const SLOT = /^[ \t]*#[a-z][\w-]{0,60}(?:\{[^\n]*\})?[ \t]*$/;
const NESTING_MAX = 30;
const PROPERTY_LINES_MAX = 200;

interface OpenBlock {
  colons: number;
  /** Its indent, as it is written. */
  indent: number;
  /** The columns that its lines lose; known from the first one with words. */
  shift: number | undefined;
  isCallout: boolean;
  /** Where all of a callout leads. */
  to: string | undefined;
}

interface Unwrapping {
  lines: readonly string[];
  at: number;
  out: string[];
  open: OpenBlock[];
}

/** Unwraps the components of Nuxt Content's Markdown: callouts become `:::` containers, of others the words are kept. */
export function unwrapMdc(markdown: string): string {
  if (!ANY.test(markdown)) return markdown;
  const scan: Unwrapping = { lines: markdown.split("\n"), at: 0, out: [], open: [] };
  let fence: FenceOpening | undefined;
  for (; scan.at < scan.lines.length; scan.at++) {
    const line = scan.lines[scan.at] ?? "";
    if (fence !== undefined) {
      if (closesFence(line, fence)) fence = undefined;
      scan.out.push(dedent(line, shiftOf(scan)));
      continue;
    }
    if (CLOSING.test(line) && closeBlock(scan, line)) continue;
    noteShift(scan, line);
    fence = fenceOpening(line);
    if (fence !== undefined) scan.out.push(dedent(line, shiftOf(scan)));
    else if (!openBlock(scan, line)) takeLine(scan, line);
  }
  return scan.out.join("\n");
}

const shiftOf = ({ open }: Unwrapping) => open.findLast(({ shift }) => shift !== undefined)?.shift ?? 0;

/** The lines of a block may be further in than its first one. */
function noteShift(scan: Unwrapping, line: string): void {
  const block = scan.open.at(-1);
  if (block === undefined || block.shift !== undefined || isBlank(line)) return;
  const outer = shiftOf(scan);
  block.shift = outer + Math.max(0, indentOf(line) - block.indent);
}

function openBlock(scan: Unwrapping, line: string): boolean {
  const [, colons, written = "", label, attributes = ""] = OPENING.exec(line) ?? [];
  if (colons === undefined || scan.open.length >= NESTING_MAX) return false;
  const shift = shiftOf(scan);
  const properties = new Map([...attributesIn(attributes), ...propertiesBelow(scan)]);
  const indent = " ".repeat(Math.max(0, indentOf(line) - shift));
  const name = written.replace(/^(?:u|prose)-/, "");
  const kind = calloutOf(name, properties);
  scan.open.push({
    colons: colons.length,
    indent: indentOf(line),
    shift: undefined,
    isCallout: kind !== undefined,
    to: kind === undefined ? undefined : targetOf(properties),
  });
  const title = label ?? properties.get("title");
  if (kind !== undefined)
    scan.out.push(
      "",
      `${indent}:::${kind}${title === undefined ? "" : `[${title.replace(/[[\]]/g, "")}]`}`,
      "",
    );
  else scan.out.push("", ...wordsOf(name, label, properties).flatMap((words) => [indent + words, ""]));
  return true;
}

function closeBlock(scan: Unwrapping, line: string): boolean {
  const colons = CLOSING.exec(line)?.[1]?.length ?? 0;
  const index = scan.open.findLastIndex((block) => block.colons === colons);
  if (index < 0) return false;
  for (const block of scan.open.splice(index).reverse()) {
    const indent = " ".repeat(Math.max(0, block.indent - shiftOf(scan)));
    if (block.to !== undefined) scan.out.push("", `${indent}[${block.to}](${block.to})`);
    scan.out.push(...(block.isCallout ? ["", `${indent}:::`, ""] : [""]));
  }
  return true;
}

function takeLine(scan: Unwrapping, line: string): void {
  if (scan.open.length > 0 && SLOT.test(line)) scan.out.push("");
  else scan.out.push(withoutInline(dedent(line, shiftOf(scan))));
}

/** The properties in YAML between dashes below the opening line. */
function propertiesBelow(scan: Unwrapping): [string, string][] {
  const begin = scan.at + 1;
  if (scan.lines[begin]?.trim() !== "---") return [];
  for (let end = begin + 1; end < scan.lines.length && end < begin + PROPERTY_LINES_MAX; end++) {
    if (scan.lines[end]?.trim() !== "---") continue;
    const text = scan.lines.slice(begin + 1, end).join("\n");
    scan.at = end;
    try {
      return Object.entries(asRecord(Bun.YAML.parse(text))).flatMap(([name, value]): [string, string][] => {
        const words = asText(value);
        return words === undefined ? [] : [[name, words]];
      });
    } catch {
      return [];
    }
  }
  return [];
}

const attributesIn = (written: string): [string, string][] =>
  [...written.matchAll(/([\w:-]{1,60})=(?:"([^"]*)"|'([^']*)')/g)].map(
    ([, name = "", double, single]): [string, string] => [name, double ?? single ?? ""],
  );

function calloutOf(name: string, properties: ReadonlyMap<string, string>): string | undefined {
  if (isCalloutName(name)) return name;
  if (name !== "callout" && name !== "alert") return undefined;
  const type = properties.get("type") ?? properties.get("color") ?? "";
  return isCalloutName(type) ? type : "note";
}

function targetOf(properties: ReadonlyMap<string, string>): string | undefined {
  const to = properties.get("to") ?? "";
  return /^[^\s()<>[\]]+$/.test(to) ? to : undefined;
}

const TITLES = ["title", "label", "headline"];

/** The words of a component itself: its title, where it leads, and what it says of itself. */
function wordsOf(name: string, label: string | undefined, properties: ReadonlyMap<string, string>): string[] {
  if (name === "field") {
    const type = properties.get("type");
    const field = properties.get("name") ?? label ?? "";
    return field === "" ? [] : [`**\`${field}\`**${type === undefined ? "" : `, \`${type}\``}`];
  }
  const title = label ?? TITLES.map((each) => properties.get(each)).find((each) => each !== undefined);
  const to = targetOf(properties);
  const words = title ?? (name === "read-more" ? to : "") ?? "";
  const linked = words !== "" && to !== undefined ? `[${words}](${to})` : words;
  const description = properties.get("description") ?? "";
  return [linked === "" ? "" : `**${linked}**`, description].filter((part) => part !== "");
}

const COMPONENT =
  /(^|[\s(|]):([A-Za-z][\w-]{0,60})(?:\[([^[\]\n]{0,500})\](?:\{[^{}\n]{0,1000}\})?|(\{[^{}\n]{0,1000}\}))/g;
const ATTRIBUTES =
  /(?<=[)\]*_\uE001])\{ {0,4}[.#:]?[\w-][\w.:-]{0,200}(?:=(?:"[^"\n]*"|'[^'\n]*'))?(?: {1,4}[.#:]?[\w-][\w.:-]{0,200}(?:=(?:"[^"\n]*"|'[^'\n]*'))?)* {0,4}\}/g;

/** A line without components in it, and without the attributes behind words. */
function withoutInline(line: string): string {
  if (!line.includes("{") && !/(?:^|\s):[A-Za-z]/.test(line)) return line;
  const { hidden, show } = hideCode(line);
  const plain = hidden
    .replace(
      COMPONENT,
      (_, before: string, name: string, words: string | undefined, attributes = "") =>
        before + (words ?? wordsOf(name, undefined, new Map(attributesIn(attributes))).join(" ")),
    )
    .replace(/(?<!!)\[([^[\]\n]{1,500})\](?=\{[ ]*[.#:\w])/g, "[$1]\uE002")
    .replace(ATTRIBUTES, "")
    .replace(/\[([^[\]\n]{1,500})\]\uE002\{[^{}\n]{0,1000}\}/g, "$1")
    .replaceAll("\uE002", "");
  return show(plain);
}
