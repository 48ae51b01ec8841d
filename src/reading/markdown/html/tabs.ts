import { attribute, classesOf, collapse, type HtmlElement, textOf, walkNodes } from "./dom.ts";

const PANELS = new Set([
  "tabbed-block",
  "sd-tab-content",
  "tab-pane",
  "tab-panel",
  "tabpanel",
  "sphinx-tabs-panel",
]);
const LABEL_LISTS = new Set(["tabbed-labels", "tablist"]);
const LABELS = new Set(["sd-tab-label"]);

/** Whether an element is a tab's content. Browsers show one at a time, but all are words of the page. */
export function isTabPanel(classes: readonly string[], role: string | undefined): boolean {
  return role === "tabpanel" || classes.some((name) => PANELS.has(name));
}

/**
 * The labels of tabs by panel, and the elements that contain the labels, which are not written a second time.
 */
export interface Tabs {
  labelOf: Map<HtmlElement, string>;
  labels: Set<HtmlElement>;
}

/** Pairs the labels of tabs with their panels, which builders keep apart: in order, inner tabs first. */
export function findTabs(root: HtmlElement): Tabs {
  const tabs: Tabs = { labelOf: new Map(), labels: new Set() };
  const waiting: string[][] = [];
  walkNodes(root.childNodes, {
    enter(element) {
      if (!mayBePartOfTabs(element)) return true;
      const classes = classesOf(element);
      const role = attribute(element, "role");
      const labels = labelsAt(element, classes, role);
      if (labels !== undefined) {
        tabs.labels.add(element);
        waiting.push(labels);
        return false;
      }
      if (isTabPanel(classes, role) || isCodeGroupBlock(element)) {
        while (waiting.length > 0 && waiting.at(-1)?.length === 0) waiting.pop();
        const label = waiting.at(-1)?.shift();
        if (label) tabs.labelOf.set(element, label);
      }
      return true;
    },
  });
  return tabs;
}

/** Skips most elements quickly: splitting class names would take most of a page's time. */
function mayBePartOfTabs(element: HtmlElement): boolean {
  return element.attrs.some(
    ({ name, value }) => name === "role" || (name === "class" && /tab|language-/i.test(value)),
  );
}

function labelsAt(
  element: HtmlElement,
  classes: readonly string[],
  role: string | undefined,
): string[] | undefined {
  if (classes.some((name) => LABELS.has(name))) return [textOf(element)];
  const list = role === "tablist" || classes.some((name) => LABEL_LISTS.has(name));
  if (!list && !(classes.includes("tabs") && isCodeGroup(element.parentNode))) return undefined;
  const labels: string[] = [];
  walkNodes(element.childNodes, {
    enter(inner) {
      const isLabel = attribute(inner, "role") === "tab" || inner.tagName === "label";
      if (isLabel) labels.push(collapse(textOf(inner)));
      return !isLabel;
    },
  });
  return labels;
}

/** VitePress: `.vp-code-group > .blocks >` one code block for each label. */
function isCodeGroupBlock(element: HtmlElement): boolean {
  const parent = element.parentNode;
  if (parent === null || !("tagName" in parent) || !classesOf(parent).includes("blocks")) return false;
  return isCodeGroup(parent.parentNode);
}

function isCodeGroup(node: HtmlElement["parentNode"]): boolean {
  return node !== null && "tagName" in node && classesOf(node).includes("vp-code-group");
}
