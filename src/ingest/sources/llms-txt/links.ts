import { fenceOpening } from "../../../text/markdown-lines.ts";

const LINK_ITEM = /^\s*[-*+]\s+\[((?:[^[\]\\]|\\.){0,500})\]\(\s*<?([^\s<>)]{1,2000})>?[^)]{0,500}\)/;

/** The addresses that an llms.txt lists, each once, in order: `- [title](address): what it is`. */
export function listedLinks(text: string): string[] {
  const links = new Set<string>();
  for (const line of text.split(/\r\n?|\n/)) {
    const href = LINK_ITEM.exec(line)?.[2];
    if (href !== undefined && !href.startsWith("#") && !href.startsWith("mailto:")) links.add(href);
  }
  return [...links];
}

/** Whether a text is a list of links, and not the pages themselves. */
export function isLinkList(text: string): boolean {
  const lines = text.split(/\r\n?|\n/).filter((line) => line.trim() !== "");
  const items = lines.filter((line) => LINK_ITEM.test(line)).length;
  const others = lines.filter((line) => !LINK_ITEM.test(line) && !/^(?:#|>)/.test(line));
  // What an llms.txt says before its lists is short. Code is only in pages.
  return items > 0 && items * 2 >= others.length && !others.some((line) => fenceOpening(line) !== undefined);
}
