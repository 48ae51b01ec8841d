import { inlineText } from "../../markdown/plain-text.ts";
import type { NameHeading } from "../writing/writing.ts";
import type { HeadingIdStyle, HugoSettings } from "./settings.ts";

/** What a shortcode leaves in a heading whose id differs from build to build. */
export const VARYING = "\uE000";

type HeadingSettings = Pick<HugoSettings, "headingIds" | "hasHeadingIds" | "typography">;

/** Ids as Goldmark makes them in Hugo: one that an author gave does not count for the others. */
export function createHeadingNames({ headingIds, hasHeadingIds, typography }: HeadingSettings): NameHeading {
  const taken = new Set<string>();
  /** The first number that may be free. */
  const numbers = new Map<string, number>();
  return ({ words: plain, source, given, isInTag }) => {
    if (given !== undefined && !isInTag) return given.replace(/^#/, "");
    if (plain.includes(VARYING) || !hasHeadingIds || source.trim() === "") return "";
    const words = /[*_~[-]/.test(source) ? inlineText(readBySpans(source, typography)) : plain;
    const stem = STYLES[headingIds](words.replace(/\[\^[^\]]{1,50}\]/g, "").trim()) || "heading";
    let id = stem;
    let number = numbers.get(stem) ?? 1;
    for (; taken.has(id); number++) id = `${stem}-${number}`;
    numbers.set(stem, number);
    taken.add(id);
    return id;
  };
}

/** Code and comments, which are read whole, and emphasis and links, of which the beginning counts. */
const SPAN =
  /(`+)[\s\S]{0,500}?\1|<!--[\s\S]{0,500}?-->|(?<![\p{L}\p{N}\\])(\*{1,3}|_{1,3}|~~)(?=\S)([\s\S]{1,500}?)\2(?![\p{L}\p{N}])|(?<!!)\[([^[\]]{1,500})\](?:\([^()]{0,2000}\)|\[[^[\]]{0,500}\])|-{2,}/gu;
/** What the first piece of an emphasized text ends before, and what it ends after. */
const END_BEFORE = { set: /(?<!\\)['"`[\]<*]|--|\.\.\./, plain: /(?<!\\)[`[\]<*]/ };

/**
 * A heading as its id is made from: of emphasis and of links only the first piece of text, up to what could be
 * another mark, and no hyphens that are set as a dash.
 */
function readBySpans(source: string, typography: HugoSettings["typography"]): string {
  return source.replace(
    SPAN,
    (whole, ticks?: string, marks?: string, emphasized?: string, label?: string) => {
      if (ticks !== undefined || whole.startsWith("<!--")) return whole;
      if (marks === undefined && label === undefined) return withoutDashes(whole, typography);
      const inside = emphasized ?? label ?? "";
      const [code] = /^(`+)[\s\S]*?\1/.exec(inside) ?? [];
      if (code !== undefined) return code;
      const open = /^(?:\*{1,3}|_{1,3}|\[)/.exec(inside)?.[0] ?? "";
      const text = inside.slice(open.length);
      const ends = [
        text.search(END_BEFORE[typography === "none" ? "plain" : "set"]),
        endAfterUnderscore(text),
      ];
      const end = Math.min(...ends.map((at) => (at < 0 ? text.length : at)));
      return text.slice(0, end).replace(/_/g, "\\_");
    },
  );
}

function endAfterUnderscore(text: string): number {
  const at = text.indexOf("_");
  return at < 0 ? -1 : at + 1;
}

function withoutDashes(hyphens: string, typography: HugoSettings["typography"]): string {
  if (typography === "none") return hyphens;
  return hyphens.replace(typography === "long dashes" ? /---/g : /---?/g, "");
}

const STYLES: Record<HeadingIdStyle, (words: string) => string> = {
  github: (words) =>
    words
      .toLowerCase()
      .replace(/[^\p{L}\p{Nd}_ -]/gu, "")
      .replaceAll(" ", "-"),
  "github-ascii": (words) =>
    words
      .normalize("NFD")
      .replace(/\p{Mn}/gu, "")
      .toLowerCase()
      .replace(/[^a-z0-9_ -]/g, "")
      .replaceAll(" ", "-"),
  blackfriday: (words) =>
    words
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, "-")
      .replace(/^-|-$/g, ""),
};
