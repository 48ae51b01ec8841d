import { type Block, createBody, hasWords, plainSpans, type Span } from "../blocks/blocks.ts";
import { type Box, inReadingOrder, type Slide, writeSlide } from "../deck/deck.ts";
import type { DocumentReader } from "../document.ts";
import { dataOf, toDocument } from "../package/package.ts";
import { attributeOf, childrenOf, readXmlPieces, type XmlElement } from "../xml/xml.ts";
import { createContext, type TextContext } from "./context.ts";
import { readShape } from "./inline.ts";
import { openDocument } from "./open.ts";
import { readBlocks } from "./read-blocks.ts";

/** Reads a presentation of LibreOffice and others: what its slides show, and what is said to them. */
export const readOpenSlides: DocumentReader = async (content, bounds) => {
  const opened = await openDocument(content, bounds, {
    what: "an OpenDocument presentation",
    body: "office:presentation",
  });
  if ("unreadable" in opened) return opened;
  const faults: string[] = [];
  const body = createBody(bounds.charactersMax);
  let number = 0;
  let hidden = 0;
  let title: string | undefined;
  const fault = readXmlPieces(opened.content, {
    isPiece: (name) => name === "draw:page",
    take(page) {
      number += 1;
      if (number > bounds.pagesMax || body.isFull()) return "stop";
      if (opened.styles.get("drawing-page", attributeOf(page, "draw:style-name")).isHidden) {
        hidden += 1;
        return undefined;
      }
      const slide = readSlide(page, number, createContext(opened.styles, opened.objects));
      if (number === 1) title = plainSpans(slide.title).replace(/\s+/g, " ").trim();
      writeSlide(slide, body);
      return undefined;
    },
  });
  if (fault !== undefined) faults.push(`is damaged: ${fault}; what comes after is not read`);
  if (number > bounds.pagesMax)
    faults.push(`has more than ${bounds.pagesMax} slides, of which the first are read`);
  if (body.isFull())
    faults.push(`has more than ${bounds.charactersMax} characters, of which the first are read`);
  if (hidden > 0) faults.push(`has ${hidden === 1 ? "a hidden slide" : `${hidden} hidden slides`}, left out`);
  return toDocument(
    {
      data: dataOf({ ...opened.data, title: title || opened.data["title"] }),
      markdown: body.finish(),
      faults: [...opened.source.faults(), ...faults],
    },
    number === 0 ? "has no slides" : "has no text: its slides are pictures, or empty",
  );
};

interface Shape {
  box: Box | undefined;
  blocks: readonly Block[];
  isTitle: boolean;
}

/** Places that are filled by the program. */
const FURNITURE = /^(?:header|footer|date-time|page-number|page|handout)$/;

function readSlide(page: XmlElement, number: number, context: TextContext): Slide {
  const shapes = childrenOf(page)
    .filter(({ name }) => /^(?:draw|dr3d):/.test(name))
    .flatMap((shape) => readPlaced(shape, context));
  const title = shapes.find(({ isTitle }) => isTitle);
  const notes = childrenOf(page, "presentation:notes")
    .flatMap((each) => childrenOf(each))
    .filter((shape) => attributeOf(shape, "presentation:class") === "notes")
    .flatMap((shape) => readPlaced(shape, context))
    .flatMap(({ blocks }) => blocks);
  const blocks = inReadingOrder(shapes.filter((shape) => shape !== title)).flatMap((shape) => shape.blocks);
  return {
    number,
    title: title === undefined ? [] : titleSpans(title.blocks),
    blocks: blocks.filter(hasWords),
    notes,
  };
}

function readPlaced(shape: XmlElement, context: TextContext): Shape[] {
  const role = attributeOf(shape, "presentation:class");
  if (role !== undefined && FURNITURE.test(role)) return [];
  if (attributeOf(shape, "presentation:placeholder") === "true") return [];
  const blocks = readShape(shape, context, readBlocks);
  return [{ box: boxOf(shape), blocks, isTitle: role === "title" && blocks.some(hasWords) }];
}

const titleSpans = (blocks: readonly Block[]): Span[] =>
  blocks.flatMap((block, index) =>
    "spans" in block ? [...(index === 0 ? [] : [{ text: " " }]), ...block.spans] : [],
  );

const CENTIMETRES: Record<string, number> = {
  cm: 1,
  mm: 0.1,
  in: 2.54,
  pt: 2.54 / 72,
  px: 2.54 / 96,
  pc: 2.54 / 6,
};

function boxOf(shape: XmlElement): Box | undefined {
  const [left, top] = [length(attributeOf(shape, "svg:x")), length(attributeOf(shape, "svg:y"))];
  if (left === undefined || top === undefined) return undefined;
  const width = length(attributeOf(shape, "svg:width")) ?? 0;
  return { left, top, width, height: length(attributeOf(shape, "svg:height")) ?? 0 };
}

function length(written: string | undefined): number | undefined {
  const [, number, unit = ""] = /^(-?[\d.]{1,20})([a-z]{2})$/.exec(written ?? "") ?? [];
  const factor = CENTIMETRES[unit];
  return number === undefined || factor === undefined ? undefined : Number(number) * factor;
}
