import type { DocumentBounds, ReadDocument, UnreadDocument } from "../document.ts";
import { type RtfContent, readContent } from "./content.ts";
import { htmlInRtf } from "./encapsulated-html.ts";

export { encodingOfCodePage } from "./encodings.ts";

/** Where a file of RTF begins: some programs write a mark or line breaks before it. */
const BEGINNING = /^[\s\0\xef\xbb\xbf]{0,200}\{\\rtf/;

/** Reads text of word processors: headings, lists, tables, links and footnotes. Pictures and objects are left out. */
export async function readRtf(
  content: Uint8Array,
  bounds: DocumentBounds,
): Promise<ReadDocument | UnreadDocument> {
  const source = sourceOf(content);
  if (!BEGINNING.test(source)) return { unreadable: "is damaged: it does not begin as RTF does" };
  const read = readContent(source, bounds.charactersMax);
  if (read.markdown === "") return { unreadable: emptyReason(read) };
  const { title, author, description, date } = read.info;
  const data = Object.entries({ title, author, description, date }).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, value] as const],
  );
  return { data: Object.fromEntries(data), markdown: read.markdown, faults: faultsOf(read, bounds) };
}

/** The HTML that is kept in the RTF of a mail; undefined where there is none. */
export const encapsulatedHtml = (content: Uint8Array, charactersMax = 20_000_000) =>
  htmlInRtf(sourceOf(content), charactersMax);

/** A character for each byte. */
const sourceOf = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
  Buffer.from(buffer, byteOffset, byteLength).toString("latin1");

function emptyReason({ pictures, isCut }: RtfContent): string {
  if (isCut) return "is damaged: it ends before its text";
  return pictures > 0 ? `has no text: ${counted(pictures, "picture")}` : "has no text";
}

function faultsOf(
  { comments, objects, isLong, isCut }: RtfContent,
  { charactersMax }: DocumentBounds,
): string[] {
  return [
    ...(isLong
      ? [`has more than ${charactersMax.toLocaleString("en-US")} characters: the rest is not read`]
      : []),
    ...(isCut ? ["is cut off: its last groups never end"] : []),
    ...(comments > 0 ? [`has ${counted(comments, "comment")} that ${isOrAre(comments)} not read`] : []),
    ...(objects > 0 ? [`has ${counted(objects, "embedded object")} that ${isOrAre(objects)} not read`] : []),
  ];
}

const counted = (number: number, thing: string) =>
  `${number.toLocaleString("en-US")} ${thing}${number === 1 ? "" : "s"}`;
const isOrAre = (number: number) => (number === 1 ? "is" : "are");
