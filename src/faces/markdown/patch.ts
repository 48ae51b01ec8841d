import type { MarkdownOptions } from "./markdown.ts";
import { isAlike, isSame, type MarkdownElement, type MarkdownNode } from "./nodes.ts";

/** A node of the page, with the Markdown node it was made from. */
export interface Mounted {
  node: MarkdownNode;
  dom: Element | Text;
  children: Mounted[];
}

/** Brings a parent's children to what they should be, touching only those that differ. */
type Patch = (parent: Element, mounted: readonly Mounted[], nodes: readonly MarkdownNode[]) => Mounted[];

/** A patcher that calls the options' hooks. */
export function createPatch({ onCode, onLink }: Pick<MarkdownOptions, "onCode" | "onLink">): Patch {
  const patch: Patch = (parent, mounted, nodes) => {
    for (const { dom } of mounted.slice(nodes.length)) dom.remove();
    return nodes.map((node, index) => {
      const before = mounted[index];
      if (before && mayBecome(before.node, node)) return update(before, node);
      const made = mount(node);
      if (before) before.dom.replaceWith(made.dom);
      else parent.append(made.dom);
      tellOfCode(made.dom, node);
      return made;
    });
  };

  function mount(node: MarkdownNode): Mounted {
    if (typeof node === "string") return { node, dom: document.createTextNode(node), children: [] };
    const dom = document.createElement(node.tag);
    for (const [name, value] of Object.entries(node.attributes)) dom.setAttribute(name, value);
    const made = { node, dom, children: patch(dom, [], node.children) };
    if (dom instanceof HTMLAnchorElement) onLink?.(dom, dom.getAttribute("href") ?? "");
    return made;
  }

  function update({ node: before, dom, children }: Mounted, node: MarkdownNode): Mounted {
    if (typeof node === "string" || typeof before === "string") {
      if (dom instanceof Text) updateText(dom, String(before), String(node));
      return { node, dom, children };
    }
    if (isFinished(before) || !(dom instanceof HTMLElement)) return { node, dom, children };
    const updated = { node, dom, children: patch(dom, children, node.children) };
    tellOfCode(dom, node);
    return updated;
  }

  /** Calls the hook once the code is in the page: what the hook puts beside it needs its parent. */
  function tellOfCode(pre: Node, node: MarkdownNode): void {
    if (typeof node === "string" || node.tag !== "pre" || node.isOpen || !(pre instanceof HTMLElement))
      return;
    const code = pre.firstElementChild;
    if (code instanceof HTMLElement) onCode?.(pre, code, node.attributes["data-language"] ?? "");
  }

  return patch;
}

/** Adding to a text keeps what is selected in it. */
function updateText(dom: Text, before: string, text: string): void {
  if (text === before) return;
  if (text.startsWith(before)) dom.appendData(text.slice(before.length));
  else dom.data = text;
}

/** Links and finished code were given to a hook, and are not touched again. */
const isFinished = ({ tag, isOpen }: MarkdownElement) => tag === "a" || (tag === "pre" && !isOpen);

function mayBecome(before: MarkdownNode, node: MarkdownNode): boolean {
  if (typeof before === "string" || typeof node === "string") return typeof before === typeof node;
  return isFinished(before) ? isSame(before, node) : isAlike(before, node);
}
