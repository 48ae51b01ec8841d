import {
  append,
  type Block,
  type Cell,
  hasWords,
  plainSpans,
  type Row,
  type Span,
  type Table,
} from "../blocks/blocks.ts";
import { attributeOf, childOf, childrenOf, type XmlElement } from "../xml/xml.ts";
import type { ReadBlocks, WordContext } from "./context.ts";
import { chosenContent, type Inline, isPlaceholder, readInline, waitForWords } from "./inline.ts";
import type { Marker } from "./numbering.ts";
import { outlineLevel, type Style } from "./styles.ts";

/** A heading with more characters is a paragraph that only looks like one. */
const HEADING_CHARACTERS_MAX = 300;

/** Of paragraphs that became one by what was deleted between them. */
const CARRIED_SPANS_MAX = 1_000;

/** Reads the blocks of a document, or of a part of it. */
export function readBlocks(elements: readonly XmlElement[], context: WordContext): Block[] {
  const blocks: Block[] = [];
  for (const element of flattened(elements, context)) {
    if (element.name === "w:p") {
      const { inline, style, properties } = readParagraph(element, context);
      const spans = [...context.carried, ...inline.spans];
      context.carried = [];
      const isEndDeleted = childOf(properties, "w:rPr", "w:del") !== undefined;
      if (!isEndDeleted || spans.length > CARRIED_SPANS_MAX)
        append(blocks, paragraphBlocks({ ...inline, spans }, style, properties, context));
      else {
        context.carried = spans;
        append(blocks, inline.after);
      }
    } else if (element.name === "w:tbl")
      blocks.push({ kind: "table", table: readTable(element, context, readBlocks) });
    else if (element.name === "w:altChunk")
      append(blocks, context.embedded.get(attributeOf(element, "r:id") ?? "") ?? []);
    else if (element.name === "w:bookmarkStart") waitForWords(attributeOf(element, "w:name"), context);
    else if (element.name === "m:oMathPara") append(blocks, readParagraphOf(element, context));
  }
  // An empty line is a part of code, and of nothing else.
  return blocks.filter((block) => block.kind === "code" || hasWords(block));
}

/** Elements that only surround others give way to those; what was deleted is left out. */
function flattened(elements: readonly XmlElement[], context: WordContext): XmlElement[] {
  return elements.flatMap((element): XmlElement[] => {
    switch (element.name) {
      case "w:sdt":
        return isContents(element) || isPlaceholder(element)
          ? []
          : flattened(childrenOf(childOf(element, "w:sdtContent")), context);
      case "w:ins":
      case "w:moveTo":
      case "w:customXml":
      case "w:smartTag":
        return flattened(childrenOf(element), context);
      case "mc:AlternateContent":
        return flattened(childrenOf(chosenContent(element, context)), context);
      default:
        return [element];
    }
  });
}

/** Whether a content control is a table of contents. */
function isContents(control: XmlElement): boolean {
  const gallery = childOf(control, "w:sdtPr", "w:docPartObj", "w:docPartGallery");
  return /^table of contents$/i.test(attributeOf(gallery, "w:val") ?? "");
}

interface Paragraph {
  inline: Inline;
  style: Style;
  properties: XmlElement | undefined;
}

function readParagraph(element: XmlElement, context: WordContext): Paragraph {
  const properties = childOf(element, "w:pPr");
  const style = context.styles.get(attributeOf(childOf(properties, "w:pStyle"), "w:val"));
  if (style.headingLevel !== undefined && context.fields.isInContents()) context.fields.endContents();
  return { inline: readInline(element, style, context, readBlocks), style, properties };
}

function readParagraphOf(element: XmlElement, context: WordContext): Block[] {
  const { spans, after } = readInline(element, context.styles.paragraph, context, readBlocks);
  return [{ kind: "paragraph", spans }, ...after];
}

function paragraphBlocks(
  { spans, after }: Inline,
  style: Style,
  properties: XmlElement | undefined,
  context: WordContext,
): Block[] {
  if (style.isContents) return after;
  const marker = markerOf(style, properties, context);
  const words = plainSpans(spans).trim();
  const own = outlineLevel(properties);
  const level = own === "body" ? undefined : (own ?? style.headingLevel);
  if (words === "")
    return [style.isCode ? { kind: "code", text: "" } : { kind: "paragraph", spans }, ...after];
  if (style.isTitle && words.length <= HEADING_CHARACTERS_MAX)
    return [titleBlock(spans, words, context), ...after];
  if (level !== undefined && words.length <= HEADING_CHARACTERS_MAX) {
    context.titles.heading ??= words;
    return [headingBlock(spans, level, marker, context), ...after];
  }
  if (style.isCode || (marker === undefined && isAllCode(spans)))
    return [{ kind: "code", text: codeText(spans) }, ...after];
  if (marker === undefined) return [{ kind: "paragraph", spans }, ...after];
  const { level: depth, number, label } = marker;
  return [
    { kind: "item", level: depth, number, label: number === undefined ? label : undefined, spans },
    ...after,
  ];
}

