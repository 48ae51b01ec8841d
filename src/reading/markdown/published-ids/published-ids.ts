import { alignHeadings } from "@docent/kernel/text/align-headings/align-headings";
import { placeMark } from "../anchors.ts";
import type { Section } from "../md/md.ts";

/** A heading of a page as the site has it. */
export interface PublishedHeading {
  text: string;
  /** Empty where it has none. */
  id: string;
}

/** The ids that a page has where it is published. */
export interface PublishedIds {
  /** In order. */
  headings: readonly PublishedHeading[];
  /** Those of other places. */
  places: readonly string[];
}

/** A page of which less is published than this is another one, or one that a script fills: its headings keep their ids. */
const SHARE_MIN = 0.5;

/**
 * A page's Markdown with the ids that its headings have where it is published. Where the published page has nearly all of the
 * headings, one that it lacks has no id, unless another place has the one that it was thought to have.
 */
export function withPublishedIds(
  markdown: string,
  sections: readonly Section[],
  { headings: theirs, places }: PublishedIds,
): string {
  const headings = sections.filter(({ level }) => level > 0);
  const found = alignHeadings(
    headings.map(({ heading }) => heading),
    theirs.map(({ text }) => text),
  );
  const known = found.filter((place) => place !== undefined).length;
  if (known === 0 || known < SHARE_MIN * Math.min(headings.length, theirs.length)) return markdown;
  const isWhole = known >= SHARE_MIN * headings.length;
  const ids = new Set([...theirs.map(({ id }) => id), ...places]);
  const lines = markdown.split("\n");
  // From the last one, so that the numbers of the lines before stay.
  for (const [index, section] of [...headings.entries()].reverse()) {
    const id = publishedId(section, found[index], { theirs, ids, isWhole });
    if (id === undefined || id === section.anchor) continue;
    const { startLine, headingEndLine } = section;
    const line = headingWith(section, id, ids.has(section.anchor));
    lines.splice(startLine - 1, headingEndLine - startLine + 1, line);
  }
  return lines.join("\n");
}

interface Published {
  theirs: PublishedIds["headings"];
  ids: ReadonlySet<string>;
  isWhole: boolean;
}

/** The id that a heading is published with, empty for none; undefined where it keeps its own. */
function publishedId(
  { anchor }: Section,
  place: number | undefined,
  { theirs, ids, isWhole }: Published,
): string | undefined {
  const id = place === undefined ? undefined : theirs[place]?.id;
  if (id !== undefined && id !== "") return id;
  return ids.has(anchor) || (place === undefined && !isWhole) ? undefined : "";
}

/** A heading under another id. A place that is published under its own stays one. */
function headingWith({ level, headingSource, anchor }: Section, id: string, keepsPlace: boolean): string {
  const mark = keepsPlace && !headingSource.includes(placeMark(anchor)) ? placeMark(anchor) : "";
  const words = headingSource.replace(/\s*\n\s*/g, " ").trim();
  return `${"#".repeat(level)} ${mark}${words} {#${id}}`;
}
