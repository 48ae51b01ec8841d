import type { AbstractBlock } from "@asciidoctor/core";
import { placeMark } from "../anchors.ts";
import { writeTab } from "../callouts.ts";
import { type Definition, writeDefinition, writeDefinitions } from "../definition-list.ts";
import { writeInline, writeTitle } from "./inline.ts";
import { NESTED_MAX, type Writing } from "./writing.ts";

/** An item of a list, or a term, as far as it is looked at. */
interface Item extends AbstractBlock {
  text: string | null;
}

const isItem = (value: unknown): value is Item =>
  typeof value === "object" && value !== null && "text" in value && "blocks" in value;

/** A list with numbers, with dots, or of what the numbers in code mean. */
export async function writeList(list: AbstractBlock, writing: Writing): Promise<string> {
  const inside = { ...writing, nested: writing.nested + 1 };
  const isFlat = writing.nested >= NESTED_MAX;
  const items: string[] = [];
  let number = firstNumber(list);
  for (const item of list.blocks) {
    if (!isItem(item)) continue;
    const marker = list.context === "ulist" ? "- " : `${number}. `;
    number += 1;
    const text = checkOf(item) + writeInline(item.text);
    const body = joinBlocks([text, ...(await writing.blocks(item.blocks, inside))]);
    if (body !== "") items.push(isFlat ? body : marker + indent(body, marker.length));
  }
  return items.join(isFlat || items.some((item) => item.includes("\n\n")) ? "\n\n" : "\n");
}

function firstNumber(list: AbstractBlock): number {
  const start = Number(list.getAttribute("start") ?? 1);
  return Number.isInteger(start) && start >= 0 && start < 1e6 ? start : 1;
}

const checkOf = (item: Item) =>
  item.hasAttribute("checkbox") ? (item.hasAttribute("checked") ? "[x] " : "[ ] ") : "";

/** A list directly under an item's words stays close to them. */
function joinBlocks(blocks: readonly string[]): string {
  return blocks
    .filter((block) => block !== "")
    .reduce((text, block) => {
      const isClose = /^(?:- |\d+\. )/.test(block) && !block.includes("\n\n") && !text.includes("\n\n");
      return text + (text === "" ? "" : isClose ? "\n" : "\n\n") + block;
    }, "");
}

const indent = (text: string, columns: number) => text.replace(/\n(?=[^\n])/g, `\n${" ".repeat(columns)}`);

/** A term with the places that it is. */
const writeTerm = ({ id, text }: Item) => placeMark(id ?? "") + writeTitle(text, { keepsPlaces: true });

/** A place that a term marks stays with it, as a tab's label is words alone. */
const writeTabOf = ({ terms, blocks }: Definition) =>
  writeTab(terms.join(", "), blocks, { isNested: terms.some((term) => term.includes("<")) });

/** Terms with what they mean. */
export async function writeDescriptions(list: AbstractBlock, writing: Writing): Promise<string[]> {
  const isFlat = writing.isTabs || writing.nested >= NESTED_MAX;
  const inside = { ...writing, nested: writing.nested + (isFlat ? 0 : 1), isTabs: false };
  const definitions: Definition[] = [];
  for (const entry of list.blocks) {
    const [terms, description]: unknown[] = Array.isArray(entry) ? entry : [];
    if (!Array.isArray(terms)) continue;
    const blocks = isItem(description)
      ? [writeInline(description.text), ...(await writing.blocks(description.blocks, inside))]
      : [];
    definitions.push({ terms: terms.filter(isItem).map(writeTerm), blocks });
  }
  if (writing.isTabs && writing.nested === 0) return definitions.flatMap(writeTabOf);
  return isFlat ? definitions.flatMap(writeDefinition) : writeDefinitions(definitions);
}
