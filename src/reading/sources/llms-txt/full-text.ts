import { atxHeading, closesFence, type FenceOpening, fenceOpening } from "@docent/kernel/text/markdown-lines";
import { splitFrontMatter } from "../../markdown/front-matter.ts";

/** One of the pages that an llms-full.txt holds. */
export interface FullPage {
  title: string;
  /** The address that the file gives for it, as written. */
  address: string | undefined;
  markdown: string;
}

interface Line {
  text: string;
  /** The line is code, whatever it looks like. */
  isCode: boolean;
}

/** What sites tell models to do is no documentation; and the tags around pages belong to none. */
const BETWEEN_PAGES =
  /^\s*<(?:SYSTEM>[^<]*<\/SYSTEM|\/(?:doc|document|page|docs|project|document_content)|document_content)>\s*$/;
const RULE_OR_BLANK = /^\s*(?:-{3,}|={3,}|\*{3,})?\s*$/;
const TITLE_CHARACTERS_MAX = 1000;

/** Where a page begins, and what is said there of it. */
interface Opening {
  /** Index of the page's first line, what names it included. */
  start: number;
  /** Index of the first line of its text. */
  body: number;
  title?: string;
  address?: string | undefined;
}

const ADDRESS = /^(?:\*\*)?(?:Source|URL|Url|Link)(?: URL)?:(?:\*\*)?\s*<?((?:https?:\/\/|\/)[^\s>]*)>?\s*$/;
const TITLE_WITH_ADDRESS = /^(.*\S)\s+\(((?:https?:\/\/|\/)[^\s()]*)\)$/;
const DOCUMENT = /^\s*<(doc|document|page)(\s[^>]*)?>/;
const ADDRESS_KEYS = [
  "url",
  "source",
  "source_url",
  "canonical",
  "canonical_url",
  "link",
  "permalink",
  "path",
];
const FRONT_MATTER_LINES_MAX = 60;

/**
 * Takes an llms-full.txt apart into its pages. There is no standard: it knows `<doc>` elements, front matter, headings
 * with the page's address, and, where there is nothing of these, takes each first-level heading for a page.
 */
export function splitFullText(source: string): FullPage[] {
  const lines = readLines(source);
  const openings =
    [documents, frontMatters, addressedHeadings, headings]
      .map((find) => find(lines))
      .find((found) => found.length > 0) ?? [];
  const before = { start: 0, body: 0 };
  return [before, ...openings]
    .map((opening, index) => toPage(lines, opening, openings[index]?.start ?? lines.length))
    .filter(({ markdown }) => markdown.trim() !== "");
}

function readLines(source: string): Line[] {
  let fence: FenceOpening | undefined;
  return source
    .replace(/^\uFEFF/, "")
    .split(/\r\n?|\n/)
    .map((text) => {
      if (fence === undefined) {
        fence = fenceOpening(text);
        return { text, isCode: fence !== undefined };
      }
      if (closesFence(text, fence)) fence = undefined;
      return { text, isCode: true };
    });
}

function toPage(lines: Line[], opening: Opening, end: number): FullPage {
  const body = lines
    .slice(opening.body, end)
    .filter((line) => line.isCode || !BETWEEN_PAGES.test(line.text))
    .map(({ text }) => text);
  while (RULE_OR_BLANK.test(body.at(-1) ?? "x")) body.pop();
  const markdown = body
    .slice(
      Math.max(
        0,
        body.findIndex((text) => text.trim() !== ""),
      ),
    )
    .join("\n");
  return withTitle(opening, markdown);
}

function withTitle(opening: Opening, body: string): FullPage {
  const heading = atxHeading(body.split("\n", 1)[0] ?? "");
  const title = opening.title ?? (heading?.level === 1 ? heading.text : "");
  const markdown = title === "" || heading?.level === 1 || body === "" ? body : `# ${title}\n\n${body}`;
  return { title, address: opening.address, markdown };
}

