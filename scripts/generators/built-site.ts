import { join } from "node:path";
import { parse } from "parse5";
import type { PublishedEntry, PublishedPage, PublishedSite } from "./published.ts";

/** An element of parsed HTML, as far as it is looked at. */
interface Node {
  nodeName: string;
  tagName?: string;
  value?: string;
  attrs?: { name: string; value: string }[];
  childNodes?: Node[];
}

/** How the HTML of a generator is read. */
export interface BuiltSite {
  /** The folder that it wrote. */
  folder: string;
  generator: string;
  /** What the address of the site begins with, with slashes around it: "/" where it is a host's root. */
  base: string;
  /** Pages that are no page of the docs: "404.html", "search.html". */
  leaves?: (file: string) => boolean;
  /** The part of a page that holds its text. */
  isContent: (element: Element) => boolean;
  /** What says a page's title, where its first heading need not be that. */
  isTitle?: (element: Element) => boolean;
  /** What of those words is the page's own title: many add the site's. */
  titleIn?: (words: string) => string;
  /** The address of a file, where hosts leave off its extension. */
  addressOf?: (file: string) => string;
  /** Where the menu is read; several where parts of a site have menus of their own. */
  menu?: MenuPlace | readonly MenuPlace[];
  /** The menu, where the generator says what it gives to its theme, which does not show all of it at once. */
  givenMenu?: readonly PublishedEntry[];
  /** Elements whose words are no part of a heading or a label: the sign of a permalink. */
  isNoise?: (element: Element) => boolean;
  /** Parts of a page that are made from the others: a list of its headings. */
  isMade?: (element: Element) => boolean;
  /** Links whose words count, but not their targets: those of headings to themselves, and of tabs to their content. */
  isOwnLink?: (element: Element) => boolean;
  /** Headings that are part of the theme, and not of the page. */
  isThemeHeading?: (element: Element) => boolean;
}

/** A list of a menu: the first one on a page. */
interface MenuPlace {
  page: string;
  isMenu: (element: Element) => boolean;
  /** What the site calls it, where it has several: one name, or one inside of another. */
  label?: string | readonly string[];
  /** Its entries with their labels, where they are no items of lists. */
  isItem?: (element: Element) => boolean;
  isLabel?: (element: Element) => boolean;
  /** Items that are titles of what follows them. */
  isPart?: (element: Element) => boolean;
  /** Items that end what follows a title. */
  isRule?: (element: Element) => boolean;
  /** What stands above a list as its label, where lists follow each other. */
  isCaption?: (element: Element) => boolean;
}

/** An element with its attributes at hand. */
export interface Element {
  tag: string;
  id: string | undefined;
  classes: ReadonlySet<string>;
  attributes: Readonly<Record<string, string>>;
}

/** Reads what a generator published from the HTML that it wrote. */
export async function readBuiltSite(built: BuiltSite): Promise<PublishedSite> {
  const files = [...new Bun.Glob("**/*.html").scanSync({ cwd: built.folder, dot: true })].sort();
  const pages: ReadPage[] = [];
  const places = [built.menu ?? []].flat();
  const menus = new Map<MenuPlace, PublishedEntry[]>();
  for (const file of files) {
    const here = places.filter(({ page }) => page === file);
    const isLeft = built.leaves?.(file) ?? false;
    if (isLeft && here.length === 0) continue;
    const document = parse(await Bun.file(join(built.folder, file)).text());
    if (!isLeft && !isRedirect(document)) pages.push(pageOf(document, file, built));
    for (const place of here) menus.set(place, menuOf(document, file, { ...built, ...place }));
  }
  const menu: PublishedEntry[] = [];
  for (const place of places) sectionOf(menu, [place.label ?? []].flat()).push(...(menus.get(place) ?? []));
  const known = new Set(pages.map(({ path }) => path));
  return {
    generator: built.generator,
    pages: pages.sort(byPath).map((page) => withPlaces(page, pages)),
    menu: withoutLists(built.givenMenu ?? menu, known),
  };
}

/** A page with all of its ids. */
type ReadPage = PublishedPage & { ids: ReadonlySet<string> };

