import { append, type Block, type Span } from "../blocks/blocks.ts";
import { pictureWords } from "../drawing/drawing.ts";
import {
  attributeOf,
  childOf,
  childrenOf,
  descendantsOf,
  isElementNode,
  textIn,
  type XmlElement,
} from "../xml/xml.ts";
import type { ReadBlocks, WordContext } from "./context.ts";
import { hrefOf } from "./fields.ts";
import { isOn, lookOf, type Style } from "./styles.ts";
import { symbolOf } from "./symbols.ts";

/** What a paragraph holds: its words, and what hangs on it, such as text boxes. */
export interface Inline {
  spans: Span[];
  /** Blocks that come after the paragraph. */
  after: Block[];
}

/** How words look at a place. */
interface Place {
  href?: string | undefined;
  isStrong: boolean;
  isEmphasis: boolean;
  isCode: boolean;
  isHidden: boolean;
  isRaised: boolean;
  font: string;
}

interface Writing extends Inline {
  context: WordContext;
  readBlocks: ReadBlocks;
  style: Style;
}

/** Elements whose text is none of the document's: what was deleted, and what describes. */
const SKIPPED = new Set(
  (
    "w:del w:moveFrom w:delText w:delInstrText w:pPr w:rPr w:sdtPr w:sdtEndPr w:fldData w:smartTagPr w:customXmlPr w:rubyPr " +
    "w:tblPr w:trPr w:tcPr w:comment w:annotationRef w:footnoteRef w:endnoteRef w:softHyphen w:ffData w:pgNum w:bookmarkEnd m:ctrlPr"
  ).split(" "),
);

/** Reads the content of a paragraph. */
export function readInline(
  paragraph: XmlElement,
  style: Style,
  context: WordContext,
  readBlocks: ReadBlocks,
): Inline {
  const writing: Writing = { spans: [], after: [], context, readBlocks, style };
  const place: Place = {
    isStrong: false,
    isEmphasis: false,
    isCode: false,
    isHidden: style.isHidden,
    isRaised: false,
    font: "",
  };
  readNodes(paragraph, place, writing);
  context.fields.endParagraph();
  return { spans: writing.spans, after: writing.after };
}

function readNodes(element: XmlElement, place: Place, writing: Writing): void {
  for (const child of element.children) {
    if (!isElementNode(child) || SKIPPED.has(child.name)) continue;
    const read = READERS.get(child.name);
    if (read === undefined) readNodes(child, place, writing);
    else read(child, place, writing);
  }
}

type Reader = (element: XmlElement, place: Place, writing: Writing) => void;

const READERS = new Map<string, Reader>([
  ["w:r", readRun],
  ["w:t", (element, place, writing) => putWords(wordsOf(element), place, writing)],
  ["m:t", (element, place, writing) => putWords(textIn(element), place, writing)],
  [
    "m:sSub",
    readScript([
      ["m:e", ""],
      ["m:sub", "_"],
    ]),
  ],
  [
    "m:sSup",
    readScript([
      ["m:e", ""],
      ["m:sup", "^"],
    ]),
  ],
  [
    "m:sSubSup",
    readScript([
      ["m:e", ""],
      ["m:sub", "_"],
      ["m:sup", "^"],
    ]),
  ],
  [
    "m:f",
    readScript([
      ["m:num", ""],
      ["m:den", "/"],
    ]),
  ],
  [
    "m:rad",
    readScript([
      ["m:deg", ""],
      ["m:e", "√"],
    ]),
  ],
  ["w:tab", (_, place, writing) => putWords("\t", place, writing)],
  ["w:ptab", (_, place, writing) => putWords("\t", place, writing)],
  ["w:noBreakHyphen", (_, place, writing) => putWords("-", place, writing)],
  ["w:cr", (_, _place, writing) => putBreak(writing)],
  ["w:br", readBreak],
  ["w:sym", readSymbol],
  ["w:fldChar", readFieldMark],
  ["w:instrText", (element, _, { context }) => context.fields.instruct(textIn(element))],
  ["w:fldSimple", readSimpleField],
  ["w:hyperlink", readLink],
  ["w:bookmarkStart", (element, _, { context }) => waitForWords(attributeOf(element, "w:name"), context)],
  ["w:footnoteReference", (element, place, writing) => putNote("footnote", element, place, writing)],
  ["w:endnoteReference", (element, place, writing) => putNote("endnote", element, place, writing)],
  ["w:sdt", readControl],
  ["w:ruby", readRuby],
  [
    "mc:AlternateContent",
    (element, place, writing) => readNodes(chosenContent(element, writing.context), place, writing),
  ],
  ["w:drawing", readDrawing],
  ["w:pict", readPicture],
  ["w:object", readPicture],
  ["w:txbxContent", readBox],
]);

/** A bookmark waits for the words that it is, if a link leads to it. */
export function waitForWords(name: string | undefined, { targets, places }: WordContext): void {
  if (name !== undefined && targets.has(name) && !places.includes(name)) places.push(name);
}

