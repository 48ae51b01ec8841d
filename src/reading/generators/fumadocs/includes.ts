import { splitFrontMatter } from "../../markdown/front-matter.ts";
import { folderOf, resolveLocation } from "../docs-tree.ts";
import {
  eachOutsideCode,
  type Inclusions,
  linesOfRegion,
  readIncluded,
  withoutCommonIndent,
  writeCode,
} from "../writing/writing.ts";

const INCLUDE = /^([ \t]*)<include\b([^<>]*)>\s*(?!\s)([^<>\n]{1,500}?)(?<!\s)\s*<\/include>[ \t]*$/gm;

/** No page includes as much. */
const USES_MAX = 2_000;
const HEADING_CHARACTERS_MAX = 2_000;

interface Including {
  inclusions: Inclusions;
  /** Where the program runs: what `cwd` is for. */
  root: string;
  faults: string[];
}

/** Puts what `<include>` names in its place: pages with what they include, and of other files the code. */
export async function withIncludes(
  including: Including,
  location: string,
  body: string,
  above: readonly string[] = [location],
): Promise<string> {
  const found: { written: string; text: string }[] = [];
  const uses: RegExpExecArray[] = [];
  eachOutsideCode(body, (part) => {
    uses.push(...part.matchAll(INCLUDE));
    return part;
  });
  for (const [written, indent = "", attributes = "", specifier = ""] of uses.slice(0, USES_MAX))
    found.push({
      written,
      text: await included(including, { location, attributes, specifier, indent }, above),
    });
  return found.reduce((text, each) => text.replace(each.written, () => each.text), body);
}

interface Use {
  location: string;
  attributes: string;
  specifier: string;
  indent: string;
}

async function included(including: Including, use: Use, above: readonly string[]): Promise<string> {
  const { inclusions, root, faults } = including;
  const [, name = use.specifier, part] = /^(.*)#([^#]*)$/.exec(use.specifier) ?? [];
  const from = /\bcwd\b/.test(use.attributes) ? root : folderOf(use.location);
  const file = await readIncluded(inclusions, resolveLocation(from, name), above);
  if (file.fault !== undefined) {
    faults.push(`${name}, which it includes, ${file.fault}`);
    return "";
  }
  const language = /\blang=["']([^"']*)["']/.exec(use.attributes)?.[1];
  if (language === undefined && /\.mdx?$/.test(file.location)) {
    const { body } = splitFrontMatter(file.text);
    const taken = part === undefined ? body : sectionOf(body, part);
    if (taken === undefined) faults.push(`${use.specifier}, which it includes, has no such part`);
    const inside = await withIncludes(including, file.location, taken ?? "", [...above, file.location]);
    return `\n${inside.replace(/^(?=.)/gm, use.indent)}\n`;
  }
  const all = file.text.trimEnd().split("\n");
  const lines = part === undefined ? all : linesOfRegion(all, part.trim());
  if (lines === undefined) faults.push(`${use.specifier}, which it includes, has no such part`);
  const info = [
    language ?? /\.(\w+)$/.exec(name)?.[1] ?? "",
    /\bmeta=(["'])(.*?)\1/.exec(use.attributes)?.[2] ?? "",
  ];
  return ["", ...writeCode(info.join(" ").trim(), withoutCommonIndent(lines ?? []), use.indent), ""].join(
    "\n",
  );
}

/** What is in a section with an id, or below a heading with it. */
function sectionOf(body: string, id: string): string | undefined {
  const [, inside] = body.split(`<section id="${id}">`);
  if (inside !== undefined) return inside.split("</section>", 1)[0];
  const lines = body.split("\n");
  const idOf = (line: string) => {
    if (line.length > HEADING_CHARACTERS_MAX) return undefined;
    const [, words, given] =
      /^#{1,6}[ \t]+(|.+?(?<![ \t]))(?:[ \t]*\[#([^\]]{1,300})\])?[ \t]*$/.exec(line) ?? [];
    return (
      given ??
      words
        ?.toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, "")
        .replaceAll(" ", "-")
    );
  };
  const start = lines.findIndex((line) => line.startsWith("#") && idOf(line) === id);
  if (start < 0) return undefined;
  const end = lines.findIndex((line, index) => index > start && /^#{1,6}[ \t]/.test(line));
  return lines.slice(start, end < 0 ? undefined : end).join("\n");
}
