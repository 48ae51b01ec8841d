import { decodePercent } from "@docent/kernel/text/decode-percent";
import { readHtmlChapter } from "../../markdown/html/html.ts";
import { createBody } from "../blocks/blocks.ts";
import type { DocumentReader } from "../document.ts";
import { type DocumentPackage, openPackage, toDocument } from "../package/package.ts";
import { attributeOf, childOf, descendantsOf, parseXml } from "../xml/xml.ts";
import { readPlan } from "./package-file.ts";

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
