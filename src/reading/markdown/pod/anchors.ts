import { plainWords } from "./inline.ts";
import type { Paragraph } from "./paragraphs.ts";

/** What an item of a list begins with that explains nothing. */
const BULLET = /^\s*(?:[*·•-]|\d{1,9}[.)]?)?(?:\s|$)/;

/** The anchors of a page: of headings and of what lists explain, by what links call them. */
export interface PodAnchors {
  /** By the number of the paragraph that has it. */
  at: ReadonlyMap<number, string>;
  find(section: string): string | undefined;
}

/** Names the places of a page as Perl's own tools do. */
export function readAnchors(paragraphs: readonly Paragraph[]): PodAnchors {
  const at = new Map<number, string>();
  const named = new Map<string, string>();
  const taken = new Map<string, number>();
  const shortened: [string, string][] = [];
  for (const [index, paragraph] of paragraphs.entries()) {
    if (paragraph.kind !== "command" || !/^(?:head[1-6]|item)$/.test(paragraph.name)) continue;
    if (paragraph.name === "item" && BULLET.test(paragraph.text)) continue;
    const words = plainWords(paragraph.text);
    const anchor = claim(anchorOf(words), taken);
    if (anchor === undefined) continue;
    at.set(index, anchor);
    const key = keyOf(words);
    if (!named.has(key)) named.set(key, anchor);
    // `open FILEHANDLE,MODE` is called "open".
    if (paragraph.name === "item") shortened.push([keyOf(words.split(/[\s(]/)[0] ?? ""), anchor]);
  }
  for (const [key, anchor] of shortened) if (key !== "" && !named.has(key)) named.set(key, anchor);
  return { at, find: (section) => named.get(keyOf(plainWords(section))) };
}

const keyOf = (words: string) => words.replace(/\s+/g, " ").trim();

/** As Perl's own `Pod::Simple::XHTML` names it. */
const anchorOf = (words: string) =>
  words
    .replace(/[<>&"']/g, "")
    .trim()
    .replace(/^(?=[^a-zA-Z]+$)/, "pod")
    .replace(/^[^a-zA-Z]+/, "")
    .replace(/[^-a-zA-Z0-9_:.]+/g, "-")
    .replace(/(?<![-:.])[-:.]+$/, "");

/** Of two places with one name, the later one gets a number. */
function claim(anchor: string, taken: Map<string, number>): string | undefined {
  if (anchor === "") return undefined;
  const before = taken.get(anchor);
  taken.set(anchor, (before ?? 0) + 1);
  return before === undefined ? anchor : claim(`${anchor}${before}`, taken);
}