/** A page with the places that links of the site lead to and that are no headings: cells, terms, parameters. */
function withPlaces({ ids, ...page }: ReadPage, pages: readonly PublishedPage[]): PublishedPage {
  const start = `${page.path}#`;
  const wanted = new Set(
    pages.flatMap(({ links }) =>
      links.filter((link) => link.startsWith(start)).map((link) => link.slice(start.length)),
    ),
  );
  const headings = new Set(page.headings.map(({ id }) => id));
  const places = [...wanted].filter((id) => ids.has(id) && !headings.has(id)).sort();
  return places.length === 0 ? page : { ...page, places };
}

/** The entries below labels, which are made where they are not there. */
function sectionOf(menu: PublishedEntry[], labels: readonly string[]): PublishedEntry[] {
  let entries = menu;
  for (const label of labels) {
    const section = entries.find((entry) => entry.label === label) ?? { label, children: [] };
    if (!entries.includes(section)) entries.push(section);
    entries = section.children;
  }
  return entries;
}

/** Pages that only list others are no pages of the docs: an entry that leads to one is a group. */
function withoutLists(menu: readonly PublishedEntry[], known: ReadonlySet<string>): PublishedEntry[] {
  return menu.map(({ label, path, children }) => ({
    label,
    ...(path === undefined || !known.has(path) ? {} : { path }),
    children: withoutLists(children, known),
  }));
}

const byPath = (a: PublishedPage, b: PublishedPage) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0);

/** Whether a page only leads to another one. */
function isRedirect(document: Node): boolean {
  return (
    find(
      document,
      ({ tag, attributes }) => tag === "meta" && /^refresh$/i.test(attributes["http-equiv"] ?? ""),
    ) !== undefined
  );
}

function pageOf(document: Node, file: string, built: BuiltSite): ReadPage {
  const content = find(document, (element) => built.isContent(element)) ?? document;
  const path = addressOf(file, built);
  const headings: { id: string; words: string; level: number }[] = [];
  const links: string[] = [];
  const ids = new Set<string>();
  walk(content, (node, element) => {
    if (element.id !== undefined) ids.add(element.id);
    if (built.isMade?.(element)) return false;
    const level = /^h([1-6])$/.exec(element.tag)?.[1];
    const id = element.id ?? idInside(node);
    if (level !== undefined && !built.isThemeHeading?.({ ...element, id: id || undefined }))
      headings.push({ id, words: wordsIn(node, built), level: Number(level) });
    const href = element.tag === "a" ? element.attributes["href"] : undefined;
    if (href !== undefined && !built.isNoise?.(element) && !built.isOwnLink?.(element))
      links.push(...linkWithin(href, file, built));
    return true;
  });
  const said = built.isTitle && find(document, built.isTitle);
  const title =
    said === undefined
      ? (headings.find(({ level }) => level === 1)?.words ?? titleIn(document))
      : (built.titleIn ?? String)(wordsIn(said, built));
  return {
    path,
    title,
    headings: headings.filter(({ id }) => id !== "").map(({ id, words }) => ({ id, words })),
    links: [...new Set(links)].sort(),
    lines: linesIn(content, built),
    ids,
  };
}

/** The id that stands on something inside of a heading, or "". */
function idInside(heading: Node): string {
  let found = "";
  walk(heading, (_, element) => {
    if (found === "") found = element.id ?? (element.tag === "a" ? (element.attributes["name"] ?? "") : "");
    return found === "";
  });
  return found;
}

const titleIn = (document: Node) => {
  const title = find(document, ({ tag }) => tag === "title");
  return title === undefined ? "" : wordsIn(title, {});
};

/** The address of a file as its readers see it, without slashes around it: an index stands for its folder. */
export const pathOf = (file: string) => file.replace(/(^|\/)index\.html$/, "").replace(/\/$/, "");

const addressOf = (file: string, built: Pick<BuiltSite, "addressOf">) => (built.addressOf ?? pathOf)(file);

