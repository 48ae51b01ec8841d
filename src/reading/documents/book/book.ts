import { posix } from "node:path";
import { decodePercent } from "@docent/kernel/text/decode-percent";
import { readHtmlChapter } from "../../markdown/html/html.ts";
import { htmlToText } from "../../markdown/html-text.ts";
import { createBody } from "../blocks/blocks.ts";
import type { DocumentReader } from "../document.ts";
import { type DocumentPackage, dataOf, openPackage, toDocument } from "../package/package.ts";
import {
  attributeOf,
  childOf,
  childrenOf,
  descendantsOf,
  parseXml,
  textIn,
  type XmlElement,
} from "../xml/xml.ts";

const PAGES = /^(?:application\/xhtml\+xml|text\/html|text\/x-oeb1-document)?$/;

/** Reads a book (EPUB 2 and 3): its chapters in their order, without covers and contents. */
export const readBook: DocumentReader = async (content, bounds) => {
  const source = await openPackage(content, "a book (EPUB)", bounds.unpackedBytesMax);
  if ("unreadable" in source) return source;
  const plan = await readPlan(source);
  if (plan === undefined)
    return { unreadable: source.faults()[0] ?? "is not a book (EPUB): it has no list of its files" };
  const encrypted = await encryptedFiles(source);
  const chapters = plan.chapters.filter(({ type }) => PAGES.test(type));
  const readable = chapters.filter(({ part }) => !encrypted.has(part));
  if (readable.length === 0 && chapters.length > 0) return { unreadable: "is encrypted" };
  const faults: string[] = [];
  if (readable.length < chapters.length)
    faults.push(`has ${chapters.length - readable.length} encrypted chapters, left out`);
  const body = createBody(bounds.charactersMax);
  for (const { part } of readable) {
    if (body.isFull()) break;
    const chapter = await source.read(part);
    if (chapter === undefined) faults.push(`lacks its chapter ${part.slice(0, 100)}`);
    else for (const text of chapterTexts(decode(chapter), plan.labels.get(part))) body.push(text);
  }
  if (body.isFull())
    faults.push(`has more than ${bounds.charactersMax} characters, of which the first are read`);
  return toDocument(
    { data: plan.data, markdown: body.finish(), faults: [...source.faults(), ...faults] },
    chapters.length === 0 ? "has no chapters" : "has no text: its chapters are pictures, or empty",
  );
};

const HEADING = /^#{1,6} /m;

/** A chapter as blocks. One without headings has the name that the book's contents give it. */
function chapterTexts(xhtml: string, label: string | undefined) {
  const text = readHtmlChapter(xhtml);
  if (text === "") return [];
  const named = label !== undefined && !HEADING.test(text);
  const markdown = { kind: "markdown", text } as const;
  return named ? [{ kind: "heading", level: 2, spans: [{ text: label }] } as const, markdown] : [markdown];
}

/** Books are in UTF-8, or in UTF-16, which their first bytes tell. */
function decode(content: Uint8Array): string {
  const [first, second] = content;
  const encoding =
    first === 0xff && second === 0xfe ? "utf-16le" : first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
  return new TextDecoder(encoding).decode(content);
}

/** Ways of hiding fonts, which say nothing of the words. */
const OF_FONTS = /idpf\.org\/2008\/embedding|ns\.adobe\.com\/pdf\/enc#RC/;

/** The files of a book that are encrypted so that only some programs can show them. */
async function encryptedFiles(source: DocumentPackage): Promise<ReadonlySet<string>> {
  const content = await source.read("META-INF/encryption.xml");
  const root = content === undefined ? undefined : parseXml(content).root;
  return new Set(
    descendantsOf(root, "enc:EncryptedData").flatMap((data) => {
      const method = attributeOf(childOf(data, "enc:EncryptionMethod"), "Algorithm") ?? "";
      const file = attributeOf(childOf(data, "enc:CipherData", "enc:CipherReference"), "URI");
      return file === undefined || OF_FONTS.test(method) ? [] : [decodePercent(file)];
    }),
  );
}

/** A file of a book. */
interface BookFile {
  part: string;
  type: string;
  isNavigation: boolean;
}

