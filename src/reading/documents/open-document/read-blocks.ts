import { type Block, hasWords, plainSpans, type Span } from "../blocks/blocks.ts";
import { attributeOf, childrenOf, type XmlElement } from "../xml/xml.ts";
import type { Inline, TextContext } from "./context.ts";
import { readInline, readShape } from "./inline.ts";
import { readList } from "./lists.ts";
import { labelOf, type Style } from "./styles.ts";
import { readTable } from "./table.ts";

/** A heading with more characters is a paragraph that only looks like one. */
const HEADING_CHARACTERS_MAX = 300;
/** Lists of what stands elsewhere in the document. */
const CONTENTS = /^text:(?:table-of-content|illustration-index|table-index|object-index)$/;
const HOLDERS =
  /^(?:text:(?:section|index-body|bibliography|alphabetical-index|user-index|numbered-paragraph|index-title)|office:text)$/;

/** Reads the blocks of a document, or of a part of it. */
export function readBlocks(elements: readonly XmlElement[], context: TextContext): Block[] {
  return elements
    .flatMap((element) => readBlock(element, context))
    .filter((block) => block.kind === "code" || hasWords(block));
}

function readBlock(element: XmlElement, context: TextContext): Block[] {
  switch (element.name) {
    case "text:p":
    case "text:h":
      return readParagraph(element, context);
    case "text:list":
    case "text:ordered-list":
    case "text:unordered-list":
      return readList(element, context, { paragraph: readParagraph, block: readBlock });
    case "table:table":
      return [{ kind: "table", table: readTable(element, context, readBlocks) }];
    default:
      if (CONTENTS.test(element.name)) return [];
      if (HOLDERS.test(element.name))
        return attributeOf(element, "text:display") === "none"
          ? []
          : readBlocks(childrenOf(element), context);
      return element.name.startsWith("draw:") ? readShape(element, context, readBlocks) : [];
  }
}

function readParagraph(element: XmlElement, context: TextContext, label?: string): Block[] {
  const style = context.styles.get("paragraph", attributeOf(element, "text:style-name"));
  if (style.isContents || style.isHidden) return [];
  const inline = readInline(element, style, context, readBlocks);
  const words = plainSpans(inline.spans).trim();
  const isHeading = element.name === "text:h" || style.outlineLevel !== undefined;
  if (words === "") return [style.isCode ? { kind: "code", text: "" } : paragraphOf(inline), ...inline.after];
  if (style.isTitle && words.length <= HEADING_CHARACTERS_MAX)
    return [titleBlock(inline, words, context), ...inline.after];
  if (isHeading && words.length <= HEADING_CHARACTERS_MAX) {
    const level =
      Number(
        attributeOf(element, "text:outline-level") ??
          attributeOf(element, "text:level") ??
          style.outlineLevel ??
          1,
      ) || 1;
    const number =
      attributeOf(element, "text:is-list-header") === "true" ? "" : (label ?? headingNumber(level, context));
    return [headingBlock(inline.spans, level, number, context), ...inline.after];
  }
  if (isCode(style, inline.spans)) return [{ kind: "code", text: codeText(inline.spans) }, ...inline.after];
  return [paragraphOf(inline), ...inline.after];
}

const paragraphOf = ({ spans }: Inline): Block => ({ kind: "paragraph", spans });

function titleBlock({ spans }: Inline, words: string, { titles, headingShift }: TextContext): Block {
  if (titles.title === undefined && titles.heading === undefined) {
    titles.title = words;
    headingShift.levels = 1;
    return { kind: "heading", level: 1, spans };
  }
  return { kind: "heading", level: 1 + headingShift.levels, spans };
}

function headingBlock(spans: readonly Span[], level: number, number: string, context: TextContext): Block {
  context.titles.heading ??= plainSpans(spans).trim();
  const [place] = spans.flatMap((span) => ("place" in span ? [span.place] : []));
  const others = spans.filter((span) => !("place" in span) || span.place !== place);
  const shown: Span[] = number === "" ? [] : [{ text: `${number} ` }];
  return {
    kind: "heading",
    level: level + context.headingShift.levels,
    spans: [...shown, ...others],
    id: place,
  };
}

/** The number that the outline gives a heading; "" where it gives none. */
function headingNumber(level: number, { styles, headings }: TextContext): string {
  if (styles.outline.get(level)?.isNumbered !== true) return "";
  headings[level] = (headings[level] ?? (styles.outline.get(level)?.start ?? 1) - 1) + 1;
  headings.length = level + 1;
  return labelOf(styles.outline, level, headings);
}

function isCode(style: Style, spans: readonly Span[]): boolean {
  if (style.isCode) return true;
  return (
    spans.every(
      (span) => "lineBreak" in span || ("text" in span && (span.code === true || span.text.trim() === "")),
    ) && spans.some((span) => "text" in span && span.code === true && span.text.trim() !== "")
  );
}

const codeText = (spans: readonly Span[]) => plainSpans(spans).replaceAll("\t", "    ").trimEnd();