function titleBlock(spans: Span[], words: string, { titles, headingShift }: WordContext): Block {
  // Only what comes before all headings can stand above them.
  if (titles.title === undefined && titles.heading === undefined) {
    titles.title = words;
    headingShift.levels = 1;
    return { kind: "heading", level: 1, spans };
  }
  return { kind: "heading", level: titles.title === words ? 1 : 1 + headingShift.levels, spans };
}

function headingBlock(spans: Span[], level: number, marker: Marker | undefined, context: WordContext): Block {
  const [place] = spans.flatMap((span) => ("place" in span ? [span.place] : []));
  const others = spans.filter((span) => !("place" in span) || span.place !== place);
  const number: Span[] = marker?.label === undefined ? [] : [{ text: `${marker.label} ` }];
  return {
    kind: "heading",
    level: level + context.headingShift.levels,
    spans: [...number, ...others],
    id: place,
  };
}

/** What stands before a paragraph by its own properties, or those of its style. */
function markerOf(
  style: Style,
  properties: XmlElement | undefined,
  { numbering }: WordContext,
): Marker | undefined {
  const own = childOf(properties, "w:numPr");
  const numId = attributeOf(childOf(own, "w:numId"), "w:val") ?? style.list?.numId;
  if (numId === undefined || numId === "0") return undefined;
  const level = attributeOf(childOf(own, "w:ilvl"), "w:val");
  const styleId = attributeOf(childOf(properties, "w:pStyle"), "w:val");
  return numbering.next(numId, level === undefined ? style.list?.level : Number(level) || 0, styleId);
}

const isAllCode = (spans: readonly Span[]) =>
  spans.every(
    (span) => "lineBreak" in span || ("text" in span && (span.code === true || span.text.trim() === "")),
  ) && spans.some((span) => "text" in span && span.code === true);

const codeText = (spans: readonly Span[]) => plainSpans(spans).replaceAll("\t", "    ").trimEnd();

const EMPTY_CELLS_MAX = 60;

/** Reads a table. Rows and cells that were deleted are left out. */
function readTable(table: XmlElement, context: WordContext, readBlocks: ReadBlocks): Table {
  const rows = within(table, "w:tr").filter((row) => childOf(row, "w:trPr", "w:del") === undefined);
  return { rows: rows.map((row) => readRow(row, context, readBlocks)) };
}

function readRow(row: XmlElement, context: WordContext, readBlocks: ReadBlocks): Row {
  const before = Number(attributeOf(childOf(row, "w:trPr", "w:gridBefore"), "w:val") ?? 0) || 0;
  const cells: Cell[] = before > 0 ? [{ blocks: [], columns: Math.min(before, EMPTY_CELLS_MAX) }] : [];
  for (const cell of within(row, "w:tc")) {
    const properties = childOf(cell, "w:tcPr");
    if (childOf(properties, "w:cellDel") !== undefined) continue;
    cells.push({
      blocks: readBlocks(childrenOf(cell), context),
      columns: Number(attributeOf(childOf(properties, "w:gridSpan"), "w:val") ?? 1) || 1,
      isContinued: isMerged(childOf(properties, "w:vMerge")),
    });
  }
  return { cells };
}

/** A cell that says no more than that it is merged goes on from the one above. */
const isMerged = (merge: XmlElement | undefined) =>
  merge !== undefined && (attributeOf(merge, "w:val") ?? "continue") === "continue";

/** The rows of a table, or the cells of a row: also those that a control or a change surrounds. */
function within(element: XmlElement, name: string): XmlElement[] {
  return childrenOf(element).flatMap((child) => {
    if (child.name === name) return [child];
    if (child.name === "w:sdt") return within(childOf(child, "w:sdtContent") ?? child, name);
    return child.name === "w:customXml" || child.name === "w:ins" ? within(child, name) : [];
  });
}
