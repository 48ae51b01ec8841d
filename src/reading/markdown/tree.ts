import { isRecord } from "@docent/kernel/text/json";

/** An element of parsed Markdown, named as in HTML; `html` is a block of raw HTML. */
export interface MarkdownElement {
  type: string;
  props: Record<string, unknown>;
  children: unknown[];
}

/** The callbacks of `walkMarkdown` for each text and element. */
export interface TreeVisitor {
  /** May replace an element before it is entered. */
  read?(element: MarkdownElement): MarkdownElement;
  text(text: string): void;
  /** Returns false to skip what is inside; `leave` is then not called. */
  enter(element: MarkdownElement): boolean;
  leave(element: MarkdownElement): void;
}

/** Parses Markdown and walks it, with a stack of its own: a line of a million `>` nests a million deep. */
export function walkMarkdown(markdown: string, visitor: TreeVisitor): void {
  const stack: Array<{ value: unknown } | { leaving: MarkdownElement }> = [
    { value: Bun.markdown.react(markdown) },
  ];
  for (let item = stack.pop(); item !== undefined; item = stack.pop()) {
    if ("leaving" in item) {
      visitor.leave(item.leaving);
      continue;
    }
    if (typeof item.value === "string") {
      visitor.text(item.value);
      continue;
    }
    const parsed = toElement(item.value);
    if (parsed === undefined) continue;
    const element = visitor.read?.(parsed) ?? parsed;
    if (element.type !== "" && !visitor.enter(element)) continue;
    if (element.type !== "") stack.push({ leaving: element });
    for (let index = element.children.length - 1; index >= 0; index--) {
      stack.push({ value: element.children[index] });
    }
  }
}

/**
 * Whether a piece of text is a raw HTML tag or comment: Bun passes those whole, and splits words at every
 * `<`.
 */
export function isRawTag(text: string): boolean {
  return text.endsWith(">") && /^<[A-Za-z/!?]/.test(text);
}

/** An element of Bun's parser; undefined for text. */
export function toElement(value: unknown): MarkdownElement | undefined {
  if (!isRecord(value)) return undefined;
  const props = isRecord(value["props"]) ? value["props"] : {};
  const children = props["children"];
  const type = typeof value["type"] === "string" ? value["type"] : "";
  return { type, props, children: Array.isArray(children) ? children : [] };
}

/** An element's property as text; "" where it lacks it. */
export function stringProp(element: MarkdownElement, name: string): string {
  const value = element.props[name];
  return typeof value === "string" ? value : "";
}
