import { join } from "node:path";
import { parsePage } from "@docent/reading/markdown/page";
import { canonicalPath, type Placed, type Range } from "../question.ts";
import { union } from "../spans.ts";
import type { Dataset } from "./datasets.ts";

/** Where Docent's passages of a set stand in the set's files. */
export interface SetPassages {
  all: Placed[];
  locate: (path: string) => Locate | undefined;
}

/** Splits the files that spans point into as ingest does, and locates every passage in its file. */
export async function readSetPassages({ docs, tasks }: Dataset): Promise<SetPassages> {
  const spans = tasks.flatMap(({ questions }) => questions.map((question) => question.spans));
  const named = new Set(spans.flatMap((gold) => (gold ? [gold.path] : [])));
  const all: Placed[] = [];
  const locates = new Map<string, Locate>();
  if (docs === undefined || named.size === 0) return { all, locate: () => undefined };
  for (const file of new Bun.Glob("**/*.{md,mdx,markdown}").scanSync(docs)) {
    const path = canonicalPath(file);
    if (!named.has(path)) continue;
    const text = await Bun.file(join(docs, file)).text();
    const locate = createLocate(text);
    locates.set(path, locate);
    const { passages } = parsePage(text, {
      fallbackTitle: path,
      format: file.endsWith(".mdx") ? "mdx" : "md",
    });
    for (const { markdown } of passages) all.push({ path, ranges: locate(markdown) });
  }
  return { all, locate: (path) => locates.get(canonicalPath(path)) };
}

/** Locates a passage in the file that it was cut from. */
type Locate = (passage: string) => Range[];

/** A shorter piece might be found in the wrong place. */
const PIECE_CHARACTERS_MIN = 12;

/**
 * Locates passages in a file. Splitting changes white space and repeats table heads and fences, so the search
 * ignores white space, and goes line by line where the whole is not found.
 */
export function createLocate(file: string): Locate {
  const { bare, places } = strip(file);
  const known = new Map<string, Range[]>();

  function find(piece: string): Range | undefined {
    const text = strip(piece).bare;
    const at = text === "" ? -1 : bare.indexOf(text);
    const first = places[at];
    const last = places[at + text.length - 1];
    return first === undefined || last === undefined ? undefined : [first, last + 1];
  }

  function locate(passage: string): Range[] {
    const whole = find(passage);
    if (whole) return [whole];
    const lines = passage.split("\n").filter((line) => line.trim().length >= PIECE_CHARACTERS_MIN);
    return union(lines.map(find).filter((range) => range !== undefined));
  }

  return (passage) => {
    const found = known.get(passage) ?? locate(passage);
    known.set(passage, found);
    return found;
  };
}

/** The text without white space, with the original position of each character. */
function strip(text: string): { bare: string; places: Uint32Array } {
  const places = new Uint32Array(text.length);
  const parts: string[] = [];
  let count = 0;
  for (const { 0: part, index } of text.matchAll(/\S+/g)) {
    parts.push(part);
    for (let offset = 0; offset < part.length; offset++) places[count++] = index + offset;
  }
  return { bare: parts.join(""), places: places.subarray(0, count) };
}
