import { type FenceOpening, fenceBehind } from "@docent/kernel/text/markdown-lines";
import { slug } from "../../markdown/anchors.ts";
import { splitFrontMatter } from "../../markdown/front-matter.ts";
import { scanBlocks } from "../../markdown/md/md.ts";
import { inlineText } from "../../markdown/plain-text.ts";
import { type DocsTree, folderOf, joinLocation, resolveLocation } from "../docs-tree.ts";
import { createInclusions, type Inclusions, linesOfRegion, readIncluded } from "../writing/writing.ts";

/** Where a page stands, and where what is wrong with it is noted. */
export interface PagePlace {
  inclusions: Inclusions;
  contentRoot: string;
  location: string;
  faults: string[];
}

const INCLUDE = /<!--\s*@include:\s*(?!\s)(|(?:(?!<!--).)+?(?<!\s))\s*-->/g;

/** What the files of a page are taken in with. */
export const pageInclusions = (tree: DocsTree) =>
  createInclusions(tree, { outside: "is outside of this source" });

/** A page with what `<!-- @include: … -->` names in its place. */
export async function withIncludes(place: PagePlace, source: string): Promise<string> {
  return expand(place, source, [place.location]);
}

async function expand(place: PagePlace, source: string, above: readonly string[]): Promise<string> {
  const pieces: string[] = [];
  let at = 0;
  let fence: FenceOpening | undefined;
  for (const match of source.matchAll(INCLUDE)) {
    const [whole, written = ""] = match;
    const before = source.slice(at, match.index);
    pieces.push(before);
    at = match.index + whole.length;
    for (const line of before.split("\n")) fence = fenceBehind(line, fence);
    const taken = await included(place, written, above);
    if (typeof taken === "string") pieces.push(taken);
    // What an example of Markdown shows stays as it is.
    else if (fence !== undefined) pieces.push(whole);
    else place.faults.push(`${written}, which it includes, ${taken.fault}`);
  }
  return pieces.join("") + source.slice(at);
}

async function included(
  place: PagePlace,
  written: string,
  above: readonly string[],
): Promise<string | { fault: string }> {
  const { path, region, range } = partsOf(written);
  const file = await readIncluded(
    place.inclusions,
    locate(place.contentRoot, above.at(-1) ?? place.location, path),
    above,
  );
  if (file.fault !== undefined) return { fault: file.fault };
  const { location, text } = file;
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
  return expand(place, chosen.join("\n"), [...above, location]);
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
