import type { AbstractBlock } from "@asciidoctor/core";
import { plainInline } from "../plain-text.ts";
import { writeTitle } from "./inline.ts";

/** An entry of a menu that is written as lists. */
export interface ListEntry {
  label: string;
  /** Where the first link in it leads. */
  href: string | undefined;
  /** Where it is a list: whether it has a title of its own. */
  isTitled: boolean;
  children: ListEntry[];
}

const LINK = /<a href="([^"]*)"[^>]*>([\s\S]+?)<\/a>/;
const DEEP_MAX = 20;

/** The lists of a page, each an entry with what it lists. */
export const listsIn = (blocks: readonly AbstractBlock[]): ListEntry[] =>
  blocks.flatMap((block) =>
    block.context === "ulist" ? [entryOf(block.title, block.blocks, 0, block.hasTitle())] : [],
  );

function entryOf(
  html: string | null,
  items: readonly AbstractBlock[],
  depth: number,
  isTitled: boolean,
): ListEntry {
  const [, href, content] = LINK.exec(html ?? "") ?? [];
  const children =
    depth > DEEP_MAX ? [] : items.map((item) => entryOf(textOf(item), itemsBelow(item), depth + 1, true));
  return {
    label: plainInline(writeTitle(content ?? html, { unlinked: true })),
    href: href?.replaceAll("&amp;", "&"),
    isTitled,
    children,
  };
}

const textOf = (item: AbstractBlock): string | null =>
  "text" in item && typeof item.text === "string" ? item.text : null;

/** The items of the lists in an item, be it in a block or not. */
function itemsBelow(item: AbstractBlock): AbstractBlock[] {
  return item.blocks.flatMap((block) => {
    const list = block.context === "open" ? block.blocks[0] : block;
    return list?.context === "ulist" ? list.blocks : [];
  });
}
