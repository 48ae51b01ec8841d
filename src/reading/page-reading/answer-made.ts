import { AppError } from "@docent/kernel/errors";
import { decodeText } from "@docent/kernel/text/decode-bytes";
import { createOwnReading } from "../document-process/documents.ts";
import type { AnchorStyle } from "../markdown/page.ts";
import type { Call } from "../reading-process/reading-process.ts";
import { isSkipped, type ReadWords, type SourceItem } from "../source-reader.ts";
import { isAlone, itemAlone } from "../sources/archive/archive.ts";
import { boundsOf, itemsOfTree, rulesFrom } from "../sources/files/files.ts";
import { encoded } from "./json-bytes.ts";
import { askedShape, FILE_CALL, IS_CONTENT, readWithFiles, type SaidMade, treeShape } from "./made-shape.ts";
import { pageToRead, readHere } from "./read-here.ts";

/** Makes pages of the files of one source. */
export interface Maker {
  make(body: Uint8Array): Promise<Uint8Array>;
}

/** Opens the files of a source as the process did that asks for it, which is asked back for what they hold. */
export async function openMaker(body: Uint8Array, call: Call): Promise<Maker> {
  const opening = readWithFiles(body);
  const { now, rules, documentBytesMax, ...tree } = treeShape.parse(opening.asked);
  /** What came with what is asked. */
  let { files: given } = opening;
  const readerOf = (location: string) => async () => given.get(location) ?? contentOf(location, call);
  const readable = ({ location, sizeBytes }: { location: string; sizeBytes: number }) => ({
    location,
    sizeBytes,
    read: readerOf(location),
  });
  const documents = createOwnReading(documentBytesMax);
  const options = { ...tree, ...boundsOf({ ...tree, documents }), clock: () => now };
  const all = { files: tree.files.map(readable), others: tree.others.map(readable) };
  const items = new Map<string, SourceItem>();
  for await (const item of itemsOfTree(all, { ...options, access: rulesFrom(rules) }))
    if (!isSkipped(item)) items.set(keyOf(item), item);
  given = new Map();
  return {
    async make(body) {
      const { asked, files } = readWithFiles(body);
      const { aloneAs, anchors, ...page } = askedShape.parse(asked);
      given = files;
      const file = { location: page.location, read: readerOf(page.location) };
      const item =
        aloneAs !== undefined && isAlone(aloneAs)
          ? itemAlone(file, { ...options, path: page.path, format: aloneAs })
          : items.get(keyOf(page));
      if (item === undefined) throw new Error(`${page.location} is not there any more`);
      return encoded(await said(item, anchors));
    },
  };
}

const keyOf = ({ location, path }: Pick<SourceItem, "location" | "path">) => `${path}\n${location}`;

async function contentOf(location: string, call: Call): Promise<Uint8Array> {
  const reply = await call(FILE_CALL, new TextEncoder().encode(location));
  if (reply[0] === IS_CONTENT) return reply.subarray(1);
  throw new AppError("unavailable", new TextDecoder().decode(reply.subarray(1)));
}

async function said(item: SourceItem, anchors: AnchorStyle | undefined): Promise<SaidMade> {
  try {
    const bytes = await item.read();
    const [content, faults] = [written(bytes), [...(item.faults ?? [])]];
    const parsed = anchors === undefined ? undefined : parsedFrom(item, bytes, anchors);
    return parsed === undefined
      ? { content, faults, authored: item.authored?.() }
      : { content, faults, parsed };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { failed: error.message, code: error.code };
  }
}

/** What is no whole text is left to who asked, who says so. */
function parsedFrom(item: SourceItem, content: Uint8Array, anchors: AnchorStyle): ReadWords | undefined {
  const text = decodeText(content, { html: item.format === "html" });
  if (text === undefined || text.fault !== undefined) return undefined;
  return readHere(pageToRead(item, text.text, anchors));
}

/** What is no text comes as it is. */
function written(content: Uint8Array): { text: string } | { base64: string } {
  try {
    return { text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(content) };
  } catch {
    return { base64: Buffer.from(content).toString("base64") };
  }
}
