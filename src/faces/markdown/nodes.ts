/** The elements that Markdown may become. No other is ever made. */
export type Tag =
  | (
      | "a"
      | "blockquote"
      | "br"
      | "code"
      | "del"
      | "div"
      | "em"
      | "hr"
      | "img"
      | "input"
      | "kbd"
      | "li"
      | "ol"
      | "p"
    )
  | ("pre" | "strong" | "sub" | "sup" | "table" | "tbody" | "td" | "th" | "thead" | "tr" | "ul")
  | `h${1 | 2 | 3 | 4 | 5 | 6}`;

/** The attributes that they may have. Values come from the text, names never do. */
type Attribute =
  | ("alt" | "checked" | "class" | "data-align" | "data-language" | "disabled" | "href" | "loading")
  | ("referrerpolicy" | "rel" | "src" | "start" | "tabindex" | "target" | "title" | "type");

export type Attributes = { readonly [name in Attribute]?: string };

/** An element before it is in the page. */
export interface MarkdownElement {
  tag: Tag;
  attributes: Attributes;
  children: MarkdownNode[];
  /** A block of code whose end has not come. */
  isOpen: boolean;
}

export type MarkdownNode = string | MarkdownElement;

const NO_ATTRIBUTES: Attributes = {};

/** An element with what is in it. */
export const element = (
  tag: Tag,
  children: MarkdownNode[] = [],
  attributes = NO_ATTRIBUTES,
  isOpen = false,
): MarkdownElement => ({ tag, attributes, children, isOpen });

/** The nodes with neighbouring texts made one, so that a text that grows stays the same node of the page. */
export function joined(nodes: readonly MarkdownNode[]): MarkdownNode[] {
  const out: MarkdownNode[] = [];
  for (const node of nodes) {
    const last = out.at(-1);
    if (typeof node === "string" && typeof last === "string") out[out.length - 1] = last + node;
    else if (node !== "") out.push(node);
  }
  return out;
}

/** What the nodes say, without what they look like. */
export function textOf(nodes: readonly MarkdownNode[], charactersMax: number): string {
  let text = "";
  for (const node of nodes) {
    if (text.length >= charactersMax) break;
    text += typeof node === "string" ? node : (node.attributes.alt ?? textOf(node.children, charactersMax));
  }
  return text.slice(0, charactersMax);
}

/** The nodes without links: a link cannot hold another. */
export function withoutLinks(nodes: readonly MarkdownNode[]): MarkdownNode[] {
  return nodes.flatMap((node) => {
    if (typeof node === "string") return [node];
    const children = withoutLinks(node.children);
    return node.tag === "a" ? children : [{ ...node, children }];
  });
}

/** Whether two nodes would look the same. */
export function isSame(one: MarkdownNode, other: MarkdownNode): boolean {
  if (typeof one === "string" || typeof other === "string") return one === other;
  return (
    isAlike(one, other) &&
    one.isOpen === other.isOpen &&
    one.children.length === other.children.length &&
    one.children.every((child, index) => isSame(child, other.children[index] ?? ""))
  );
}

/** Whether two elements differ in nothing but what is in them. */
export function isAlike(one: MarkdownElement, other: MarkdownElement): boolean {
  if (one.tag !== other.tag) return false;
  const isSame = one.attributes === other.attributes;
  return isSame || JSON.stringify(one.attributes) === JSON.stringify(other.attributes);
}
