import { jsonIn } from "@docent/kernel/text/json";
import { withoutEnding } from "@docent/reading/page/page-path";
import { z } from "zod";
import type { Enrichment } from "./enrichment.ts";
import type { ListedPassage } from "./stores.ts";

/** A line of a file with what was written for passages, wherever that was done. */
export interface WrittenLine extends Enrichment {
  page: string;
  headings: string[];
  /** The key of the passage's content; left out by people who write such a file by hand. */
  hash?: string | undefined;
}

/** A line for a passage for which nothing was written: whoever writes it reads the text. */
export interface UnwrittenLine extends WrittenLine {
  title: string;
  text: string;
}

const lineSchema = z.lazy(() =>
  z.object({
    page: z.string(),
    headings: z.array(z.string()).default([]),
    hash: z.string().optional(),
    questions: z.array(z.string()).max(20),
    words: z.array(z.string()).max(20).default([]),
  }),
);

/** A longer file is of no docs that one server searches. */
const LINES_MAX = 2_000_000;

/** The lines of a file by what they are for. */
interface WrittenLines {
  count: number;
  /** The numbers of the lines that are none, as many as are worth naming. */
  unreadable: number[];
  /** The line for a passage. A line with a hash is for that content alone, wherever it stands. */
  of(passage: Pick<ListedPassage, "key" | "path" | "headings">): WrittenLine | undefined;
}

const UNREADABLE_NAMED = 20;

/** Reads a file of JSON lines. Of two lines for the same passage, the later one counts. */
export function readWrittenLines(text: string): WrittenLines {
  const byHash = new Map<string, WrittenLine>();
  const byPlace = new Map<string, WrittenLine>();
  const unreadable: number[] = [];
  let count = 0;
  for (const [index, line] of text.split("\n", LINES_MAX).entries()) {
    if (line.trim() === "") continue;
    const parsed = lineSchema.safeParse(jsonIn(line));
    if (!parsed.success) {
      if (unreadable.length < UNREADABLE_NAMED) unreadable.push(index + 1);
      continue;
    }
    // Nobody has written anything there yet.
    if (parsed.data.questions.length === 0) continue;
    count++;
    if (parsed.data.hash === undefined) byPlace.set(placeOf(parsed.data), parsed.data);
    else byHash.set(parsed.data.hash, parsed.data);
  }
  return {
    count,
    unreadable,
    of: ({ key, path, headings }) =>
      byHash.get(key) ??
      byPlace.get(placeOf({ page: path, headings })) ??
      byPlace.get(placeOf({ page: withoutEnding(path), headings })),
  };
}

const placeOf = ({ page, headings }: Pick<WrittenLine, "page" | "headings">) =>
  JSON.stringify([page.replace(/^\/+|\/+$/g, ""), headings]);

export const toLine = ({ path, headings, key, written }: ListedPassage): WrittenLine => ({
  page: path,
  headings,
  hash: key,
  questions: written?.questions ?? [],
  words: written?.words ?? [],
});

export const toUnwrittenLine = (passage: ListedPassage): UnwrittenLine => ({
  ...toLine(passage),
  title: passage.title,
  text: passage.text,
});

/** Names a line where what it says is kept: what has not changed in a file is not looked at again. */
export const lineName = ({ questions, words }: WrittenLine): string =>
  `file ${new Bun.CryptoHasher("sha256")
    .update(JSON.stringify([questions, words]))
    .digest("hex")
    .slice(0, 12)}`;
