import { readHtmlFragment } from "../../markdown/html/html.ts";
import type { Block } from "../blocks/blocks.ts";
import type { DocumentBounds } from "../document.ts";
import { readWebArchive } from "../mail/mail.ts";
import type { DocumentPackage, Relationship } from "../package/package.ts";
import { readRtf } from "../rtf/rtf.ts";

const EMBEDDED_MAX = 100;

/** Documents of other formats that stand within one, by the ids of their relationships: HTML, text and RTF are read. */
export async function readEmbedded(
  { source, bounds }: { source: DocumentPackage; bounds: DocumentBounds },
  relationships: ReadonlyMap<string, Relationship>,
  faults: string[],
): Promise<ReadonlyMap<string, readonly Block[]>> {
  const found = new Map<string, readonly Block[]>();
  for (const [id, { type, target, isExternal }] of relationships) {
    if (type !== "aFChunk" || isExternal || found.size >= EMBEDDED_MAX) continue;
    const content = await source.read(target);
    const block = content === undefined ? undefined : await blockOf(content, target, bounds);
    if (block !== undefined) found.set(id, [block]);
    else faults.push(`holds another document, ${target.slice(0, 100)}, which is not read`);
  }
  return found;
}

/** What a document says; undefined where it is none that is read. */
async function blockOf(
  content: Uint8Array,
  name: string,
  bounds: DocumentBounds,
): Promise<Block | undefined> {
  const [, ending = ""] = /\.(\w+)$/.exec(name.toLowerCase()) ?? [];
  const markdown = (text: string): Block => ({ kind: "markdown", text });
  if (/^x?html?$/.test(ending)) return markdown(readHtmlFragment(new TextDecoder().decode(content)));
  if (ending === "txt") return { kind: "paragraph", spans: [{ text: new TextDecoder().decode(content) }] };
  if (/^mhtm?l?$/.test(ending)) return markdown(await readWebArchive(content, bounds));
  if (ending !== "rtf") return undefined;
  const read = await readRtf(content, bounds);
  return "unreadable" in read ? undefined : markdown(read.markdown);
}
