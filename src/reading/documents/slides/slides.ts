import { type Block, createBody, hasWords, plainSpans, type Span } from "../blocks/blocks.ts";
import { type Box, inReadingOrder, type Slide, writeSlide } from "../deck/deck.ts";
import type { DocumentReader } from "../document.ts";
import { pictureWords, readDrawings } from "../drawing/drawing.ts";
import {
  type DocumentPackage,
  dataOf,
  openOffice,
  type Relationship,
  readRelationships,
  targetOfType,
  toDocument,
} from "../package/package.ts";
import { attributeOf, childOf, childrenOf, descendantsOf, parseXml, type XmlElement } from "../xml/xml.ts";
import { boxOf, createLayouts, type Layout, type Layouts } from "./layouts.ts";
import { listStyle, NO_LIST, readSlideTable, readSpans, readTextBody, type TextStyle } from "./text.ts";

/** Reads a presentation of PowerPoint 2007 or later: what its slides show, and what is said to them. */
export const readSlides: DocumentReader = async (content, bounds) => {
  const opened = await openOffice(content, bounds, {
    what: "a presentation",
    folder: "ppt",
    usualPart: "ppt/presentation.xml",
  });
  if ("unreadable" in opened) return opened;
  const { source, main, relationships } = opened;
  const { root, fault } = parseXml(main);
  const faults = fault === undefined ? [] : [`is damaged: ${fault}`];
  const parts = childrenOf(childOf(root, "p:sldIdLst"), "p:sldId").flatMap((slide) => {
    const target = relationships.get(attributeOf(slide, "r:id") ?? "")?.target;
    return target === undefined ? [] : [target];
  });
  if (parts.length > bounds.pagesMax)
    faults.push(`has ${parts.length} slides, of which the first ${bounds.pagesMax} are read`);
  const layouts = createLayouts(source);
  const body = createBody(bounds.charactersMax);
  let hidden = 0;
  let title: readonly Span[] | undefined;
  for (const [index, part] of parts.slice(0, bounds.pagesMax).entries()) {
    const slide = await readSlide(source, part, index + 1, { layouts, faults });
    if (slide === "hidden") hidden += 1;
    else if (slide !== undefined) {
      if (index === 0) title = slide.title;
      writeSlide(slide, body);
    }
  }
  if (hidden > 0) faults.push(`has ${hidden === 1 ? "a hidden slide" : `${hidden} hidden slides`}, left out`);
  if (body.isFull())
    faults.push(`has more than ${bounds.charactersMax} characters, of which the first are read`);
  const shownTitle = title === undefined ? "" : plainSpans(title).replace(/\s+/g, " ").trim();
  return toDocument(
    {
      data: dataOf({ ...opened.data, title: shownTitle || opened.data["title"] }),
      markdown: body.finish(),
      faults: [...source.faults(), ...faults],
    },
    parts.length === 0 ? "has no slides" : "has no text: its slides are pictures, or empty",
  );
};

async function readSlide(
  source: DocumentPackage,
  part: string,
  number: number,
  { layouts, faults }: { layouts: Layouts; faults: string[] },
): Promise<Slide | "hidden" | undefined> {
  const content = await source.read(part);
  if (content === undefined) {
    faults.push(`lacks its slide ${number}`);
    return undefined;
  }
  const { root, fault } = parseXml(content);
  if (fault !== undefined) faults.push(`is damaged in its slide ${number}: ${fault}`);
  if (/^(?:0|false)$/.test(attributeOf(root, "show") ?? "")) return "hidden";
  const relationships = await readRelationships(source, part);
  const drawings = await readDrawings(source, relationships);
  const layout = await layouts.of(relationships);
  const shapes = readShapes(childOf(root, "p:cSld", "p:spTree"), { layout, relationships, drawings });
  const notes = await readNotes(source, targetOfType(relationships, "notesSlide"));
  return { number, title: shapes.title, blocks: shapes.blocks.filter(hasWords), notes };
}

/** What the speaker wrote below a slide. */
async function readNotes(source: DocumentPackage, part: string | undefined): Promise<Block[]> {
  const content = part === undefined ? undefined : await source.read(part);
  if (part === undefined || content === undefined) return [];
  const relationships = await readRelationships(source, part);
  return descendantsOf(parseXml(content).root, "p:sp")
    .filter((shape) => attributeOf(childOf(shape, "p:nvSpPr", "p:nvPr", "p:ph"), "type") === "body")
    .flatMap((shape) => readTextBody(childOf(shape, "p:txBody"), NO_LIST, relationships))
    .filter(hasWords);
}

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
function readShapes(tree: XmlElement | undefined, parts: SlideParts): { title: Span[]; blocks: Block[] } {
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
