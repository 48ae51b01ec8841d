import { dedent, indentOf } from "@docent/kernel/text/markdown-lines";
import type { Inclusions } from "../../writing/writing.ts";
import type { ContentPage } from "../content.ts";
import type { HugoSite } from "../site.ts";
import type { Shortcode } from "./scan.ts";

/** What a shortcode becomes: words within a line, or blocks of their own. */
export type Written = { inline: string } | { block: string };

export const NOTHING: Written = { inline: "" };

/** What writing the shortcodes of a page knows. */
export interface ShortcodeContext {
  site: HugoSite;
  page: ContentPage;
  /** What was wrong, for the page's author. */
  faults: Set<string>;
  /** The shortcodes and files around this one, the outermost first. */
  parents: readonly Shortcode[];
  files: readonly string[];
  /** Whether it stands in a list or a quote. */
  isNested: boolean;
  /** What may still be written, which includes could make endless. */
  inclusions: Inclusions;
  /** Writes the shortcodes in a text. */
  expand(text: string, context: ShortcodeContext): Promise<string>;
  /** Writes what stands inside a shortcode, without the indent that all its lines have. */
  inner(shortcode: Shortcode): Promise<string>;
  /** The same for code, in which `#` begins no heading. */
  code(shortcode: Shortcode): Promise<string>;
}

/** Turns one shortcode into Markdown. */
export type WriteShortcode = (shortcode: Shortcode, context: ShortcodeContext) => Promise<Written> | Written;

/** An argument by one of its names, or by its position. */
export function argumentOf(
  { named, positional }: Shortcode,
  names: readonly string[],
  position?: number,
): string | undefined {
  const name = names.find((each) => named.has(each));
  const value =
    name === undefined ? (position === undefined ? undefined : positional[position]) : named.get(name);
  return value === "" ? undefined : value;
}

/** Takes the indent off that all lines share. */
export function withoutIndent(text: string): string {
  const lines = text.split("\n");
  const indents = lines.filter((line) => line.trim() !== "").map(indentOf);
  const shared = Math.min(...indents);
  return shared > 0 && Number.isFinite(shared) ? lines.map((line) => dedent(line, shared)).join("\n") : text;
}

export const withoutOuterLines = (text: string) => text.replace(/^(?:[ \t]*\n)+/, "").trimEnd();

/** A label with what belongs to it. */
export const labelled = (label: string, body: string) =>
  [label === "" ? "" : `**${label.replace(/\*/g, "").trim()}**`, withoutOuterLines(body)]
    .filter((part) => part !== "")
    .join("\n\n");