function readRun(run: XmlElement, outer: Place, writing: Writing): void {
  const properties = childOf(run, "w:rPr");
  const { context, style } = writing;
  if (properties === undefined && !style.isMono) {
    readNodes(run, outer, writing);
    return;
  }
  const styleId = attributeOf(childOf(properties, "w:rStyle"), "w:val");
  const named = styleId === undefined ? undefined : context.styles.get(styleId);
  const look = lookOf(properties);
  const fonts = childOf(properties, "w:rFonts");
  const isMono = !context.styles.isMonoByDefault && (look.isMono ?? (named?.isMono || style.isMono));
  const position = attributeOf(childOf(properties, "w:vertAlign"), "w:val");
  const place: Place = {
    ...outer,
    isStrong: look.isStrong ?? named?.isStrong ?? outer.isStrong,
    isEmphasis: look.isEmphasis ?? named?.isEmphasis ?? outer.isEmphasis,
    isCode: isMono || named?.isCode === true,
    isHidden: look.isHidden ?? named?.isHidden ?? outer.isHidden,
    isRaised: position === "superscript",
    font: attributeOf(fonts, "w:ascii") ?? attributeOf(fonts, "w:hAnsi") ?? "",
  };
  readNodes(run, place, writing);
}

/** The words of an element. Those that are set out over lines in the file are not so in the document. */
function wordsOf(element: XmlElement): string {
  const text = textIn(element);
  return text.includes("\n")
    ? text.replace(/(?<!\s)\s*\n\s*/g, attributeOf(element, "xml:space") === "preserve" ? " " : "")
    : text;
}

/** Characters of fonts that are pictures. */
const PRIVATE = /[\ue000-\uf8ff]/g;

function putWords(text: string, place: Place, writing: Writing): void {
  const { context, spans } = writing;
  if (text === "" || place.isHidden || !context.fields.isShown()) return;
  for (const name of context.places.splice(0)) spans.push({ place: name });
  const words = text.replace(PRIVATE, (character) => symbolOf(place.font, character.charCodeAt(0)));
  const last = spans.at(-1);
  const touches = last !== undefined && "text" in last && /[\p{L}\p{N}]$/u.test(last.text);
  spans.push({
    text: place.isRaised && !place.isCode && touches && /^\d/.test(words) ? `^${words}` : words,
    strong: place.isStrong,
    emphasis: place.isEmphasis,
    code: place.isCode,
    href: place.href ?? internal(context.fields.href(), context),
  });
}

/** A link within the document leads to where its bookmark is; a link elsewhere as it is. */
function internal(href: string | undefined, { targets }: WordContext): string | undefined {
  return href?.startsWith("#") && !targets.has(href.slice(1)) ? undefined : href;
}

function putBreak({ context, spans }: Writing): void {
  if (context.fields.isShown()) spans.push({ lineBreak: true });
}

function putNote(kind: "footnote" | "endnote", element: XmlElement, place: Place, writing: Writing): void {
  const { context, spans } = writing;
  if (place.isHidden || !context.fields.isShown()) return;
  const label = context.notes.labelOf(kind, attributeOf(element, "w:id") ?? "");
  if (label !== undefined) spans.push({ note: label });
}

function readBreak(element: XmlElement, place: Place, writing: Writing): void {
  const type = attributeOf(element, "w:type");
  if (type === undefined || type === "textWrapping") putBreak(writing);
  else putWords(" ", place, writing);
}

function readSymbol(element: XmlElement, place: Place, writing: Writing): void {
  const code = Number.parseInt(attributeOf(element, "w:char") ?? "", 16);
  if (Number.isInteger(code)) putWords(symbolOf(attributeOf(element, "w:font") ?? "", code), place, writing);
}

function readFieldMark(element: XmlElement, _: Place, { context: { fields } }: Writing): void {
  const type = attributeOf(element, "w:fldCharType");
  if (type === "begin") fields.begin();
  else if (type === "separate") fields.separate();
  else if (type === "end") fields.end();
}

function readSimpleField(element: XmlElement, place: Place, writing: Writing): void {
  const instruction = attributeOf(element, "w:instr") ?? "";
  if (/^\s*TOC\b/i.test(instruction)) return;
  const href = internal(
    hrefOf(/^\s*HYPERLINK/i.test(instruction) ? instruction : undefined),
    writing.context,
  );
  readNodes(element, href === undefined ? place : { ...place, href }, writing);
}

function readLink(element: XmlElement, place: Place, writing: Writing): void {
  const { context } = writing;
  const relationship = context.relationships.get(attributeOf(element, "r:id") ?? "");
  const anchor = attributeOf(element, "w:anchor");
  const target = relationship?.isExternal ? relationship.target : undefined;
  const href =
    target === undefined
      ? internal(anchor === undefined ? undefined : `#${anchor}`, context)
      : anchor === undefined || target.includes("#")
        ? target
        : `${target}#${anchor}`;
  readNodes(element, { ...place, href }, writing);
}

