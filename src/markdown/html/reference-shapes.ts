import { codeFence } from "../../text/write-markdown.ts";
import { writeCode } from "./code.ts";
import { classesOf, type HtmlElement, isElement, textOf } from "./dom.ts";
import { writeRows } from "./table.ts";
import type { Writing } from "./writing.ts";

/** Makers of API references that write code and tables as plain `<div>`s: Javadoc, Doxygen. */
const SIGNATURES = new Set([
  "type-signature",
  "member-signature",
  "package-signature",
  "module-signature",
  "memproto",
]);
const GRIDS = new Map([
  ["two-column-summary", 2],
  ["three-column-summary", 3],
  ["four-column-summary", 4],
]);

/** The Markdown of an element that only looks like what it is; undefined for every other. */
export function writeReferenceShape(element: HtmlElement, writing: Writing): string | undefined {
  const classes = classesOf(element);
  if (classes.length === 0) return undefined;
  const { survey, root } = writing;
  if (classes.some((name) => SIGNATURES.has(name))) {
    const text = textOf(element, survey.isNoise);
    return text === "" ? "" : codeFence(text);
  }
  if (classes.includes("fragment") && element.childNodes.some(isCodeLine))
    return writeCode(element, survey, root);
  const columns = classes.map((name) => GRIDS.get(name)).find((count) => count !== undefined);
  return columns === undefined ? undefined : writeGrid(element, columns, writing);
}

/** Doxygen's title stands in a `<div>` above the content. */
export function isDoxygenTitle(element: HtmlElement): boolean {
  const parent = element.parentNode;
  const inside = parent !== null && "tagName" in parent && classesOf(parent).includes("headertitle");
  return inside && classesOf(element).includes("title");
}

function writeGrid(element: HtmlElement, columns: number, { survey }: Writing): string | undefined {
  const cells = element.childNodes.filter(isElement).filter((cell) => !survey.isNoise(cell));
  if (cells.length < columns * 2 || survey.holdsUntabular(element)) return undefined;
  const rows = Array.from({ length: Math.ceil(cells.length / columns) }, (_, row) => ({
    cells: cells.slice(row * columns, (row + 1) * columns),
    isHeader: row === 0,
  }));
  return writeRows(rows, survey);
}

function isCodeLine(node: HtmlElement["childNodes"][number]): boolean {
  return isElement(node) && classesOf(node).includes("line");
}
