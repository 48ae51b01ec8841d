import type { Block } from "../blocks/blocks.ts";
import type { DocumentBounds, UnreadDocument } from "../document.ts";
import { type DocumentPackage, dataOf, openPackage } from "../package/package.ts";
import {
  attributeOf,
  childOf,
  childrenOf,
  descendantsOf,
  parseXml,
  readXmlPieces,
  textIn,
  type XmlElement,
} from "../xml/xml.ts";
import { readStyles, type Styles } from "./styles.ts";

/** An OpenDocument, opened. */
interface OpenDocument {
  source: Pick<DocumentPackage, "faults">;
  content: Uint8Array;
  styles: Styles;
  /** What embedded charts and formulas say, by the names under which they are shown. */
  objects: ReadonlyMap<string, readonly Block[]>;
  data: Record<string, string>;
}

const OBJECTS_MAX = 500;

/** Opens an OpenDocument. `what` completes "is not …", and `body` is the element that holds what it says. */
export async function openDocument(
  content: Uint8Array,
  { unpackedBytesMax }: DocumentBounds,
  { what, body }: { what: string; body: string },
): Promise<OpenDocument | UnreadDocument> {
  if (isFlat(content))
    return content.length > unpackedBytesMax
      ? { unreadable: `is larger than ${unpackedBytesMax} bytes` }
      : openFlat(content, { what, body });
  const source = await openPackage(content, what, unpackedBytesMax);
  if ("unreadable" in source) return source;
  if (await isEncrypted(source)) return { unreadable: "is encrypted: it needs a password" };
  const main = await source.read("content.xml");
  if (main === undefined)
    return { unreadable: source.faults()[0] ?? `is not ${what}: it has no content.xml` };
  if (!holds(main, body)) return { unreadable: `is not ${what}` };
  const styles = await source.read("styles.xml");
  const meta = await source.read("meta.xml");
  return {
    source,
    content: main,
    styles: readStyles([
      ...(styles === undefined ? [] : (childrenOf(parseXml(styles).root) ?? [])),
      ...headOf(main, ["office:automatic-styles"]),
    ]),
    objects: await readObjects(source),
    data: meta === undefined ? {} : metaData(parseXml(meta).root),
  };
}

const BEGIN_BYTES = 4_096;

/** Whether a document is one file of XML, as .fodt, .fods and .fodp are. */
const isFlat = (content: Uint8Array) =>
  /^(?:\xef\xbb\xbf)?\s*<(?:\?xml|office:document\b)/.test(
    Buffer.from(content.subarray(0, BEGIN_BYTES)).toString("latin1"),
  );

/** What such a file holds is what the parts of the others hold; charts and formulas in it are not read. */
function openFlat(
  content: Uint8Array,
  { what, body }: { what: string; body: string },
): OpenDocument | UnreadDocument {
  if (!holds(content, body)) return { unreadable: `is not ${what}` };
  const head = headOf(content, [
    "office:meta",
    "office:styles",
    "office:automatic-styles",
    "office:master-styles",
  ]);
  const meta = head.filter(({ name }) => name === "office:meta");
  return {
    source: { faults: () => [] },
    content,
    styles: readStyles(head),
    objects: new Map(),
    data: metaData({ name: "office:document", attributes: new Map(), children: meta }),
  };
}

async function isEncrypted(source: DocumentPackage): Promise<boolean> {
  const manifest = await source.read("META-INF/manifest.xml");
  const root = manifest === undefined ? undefined : parseXml(manifest).root;
  return childrenOf(root, "manifest:file-entry").some(
    (entry) =>
      childOf(entry, "manifest:encryption-data") !== undefined &&
      /^(?:content\.xml|encrypted-package)$/.test(attributeOf(entry, "manifest:full-path") ?? ""),
  );
}

/** Whether a document has the wanted body, found without reading all of it. */
function holds(content: Uint8Array, body: string): boolean {
  let isFound = false;
  readXmlPieces(content, {
    isPiece: (_, around) => around.at(-2) === "office:body",
    enter(name) {
      isFound ||= name === body;
    },
    take: () => "stop",
  });
  return isFound;
}

/** The elements of these names that stand before the body. */
function headOf(content: Uint8Array, names: readonly string[]): XmlElement[] {
  const found: XmlElement[] = [];
  readXmlPieces(content, {
    isPiece: (name) => names.includes(name) || name === "office:body",
    take(element) {
      if (element.name === "office:body") return "stop";
      found.push(element);
      return undefined;
    },
  });
  return found;
}

/** The language is left out: it is that of the program that wrote it. */
function metaData(root: XmlElement | undefined): Record<string, string> {
  const meta = childOf(root, "office:meta");
  return dataOf({
    title: textIn(childOf(meta, "dc:title")),
    description: textIn(childOf(meta, "dc:description")),
    author: textIn(childOf(meta, "meta:initial-creator")) || textIn(childOf(meta, "dc:creator")),
    date: textIn(childOf(meta, "dc:date")) || textIn(childOf(meta, "meta:creation-date")),
  });
}

/** What objects within a document say: charts their titles and numbers, formulas their words. */
async function readObjects(source: DocumentPackage): Promise<ReadonlyMap<string, readonly Block[]>> {
  const found = new Map<string, readonly Block[]>();
  const parts = source.names.filter((name) => /^[^/]+\/content\.xml$/.test(name)).slice(0, OBJECTS_MAX);
  for (const part of parts) {
    const content = await source.read(part);
    const root = content === undefined ? undefined : parseXml(content).root;
    const blocks = root?.name === "math:math" ? mathsBlocks(root) : chartBlocks(root);
    if (blocks.length > 0) found.set(part.slice(0, part.indexOf("/")), blocks);
  }
  return found;
}

const paragraph = (text: string): Block => ({ kind: "paragraph", spans: [{ text }] });

function mathsBlocks(root: XmlElement): Block[] {
  const [annotation] = descendantsOf(root, "math:annotation");
  const text = textIn(annotation).trim() || textIn(root).replace(/\s+/g, " ").trim();
  return text === "" ? [] : [paragraph(text)];
}

function chartBlocks(root: XmlElement | undefined): Block[] {
  const [chart] = descendantsOf(childOf(root, "office:body"), "chart:chart");
  if (chart === undefined) return [];
  const titles = descendantsOf(chart, "chart:title")
    .map((title) => textIn(title).trim())
    .filter(Boolean);
  const rows = descendantsOf(chart, "table:table-row")
    .slice(0, 500)
    .map((row) => ({
      cells: childrenOf(row, "table:table-cell").map((cell) => ({
        blocks: childrenOf(cell, "text:p").map((words) => paragraph(textIn(words))),
      })),
    }));
  return [
    ...(titles.length > 0 ? [paragraph(`Chart: ${titles.join(", ")}`)] : []),
    ...(rows.length > 0 ? [{ kind: "table", table: { rows } } satisfies Block] : []),
  ];
}