/** A content control. What it shows while it is empty is none of the document's words. */
function readControl(element: XmlElement, place: Place, writing: Writing): void {
  if (isPlaceholder(element)) return;
  const content = childOf(element, "w:sdtContent");
  if (content !== undefined) readNodes(content, place, writing);
}

export function isPlaceholder(control: XmlElement): boolean {
  const mark = childOf(control, "w:sdtPr", "w:showingPlcHdr");
  return mark !== undefined && isOn(attributeOf(mark, "w:val") ?? "1");
}

/** Words with their reading above them. */
function readRuby(element: XmlElement, place: Place, writing: Writing): void {
  const base = childOf(element, "w:rubyBase");
  const reading = childOf(element, "w:rt");
  if (base !== undefined) readNodes(base, place, writing);
  if (reading === undefined || descendantsOf(reading, "w:t").length === 0) return;
  putWords("(", place, writing);
  readNodes(reading, place, writing);
  putWords(")", place, writing);
}

/** A part of a formula that stands above, below or beside another, as one writes it on a line. */
function readScript(marks: readonly [name: string, before: string][]): Reader {
  return (element, place, writing) => {
    for (const [name, before] of marks) {
      const part = childOf(element, name);
      if (part === undefined) continue;
      if (descendantsOf(part, "m:t").length > 0) putWords(before, place, writing);
      readNodes(part, place, writing);
    }
  };
}

/** What is shown of content that stands there in several ways: the first that says something. */
export function chosenContent(element: XmlElement, { said }: WordContext): XmlElement {
  const ways = [...childrenOf(element, "mc:Choice"), ...childrenOf(element, "mc:Fallback")];
  return ways.find((way) => saysSomething(way, said)) ?? ways[0] ?? element;
}

const SAYING = new Set(["w:t", "m:t", "a:t", "c:chart", "dgm:relIds"]);

function saysSomething(element: XmlElement, said: WordContext["said"]): boolean {
  const known = said.get(element);
  if (known !== undefined) return known;
  const says = element.children.some(
    (child) => isElementNode(child) && (SAYING.has(child.name) || saysSomething(child, said)),
  );
  if (element.name === "mc:Choice" || element.name === "mc:Fallback") said.set(element, says);
  return says;
}

/** Drawings nested deeper are read for their words alone: each looks through all that is in it. */
const DRAWINGS_NESTED_MAX = 5;

/** Reads what is drawn, in the drawings around it. */
function readNested(context: WordContext, read: (isDeep: boolean) => void): void {
  context.drawings.open += 1;
  read(context.drawings.open > DRAWINGS_NESTED_MAX);
  context.drawings.open -= 1;
}

function readDrawing(element: XmlElement, place: Place, writing: Writing): void {
  const { context } = writing;
  if (place.isHidden || !context.fields.isShown()) return;
  readNested(context, (isDeep) => {
    if (isDeep) readNodes(element, place, writing);
    else readDrawn(element, place, writing);
  });
}

function readDrawn(element: XmlElement, place: Place, writing: Writing): void {
  const { context, after } = writing;
  const ids = [
    ...descendantsOf(element, "c:chart").map((chart) => attributeOf(chart, "r:id")),
    ...descendantsOf(element, "dgm:relIds").map((diagram) => attributeOf(diagram, "r:dm")),
  ];
  for (const id of ids) append(after, context.embedded.get(id ?? "") ?? []);
  const before = after.length;
  readNodes(element, place, writing);
  if (after.length > before || ids.length > 0) return;
  const [named] = descendantsOf(element, "wp:docPr");
  putWords(spaced(pictureWords(attributeOf(named, "descr"))), place, writing);
}

const spaced = (words: string) => (words === "" ? "" : ` ${words} `);

/** A picture or a shape of Word 2007 and older. */
function readPicture(element: XmlElement, place: Place, writing: Writing): void {
  readNested(writing.context, (isDeep) => {
    if (isDeep) readNodes(element, place, writing);
    else readShown(element, place, writing);
  });
}

function readShown(element: XmlElement, place: Place, writing: Writing): void {
  const before = writing.after.length;
  readNodes(element, place, writing);
  const art = descendantsOf(element, "v:textpath").map((path) => attributeOf(path, "string") ?? "");
  for (const words of art) putWords(spaced(words), place, writing);
  if (writing.after.length > before || art.length > 0) return;
  const [shape] = descendantsOf(element, "v:shape");
  putWords(spaced(pictureWords(attributeOf(shape, "alt"))), place, writing);
}

/** A text box: its paragraphs come after the one that it hangs on. */
function readBox(element: XmlElement, place: Place, { context, readBlocks, after }: Writing): void {
  if (place.isHidden || !context.fields.isShown()) return;
  append(after, readBlocks(childrenOf(element), context));
}