/** A link to a page of the same site, from its root, with its anchor; none for any other. */
function linkWithin(href: string, file: string, built: Pick<BuiltSite, "base" | "addressOf">): string[] {
  const { base } = built;
  const root = "http://site.invalid";
  const url = URL.parse(href, `${root}${base}${encodeURI(file)}`);
  if (url === null || url.origin !== root || !`${url.pathname}/`.startsWith(base)) return [];
  const path = addressOf(decodeURIComponent(url.pathname.slice(base.length)), built);
  const isFile = /\.(?!html$)[a-z][a-z0-9]{1,4}$/i.test(path) && !url.pathname.endsWith("/");
  if (isFile) return [];
  return [`${path.replace(/\/$/, "")}${decodeURIComponent(url.hash)}`];
}

function menuOf(document: Node, file: string, built: BuiltSite & MenuPlace): PublishedEntry[] {
  const list = find(document, built.isMenu);
  if (list === undefined) return [];
  if (built.isCaption !== undefined)
    return captionedEntries(list, file, { ...built, isCaption: built.isCaption });
  if (built.isItem !== undefined) return markedEntries(list, file, built);
  return entriesIn(list, file, built);
}

/** The entries of lists that follow each other, each below its caption where it has one. */
function captionedEntries(
  place: Node,
  file: string,
  built: BuiltSite & { isCaption: (element: Element) => boolean },
): PublishedEntry[] {
  let caption = "";
  return outermost(place, (element) => built.isCaption(element) || element.tag === "ul").flatMap((each) => {
    if (each.tagName !== "ul") {
      caption = wordsIn(each, built);
      return [];
    }
    const children = itemsOf(each).length === 0 ? [] : entriesIn(each, file, built);
    const entries = caption === "" ? children : [{ label: caption, children }];
    caption = "";
    return entries;
  });
}

