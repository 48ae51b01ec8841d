import { type FenceOpening, fenceBehind } from "@docent/kernel/text/markdown-lines";
import { codeFence } from "@docent/kernel/text/write-markdown";
import type { Example } from "./model.ts";

const EXAMPLE_CHARACTERS_MAX = 6_000;

/** Makes the headings of a description fit below the page's own: the highest gets this level, the others follow. */
export function demoteHeadings(markdown: string, level: number): string {
  const lines = markdown.split("\n");
  const headings = headingLines(lines);
  const highest = Math.min(...headings.map((at) => hashes(lines[at] ?? "")));
  const deeper = "#".repeat(Math.max(0, level - highest));
  for (const at of headings) lines[at] = `${deeper}${lines[at]}`.replace(/^#{7,}/, "######");
  return lines.join("\n");
}

function headingLines(lines: string[]): number[] {
  let fence: FenceOpening | undefined;
  return lines.flatMap((line, at) => {
    fence = fenceBehind(line, fence);
    return fence === undefined && /^#{1,6}\s/.test(line) ? [at] : [];
  });
}

const hashes = (line: string) => /^#*/.exec(line)?.[0].length ?? 0;

/** An example as a code block. */
export function exampleBlock({ title, value }: Example, mediaType: string): string {
  const isText = typeof value === "string";
  const whole = isText ? value : (JSON.stringify(value, null, 2) ?? "");
  const text = whole.length > EXAMPLE_CHARACTERS_MAX ? `${whole.slice(0, EXAMPLE_CHARACTERS_MAX)}\n…` : whole;
  const language = isText ? (/(json|xml|html|yaml)/.exec(mediaType)?.[1] ?? "") : "json";
  return `Example${title === "" ? "" : ` (${title})`}:\n\n${codeFence(text.trimEnd(), language)}`;
}

/** A page's front matter; JSON is YAML too, and needs no care with marks. */
export function frontMatter(values: Readonly<Record<string, unknown>>): string {
  const lines = Object.entries(values)
    .filter(
      ([, value]) => value !== undefined && value !== "" && !(Array.isArray(value) && value.length === 0),
    )
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  return `---\n${lines.join("\n")}\n---\n`;
}
