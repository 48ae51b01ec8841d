import { attribute, elementsIn, readHtml, setAttribute } from "../../markdown/html/html.ts";
import { encodePath } from "../../pages/page-path.ts";
import { keepPlaces, parseRendered, rewriteAnchors, writeBody } from "../wiki-pages/wiki-pages.ts";
import type { ExportNames, PlacedNode } from "./bookstack.ts";
import { withoutEditor } from "./editor.ts";

const REFERENCE = /^\[\[bsexport:([a-z]{1,20}):([^\][]{1,300})\]\]/;
const REFERENCES = /\[\[bsexport:[a-z]{1,20}:[^\][]{1,300}\]\](?:#[\w%-]{1,300})?/g;

/** The body of a page in HTML. */
export function writeHtml(names: ExportNames, node: PlacedNode): string {
  const root = parseRendered(`<!doctype html><body>${node.html}`);
  const body = root === undefined ? undefined : elementsIn(root, ({ tagName }) => tagName === "body")[0];
  if (body === undefined) return readHtml(node.html).markdown;
  withoutEditor(body);
  for (const image of elementsIn(body, ({ tagName }) => tagName === "img"))
    setAttribute(image, "src", hrefOf(names, node, attribute(image, "src") ?? "") ?? "");
  rewriteAnchors(body, (link) => hrefOf(names, node, attribute(link, "href") ?? ""));
  // Every paragraph has an id; a page would be full of places that no link leads to.
  keepPlaces(body, (element) => names.anchors.has(attribute(element, "id") ?? ""));
  return writeBody(body);
}

/** The body of a page that was written in Markdown. */
export const writeMarkdown = (names: ExportNames, node: PlacedNode): string =>
  node.markdown.trim().replace(REFERENCES, (reference) => hrefOf(names, node, reference) ?? "");

/** Where a link leads; undefined where it is to something that the export does not hold. */
function hrefOf({ byId, fileOf }: ExportNames, { file }: PlacedNode, href: string): string | undefined {
  const [whole, kind = "", name = ""] = REFERENCE.exec(href) ?? [];
  if (whole === undefined) return href === "" ? undefined : href;
  if (kind === "image" || kind === "attachment") return fileOf(file, kind, name);
  const target = byId.get(`${file}#${kind}:${name}`);
  return target === undefined ? undefined : `/${encodePath(target.path)}${/#.*$/s.exec(href)?.[0] ?? ""}`;
}
