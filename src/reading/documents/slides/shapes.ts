import type { Block, Span } from "../blocks/blocks.ts";
import { type Box, inReadingOrder } from "../deck/deck.ts";
import { pictureWords } from "../drawing/drawing.ts";
import type { Relationship } from "../package/package.ts";
import { attributeOf, childOf, childrenOf, descendantsOf, type XmlElement } from "../xml/xml.ts";
import { boxOf, type Layout } from "./layouts.ts";
import { listStyle, NO_LIST, readSlideTable, readSpans, readTextBody, type TextStyle } from "./text.ts";

interface SlideParts {
  layout: Layout;
  relationships: ReadonlyMap<string, Relationship>;
  /** What charts and diagrams say, by the ids of their relationships. */
  drawings: ReadonlyMap<string, readonly Block[]>;
}

interface Shape {
  box: Box | undefined;
  blocks: readonly Block[];
  title?: readonly Span[];
  /** Whether it fills a place of the slide's layout. */
  isPlace?: boolean;
}

/** Places that are filled by the program. */
const FURNITURE = new Set(["dt", "ftr", "sldNum", "hdr", "sldImg"]);
const TITLES = new Set(["title", "ctrTitle"]);
const LISTS = new Set(["body", "obj"]);

/** What the shapes of a slide say, in reading order, with its title apart. */
export function readShapes(
  tree: XmlElement | undefined,
  parts: SlideParts,
): { title: Span[]; blocks: Block[] } {
  const shapes = shapesIn(tree, parts);
  const [title] = shapes.flatMap((shape) => (shape.title === undefined ? [] : [shape.title]));
  // The places of a layout come in the order in which one reads them, side by side as they may be.
  const isLaidOut = shapes.every(
    ({ title: own, isPlace, blocks }) => own !== undefined || isPlace === true || blocks.length === 0,
  );
  // Several titles are one, and words.
  const blocks = (isLaidOut ? shapes : inReadingOrder(shapes)).flatMap((shape) =>
    shape.title === undefined || shape.title === title
      ? shape.blocks
      : [{ kind: "paragraph", spans: shape.title } satisfies Block],
  );
  return { title: [...(title ?? [])], blocks };
}

function shapesIn(tree: XmlElement | undefined, parts: SlideParts): Shape[] {
  return childrenOf(tree).flatMap((element): Shape[] => {
    switch (element.name) {
      case "p:sp":
      case "p:cxnSp":
        return readShape(element, parts);
      case "p:grpSp":
        return readGroup(element, parts);
      case "p:graphicFrame":
        return [{ box: boxOf(childOf(element, "p:xfrm")), blocks: readFrame(element, parts) }];
      case "p:pic":
        return [{ box: boxOf(childOf(element, "p:spPr", "a:xfrm")), blocks: pictureBlocks(element) }];
      case "mc:AlternateContent":
        return shapesIn(chosen(element), parts);
      default:
        return [];
    }
  });
}

const SHAPES = new Set(["p:sp", "p:cxnSp", "p:grpSp", "p:graphicFrame", "p:pic"]);

/** Of content that stands there in several ways, the first that has shapes. */
function chosen(element: XmlElement): XmlElement | undefined {
  const ways = [...childrenOf(element, "mc:Choice"), ...childrenOf(element, "mc:Fallback")];
  return ways.find((way) => childrenOf(way).some(({ name }) => SHAPES.has(name))) ?? ways[0];
}

function readShape(element: XmlElement, { layout, relationships }: SlideParts): Shape[] {
  const mark = childOf(element, "p:nvSpPr", "p:nvPr", "p:ph");
  const type = mark === undefined ? undefined : (attributeOf(mark, "type") ?? "obj");
  if (type !== undefined && FURNITURE.has(type)) return [];
  const body = childOf(element, "p:txBody");
  const place =
    type === undefined ? undefined : layout(type === "obj" ? "body" : type, attributeOf(mark, "idx"));
  const box = boxOf(childOf(element, "p:spPr", "a:xfrm")) ?? place?.box;
  if (type !== undefined && TITLES.has(type)) {
    const lines = childrenOf(body, "a:p").map((paragraph) => readSpans(paragraph, relationships));
    const title = lines.flatMap((spans, index): Span[] => (index === 0 ? spans : [{ text: " " }, ...spans]));
    return title.some((span) => "text" in span && span.text.trim() !== "")
      ? [{ box, blocks: [], title }]
      : [];
  }
  const style = type !== undefined && LISTS.has(type) ? placeStyle(place?.listStyle) : NO_LIST;
  const blocks = readTextBody(body, style, relationships);
  const alt = blocks.length === 0 ? pictureBlocks(element) : [];
  return [{ box, blocks: [...blocks, ...alt], isPlace: type !== undefined }];
}

function placeStyle(list: XmlElement | undefined): TextStyle {
  const said = listStyle(list);
  return { isList: (level) => said(level) !== "none" };
}

/** A group is read as one shape: what is in it belongs together. */
function readGroup(element: XmlElement, parts: SlideParts): Shape[] {
  const inside = shapesIn(element, parts);
  const titles = inside.filter(({ title }) => title !== undefined);
  const blocks = inReadingOrder(inside.filter(({ title }) => title === undefined)).flatMap(
    (shape) => shape.blocks,
  );
  return [...titles, { box: boxOf(childOf(element, "p:grpSpPr", "a:xfrm")), blocks }];
}

function readFrame(element: XmlElement, { relationships, drawings }: SlideParts): Block[] {
  const tables = descendantsOf(element, "a:tbl").map(
    (table): Block => ({ kind: "table", table: readSlideTable(table, relationships) }),
  );
  const ids = [
    ...descendantsOf(element, "c:chart").map((chart) => attributeOf(chart, "r:id")),
    ...descendantsOf(element, "dgm:relIds").map((diagram) => attributeOf(diagram, "r:dm")),
  ];
  return [...tables, ...ids.flatMap((id) => drawings.get(id ?? "") ?? [])];
}

function pictureBlocks(element: XmlElement): Block[] {
  const [named] = childrenOf(element).flatMap((child) => childrenOf(child, "p:cNvPr"));
  const words = pictureWords(attributeOf(named, "descr"));
  return words === "" ? [] : [{ kind: "paragraph", spans: [{ text: words }] }];
}
