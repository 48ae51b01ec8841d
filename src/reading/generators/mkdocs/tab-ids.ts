import { decodePercent } from "@docent/kernel/text/decode-percent";
import { placeMark } from "../../markdown/anchors.ts";
import { readOutline } from "../../markdown/md/md.ts";
import type { Unknown } from "../docs-site.ts";
import { free, type Slugify, slugifyOf } from "./heading-names.ts";

/** How tabs get ids of their labels. */
export interface TabIds {
  slugify: Slugify;
  separator: string;
  /** Whether the id of the heading above stands before it. */
  isBelowHeading: boolean;
}

/** How the extension for tabs is told to make ids; undefined where it is not. */
export function tabIdsOf(
  options: Readonly<Record<string, unknown>>,
  unknowns: Unknown[],
): TabIds | undefined {
  const { slugify, separator = "-", combine_header_slug } = options;
  if (slugify === undefined || slugify === null || slugify === 0 || slugify === false) return undefined;
  return {
    slugify: slugifyOf(options, unknowns),
    separator: String(separator),
    isBelowHeading: combine_header_slug === true,
  };
}

/** A tab by its label, until its id is known. */
export const placeOfTab = (label: string) => placeMark(`tab:${encodeURIComponent(label.trim())}`);

const TAB = /<a id="tab:([^"]{1,1000})"><\/a>|^ {0,3}#{1,6} .*\{#([^{}\s]+)\}$/gm;

/** Gives the tabs of a page their ids, which differ from those of its headings. */
export function nameTabs(markdown: string, tabs: TabIds | undefined): string {
  if (tabs === undefined || !markdown.includes('<a id="tab:')) return markdown;
  const used = new Set(readOutline(markdown).sections.map(({ anchor }) => anchor));
  const counts = new Map<string, number>();
  let above = "";
  return markdown.replace(TAB, (whole, label?: string, heading?: string) => {
    if (label === undefined) {
      above = heading ?? above;
      return whole;
    }
    const own = tabs.slugify(decodePercent(label));
    const wanted = tabs.isBelowHeading && above !== "" ? above + tabs.separator + own : own;
    const id = free(wanted, used, counts);
    used.add(id);
    return placeMark(id);
  });
}