/** `<doc title="…" url="…">`, `<document><source>…</source>`, `<page>` around front matter. */
function documents(lines: Line[]): Opening[] {
  return lines.flatMap(({ text, isCode }, start) => {
    const [, name, attributes = ""] = (!isCode && DOCUMENT.exec(text)) || [];
    if (name === undefined) return [];
    const front = frontMatterAt(lines, nextFull(lines, start + 1));
    if (front !== undefined) return [{ ...front, start }];
    const title = attribute(attributes, "title");
    const address = ["url", "src", "source", "href", "path"]
      .map((each) => attribute(attributes, each))
      .find((each) => each !== undefined);
    const inside = nextFull(lines, start + 1);
    const source = /^\s*<source>\s*(\S+)\s*<\/source>\s*$/.exec(lines[inside]?.text ?? "")?.[1];
    const body = source === undefined ? start + 1 : inside + 1;
    return [{ start, body, ...(title !== undefined && { title }), address: address ?? source }];
  });
}

function attribute(attributes: string, name: string): string | undefined {
  return new RegExp(`\\s${name}\\s*=\\s*"([^"]*)"`).exec(attributes)?.[1];
}

function frontMatters(lines: Line[]): Opening[] {
  const found: Opening[] = [];
  for (let index = 0; index < lines.length; index++) {
    const opening = frontMatterAt(lines, index);
    if (opening === undefined) continue;
    found.push(opening);
    index = opening.body - 1;
  }
  return found.some(({ address }) => address !== undefined) || found.length > 1 ? found : [];
}

/** The front matter of a page that begins on this line: fences of dashes around names, a title or address among them. */
function frontMatterAt(lines: Line[], start: number): Opening | undefined {
  if (!isFence(lines[start])) return undefined;
  const length = lines.slice(start + 1, start + FRONT_MATTER_LINES_MAX).findIndex(isFence);
  if (length <= 0) return undefined;
  const yaml = lines.slice(start + 1, start + 1 + length).map(({ text }) => text);
  const { data } = splitFrontMatter(["---", ...yaml, "---", ""].join("\n"));
  const title = typeof data["title"] === "string" ? data["title"].trim() : undefined;
  const address = ADDRESS_KEYS.map((key) => addressIn(data[key])).find((each) => each !== undefined);
  if (title === undefined && address === undefined) return undefined;
  return { start, body: start + length + 2, ...(title !== undefined && { title }), address };
}

/** An address, or the one of the page among several: `{ html: …, md: … }`. */
function addressIn(value: unknown): string | undefined {
  if (typeof value === "string")
    return /^(?:https?:\/\/|\/)\S+$/.test(value.trim()) ? value.trim() : undefined;
  return typeof value === "object" && value !== null && "html" in value ? addressIn(value.html) : undefined;
}

const isFence = (line: Line | undefined) =>
  line !== undefined && !line.isCode && /^-{3,}\s*$/.test(line.text);

/** `# Title` with `Source: https://…` below it, or `# Title (/path)`. */
function addressedHeadings(lines: Line[]): Opening[] {
  return lines.flatMap((line, start) => {
    const title = headingOf(line);
    if (title === undefined) return [];
    const below = nextFull(lines, start + 1);
    const address = ADDRESS.exec(lines[below]?.text ?? "")?.[1];
    if (address !== undefined) return [{ start, body: afterAddresses(lines, below), title, address }];
    const [, words, path] = TITLE_WITH_ADDRESS.exec(title) ?? [];
    return words === undefined ? [] : [{ start, body: start + 1, title: words, address: path }];
  });
}

function afterAddresses(lines: Line[], first: number): number {
  let index = first;
  while (ADDRESS.test(lines[index]?.text ?? "")) index++;
  return index;
}

function headings(lines: Line[]): Opening[] {
  return lines.flatMap((line, start) => {
    const title = headingOf(line);
    return title === undefined ? [] : [{ start, body: start, title }];
  });
}

function headingOf({ text, isCode }: Line): string | undefined {
  const heading = isCode ? undefined : atxHeading(text);
  const isTitle = heading?.level === 1 && heading.text !== "" && heading.text.length <= TITLE_CHARACTERS_MAX;
  return isTitle ? heading.text : undefined;
}

function nextFull(lines: Line[], from: number): number {
  const offset = lines.slice(from, from + 4).findIndex(({ text }) => text.trim() !== "");
  return offset < 0 ? from : from + offset;
}
