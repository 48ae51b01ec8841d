import { slug } from "../../markdown/anchors.ts";
import { splitFrontMatter } from "../../markdown/front-matter.ts";
import { scanBlocks } from "../../markdown/md/md.ts";
import { inlineText } from "../../markdown/plain-text.ts";
import { type DocsTree, folderOf, joinLocation, resolveLocation } from "../docs-tree.ts";
import { linesOfRegion } from "./regions.ts";

/** Where a page stands, and where what is wrong with it is noted. */
export interface PagePlace {
  tree: DocsTree;
  contentRoot: string;
  location: string;
  faults: string[];
}

const INCLUDE = /<!--\s*@include:\s*(.*?)\s*-->/g;
const DEEP_MAX = 10;
const CHARACTERS_MAX = 5_000_000;
const INCLUDES_MAX = 2_000;

/** A page with what `<!-- @include: … -->` names in its place. */
export async function withIncludes(place: PagePlace, source: string): Promise<string> {
  const budget = { characters: CHARACTERS_MAX, includes: INCLUDES_MAX };
  return expand(place, source, [place.location], budget);
}

interface Budget {
  characters: number;
  includes: number;
}

async function expand(
  place: PagePlace,
  source: string,
  above: readonly string[],
  budget: Budget,
): Promise<string> {
  const pieces: string[] = [];
  let at = 0;
  for (const match of source.matchAll(INCLUDE)) {
    const [whole, written = ""] = match;
    pieces.push(source.slice(at, match.index));
    at = match.index + whole.length;
    // What an example of Markdown shows stays as it is.
    const isExample = isInFence(source, match.index);
    const taken = await included(place, written, above, budget);
    if (typeof taken === "string") pieces.push(taken);
    else if (isExample) pieces.push(whole);
    else place.faults.push(`${written}, which it includes, ${taken.fault}`);
  }
  return pieces.join("") + source.slice(at);
}

function isInFence(source: string, at: number): boolean {
  const before = source.slice(0, at).match(/^[ \t]*(?:`{3,}|~{3,})/gm);
  return (before?.length ?? 0) % 2 === 1;
}

async function included(
  place: PagePlace,
  written: string,
  above: readonly string[],
  budget: Budget,
): Promise<string | { fault: string }> {
  const { path, region, range } = partsOf(written);
  const location = locate(place.contentRoot, above.at(-1) ?? place.location, path);
  if (location === undefined) return { fault: "is outside of this source" };
  if (above.includes(location)) return { fault: "includes itself" };
  if (above.length > DEEP_MAX) return { fault: "is nested too deeply" };
  const text = await place.tree.text(location);
  if (text === undefined) return { fault: "is not in this source" };
  budget.characters -= text.length;
  budget.includes -= 1;
  if (budget.characters < 0 || budget.includes < 0) return { fault: "is too much for one page" };
  const isMarkdown = location.endsWith(".md");
  const content = isMarkdown && range === undefined ? splitFrontMatter(text).body : text;
  const lines = partOf(content.split(/\r?\n/), region);
  if (lines === undefined) {
    place.faults.push(`${written}, which it includes, has no such region: all of it is shown`);
  }
  const chosen = (lines ?? content.split(/\r?\n/)).slice(
    range?.first === undefined ? 0 : range.first - 1,
    range?.last,
  );
  return expand(place, chosen.join("\n"), [...above, location], budget);
}

function partsOf(written: string): {
  path: string;
  region: string | undefined;
  range: { first: number | undefined; last: number | undefined } | undefined;
} {
  const [lines, first = "", last = ""] = /\{(\d*),(\d*)\}$/.exec(written) ?? [];
  const rest = lines === undefined ? written : written.slice(0, -lines.length);
  const region = /#([^\s{]+)$/.exec(rest)?.[1];
  const number = (digits: string) => (digits === "" ? undefined : Number(digits));
  return {
    path: region === undefined ? rest : rest.slice(0, -region.length - 1),
    region,
    range: lines === undefined ? undefined : { first: number(first), last: number(last) },
  };
}

/** A file as a page names it: `@` stands for the folder of all pages. */
export function locate(contentRoot: string, from: string, written: string): string | undefined {
  if (written.startsWith("@")) return resolveLocation(contentRoot, written.replace(/^@[\\/]?/, ""));
  return resolveLocation("", joinLocation(folderOf(from), written));
}

/** The lines of a region, or below a heading with that id; all lines without one. */
function partOf(lines: string[], name: string | undefined): string[] | undefined {
  if (name === undefined) return lines;
  return linesOfRegion(lines, name) ?? linesOfHeading(lines, name);
}

function linesOfHeading(lines: string[], id: string): string[] | undefined {
  const headings = scanBlocks(lines.join("\n")).filter(({ kind }) => kind === "heading");
  const start = headings.findIndex(
    ({ text }) => text.endsWith(`{#${id}}`) || slug(inlineText(text).trim(), "vitepress") === id,
  );
  const heading = headings[start];
  if (heading === undefined) return undefined;
  const next = headings.slice(start + 1).find(({ level = 1 }) => level <= (heading.level ?? 1));
  return lines.slice(heading.endLine, next === undefined ? undefined : next.startLine - 1);
}
