import type { ListItem } from "./block.ts";
import { writeSpans } from "./spans.ts";

/** Lists nested deeper are not indented further. */
const LEVELS_MAX = 10;

interface OpenList {
  /** The level that the document gives it. */
  level: number;
  indent: number;
  isOrdered: boolean;
  number: number;
  delimiter: "." | ")";
}

/** Items of a list as Markdown, nested by their levels. */
export function writeItems(items: readonly ListItem[]): string {
  const open: OpenList[] = [];
  return items.flatMap((item) => writeItem(item, open)).join("\n");
}

function writeItem(item: ListItem, open: OpenList[]): string[] {
  const label = item.label === undefined ? [] : [{ text: `${item.label} ` }];
  const words = writeSpans([...label, ...item.spans]);
  if (words === "") return [];
  while ((open.at(-1)?.level ?? -1) > item.level) open.pop();
  const before = open.at(-1);
  const current = before?.level === item.level ? before : openList(item, open);
  const isOrdered = item.number !== undefined;
  const continues = current.isOrdered === isOrdered && (item.number ?? 0) === current.number + 1;
  // Another mark begins another list, where Markdown would count on.
  if (isOrdered && current.isOrdered && !continues) current.delimiter = current.delimiter === "." ? ")" : ".";
  current.isOrdered = isOrdered;
  current.number = item.number ?? 0;
  const marker = isOrdered ? `${Math.min(item.number ?? 1, 999_999_999)}${current.delimiter} ` : "- ";
  const indent = " ".repeat(current.indent);
  return [indent + marker + words.replace(/\n/g, `\n${indent}${" ".repeat(marker.length)}`)];
}

function openList({ level, number }: ListItem, open: OpenList[]): OpenList {
  const outer = open.at(-1);
  const isDeep = open.length >= LEVELS_MAX;
  const outerWidth = outer === undefined ? 0 : outer.isOrdered ? `${outer.number}. `.length : 2;
  const list: OpenList = {
    level,
    indent: outer === undefined ? 0 : outer.indent + (isDeep ? 0 : outerWidth),
    isOrdered: number !== undefined,
    number: (number ?? 1) - 1,
    delimiter: ".",
  };
  open.push(list);
  return list;
}
