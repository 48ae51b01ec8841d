import { decodePercent } from "@docent/kernel/text/decode-percent";
import { attribute, elementsIn, type HtmlElement } from "../../markdown/html/html.ts";
import { type DocsTree, resolveLocation } from "../docs-tree.ts";
import { idOfShort } from "./short-id.ts";
import type { SpaceNode } from "./space.ts";

/** A page with its address. */
export interface LinkedNode extends SpaceNode {
  path: string;
}

/** What reading a page takes from its space. */
export interface Surroundings {
  tree: DocsTree;
  root: string;
  /** The space's key, as it stands in addresses. */
  key: string;
  nodes: readonly LinkedNode[];
  byId: ReadonlyMap<string, LinkedNode>;
  byLocation: ReadonlyMap<string, LinkedNode>;
  documentPath(location: string): string | undefined;
}

const ELSEWHERE = /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i;
const RESOURCE_KINDS = /^(?:page|blogpost|folder|whiteboard|database)$/;

/** Says where the links of a page lead: to a page, to an attached document, elsewhere, or (undefined) nowhere. */
export async function createLinkTargets(
  space: Surroundings,
  page: LinkedNode,
  main: HtmlElement,
): Promise<(link: HtmlElement) => string | undefined> {
  const byTitle = new Map(space.nodes.map((node) => [node.title, node]));
  const meant = (link: HtmlElement) => linkedPage(space, byTitle, link, page);
  const links = elementsIn(main, (each) => attribute(each, "href") !== undefined);
  const anchors = new Map<string, Places>([[page.id, idsIn(main)]]);
  for (const link of links) {
    const target = meant(link);
    if (target === undefined || anchors.has(target.id) || fragmentOf(link) === "") continue;
    anchors.set(target.id, idsInText((await space.tree.text(target.location)) ?? ""));
  }
  return (link) => {
    const href = attribute(link, "href") ?? "";
    const target = meant(link);
    if (target !== undefined) {
      const fragment = placeIn(anchors.get(target.id), fragmentOf(link));
      const hash = fragment === "" ? "" : `#${encodeURIComponent(fragment)}`;
      return target.id === page.id && href.startsWith("#") ? hash || undefined : `/${target.path}${hash}`;
    }
    if (ELSEWHERE.test(href)) return href;
    const location = resolveLocation(space.root, decodePercent(href.replace(/[?#].*$/s, "")));
    const document = location === undefined ? undefined : space.documentPath(location);
    return document === undefined || !space.tree.has(location ?? "") ? undefined : `/${document}`;
  };
}

const fragmentOf = (link: HtmlElement) =>
  decodePercent(/#(.*)$/s.exec(attribute(link, "href") ?? "")?.[1] ?? "");

/** The page that a link means: by its file, by its id, or as addresses of the wiki itself name it. */
function linkedPage(
  { root, key, byId, byLocation }: Surroundings,
  byTitle: ReadonlyMap<string, LinkedNode>,
  link: HtmlElement,
  page: LinkedNode,
): LinkedNode | undefined {
  const href = attribute(link, "href") ?? "";
  if (href.startsWith("#")) return page;
  const target = href.replace(/[?#].*$/s, "");
  const file = ELSEWHERE.test(href) ? undefined : resolveLocation(root, decodePercent(target));
  const byFile = file === undefined ? undefined : byLocation.get(file);
  if (byFile !== undefined) return byFile;
  const isResource = RESOURCE_KINDS.test(attribute(link, "data-linked-resource-type") ?? "");
  const resource = isResource ? byId.get(attribute(link, "data-linked-resource-id") ?? "") : undefined;
  if (resource !== undefined) return resource;
  const [, space, id] = /\/spaces\/([^/]+)\/(?:pages|folder)\/(?:edit-v2\/)?(\d+)/.exec(target) ?? [];
  if (id !== undefined && space === key) return byId.get(id);
  const short = /\/x\/([\w-]{1,12})$/.exec(target)?.[1];
  if (short !== undefined) return byId.get(idOfShort(short));
  const viewed = /\/pages\/viewpage\.action\?(?:.{0,200}&)?pageId=(\d+)/.exec(href)?.[1];
  if (viewed !== undefined) return byId.get(viewed);
  const [, shown, title] = /\/display\/([^/]+)\/([^/]+)$/.exec(target) ?? [];
  return title === undefined || shown !== key
    ? undefined
    : byTitle.get(decodePercent(title.replaceAll("+", " ")));
}

const idsIn = (main: HtmlElement): Places =>
  placesOf(
    elementsIn(main, () => true).flatMap((each) => attribute(each, "id") ?? attribute(each, "name") ?? []),
  );

const idsInText = (text: string): Places =>
  placesOf(
    [...text.matchAll(/\sid="([^"<>]{1,300})"/g)].map(([, id = ""]) =>
      id.replaceAll("&amp;", "&").replaceAll("&quot;", '"').replaceAll("&#39;", "'"),
    ),
  );

/** The ids of a page, by themselves and by the words that they are made of. */
type Places = ReadonlyMap<string, string>;

/**
 * The editor of the Cloud writes a heading's words with dashes in a link, while the heading's id has the page's title in
 * front, and no spaces.
 */
function placesOf(ids: readonly string[]): Places {
  const places = new Map(ids.map((id) => [id, id]));
  for (const id of ids)
    for (const words of [bare(id.slice(id.indexOf("-") + 1)), bare(id)])
      if (!places.has(words)) places.set(words, id);
  return places;
}

/** The id that a link means; "" for none. */
const placeIn = (places: Places | undefined, fragment: string): string =>
  fragment === "" ? "" : (places?.get(fragment) ?? places?.get(bare(fragment)) ?? "");

const bare = (id: string) => id.replace(/[\s-]+/g, "").toLowerCase();
