import { SaxesParser } from "saxes";
import { createNaming } from "./naming.ts";

/** An element, whose names have the prefixes of `namespaces.ts`: `w:p`, `text:p`. */
export interface XmlElement {
  name: string;
  /** Attributes without a prefix have a plain name. */
  attributes: ReadonlyMap<string, string>;
  children: XmlNode[];
}
type XmlNode = XmlElement | string;

/** Elements below this depth stand beside each other: readers call themselves for what is inside. */
const DEPTH_MAX = 400;
/** Of one piece that is held. */
const HELD_ELEMENTS_MAX = 2_000_000;
const NESTED_MAX = 100_000;

/** Chooses the elements of a document that are handed over whole, one by one. */
interface XmlPieces {
  /** Whether an element is handed over, by its name and those around it. */
  isPiece(name: string, around: readonly string[]): boolean;
  /** Told of elements outside of all pieces. */
  enter?(name: string, attributes: ReadonlyMap<string, string>): void;
  /** Takes an element. `stop` ends the reading. */
  take(element: XmlElement, around: readonly string[]): "stop" | undefined;
}

/**
 * Reads a document piece by piece, so that never more than one is held. Entities that a document defines are not
 * expanded, and nothing outside of it is read. Returns what was wrong; what came before is handed over all the same.
 */
export function readXmlPieces(content: Uint8Array, pieces: XmlPieces): string | undefined {
  const parser = new SaxesParser<{ xmlns: false; position: false }>({ xmlns: false, position: false });
  const state = createReading(pieces);
  parser.on("error", (error) => {
    // saxes knows no entities but those of XML itself; names of HTML are what remains of pages pasted in.
    if (!/undefined entity/.test(error.message)) state.fault ??= error.message;
  });
  parser.on("opentag", ({ name, attributes }) => state.open(name, attributes));
  parser.on("closetag", ({ name }) => state.close(name));
  parser.on("text", (text) => state.text(text));
  parser.on("cdata", (text) => state.text(text));
  for (const text of decodeXml(content)) {
    parser.write(text);
    if (state.isOver || state.fault !== undefined) break;
  }
  if (!state.isOver && state.fault === undefined) parser.close();
  if (state.fault !== undefined) state.finish();
  return state.fault;
}

/** A document as one element, as far as it can be read, and what was wrong with it. */
export function parseXml(content: Uint8Array): { root?: XmlElement; fault?: string } {
  let root: XmlElement | undefined;
  const fault = readXmlPieces(content, {
    isPiece: (_, around) => around.length === 0,
    take(element) {
      root = element;
      return "stop";
    },
  });
  return { ...(root === undefined ? {} : { root }), ...(fault === undefined ? {} : { fault }) };
}

interface Reading {
  fault: string | undefined;
  isOver: boolean;
  open(name: string, attributes: Record<string, string>): void;
  close(name: string): void;
  text(text: string): void;
  /** Hands over what is open, as far as it was read. */
  finish(): void;
}

function createReading({ isPiece, enter, take }: XmlPieces): Reading {
  const naming = createNaming();
  /** The names of open elements outside of a piece. */
  const around: string[] = [];
  /** The open elements of the piece, down to the depth that is kept. */
  const held: XmlElement[] = [];
  let heldCount = 0;
  let deeper = 0;
  const handOver = (element: XmlElement) => {
    heldCount = 0;
    if (!reading.isOver && take(element, around) === "stop") reading.isOver = true;
  };
  const reading: Reading = {
    fault: undefined,
    isOver: false,
    open(written, given) {
      const { name, attributes } = naming.open(written, given);
      if (reading.isOver) return;
      const outer = held.at(-1);
      if (outer === undefined && !isPiece(name, around)) {
        around.push(name);
        enter?.(name, attributes);
        if (around.length > NESTED_MAX) reading.fault ??= "its elements are nested too deep";
        return;
      }
      if (++heldCount > HELD_ELEMENTS_MAX) {
        reading.fault ??= "one of its parts has too many elements";
        return;
      }
      const element: XmlElement = { name, attributes, children: [] };
      outer?.children.push(element);
      // Deeper elements lie beside each other, and end together.
      if (held.length >= DEPTH_MAX) deeper += 1;
      else held.push(element);
    },
    close() {
      naming.close();
      if (reading.isOver) return;
      if (deeper > 0) deeper -= 1;
      else if (held.length === 0) around.pop();
      else {
        const element = held.pop();
        if (element !== undefined && held.length === 0) handOver(element);
      }
    },
    text(text) {
      held.at(-1)?.children.push(text);
    },
    finish() {
      const [outermost] = held.splice(0);
      if (outermost !== undefined) handOver(outermost);
    },
  };
  return reading;
}

export const isElementNode = (node: XmlNode): node is XmlElement => typeof node !== "string";

export const attributeOf = (element: XmlElement | undefined, name: string): string | undefined =>
  element?.attributes.get(name);

/** The elements inside an element, of one name or all. */
export const childrenOf = (element: XmlElement | undefined, name?: string): XmlElement[] =>
  (element?.children ?? [])
    .filter(isElementNode)
    .filter((child) => name === undefined || child.name === name);

/** The first element of a path of names below an element. */
export function childOf(element: XmlElement | undefined, ...path: string[]): XmlElement | undefined {
  let found = element;
  for (const name of path) {
    found = found?.children.find((child): child is XmlElement => isElementNode(child) && child.name === name);
  }
  return found;
}

/** All elements of a name inside an element, however deep, in order. */
export function descendantsOf(element: XmlElement | undefined, name: string): XmlElement[] {
  const found: XmlElement[] = [];
  const visit = (inside: XmlElement) => {
    for (const child of inside.children) {
      if (!isElementNode(child)) continue;
      if (child.name === name) found.push(child);
      visit(child);
    }
  };
  if (element !== undefined) visit(element);
  return found;
}

/** All words inside an element, as they are written. */
export function textIn(element: XmlElement | undefined): string {
  if (element === undefined) return "";
  return element.children.map((child) => (isElementNode(child) ? textIn(child) : child)).join("");
}

const PIECE_BYTES = 65_536;

/** The text of an XML file, piece by piece: in UTF-8, UTF-16, or what its first line names. */
function* decodeXml(content: Uint8Array): Generator<string> {
  const decoder = new TextDecoder(encodingOf(content));
  for (let at = 0; at < content.length; at += PIECE_BYTES) {
    const text = decoder.decode(content.subarray(at, at + PIECE_BYTES), { stream: true });
    // Some programs leave a line before the first, where none may be.
    yield at === 0 ? text.trimStart() : text;
  }
  yield decoder.decode();
}

function encodingOf(content: Uint8Array): "utf-8" | "utf-16le" | "utf-16be" | "latin1" {
  const [first, second] = content;
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0)) return "utf-16le";
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c)) return "utf-16be";
  const start = Buffer.from(content.subarray(0, 200)).toString("latin1");
  return /^<\?xml[^>]*encoding\s*=\s*["'](?:iso-8859-1|windows-1252|us-ascii)["']/i.test(start)
    ? "latin1"
    : "utf-8";
}
