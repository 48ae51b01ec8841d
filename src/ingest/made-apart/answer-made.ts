import { AppError } from "../../errors.ts";
import { jsonIn } from "../../text/json.ts";
import { createOwnReading } from "../documents/documents.ts";
import { isSkipped, type SourceItem } from "../source-reader.ts";
import { isAlone, itemAlone } from "../sources/archive/archive.ts";
import { boundsOf, itemsOfTree, rulesFrom } from "../sources/files/files.ts";
import { encoded, FILE_CALL, IS_CONTENT, pageShape, type SaidMade, treeShape } from "./made-shape.ts";

/** Asks the process that wants the page something, and waits for what it says. */
type Call = (name: string, given: Uint8Array) => Promise<Uint8Array>;

/** Makes pages of the files of one source. */
export interface Maker {
  make(body: Uint8Array): Promise<Uint8Array>;
}

/** Opens the files of a source as the process did that asks for it, which is asked back for what they hold. */
export async function openMaker(body: Uint8Array, call: Call): Promise<Maker> {
  const { now, rules, documentBytesMax, ...tree } = treeShape.parse(decoded(body));
  const readable = ({ location, sizeBytes }: { location: string; sizeBytes: number }) => ({
    location,
    sizeBytes,
    read: () => contentOf(location, call),
  });
  const documents = createOwnReading(documentBytesMax);
  const options = { ...tree, ...boundsOf({ ...tree, documents }), clock: () => now };
  const all = { files: tree.files.map(readable), others: tree.others.map(readable) };
  const items = new Map<string, SourceItem>();
  for await (const item of itemsOfTree(all, { ...options, access: rulesFrom(rules) }))
    if (!isSkipped(item)) items.set(keyOf(item), item);
  return {
    async make(asked) {
      const { aloneAs, ...page } = pageShape.parse(decoded(asked));
      const file = { location: page.location, read: () => contentOf(page.location, call) };
      const item =
        aloneAs !== undefined && isAlone(aloneAs)
          ? itemAlone(file, { ...options, path: page.path, format: aloneAs })
          : items.get(keyOf(page));
      if (item === undefined) throw new Error(`${page.location} is not there any more`);
      return encoded(await said(item));
    },
  };
}

const keyOf = ({ location, path }: Pick<SourceItem, "location" | "path">) => `${path}\n${location}`;
const decoded = (bytes: Uint8Array) => jsonIn(new TextDecoder().decode(bytes));

async function contentOf(location: string, call: Call): Promise<Uint8Array> {
  const reply = await call(FILE_CALL, new TextEncoder().encode(location));
  if (reply[0] === IS_CONTENT) return reply.subarray(1);
  throw new AppError("unavailable", new TextDecoder().decode(reply.subarray(1)));
}

async function said(item: SourceItem): Promise<SaidMade> {
  try {
    const content = await item.read();
    return { content: written(content), faults: [...(item.faults ?? [])], authored: item.authored?.() };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { failed: error.message, code: error.code };
  }
}

/** What is no text comes as it is. */
function written(content: Uint8Array): { text: string } | { base64: string } {
  try {
    return { text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(content) };
  } catch {
    return { base64: Buffer.from(content).toString("base64") };
  }
}
