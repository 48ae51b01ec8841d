import {
  attribute,
  classesOf,
  editElements,
  elementsIn,
  type HtmlElement,
  readHtml,
  setAttribute,
} from "../../markdown/html/html.ts";
import { encodePath } from "../../pages/page-path.ts";
import {
  type CalloutMark,
  calloutOf,
  keepPlaces,
  parseRendered,
  rewriteAnchors,
  writeBody,
} from "../wiki-pages/wiki-pages.ts";
import type { ExportNames, PlacedNode } from "./bookstack.ts";

const REFERENCE = /^\[\[bsexport:([a-z]{1,20}):([^\][]{1,300})\]\]/;
const REFERENCES = /\[\[bsexport:[a-z]{1,20}:[^\][]{1,300}\]\](?:#[\w%-]{1,300})?/g;

const CALLOUTS: Readonly<Record<string, CalloutMark>> = {
  info: "NOTE",
  success: "TIP",
  warning: "WARNING",
  danger: "CAUTION",
};

/** The body of a page in HTML. */
export function writeHtml(names: ExportNames, node: PlacedNode): string {
  const root = parseRendered(`<!doctype html><body>${node.html}`);
  const body = root === undefined ? undefined : elementsIn(root, ({ tagName }) => tagName === "body")[0];
  if (body === undefined) return readHtml(node.html).markdown;
  for (const image of elementsIn(body, ({ tagName }) => tagName === "img"))
    setAttribute(image, "src", hrefOf(names, node, attribute(image, "src") ?? "") ?? "");
  rewriteAnchors(body, (link) => hrefOf(names, node, attribute(link, "href") ?? ""));
  editElements(body, (element) => (classesOf(element).includes("callout") ? calloutsOf(element) : undefined));
  // Every paragraph has an id; a page would be full of places that no link leads to.
  keepPlaces(body, (element) => names.anchors.has(attribute(element, "id") ?? ""));
  return writeBody(body);
}

function calloutsOf(element: HtmlElement) {
  const mark = classesOf(element)
    .map((name) => CALLOUTS[name])
    .find((each) => each !== undefined);
  return calloutOf(element, { mark: mark ?? "NOTE", body: element.childNodes });
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
