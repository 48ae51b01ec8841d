import { type Block, createBody, hasWords, plainSpans, type Span } from "../blocks/blocks.ts";
import { type Slide, writeSlide } from "../deck/deck.ts";
import type { DocumentReader } from "../document.ts";
import { readDrawings } from "../drawing/drawing.ts";
import {
  type DocumentPackage,
  dataOf,
  openOffice,
  readRelationships,
  targetOfType,
  toDocument,
} from "../package/package.ts";
import { attributeOf, childOf, childrenOf, descendantsOf, parseXml } from "../xml/xml.ts";
import { createLayouts, type Layouts } from "./layouts.ts";
import { readShapes } from "./shapes.ts";
import { NO_LIST, readTextBody } from "./text.ts";

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
