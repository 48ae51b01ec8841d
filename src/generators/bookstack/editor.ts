import {
  attribute,
  classesOf,
  editElements,
  elementsIn,
  type HtmlElement,
  newElement,
  newText,
  textOf,
  textValue,
} from "../../markdown/html/html.ts";
import { type CalloutMark, calloutOf, takeTasks } from "../wiki-pages/wiki-pages.ts";

/** Writes what the editors of BookStack make, besides plain HTML, as plain HTML. */
export function withoutEditor(body: HtmlElement): void {
  editElements(body, (element) => (isImageLink(element) ? element.childNodes : undefined));
  editElements(body, (element) => calloutIn(element) ?? shownCodeIn(element));
  takeTasks(body);
}

const CALLOUTS: ReadonlyMap<string, CalloutMark> = new Map([
  ["info", "NOTE"],
  ["success", "TIP"],
  ["warning", "WARNING"],
  ["danger", "CAUTION"],
]);

function calloutIn(element: HtmlElement) {
  const classes = classesOf(element);
  if (!classes.includes("callout")) return undefined;
  const mark = classes.flatMap((name) => CALLOUTS.get(name) ?? [])[0] ?? "NOTE";
  return calloutOf(element, { mark, body: element.childNodes });
}

/**
 * Code as the editor before 22.02 showed it, which pages took along when it was copied: line by line, and whole in a field
 * that is not shown.
 */
function shownCodeIn(element: HtmlElement) {
  if (!classesOf(element).includes("CodeMirrorContainer")) return undefined;
  const [field] = elementsIn(element, ({ tagName }) => tagName === "textarea");
  const code = field?.childNodes.map((node) => textValue(node) ?? "").join("") ?? "";
  const language = attribute(element, "data-lang") ?? "";
  return [newElement("pre", [newElement("code", [newText(code)], { class: `language-${language}` })])];
}

/** An image that leads to itself, larger. */
function isImageLink(element: HtmlElement): boolean {
  if (element.tagName !== "a" || textOf(element).trim() !== "") return false;
  const isUpload = /\/uploads\/images\/|^\[\[bsexport:image:/.test(attribute(element, "href") ?? "");
  return isUpload && elementsIn(element, ({ tagName }) => tagName === "img").length === 1;
}
