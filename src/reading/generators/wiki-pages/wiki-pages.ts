import {
  attribute,
  closest,
  editElements,
  elementsIn,
  type HtmlElement,
  type HtmlNode,
  isElement,
  newElement,
  newText,
  parseHtml,
  setAttribute,
  setChildren,
  textOf,
  textValue,
  walkNodes,
  writeHtmlElement,
} from "../../markdown/html/html.ts";
import { eachOutsideCode } from "../writing/writing.ts";

export { placeTree, type TreeNode } from "./page-tree.ts";

/** Stand for the boxes of tasks until the Markdown is written, which would escape them. */
const TASK = { open: "\uE010", done: "\uE011" };
const TASK_MARKS = /[\uE010\uE011]/g;

/** What people write nests far less. */
const DEPTH_MAX = 500;

/** Parses a page; undefined for one whose elements lie in each other so deep that it was made to take long. */
export function parseRendered(html: string): HtmlElement | undefined {
  const root = parseHtml(html);
  if (root === undefined) return undefined;
  let depth = 0;
  let deepest = 0;
  walkNodes([root], {
    enter() {
      depth += 1;
      deepest = Math.max(deepest, depth);
      return true;
    },
    leave() {
      depth -= 1;
    },
  });
  return deepest > DEPTH_MAX ? undefined : root;
}

/** The kinds of callouts that have a mark. */
export type CalloutMark = "NOTE" | "TIP" | "IMPORTANT" | "WARNING" | "CAUTION";

/** A callout as a quote with a mark; in a cell of a table, which holds no quote, its words alone. */
export function calloutOf(
  element: HtmlElement,
  { mark, title = "", body }: { mark: CalloutMark; title?: string; body: readonly HtmlNode[] },
): HtmlNode[] {
  if (closest(element, isCell) !== undefined) {
    const strong = newElement("strong", [newText(title)]);
    return title === "" ? [...body] : [newElement("p", [strong]), ...body];
  }
  const opening = newElement("p", [newText(`[!${mark}]${title === "" ? "" : ` ${title}`}`)]);
  return [newElement("blockquote", [opening, ...body])];
}

const isCell = ({ tagName }: HtmlElement) => tagName === "td" || tagName === "th";
const isList = (node: HtmlNode | undefined): node is HtmlElement =>
  node !== undefined && isElement(node) && (node.tagName === "ul" || node.tagName === "ol");

/** Marks the items of lists that begin with a box as tasks. */
export function takeTasks(body: HtmlElement): void {
  for (const item of elementsIn(body, ({ tagName }) => tagName === "li")) {
    const box = item.childNodes.filter(isElement).find(({ tagName }) => tagName === "input");
    if (box === undefined || attribute(box, "type") !== "checkbox") continue;
    markTask(item, attribute(box, "checked") !== undefined);
  }
}

/** Marks an item of a list as a task; not one that is yet to be written. */
export function markTask(item: HtmlElement, isDone: boolean): void {
  if (textOf(item).trim() === "" && elementsIn(item, ({ tagName }) => tagName === "img").length === 0) return;
  const mark = newText(`${isDone ? TASK.done : TASK.open} `);
  // The mark stands on the line of the first words.
  const first = item.childNodes.find((node) => isElement(node) || textValue(node)?.trim() !== "");
  const holder = first !== undefined && isElement(first) && /^(?:p|span)$/.test(first.tagName) ? first : item;
  const inner = holder.childNodes.find((node) => isElement(node));
  const innermost =
    holder !== item && inner !== undefined && isElement(inner) && inner.tagName === "p" ? inner : holder;
  setChildren(innermost, [mark, ...innermost.childNodes]);
}

/** Lists that lie directly in a list belong to the item before them. */
function nestLists(root: HtmlElement): void {
  for (const list of elementsIn(root, isList)) {
    let item: HtmlElement | undefined;
    const kept: HtmlNode[] = [];
    for (const node of list.childNodes) {
      if (isList(node) && item !== undefined) {
        item.childNodes.push(node);
        node.parentNode = item;
      } else kept.push(node);
      if (isElement(node) && node.tagName === "li") item = node;
    }
    if (kept.length < list.childNodes.length) setChildren(list, kept);
  }
}

