import type { Candidate, NamedPassage } from "@docent/finding/search/search-store";
import { z } from "zod";
import { readStrings } from "./json.ts";

/** A passage's row, as every search reads some dozens of them. */
export interface CandidateRow
  extends Omit<Candidate, "groups" | "headings" | "innerHeadings" | "lacksWords"> {
  groupsJson: string;
  headingsJson: string;
  innerHeadingsJson: string;
  /** SQLite has no truth values. */
  lacksWords: boolean | number;
}

export function toCandidate(row: CandidateRow): Candidate {
  const { passageId, pageId, path, location, version, language, title, anchor, position, markdown, text } =
    row;
  return {
    passageId,
    pageId,
    path,
    location,
    version,
    language,
    title,
    anchor,
    position,
    markdown,
    text,
    groups: readStrings(row.groupsJson),
    headings: readStrings(row.headingsJson),
    innerHeadings: readInner(row.innerHeadingsJson, row),
    lacksWords: Boolean(row.lacksWords),
  };
}

/** What a passage is called, as a search box reads of all passages once. */
export interface NamedRow extends Omit<NamedPassage, "sections"> {
  headingsJson: string;
  anchor: string;
  innerHeadingsJson: string;
}

export function toNamed({ headingsJson, anchor, innerHeadingsJson, ...named }: NamedRow): NamedPassage {
  const own = { anchor, headings: readStrings(headingsJson) };
  if (innerHeadingsJson === "[]") return { ...named, sections: [own] };
  const inner = innerHeadingsSchema.parse(JSON.parse(innerHeadingsJson));
  return {
    ...named,
    sections: [own, ...inner.map((each) => ({ anchor: each.anchor, headings: each.headingPath }))],
  };
}

type InnerHeading = Candidate["innerHeadings"][number];
type StoredHeading = Omit<InnerHeading, "textOffset"> & { textOffset?: number | undefined };

const innerHeadingsSchema = z.lazy(() =>
  z.array(
    z.object({
      offset: z.number(),
      textOffset: z.number().optional(),
      anchor: z.string(),
      headingPath: z.array(z.string()),
    }),
  ),
);

function readInner(json: string, row: Pick<Candidate, "text" | "markdown">): InnerHeading[] {
  // Most passages have none.
  if (json === "[]") return [];
  const headings = innerHeadingsSchema.parse(JSON.parse(json));
  return headings.every(isPlaced) ? headings : placeHeadings(headings, row);
}

const isPlaced = (heading: StoredHeading): heading is InnerHeading => heading.textOffset !== undefined;

/**
 * Says of headings in a passage that was stored without it where they are in its text: at a line of their words. A list
 * of contents may have such lines too, so it is the line about as far down as in the Markdown. What is not found is part
 * of the section before.
 */
function placeHeadings(
  headings: readonly StoredHeading[],
  { text, markdown }: Pick<Candidate, "text" | "markdown">,
): InnerHeading[] {
  const lines = linesOf(text);
  const scale = text.length / markdown.length;
  let next = 0;
  return headings.flatMap((heading) => {
    const distance = ({ start }: Line) => Math.abs(start - heading.offset * scale);
    const [own] = lines
      .filter(({ number, words }) => number >= next && words === heading.headingPath.at(-1))
      .sort((a, b) => distance(a) - distance(b));
    if (own === undefined) return [];
    next = own.number + 1;
    return [{ ...heading, textOffset: own.start }];
  });
}

interface Line {
  number: number;
  start: number;
  /** As a heading would be written. */
  words: string;
}

function linesOf(text: string): Line[] {
  let start = 0;
  return text.split("\n").map((line, number) => {
    const own = { number, start, words: line.replace(/\s+/g, " ").trim() };
    start += line.length + 1;
    return own;
  });
}
