import { element } from "../dom/element.ts";
import * as paths from "../dom/icon-paths.ts";
import { icon, type Picture } from "../dom/icons.ts";
import type { Hit } from "./hits.ts";
import type { Recent } from "./recents.ts";

/** What a row does when it is chosen. */
export type Chosen =
  | { does: "ask"; question: string }
  | { does: "open"; hit: Hit }
  | { does: "reopen"; recent: Recent }
  | { does: "more" };

/** A row of the list with what it does. */
export interface Row {
  element: HTMLElement;
  chosen: Chosen;
}

export const askRow = (words: string, question: string, keys: string): Row => ({
  element: button(
    paths.ask,
    element("span", { class: "row-words" }, words),
    element("kbd", { "aria-hidden": true }, keys),
  ),
  chosen: { does: "ask", question },
});

export const starterRow = (question: string): Row => ({
  element: button(paths.ask, element("span", { class: "row-words" }, question)),
  chosen: { does: "ask", question },
});

export const moreRow = (words: string): Row => ({
  element: button(paths.next, element("span", { class: "row-words" }, words)),
  chosen: { does: "more" },
});

export const recentRow = (recent: Recent): Row => ({
  element: rowTo(recent.url, icon(paths.recent), element("span", { class: "row-words" }, recent.words)),
  chosen: { does: "reopen", recent },
});

/** The section that was found, with the words of the query in it. */
export const hitRow = (hit: Hit): Row => ({
  element: rowTo(
    hit.url,
    // Where it is not known at which address the docs are, a hit is asked about.
    icon(hit.url === undefined ? paths.ask : hit.headings.length === 0 ? paths.page : paths.section),
    element(
      "span",
      { class: "row-words" },
      element("span", { class: "row-title" }, hit.headings.join(" › ") || hit.title),
      element("span", { class: "row-text" }, ...marked(hit)),
    ),
  ),
  chosen: { does: "open", hit },
});

/** Rows below a heading of their own. */
export function groupOf(id: string, title: string, rows: readonly Row[]): HTMLElement {
  return element(
    "div",
    { role: "group", "aria-labelledby": id },
    element("div", { class: "group-title", id, dir: "auto" }, title),
    ...rows.map((row) => row.element),
  );
}

function button(name: Picture, ...inside: Node[]): HTMLElement {
  return element("button", { type: "button", ...OPTION }, icon(name), ...inside);
}

const OPTION = { role: "option", class: "row", tabindex: -1, "aria-selected": "false", dir: "auto" } as const;

/** Pages of another origin open beside. */
function rowTo(url: string | undefined, ...inside: Node[]): HTMLElement {
  if (url === undefined) return element("button", { type: "button", ...OPTION }, ...inside);
  const isHere = URL.parse(url)?.origin === location.origin;
  const beside = isHere ? {} : { target: "_blank", rel: "noopener noreferrer" };
  return element("a", { href: url, ...OPTION, ...beside }, ...inside);
}

function marked({ content, highlights }: Hit): (Node | string)[] {
  let at = 0;
  const parts = highlights.flatMap(([start, end]) => {
    const part = [content.slice(at, start), element("mark", {}, content.slice(start, end))];
    at = end;
    return part;
  });
  return [...parts, content.slice(at)];
}
