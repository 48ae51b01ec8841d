import { closesFence, fenceOpening } from "@docent/kernel/text/markdown-lines";
import type { ReadDocsPage } from "../docs-site.ts";
import { lowerMarkdownHeadings } from "../wiki-writing/wiki-writing.ts";
import { eachOutsideCode, rewriteLinks, writeCallout } from "../writing/writing.ts";
import { markOf } from "./callouts.ts";
import { linkedPath, type PlacedPage, type Surroundings } from "./links.ts";
import { tagsOf } from "./properties.ts";

export async function readMarkdownPage(surroundings: Surroundings, page: PlacedPage): Promise<ReadDocsPage> {
  const text = ((await surroundings.tree.text(page.location)) ?? "").replace(/^\uFEFF/, "");
  const body = text.replace(/\r\n/g, "\n").replace(/^\s*# [^\n]*(?:\n|$)/, "");
  const { properties, rest } = takeProperties(body, page.isRow);
  const tags = tagsOf(properties.map(({ name, value }) => ({ name, values: value.split(", ") })));
  const facts = properties.map(({ name, value }) => `- **${name}:** ${linkedValue(value)}`).join("\n");
  const words = lowerMarkdownHeadings(withCallouts(plainCode(rest)));
  const markdown = rewriteLinks(`${facts}\n\n${words}`.trim(), (href) =>
    linkedPath(surroundings, page, href),
  );
  return {
    data: { title: page.title, ...(tags.length > 0 ? { tags } : {}) },
    markdown: withoutDeadLinks(markdown),
    faults: [],
  };
}

interface Property {
  name: string;
  value: string;
}

const PROPERTY = /^([^\s:#>|*`[\]!-][^:\n]{0,60}): (.*)$/;
const PROPERTIES_MAX = 200;

/** The properties that a page has in its database stand in a block below its title. */
function takeProperties(body: string, isRow: boolean): { properties: Property[]; rest: string } {
  const begin = body.replace(/^\n+/, "");
  const end = begin.indexOf("\n\n");
  const lines = (end < 0 ? begin : begin.slice(0, end)).trimEnd().split("\n").slice(0, PROPERTIES_MAX);
  const properties: Property[] = [];
  for (const line of lines) {
    const [whole, name = "", value = ""] = PROPERTY.exec(line) ?? [];
    const last = properties.at(-1);
    if (whole !== undefined) properties.push({ name: name.trim(), value: value.trim() });
    // A value of several lines goes on below its name.
    else if (isRow && last !== undefined) last.value += ` ${line.trim()}`;
    else return { properties: [], rest: body };
  }
  // One line alone may be a sentence.
  if (properties.length === 0 || (!isRow && properties.length < 2)) return { properties: [], rest: body };
  return { properties, rest: end < 0 ? "" : begin.slice(end + 2) };
}

/** Relations are written as `Name (Name%200123….md)`, one after the other. */
const linkedValue = (value: string) =>
  value.replace(
    /(^|, )([^,()]{1,200}?) \(([^()\s]{1,1000}\.(?:md|csv))\)/g,
    (_, before: string, name: string, href: string) => `${before}[${name}](${href})`,
  );

const CALLOUT = /^([ \t]*)<aside>[ \t]*$/;
const ICON =
  /^(?:<img src="([^"]{0,500})"[^<>]{0,700}\/?>|(\p{Extended_Pictographic}(?:[\uFE0F\u200D]|\p{Emoji_Modifier}|\p{Extended_Pictographic})*))[ \t]*/u;

/** Callouts stand between `<aside>` and its end, with their sign in front of the words. */
function withCallouts(markdown: string): string {
  const lines = markdown.split("\n");
  const written: string[] = [];
  let fence: ReturnType<typeof fenceOpening>;
  const unended = new Set<string>();
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    if (fence !== undefined && closesFence(line, fence)) fence = undefined;
    else fence ??= fenceOpening(line);
    const indent = fence === undefined ? CALLOUT.exec(line)?.[1] : undefined;
    const isBegun = indent !== undefined && !unended.has(indent);
    const end = isBegun ? lines.indexOf(`${indent}</aside>`, at + 1) : -1;
    if (indent === undefined || end < 0) {
      if (indent !== undefined) unended.add(indent);
      written.push(line);
      continue;
    }
    const inside = lines.slice(at + 1, end).map((each) => each.slice(commonPart(each, indent)));
    written.push(...calloutLines(inside.join("\n").trim(), indent));
    at = end;
  }
  return written.join("\n");
}

const commonPart = (line: string, indent: string) => (line.startsWith(indent) ? indent.length : 0);

function calloutLines(inside: string, indent: string): string[] {
  const [whole = "", source, sign] = ICON.exec(inside) ?? [];
  const kind = markOf(source ?? sign ?? "").toLowerCase();
  const body = inside.slice(whole.length).trim();
  if (body === "") return [];
  const callout = writeCallout({ kind, body }, { isNested: true });
  return ["", ...callout.split("\n").map((line) => indent + line), ""];
}

/** What Notion calls a language that is none. */
const plainCode = (markdown: string) => markdown.replace(/^([ \t]*`{3,})plain text[ \t]*$/gim, "$1");

/** A link to a page that the export does not hold is its words. */
const withoutDeadLinks = (markdown: string) =>
  eachOutsideCode(markdown, (part) => part.replace(/(?<!!)\[([^[\]\n]{1,500})\]\(\)/g, "$1"));
