import { createTargets } from "./allowed-targets.ts";
import { parseBlocks } from "./blocks.ts";
import { isUndecided } from "./lines.ts";
import { isAlike, isSame, type MarkdownElement, type MarkdownNode } from "./nodes.ts";

/** How Markdown is shown. */
export interface MarkdownOptions {
  /** Headings are shown so many levels lower: an answer stands below a heading of its page. */
  headingOffset?: number;
  /** Where a link or an image leads that is allowed; undefined shows its words alone. What it gives is checked again. */
  resolveLink?: (href: string) => string | undefined;
  /** Origins whose pages open in place; the page's own unless told otherwise. Links to any other are external. */
  ownOrigins?: readonly string[];
  /** Where external links open: in a new tab unless told otherwise. */
  externalTarget?: "_blank" | "_self" | "_top";
  /** Origins that images may be loaded from, besides the page's own. */
  imageOrigins?: readonly string[];
  /**
   * Called once for each block of code, when it is complete. `pre` stands in a `div.code` that has room for buttons;
   * the children of `code` may be replaced.
   */
  onCode?: (pre: HTMLElement, code: HTMLElement, language: string) => void;
  /**
   * Called once for each link, when it is complete. A citation's words are a number in brackets, such as `[2]`. What
   * the hook does to the link stays: it is not touched again.
   */
  onLink?: (link: HTMLAnchorElement, url: string) => void;
}

/** Markdown in a page, which may still be coming. */
export interface MarkdownView {
  /** Shows the whole text so far. What is finished keeps its nodes; only the last block is touched. */
  write(textSoFar: string): void;
  /** Nothing more will come: what was held back is shown. */
  end(): void;
}

/** A last block up to this size is drawn at every write. */
const SMALL_CHARACTERS = 16_384;
/** A larger one when it has grown by this share, so that the time it takes stays in proportion to the text. */
const GROWTH_SHARE = 1 / 16;

/**
 * Shows Markdown in an element, which then belongs to it. It is safe for text that strangers wrote: elements are made one
 * by one and never from HTML, and links and images lead only where `allowed-targets.ts` lets them.
 */
export function createMarkdownView(container: HTMLElement, options: MarkdownOptions = {}): MarkdownView {
  const patch = createPatch(options);
  const blockOptions = { targets: createTargets(options), headingOffset: options.headingOffset ?? 0 };
  let text = "";
  /** Where the last block begins: what stands before it is finished. */
  let finished = 0;
  /** The last block as it was drawn. */
  let drawn = "";
  let mounted: Mounted[] = [];

  function restart(): void {
    container.replaceChildren();
    finished = 0;
    drawn = "";
    mounted = [];
  }

  function draw(isOpen: boolean): void {
    if (!text.startsWith(drawn, finished)) restart();
    const written = text.slice(finished).split("\n");
    const lines = written.map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
    const complete = isOpen ? lines.length - 1 : lines.length;
    if (isOpen && isUndecided(lines.at(-1) ?? "")) lines.pop();
    const blocks = parseBlocks(lines, blockOptions, isOpen);
    mounted = patch(
      container,
      mounted,
      blocks.map(({ node }) => node),
    );
    // A block is finished when another one has begun behind it, with a line that will not change.
    const last = blocks.findLastIndex(({ line }) => line < complete);
    if (last > 0) {
      for (const line of written.slice(0, blocks[last]?.line)) finished += line.length + 1;
      mounted = mounted.slice(last);
    }
    drawn = text.slice(finished);
  }

  return {
    write(textSoFar) {
      const grown = textSoFar.length - finished - drawn.length;
      const isSmall = drawn.length < SMALL_CHARACTERS;
      if (grown >= 0 && !isSmall && grown < drawn.length * GROWTH_SHARE) {
        text = textSoFar;
        return;
      }
      text = textSoFar;
      draw(true);
    },
    end: () => draw(false),
  };
}

/** A node of the page, with the Markdown node it was made from. */
interface Mounted {
  node: MarkdownNode;
  dom: Element | Text;
  children: Mounted[];
}

/** Brings a parent's children to what they should be, touching only those that differ. */
type Patch = (parent: Element, mounted: readonly Mounted[], nodes: readonly MarkdownNode[]) => Mounted[];

/** A patcher that calls the options' hooks. */
function createPatch({ onCode, onLink }: Pick<MarkdownOptions, "onCode" | "onLink">): Patch {
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