/** The entries that are marked as such. One without a label only holds others. */
function markedEntries(list: Node, file: string, built: BuiltSite & MenuPlace): PublishedEntry[] {
  const { isItem = () => false, isLabel = () => false } = built;
  return outermost(list, isItem).flatMap((item) => {
    const inner = outermost(item, isItem);
    const own = (is: (element: Element) => boolean) => {
      const found = find(item, is);
      return inner.some((each) => find(each, is) === found) ? undefined : found;
    };
    const children = markedEntries(item, file, built);
    const shown = own(isLabel);
    const label = shown === undefined ? "" : wordsIn(shown, built);
    if (label === "") return children;
    const link = own(({ tag }) => tag === "a");
    const href = link === undefined ? undefined : attributesOf(link)["href"];
    const path = href === undefined ? undefined : linkWithin(href, file, built)[0]?.replace(/#.*$/, "");
    return [{ label, ...(path === undefined ? {} : { path }), children }];
  });
}

/** The elements of a kind that are not inside of another such. */
function outermost(node: Node, is: (element: Element) => boolean): Node[] {
  return (node.childNodes ?? []).flatMap((child) =>
    child.tagName !== undefined && is(elementOf(child)) ? [child] : outermost(child, is),
  );
}

/**
 * The entries of nested lists: an item has a label, which may be a link, and below it a list of others. What follows the
 * title of a part is in it.
 */
function entriesIn(list: Node, file: string, built: BuiltSite & Partial<MenuPlace>): PublishedEntry[] {
  const entries: PublishedEntry[] = [];
  let part = entries;
  for (const item of itemsOf(list)) {
    if (built.isRule?.(elementOf(item))) part = entries;
    const [entry] = entriesOf([item], file, built);
    if (entry === undefined) continue;
    const isPart = built.isPart?.(elementOf(item)) === true;
    (isPart ? entries : part).push(entry);
    if (isPart) part = entry.children;
  }
  return entries;
}

function entriesOf(
  items: readonly Node[],
  file: string,
  built: BuiltSite & Partial<MenuPlace>,
): PublishedEntry[] {
  return items.flatMap((item) => {
    const inner = find(item, ({ tag }) => tag === "ul" || tag === "ol", true);
    const link = find(item, ({ tag }) => tag === "a", true, inner);
    const label = wordsIn(link ?? item, built, link === undefined ? inner : undefined);
    const children = inner === undefined ? [] : entriesIn(inner, file, built);
    const isLed = link !== undefined && !built.isOwnLink?.(elementOf(link));
    const href = isLed ? attributesOf(link)["href"] : undefined;
    const [target] = href === undefined ? [] : linkWithin(href, file, built);
    const path = target?.replace(/#.*$/, "");
    if (label === "" && children.length === 0) return [];
    return [{ label, ...(path === undefined ? {} : { path }), children }];
  });
}

/** The items of a list, without those of lists inside of it. */
function itemsOf(list: Node): Node[] {
  return (list.childNodes ?? []).flatMap((child) =>
    child.tagName === "li" ? [child] : child.tagName === "ul" || child.tagName === "ol" ? [] : itemsOf(child),
  );
}

const UNSHOWN = new Set(
  "script style template noscript svg button select input textarea dialog iframe".split(" "),
);
const INLINE = new Set(
  "a abbr b bdi bdo cite code data del dfn em font i ins kbd mark q ruby s samp small span strong sub sup time tt u var wbr".split(
    " ",
  ),
);

/** How the words of a page are read. */
export type ReadsWords = Pick<BuiltSite, "isContent" | "isNoise" | "isMade">;

/** The words that a page of HTML shows, a line for each block. */
export function linesOf(html: string, reads: ReadsWords): string[] {
  const document = parse(html);
  return linesIn(find(document, reads.isContent) ?? document, reads);
}

/** The words that a part of a page shows, a line for each block, without what the theme adds. */
function linesIn(content: Node, built: Pick<BuiltSite, "isNoise" | "isMade">): string[] {
  let text = "";
  const visit = (node: Node): void => {
    if (node.value !== undefined) text += node.value;
    if (node.tagName !== undefined && isUnshown(elementOf(node), built)) return;
    const isBlock = node.tagName !== undefined && !INLINE.has(node.tagName);
    if (isBlock) text += "\n";
    for (const child of node.childNodes ?? []) visit(child);
    if (isBlock) text += "\n";
  };
  visit(content);
  const lines = text.replace(/[\u200B¶]/g, "").split("\n");
  return lines.map((line) => line.replace(/\s+/g, " ").trim()).filter((line) => line !== "");
}

function isUnshown(element: Element, built: Pick<BuiltSite, "isNoise" | "isMade">): boolean {
  const { tag, classes, attributes } = element;
  if (UNSHOWN.has(tag) || attributes["aria-hidden"] === "true") return true;
  if (["sr-only", "visually-hidden", "screen-reader-only"].some((name) => classes.has(name))) return true;
  return built.isNoise?.(element) === true || built.isMade?.(element) === true;
}

function wordsIn(node: Node, { isNoise }: Pick<BuiltSite, "isNoise">, without?: Node): string {
  const parts: string[] = [];
  const visit = (each: Node): void => {
    if (each === without || each.tagName === "script" || each.tagName === "style") return;
    if (each.tagName !== undefined && isNoise?.(elementOf(each))) return;
    if (each.value !== undefined) parts.push(each.value);
    for (const child of each.childNodes ?? []) visit(child);
  };
  visit(node);
  return parts
    .join("")
    .replace(/[\u200B¶]/g, "")
    .replace(/\s+/g, " ")
    .trim();
}

/** The first element of a kind, in order; the one searched in is left out where that is asked for. */
function find(
  node: Node,
  is: (element: Element) => boolean,
  isInside = false,
  without?: Node,
): Node | undefined {
  if (node === without) return undefined;
  if (!isInside && node.tagName !== undefined && is(elementOf(node))) return node;
  for (const child of node.childNodes ?? []) {
    const found = find(child, is, false, without);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Visits what is inside of an element; false leaves out what is inside of that. */
function walk(node: Node, visit: (node: Node, element: Element) => boolean): void {
  for (const child of node.childNodes ?? [])
    if (child.tagName === undefined || visit(child, elementOf(child))) walk(child, visit);
}

const attributesOf = ({ attrs = [] }: Node): Record<string, string> =>
  Object.fromEntries(attrs.map(({ name, value }) => [name, value]));

function elementOf(node: Node): Element {
  const attributes = attributesOf(node);
  return {
    tag: node.tagName ?? "",
    id: attributes["id"] || undefined,
    classes: new Set((attributes["class"] ?? "").split(/\s+/)),
    attributes,
  };
}
