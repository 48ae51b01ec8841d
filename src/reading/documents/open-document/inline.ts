import { append, type Block } from "../blocks/blocks.ts";
import { pictureWords } from "../drawing/drawing.ts";
import { attributeOf, childOf, childrenOf, isElementNode, textIn, type XmlElement } from "../xml/xml.ts";
import type { Inline, ReadBlocks, TextContext } from "./context.ts";
import type { Style } from "./styles.ts";

interface Place {
  href?: string | undefined;
  isStrong: boolean;
  isEmphasis: boolean;
  isMono: boolean;
  isRaised: boolean;
}

interface Writing extends Inline {
  context: TextContext;
  readBlocks: ReadBlocks;
}

const SPACES_MAX = 1_000;
const NOTES_MAX = 10_000;

/** Elements whose text is none of the document's. */
const SKIPPED = new Set(
  (
    "office:annotation office:annotation-end text:tracked-changes text:note-citation text:ruby-text office:forms office:scripts " +
    "text:script presentation:footer presentation:date-time presentation:header svg:title svg:desc office:event-listeners " +
    "text:bookmark-end text:alphabetical-index-mark text:toc-mark text:user-index-mark"
  ).split(" "),
);

/** Reads the content of a paragraph. */
export function readInline(
  paragraph: XmlElement,
  style: Style,
  context: TextContext,
  readBlocks: ReadBlocks,
): Inline {
  const writing: Writing = { spans: [], after: [], context, readBlocks };
  // What a style makes of whole paragraphs is no emphasis in them.
  readNodes(
    paragraph,
    { isStrong: false, isEmphasis: false, isMono: style.isMono === true, isRaised: false },
    writing,
  );
  return { spans: writing.spans, after: writing.after };
}

function readNodes(element: XmlElement, place: Place, writing: Writing): void {
  for (const child of element.children) {
    if (!isElementNode(child)) putWords(child.replace(/\s+/g, " "), place, writing);
    else if (!SKIPPED.has(child.name)) (READERS.get(child.name) ?? readOther)(child, place, writing);
  }
}

type Reader = (element: XmlElement, place: Place, writing: Writing) => void;

const READERS = new Map<string, Reader>([
  ["text:span", readSpan],
  ["text:a", readLink],
  ["text:s", readSpaces],
  ["text:tab", (_, place, writing) => putWords("\t", place, writing)],
  ["text:tab-stop", (_, place, writing) => putWords("\t", place, writing)],
  ["text:line-break", (_, _place, { spans }) => void spans.push({ lineBreak: true })],
  ["text:note", readNote],
  ["text:footnote", readNote],
  ["text:endnote", readNote],
  ["text:bookmark", readBookmark],
  ["text:bookmark-start", readBookmark],
  ["text:ruby", readRuby],
  ["draw:a", readLink],
]);

/** Shapes hang on a paragraph; all else only surrounds words. */
function readOther(element: XmlElement, place: Place, writing: Writing): void {
  if (/^(?:draw|dr3d):/.test(element.name))
    append(writing.after, readShape(element, writing.context, writing.readBlocks));
  else readNodes(element, place, writing);
}

function putWords(
  text: string,
  { isStrong, isEmphasis, isMono, isRaised, href }: Place,
  { spans }: Writing,
): void {
  if (text === "") return;
  const last = spans.at(-1);
  const touches = last !== undefined && "text" in last && /\d$/.test(last.text);
  spans.push({
    text: isRaised && touches && /^\d/.test(text) ? `^${text}` : text,
    strong: isStrong,
    emphasis: isEmphasis,
    code: isMono,
    href,
  });
}

function readSpan(element: XmlElement, place: Place, writing: Writing): void {
  const style = writing.context.styles.get("text", attributeOf(element, "text:style-name"));
  if (style.isHidden) return;
  readNodes(
    element,
    {
      ...place,
      isStrong: style.isStrong ?? place.isStrong,
      isEmphasis: style.isEmphasis ?? place.isEmphasis,
      isMono: style.isCode || (style.isMono ?? place.isMono),
      isRaised: style.isRaised ?? place.isRaised,
    },
    writing,
  );
}

function readLink(element: XmlElement, place: Place, writing: Writing): void {
  const href = attributeOf(element, "xlink:href");
  const isLost = href?.startsWith("#") === true && !writing.context.targets.has(href.slice(1));
  readNodes(element, isLost ? place : { ...place, href }, writing);
}

function readSpaces(element: XmlElement, place: Place, writing: Writing): void {
  const count = Number(attributeOf(element, "text:c") ?? 1);
  putWords(
    " ".repeat(Math.min(Math.max(1, Number.isInteger(count) ? count : 1), SPACES_MAX)),
    place,
    writing,
  );
}

function readNote(element: XmlElement, _: Place, { spans, context, readBlocks }: Writing): void {
  const isEnd = attributeOf(element, "text:note-class") === "endnote" || element.name === "text:endnote";
  const body = childrenOf(element).find(({ name }) => /^text:(?:note|footnote|endnote)-body$/.test(name));
  if (body === undefined || context.notes.size >= NOTES_MAX) return;
  const kind = isEnd ? "end-" : "";
  const count = [...context.notes.keys()].filter((label) => label.startsWith("end-") === isEnd).length;
  const label = `${kind}${count + 1}`;
  // Its place is taken before it is read: notes may stand in notes.
  context.notes.set(label, []);
  context.notes.set(label, readBlocks(childrenOf(body), context));
  spans.push({ note: label });
}

function readBookmark(element: XmlElement, _: Place, { spans, context }: Writing): void {
  const name = attributeOf(element, "text:name") ?? "";
  if (context.targets.has(name)) spans.push({ place: name });
}

/** Words with their reading above them. */
function readRuby(element: XmlElement, place: Place, writing: Writing): void {
  const base = childOf(element, "text:ruby-base");
  const reading = textIn(childOf(element, "text:ruby-text")).trim();
  if (base !== undefined) readNodes(base, place, writing);
  if (reading !== "") putWords(`(${reading})`, place, writing);
}

/** What a shape says: its text, its table, what is drawn in it, or else its description. */
export function readShape(element: XmlElement, context: TextContext, readBlocks: ReadBlocks): Block[] {
  const inside = childrenOf(element).flatMap((child): Block[] => {
    if (SKIPPED.has(child.name)) return [];
    if (child.name === "draw:text-box") return readBlocks(childrenOf(child), context);
    if (child.name === "draw:object") return [...(context.objects.get(objectOf(child)) ?? [])];
    if (/^(?:text:(?:p|h|list)|table:table)$/.test(child.name)) return readBlocks([child], context);
    return /^(?:draw|dr3d):/.test(child.name) ? readShape(child, context, readBlocks) : [];
  });
  if (inside.length > 0) return inside;
  const words =
    pictureWords(textIn(childOf(element, "svg:desc"))) || pictureWords(textIn(childOf(element, "svg:title")));
  return words === "" ? [] : [{ kind: "paragraph", spans: [{ text: words }] }];
}

const objectOf = (element: XmlElement) =>
  (attributeOf(element, "xlink:href") ?? "").replace(/^\.\/|\/$/g, "");
