import { placeOfTag } from "../anchors.ts";
import { readMarkedQuote } from "../callouts.ts";
import { type MarkdownElement, toElement } from "../tree.ts";

interface Tab {
  title: unknown[];
  body: unknown[];
}

/**
 * Puts tabs that stand one behind another into a `tabs` element, and marks titles of code, in the children of an
 * element. A label that comes again begins other tabs. A tab alone is its label and its content.
 */
export function createGrouping(): (element: MarkdownElement) => MarkdownElement {
  let groups = 0;

  function written(tabs: readonly Tab[]): unknown[] {
    const [only] = tabs;
    if (tabs.length === 1 && only !== undefined) return [strongLine(only.title), ...only.body];
    groups += 1;
    const children = tabs.map(({ title, body }, place) => ({
      type: "tab",
      props: {
        group: `tabs-${groups}`,
        isFirst: place === 0,
        children: [
          { type: "tab-title", props: { children: title } },
          { type: "tab-panel", props: { children: body.map(codeTitled(body)) } },
        ],
      },
    }));
    return [{ type: "tabs", props: { children } }];
  }

  return (element) => {
    const { children } = element;
    if (!children.some((child) => mayBeMarked(child))) return element;
    const out: unknown[] = [];
    let tabs = new Map<string, Tab>();
    let places: unknown[] = [];
    const flush = () => {
      if (tabs.size > 0) out.push(...written([...tabs.values()]));
      tabs = new Map();
    };
    for (const child of children) {
      const tab = readTab(child);
      if (tab !== undefined) {
        const label = JSON.stringify(tab.title);
        if (tabs.has(label)) flush();
        tabs.set(label, { ...tab, body: [...places, ...tab.body] });
        places = [];
      } else if (isPlace(child)) places.push(child);
      else {
        flush();
        out.push(...places, child);
        places = [];
      }
    }
    flush();
    out.push(...places);
    return { ...element, children: out.map(codeTitled(out)) };
  };
}

/** Leaves most elements as they are: only blocks hold tabs and titles of code. */
function mayBeMarked(child: unknown): boolean {
  const type = toElement(child)?.type;
  return type === "blockquote" || type === "pre";
}

function readTab(child: unknown): Tab | undefined {
  const element = toElement(child);
  const marked = element?.type === "blockquote" ? readMarkedQuote(element) : undefined;
  return marked?.name === "tab" ? { title: marked.title, body: marked.body } : undefined;
}

/** Whether a paragraph marks a place and has no words: a link that leads there opens the tab behind it. */
function isPlace(child: unknown): boolean {
  const paragraph = toElement(child);
  const [first, ...rest] = paragraph?.type === "p" ? paragraph.children : [];
  return typeof first === "string" && placeOfTag(first) !== undefined && rest.join("") === "</a>";
}

const strongLine = (children: unknown[]) => ({
  type: "p",
  props: { children: [{ type: "strong", props: { children } }] },
});

/** Turns a line in strong type directly above code into the title of that code. */
const codeTitled = (siblings: readonly unknown[]) => (child: unknown, place: number) => {
  const isAboveCode = toElement(siblings[place + 1])?.type === "pre";
  const line = isAboveCode ? toElement(child) : undefined;
  const [strong, ...rest] = line?.type === "p" ? line.children : [];
  const words = rest.length === 0 ? toElement(strong) : undefined;
  return words?.type === "strong" ? { type: "code-title", props: { children: words.children } } : child;
};
