import { attribute, type HtmlElement, isElement } from "./dom.ts";
import { type BlockPlace, type HtmlWriting, MAX_CONTAINERS } from "./writing.ts";

/** Writes a list, with the items' lines indented under their words. */
export function writeList(list: HtmlElement, place: BlockPlace, out: string[], writing: HtmlWriting): void {
  const { survey } = writing;
  // Steps with their own headings are sections of the page.
  if (place.containers >= MAX_CONTAINERS || (place.opensSections && survey.holdsHeading(list))) {
    for (const item of list.childNodes) if (isElement(item)) writing.blocks([item], place, out);
    return;
  }
  const inside = { ...place, containers: place.containers + 1, opensSections: false };
  const items: string[] = [];
  let number = firstNumber(list);
  let loose = false;
  for (const child of list.childNodes) {
    const blocks: string[] = [];
    // Browsers show content between items, so it becomes an item.
    writing.blocks(
      isElement(child) && child.tagName === "li" && !survey.isNoise(child) ? child.childNodes : [child],
      inside,
      blocks,
    );
    if (blocks.length === 0) continue;
    const marker = list.tagName === "ol" ? `${number}. ` : "- ";
    number += 1;
    const text = joinBlocks(blocks);
    loose ||= text.includes("\n\n");
    items.push(marker + indent(text, marker.length));
  }
  if (items.length > 0) out.push(items.join(loose ? "\n\n" : "\n"));
}

/** Writes a quotation. */
export function writeQuote(quote: HtmlElement, place: BlockPlace, out: string[], writing: HtmlWriting): void {
  if (place.containers >= MAX_CONTAINERS) {
    writing.blocks(quote.childNodes, place, out);
    return;
  }
  const blocks: string[] = [];
  const inside = { ...place, containers: place.containers + 1, opensSections: false };
  writing.blocks(quote.childNodes, inside, blocks);
  if (blocks.length === 0) return;
  const lines = blocks.join("\n\n").split("\n");
  out.push(lines.map((line) => (line === "" ? ">" : `> ${line}`)).join("\n"));
}

/** A list directly under an item's words stays close to them. */
function joinBlocks(blocks: string[]): string {
  return blocks.reduce((text, block) => {
    const close = /^(?:- |\d+\. )/.test(block) && !block.includes("\n\n") && !text.includes("\n\n");
    return text + (close ? "\n" : "\n\n") + block;
  });
}

function indent(text: string, columns: number): string {
  return text.replace(/\n(?=[^\n])/g, `\n${" ".repeat(columns)}`);
}

function firstNumber(list: HtmlElement): number {
  const start = Number(attribute(list, "start") ?? 1);
  return Number.isInteger(start) && start >= 0 && start < 1e6 ? start : 1;
}
