import { readHtmlFragment } from "../../markdown/html/html.ts";
import type { Block } from "../blocks/blocks.ts";
import type { DocumentPackage, Relationship } from "../package/package.ts";

const EMBEDDED_MAX = 100;

/** Documents of other formats that stand within one, by the ids of their relationships: HTML and text are read. */
export async function readEmbedded(
  source: DocumentPackage,
  relationships: ReadonlyMap<string, Relationship>,
  faults: string[],
): Promise<ReadonlyMap<string, readonly Block[]>> {
  const found = new Map<string, readonly Block[]>();
  for (const [id, { type, target, isExternal }] of relationships) {
    if (type !== "aFChunk" || isExternal || found.size >= EMBEDDED_MAX) continue;
    const content = await source.read(target);
    const isHtml = /\.x?html?$/i.test(target);
    if (content !== undefined && (isHtml || /\.txt$/i.test(target)))
      found.set(id, [textBlock(new TextDecoder().decode(content), isHtml)]);
    else faults.push(`holds another document, ${target.slice(0, 100)}, which is not read`);
  }
  return found;
}

const textBlock = (text: string, isHtml: boolean): Block =>
  isHtml ? { kind: "markdown", text: readHtmlFragment(text) } : { kind: "paragraph", spans: [{ text }] };
