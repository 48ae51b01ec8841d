import { append, type Block } from "../blocks/blocks.ts";
import { attributeOf, childrenOf, type XmlElement } from "../xml/xml.ts";
import type { TextContext } from "./context.ts";
import { type ListLevel, labelOf } from "./styles.ts";

interface BlockReaders {
  paragraph(element: XmlElement, context: TextContext, label?: string): Block[];
  block(element: XmlElement, context: TextContext): Block[];
}

interface OpenList {
  level: number;
  styleName: string | undefined;
  counters: number[];
}

/** Further paragraphs of an item with more are paragraphs of their own. */
const ITEM_SPANS_MAX = 500;
const NO_LEVELS: ReadonlyMap<number, ListLevel> = new Map();
const LISTS = /^text:(?:list|ordered-list|unordered-list)$/;

/** Reads a list: items with their levels, and what else stands in it. */
export function readList(element: XmlElement, context: TextContext, readers: BlockReaders): Block[] {
  return readLevel(element, { level: 0, styleName: undefined, counters: [] }, context, readers);
}

function readLevel(
  element: XmlElement,
  outer: OpenList,
  context: TextContext,
  readers: BlockReaders,
): Block[] {
  const styleName =
    attributeOf(element, "text:style-name") ?? outer.styleName ?? styleOfFirst(element, context);
  const level = outer.level + 1;
  const own = levelsOf(element, styleName, context);
  const { counted } = context;
  const goesOn =
    attributeOf(element, "text:continue-numbering") === "true" ||
    attributeOf(element, "text:continue-list") !== undefined;
  if (level === 1 && goesOn) outer.counters.push(...(counted.get(styleName ?? "") ?? []));
  const list: OpenList = { level, styleName, counters: outer.counters };
  list.counters.length = Math.min(list.counters.length, goesOn ? level + 1 : level);
  const blocks = childrenOf(element).flatMap((item) => {
    const isHeader = item.name === "text:list-header";
    if (item.name !== "text:list-item" && !isHeader) return [];
    return readItem(item, { list, levels: own, isHeader }, context, readers);
  });
  if (level === 1) counted.set(styleName ?? "", [...list.counters]);
  return blocks;
}

/** The levels of a list's style; lists of OpenOffice 1 say by their names whether they are numbered. */
function levelsOf(
  element: XmlElement,
  styleName: string | undefined,
  { styles }: TextContext,
): ReadonlyMap<number, ListLevel> {
  const levels = styles.list(styleName);
  if (levels !== undefined) return levels;
  if (element.name !== "text:ordered-list") return NO_LEVELS;
  const plain = { isNumbered: true, format: "1", prefix: "", suffix: ".", start: 1, shown: 1 };
  return new Map(Array.from({ length: 10 }, (_, at) => [at + 1, plain]));
}

/** A list without a style of its own has that of its first paragraph. */
function styleOfFirst(element: XmlElement, { styles }: TextContext): string | undefined {
  const [item] = childrenOf(element);
  const paragraph = childrenOf(item).find(({ name }) => name === "text:p" || name === "text:h");
  return paragraph === undefined
    ? undefined
    : styles.get("paragraph", attributeOf(paragraph, "text:style-name")).listStyle;
}

interface ItemPlace {
  list: OpenList;
  levels: ReadonlyMap<number, ListLevel>;
  isHeader: boolean;
}

function readItem(
  item: XmlElement,
  { list, levels, isHeader }: ItemPlace,
  context: TextContext,
  readers: BlockReaders,
): Block[] {
  const { level, counters } = list;
  const own = levels.get(level);
  const blocks: Block[] = [];
  const holdsWords = childrenOf(item).some(({ name }) => name === "text:p" || name === "text:h");
  if (holdsWords && !isHeader) {
    const start = Number(attributeOf(item, "text:start-value") ?? Number.NaN);
    counters[level] = Number.isInteger(start) ? start : (counters[level] ?? (own?.start ?? 1) - 1) + 1;
    counters.length = level + 1;
  }
  const label = isHeader ? "" : labelOf(levels, level, counters);
  let isFirst = !isHeader;
  for (const child of childrenOf(item)) {
    if (LISTS.test(child.name)) append(blocks, readLevel(child, list, context, readers));
    else if (child.name !== "text:p" && child.name !== "text:h")
      append(blocks, readers.block(child, context));
    else {
      const read = readers.paragraph(child, context, isFirst ? label : "");
      const mark = {
        level: level - 1,
        label,
        number: own?.isNumbered === true ? (counters[level] ?? 1) : undefined,
      };
      append(blocks, asItem(read, isFirst ? mark : undefined, blocks, own));
      isFirst = false;
    }
  }
  return blocks;
}

interface Mark {
  level: number;
  label: string;
  number: number | undefined;
}

/** The first words of an item are its line, and further ones go on in it. */
function asItem(
  read: readonly Block[],
  mark: Mark | undefined,
  before: Block[],
  level: ListLevel | undefined,
): Block[] {
  const [first, ...rest] = read;
  if (first?.kind !== "paragraph") return [...read];
  if (mark === undefined) {
    const last = before.at(-1);
    if (last?.kind !== "item" || last.spans.length > ITEM_SPANS_MAX) return [...read];
    before.pop();
    return [{ ...last, spans: [...last.spans, { lineBreak: true }, ...first.spans] }, ...rest];
  }
  // A list whose numbers are not shown is one to the program alone.
  if (level !== undefined && !level.isNumbered && level.format !== "bullet") return [...read];
  const isPlain = mark.number !== undefined && mark.label.replace(/[.)]$/, "") === `${mark.number}`;
  const shown = isPlain ? { number: mark.number } : mark.label === "" ? {} : { label: mark.label };
  return [{ kind: "item", level: mark.level, ...shown, spans: first.spans }, ...rest];
}
