/** An element of DocBook, of version 4 or 5: its names have no prefix, and `xml:id` is called `id`. */
export interface DocbookElement {
  name: string;
  attributes: Readonly<Record<string, string>>;
  children: DocbookNode[];
  parent: DocbookElement | undefined;
  /** The file that it stands in, below the source's root. */
  file: string;
}

/** `<?dbhtml filename="a.html"?>`, and what stands for an entity that nobody declares. */
interface DocbookInstruction {
  instruction: string;
  words: string;
}

export type DocbookNode = DocbookElement | DocbookInstruction | string;

/** Stands for an entity that nobody declares; its words are the entity's name. */
export const UNKNOWN_ENTITY = "docent-unknown-entity";

export const isElement = (node: DocbookNode): node is DocbookElement =>
  typeof node !== "string" && "children" in node;

export const elementsOf = ({ children }: Pick<DocbookElement, "children">): DocbookElement[] =>
  children.filter(isElement);

export const childrenNamed = (element: DocbookElement, ...names: string[]): DocbookElement[] =>
  elementsOf(element).filter(({ name }) => names.includes(name));

export const childNamed = (element: DocbookElement, ...names: string[]): DocbookElement | undefined =>
  elementsOf(element).find(({ name }) => names.includes(name));

/** An attribute that says something. */
export function attributeOf({ attributes }: DocbookElement, name: string): string | undefined {
  const value = attributes[name]?.trim();
  return value === "" ? undefined : value;
}

export const idOf = (element: DocbookElement) => attributeOf(element, "id");

/** Elements whose words are none of those around them. */
export const UNSPOKEN: ReadonlySet<string> = new Set([
  "indexterm",
  "remark",
  "comment",
  "footnote",
  "alt",
  "areaspec",
  "beginpage",
  "itermset",
]);

/** The first element below one that is called so. */
export function descendantNamed(element: DocbookElement, ...names: string[]): DocbookElement | undefined {
  for (const child of elementsOf(element)) {
    if (names.includes(child.name)) return child;
    const found = descendantNamed(child, ...names);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The text of an element with its white space. */
export function textOf(node: DocbookNode): string {
  if (typeof node === "string") return node;
  if (!isElement(node)) return node.instruction === UNKNOWN_ENTITY ? node.words : "";
  return UNSPOKEN.has(node.name) ? "" : node.children.map(textOf).join("");
}

/** The text of an element on one line. */
export const lineOf = (node: DocbookNode) => textOf(node).replace(/\s+/g, " ").trim();

/** `info`, `bookinfo`, `sect1info`: what is said about an element. `refentryinfo` and `blockinfo` too. */
const INFO = /^(?:[a-z]+\d?)?info$/;
const NO_INFO = new Set(["releaseinfo", "funcsynopsisinfo", "classsynopsisinfo", "refmiscinfo"]);
export const isInfo = (name: string) => INFO.test(name) && !NO_INFO.has(name);

export const infoOf = (element: DocbookElement) => elementsOf(element).find(({ name }) => isInfo(name));

/** The element that holds a title: a child, or a child of what is said about it. */
export function titleOf(element: DocbookElement): DocbookElement | undefined {
  if (element.name === "refentry") {
    const names = childNamed(element, "refnamediv");
    const meta = childNamed(element, "refmeta");
    return (
      (meta && childNamed(meta, "refentrytitle")) ??
      (names && childNamed(names, "refdescriptor", "refname")) ??
      childNamed(element, "title")
    );
  }
  const info = infoOf(element);
  return childNamed(element, "title") ?? (info && childNamed(info, "title"));
}

/** What stands in a place of its own language: `xml:lang` in 5, `lang` in 4. */
export function languageOf(element: DocbookElement): string | undefined {
  const language = attributeOf(element, "lang");
  return language !== undefined && /^[a-z]{2,3}(?:[-_]\w{2,8}){0,2}$/i.test(language)
    ? language.replaceAll("_", "-")
    : undefined;
}

/** What the pseudo-attributes of `<?dbhtml …?>` among an element's own children say. */
export function dbhtmlOf({ children }: DocbookElement, name: string): string | undefined {
  for (const node of children) {
    if (typeof node === "string" || isElement(node) || node.instruction !== "dbhtml") continue;
    const found = new RegExp(`(?:^|\\s)${name}\\s{0,5}=\\s{0,5}(?:"([^"]{0,300})"|'([^']{0,300})')`).exec(
      node.words,
    );
    const value = found?.[1] ?? found?.[2];
    if (value !== undefined && value !== "") return value;
  }
  return undefined;
}