/** What a book says of itself: its files in the order in which they are read. */
interface BookPlan {
  chapters: readonly BookFile[];
  /** Names that its contents give to files. */
  labels: ReadonlyMap<string, string>;
  data: Record<string, string>;
}

const FILES_MAX = 20_000;
const MADE_BY_PROGRAM = /^(?:cover|toc|index-of-tables)$/i;

/** What programs call a page that only repeats the contents. */
const CONTENTS = /(?:^|\/)(?:toc|nav|contents|cover(?:page)?)\.x?html?$/i;

/** Reads the plan of a book; undefined where it has none. */
async function readPlan(source: DocumentPackage): Promise<BookPlan | undefined> {
  const part = await planPart(source);
  const content = part === undefined ? undefined : await source.read(part);
  const root = content === undefined ? undefined : parseXml(content).root;
  if (part === undefined || root === undefined) return undefined;
  const folder = posix.dirname(part);
  const files = new Map(
    childrenOf(childOf(root, "opf:manifest"), "opf:item")
      .slice(0, FILES_MAX)
      .map((item) => [attributeOf(item, "id") ?? "", fileOf(item, folder)]),
  );
  const spine = childOf(root, "opf:spine");
  const leftOut = new Set(
    childrenOf(childOf(root, "opf:guide"), "opf:reference")
      .filter((reference) => MADE_BY_PROGRAM.test(attributeOf(reference, "type") ?? ""))
      .map((reference) => partOf(attributeOf(reference, "href"), folder)),
  );
  const chapters = childrenOf(spine, "opf:itemref")
    .flatMap((item) => files.get(attributeOf(item, "idref") ?? "") ?? [])
    .filter(({ part: name, isNavigation }) => !isNavigation && !leftOut.has(name) && !CONTENTS.test(name));
  const contents = [
    files.get(attributeOf(spine, "toc") ?? ""),
    [...files.values()].find((file) => file.isNavigation),
  ];
  const labels = new Map<string, string>();
  for (const file of contents) if (file !== undefined) await addLabels(source, file.part, labels);
  return { chapters, labels, data: bookData(childOf(root, "opf:metadata")) };
}

async function planPart(source: DocumentPackage): Promise<string | undefined> {
  const content = await source.read("META-INF/container.xml");
  const root = content === undefined ? undefined : parseXml(content).root;
  const [file] = descendantsOf(root, "container:rootfile");
  return attributeOf(file, "full-path") ?? source.names.find((name) => name.toLowerCase().endsWith(".opf"));
}

function fileOf(item: XmlElement, folder: string): BookFile {
  return {
    part: partOf(attributeOf(item, "href"), folder),
    type: attributeOf(item, "media-type") ?? "",
    isNavigation: /(?:^|\s)nav(?:\s|$)/.test(attributeOf(item, "properties") ?? ""),
  };
}

const partOf = (href: string | undefined, folder: string) =>
  posix.join(folder, decodePercent((href ?? "").replace(/#.*$/, "")));

/** Adds what contents call the beginning of each file: of EPUB 2, or of EPUB 3. */
async function addLabels(source: DocumentPackage, part: string, labels: Map<string, string>): Promise<void> {
  const content = await source.read(part);
  const root = content === undefined ? undefined : parseXml(content).root;
  const folder = posix.dirname(part);
  const points = [
    ...descendantsOf(root, "ncx:navPoint").map((point) => ({
      href: attributeOf(childOf(point, "ncx:content"), "src"),
      text: textIn(childOf(point, "ncx:navLabel", "ncx:text")),
    })),
    ...descendantsOf(root, "html:a").map((link) => ({ href: attributeOf(link, "href"), text: textIn(link) })),
  ];
  for (const { href, text } of points) {
    const name = partOf(href, folder);
    const label = text.replace(/\s+/g, " ").trim();
    if (label !== "" && !labels.has(name)) labels.set(name, label);
  }
}

function bookData(metadata: XmlElement | undefined): Record<string, string> {
  const all = (name: string) => childrenOf(metadata, name).map(textIn);
  return dataOf({
    title: all("dc:title")[0],
    description: htmlToText(all("dc:description")[0] ?? ""),
    language: all("dc:language")[0],
    author: all("dc:creator").join(", "),
    date: all("dc:date")[0],
  });
}
