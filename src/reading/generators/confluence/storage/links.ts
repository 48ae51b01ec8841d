import {
  attribute,
  type HtmlElement,
  type HtmlNode,
  newElement,
  newText,
  textOf,
} from "../../../markdown/html/html.ts";
import { childOf, namedValue } from "./tree.ts";

/** What a link of the storage format names: a page, a blog post, or a space. */
export interface LinkTarget {
  /** Undefined where the page itself is meant, or a space. */
  title: string | undefined;
  /** The key of a space; undefined for the page's own. */
  space: string | undefined;
  /** What Confluence's Cloud knows it by. */
  id: string | undefined;
}

/** An attached file, of the page itself where it names none. */
export interface NamedFile {
  name: string;
  page: LinkTarget | undefined;
}

/** Answers what the storage format only names. Undefined is said of what readers do not have. */
export interface StorageNames {
  /** The address of a page, with the place in it that an anchor means. */
  pageHref(target: LinkTarget, anchor: string): string | undefined;
  /** The title of a page by its id, for links that have no words. */
  pageTitle(target: LinkTarget): string | undefined;
  fileHref(file: NamedFile): string | undefined;
  /** The address of an attached image, as pages show it. */
  imageSource(file: NamedFile): string | undefined;
  /** Where an address leads that its author wrote: to a page of the wiki, or as it is. */
  hrefOf(href: string): string | undefined;
  /** The name of a person by the key, the account or the name that the wiki has for them. */
  personName(key: string): string | undefined;
}

const SELF: LinkTarget = { title: undefined, space: undefined, id: undefined };

/** The page that an element such as `ri:page` names. */
export function targetOf(resource: HtmlElement | undefined): LinkTarget {
  if (resource === undefined) return SELF;
  return {
    title: namedValue(resource, "content-title") || undefined,
    space: namedValue(resource, "space-key") || undefined,
    id: namedValue(resource, "content-id") || undefined,
  };
}

/** The file that an `ri:attachment` names. */
export function fileOf(resource: HtmlElement): NamedFile {
  const page = childOf(resource, "ri:page", "ri:blog-post", "ri:content-entity");
  return { name: namedValue(resource, "filename"), page: page === undefined ? undefined : targetOf(page) };
}

/** A link; its words alone where it leads to nothing that readers have. */
export function linkOf(
  names: StorageNames,
  link: HtmlElement,
  write: (element: HtmlElement) => HtmlNode[],
): HtmlNode[] {
  const body = childOf(link, "ac:link-body", "ac:plain-text-link-body");
  const said = body === undefined || textOf(body) + imagesIn(body) === "" ? undefined : write(body);
  const anchor = namedValue(link, "anchor");
  const file = childOf(link, "ri:attachment");
  const person = childOf(link, "ri:user");
  if (person !== undefined) return said ?? words(personOf(names, person));
  if (file !== undefined) {
    const named = fileOf(file);
    return anchored(names.fileHref(named), said ?? words(named.name));
  }
  const shortcut = childOf(link, "ri:shortcut", "ri:url");
  if (shortcut !== undefined) {
    const value = namedValue(shortcut, "value");
    return anchored(
      shortcut.tagName === "ri:url" ? names.hrefOf(value) : undefined,
      said ?? words(namedValue(shortcut, "parameter") || value),
    );
  }
  const target = targetOf(childOf(link, "ri:page", "ri:blog-post", "ri:space", "ri:content-entity"));
  const shown = target.title ?? names.pageTitle(target) ?? (anchor || target.space) ?? "";
  return anchored(names.pageHref(target, anchor), said ?? words(shown));
}

const imagesIn = (body: HtmlElement) => (childOf(body, "ac:image", "img") === undefined ? "" : "image");
const words = (text: string): HtmlNode[] => (text === "" ? [] : [newText(text)]);

const anchored = (href: string | undefined, inside: readonly HtmlNode[]): HtmlNode[] =>
  href === undefined || inside.length === 0 ? [...inside] : [newElement("a", inside, { id: "", href })];

export function personOf(names: StorageNames, person: HtmlElement): string {
  const key =
    namedValue(person, "account-id") || namedValue(person, "userkey") || namedValue(person, "username");
  return names.personName(key) ?? namedValue(person, "username");
}

/** An image of the page's own files, or of an address. What is no image, or not there, is its name. */
export function imageOf(
  names: StorageNames,
  image: HtmlElement,
  write: (element: HtmlElement) => HtmlNode[],
): HtmlNode[] {
  const file = childOf(image, "ri:attachment");
  const described = namedValue(image, "alt") || namedValue(image, "title");
  const source =
    file === undefined ? namedValue(childOf(image, "ri:url"), "value") : names.imageSource(fileOf(file));
  // The pictures that older editors wrote for emoticons.
  if (/\bemoticon\b/.test(namedValue(image, "class"))) return [];
  if (source === undefined || source === "") {
    const named = file === undefined ? undefined : fileOf(file);
    return anchored(named && names.fileHref(named), words(described || (named?.name ?? "")));
  }
  const width = /^\d{1,5}/.exec(namedValue(image, "width"))?.[0];
  const shown = newElement("img", [], {
    src: source,
    alt: described,
    ...(width === undefined ? {} : { width }),
  });
  const caption = childOf(image, "ac:caption");
  return caption === undefined ? [shown] : [shown, newElement("p", write(caption))];
}

/** Where an `<a>` of the page leads. */
export function plainLink(names: StorageNames, link: HtmlElement, inside: HtmlNode[]): HtmlNode[] {
  const href = attribute(link, "href");
  const id = attribute(link, "id") ?? attribute(link, "name");
  if (href === undefined) return id === undefined ? inside : [newElement("a", inside, { id })];
  const resolved = href.startsWith("#") ? names.pageHref(SELF, href.slice(1)) : names.hrefOf(href);
  return anchored(resolved, inside);
}