const COPIED_CHARACTERS_MAX = 200;
const COPIES_MAX = 5_000;
const ROWS_SPANNED_MAX = 500;
const COLUMNS_MAX = 200;

/** What of a cell spans into the rows that follow. */
interface Spanning {
  left: number;
  words: string;
  tagName: string;
}

/** Writes the words of a cell that spans rows into each of them, so that no cell moves to another column. */
function withoutRowspans(root: HtmlElement): void {
  const copies = { left: COPIES_MAX };
  for (const table of elementsIn(root, ({ tagName }) => tagName === "table")) {
    const parts = table.childNodes.filter(isElement);
    const rows = parts.flatMap((part) =>
      part.tagName === "tr" ? [part] : part.childNodes.filter(isElement),
    );
    const spanning = new Map<number, Spanning>();
    for (const row of rows) if (row.tagName === "tr") fillRow(row, spanning, copies);
  }
}

function fillRow(row: HtmlElement, spanning: Map<number, Spanning>, copies: { left: number }): void {
  const cells = row.childNodes.filter(isElement);
  if (spanning.size === 0 && !cells.some((cell) => spanOf(cell, "rowspan") > 1)) return;
  const written: HtmlElement[] = [];
  const begun: [number, Spanning][] = [];
  let column = 0;
  const fill = () => {
    for (let span = spanning.get(column); span !== undefined; span = spanning.get(column)) {
      if (copies.left-- > 0) written.push(newElement(span.tagName, [newText(span.words)]));
      span.left -= 1;
      if (span.left === 0) spanning.delete(column);
      column += 1;
    }
  };
  for (const cell of cells) {
    fill();
    written.push(cell);
    const left = Math.min(spanOf(cell, "rowspan"), ROWS_SPANNED_MAX) - 1;
    const wide = Math.min(spanOf(cell, "colspan"), COLUMNS_MAX);
    const words = left > 0 ? textOf(cell) : "";
    const said = words.length > COPIED_CHARACTERS_MAX ? "" : words;
    for (let at = 0; at < wide && left > 0 && column + at < COLUMNS_MAX; at++)
      begun.push([column + at, { left, words: at === 0 ? said : "", tagName: cell.tagName }]);
    column += wide;
  }
  fill();
  for (const [at, span] of begun) spanning.set(at, span);
  setChildren(row, written);
}

const spanOf = (cell: HtmlElement, name: string) =>
  Math.max(1, Math.trunc(Number(attribute(cell, name))) || 1);

/** Where a page's own headings begin at the first level, all are a level lower: its title stands above them. */
function lowerHeadings(root: HtmlElement): void {
  const headings = elementsIn(root, ({ tagName }) => /^h[1-6]$/.test(tagName));
  if (!headings.some(({ tagName }) => tagName === "h1")) return;
  for (const heading of headings) {
    const level = Math.min(6, Number(heading.tagName.slice(1)) + 1);
    heading.tagName = `h${level}`;
    heading.nodeName = heading.tagName;
  }
}

/** Ids that links lead to: those of headings, and of others that `isPlace` says. */
export function keepPlaces(root: HtmlElement, isPlace: (element: HtmlElement) => boolean): void {
  for (const element of elementsIn(root, (each) => each.attrs.some(({ name }) => name === "id")))
    if (!/^h[1-6]$/.test(element.tagName) && !isPlace(element)) setAttribute(element, "id", undefined);
}

/** Writes the body of a page as Markdown. */
export function writeBody(root: HtmlElement): string {
  nestLists(root);
  withoutRowspans(root);
  lowerHeadings(root);
  return eachOutsideCode(writeHtmlElement(root), (text) =>
    text.replace(TASK_MARKS, (mark) => (mark === TASK.done ? "[x]" : "[ ]")),
  ).trim();
}

/** Links that lead nowhere become their words. `resolve` says where one leads, and undefined for nowhere. */
export function rewriteAnchors(root: HtmlElement, resolve: (link: HtmlElement) => string | undefined): void {
  editElements(root, (element) => {
    if (element.tagName !== "a" || attribute(element, "href") === undefined) return undefined;
    const href = resolve(element);
    if (href === undefined) return element.childNodes;
    setAttribute(element, "href", href);
    return undefined;
  });
}
