import { markTask } from "../generators/wiki-pages/wiki-pages.ts";
import { attribute, elementsIn, type HtmlElement, isElement } from "../markdown/html/html.ts";

/** Marks the items of lists that begin with a box as tasks. */
export function takeTasks(body: HtmlElement): void {
  for (const item of elementsIn(body, ({ tagName }) => tagName === "li")) {
    const box = item.childNodes.filter(isElement).find(({ tagName }) => tagName === "input");
    if (box === undefined || attribute(box, "type") !== "checkbox") continue;
    markTask(item, attribute(box, "checked") !== undefined);
  }
}
