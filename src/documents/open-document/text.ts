import { createBody, writeNotes } from "../blocks/blocks.ts";
import type { DocumentReader } from "../document.ts";
import { dataOf, toDocument } from "../package/package.ts";
import { readXmlPieces } from "../xml/xml.ts";
import { createContext } from "./context.ts";
import { openDocument } from "./open.ts";
import { readBlocks } from "./read-blocks.ts";
import { linkTargets } from "./targets.ts";

/** Reads a text of LibreOffice and others: as it looks with all its changes accepted. */
export const readOpenText: DocumentReader = async (content, bounds) => {
  const opened = await openDocument(content, bounds, { what: "an OpenDocument text", body: "office:text" });
  if ("unreadable" in opened) return opened;
  const faults: string[] = [];
  const context = createContext(opened.styles, opened.objects, linkTargets(opened.content));
  const body = createBody(bounds.charactersMax);
  const fault = readXmlPieces(opened.content, {
    isPiece: (_, around) => around.at(-1) === "office:text",
    take(element) {
      for (const block of readBlocks([element], context)) body.push(block);
      return body.isFull() ? "stop" : undefined;
    },
  });
  if (fault !== undefined) faults.push(`is damaged: ${fault}; what comes after is not read`);
  if (body.isFull())
    faults.push(`has more than ${bounds.charactersMax} characters, of which the first are read`);
  for (const text of writeNotes(context.notes)) body.push({ kind: "markdown", text });
  const { titles } = context;
  const title = titles.title ?? (titles.heading === undefined ? opened.data["title"] : undefined);
  return toDocument(
    {
      data: dataOf({ ...opened.data, title }),
      markdown: body.finish(),
      faults: [...opened.source.faults(), ...faults],
    },
    "has no text",
  );
};
