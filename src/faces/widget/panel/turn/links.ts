import type { Turn } from "../../../conversation/state.ts";
import { element } from "../../../dom/element.ts";
import * as paths from "../../../dom/icon-paths.ts";
import { icon } from "../../../dom/icons.ts";
import type { PanelDeps } from "../deps.ts";

/** Where an answer leads: to what it cites, to pages to read next, and from the last one to questions. */
export const linksOf = (turn: Turn, isLast: boolean, deps: PanelDeps, numberOf: (url: string) => number) => [
  sourceList(turn, deps, numberOf),
  suggestionList(turn, deps),
  isLast ? followUpList(turn, deps) : undefined,
];

/** What an answer cites, under the numbers that it has in the text. */
function sourceList(
  turn: Turn,
  { say }: PanelDeps,
  numberOf: (url: string) => number,
): HTMLElement | undefined {
  const sources = turn.sources.filter(({ url }) => /^https?:/.test(URL.parse(url)?.protocol ?? ""));
  if (sources.length === 0) return undefined;
  const items = sources
    .map(({ url, title }) => ({ url, title: title || url, number: numberOf(url) }))
    .sort((one, other) => one.number - other.number)
    .map(({ url, title, number }) =>
      element(
        "li",
        {},
        element(
          "a",
          { href: url, class: "source", ...openingOf(url) },
          element("span", { class: "number" }, String(number)),
          element("span", { class: "source-title" }, title),
        ),
      ),
    );
  return element(
    "nav",
    { "aria-label": say("sources") },
    element("h4", {}, say("sources")),
    element("ol", { class: "sources" }, ...items),
  );
}

/**
 * Pages worth reading next, as chips. Where it is not known at which address the docs are, a chip asks for its page's
 * title instead of leading there.
 */
function suggestionList(turn: Turn, { say, siteUrl, onAsk }: PanelDeps): HTMLElement | undefined {
  if (turn.suggestions.length === 0) return undefined;
  const items = turn.suggestions.map(({ label, path }) => {
    const url = siteUrl && siteUrl + path.replace(/^\/*/, "/");
    const inside = [element("span", {}, label), icon(paths.next)];
    return element(
      "li",
      {},
      url
        ? element("a", { href: url, class: "chip", "data-suggestion": true, ...openingOf(url) }, ...inside)
        : element("button", { type: "button", class: "chip", onclick: () => onAsk(label) }, ...inside),
    );
  });
  return element(
    "nav",
    { "aria-label": say("suggestions") },
    element("h4", {}, say("suggestions")),
    element("ul", { class: "chips" }, ...items),
  );
}

const FOLLOW_UPS_MAX = 3;

/** Questions that go on from an answer. */
function followUpList({ followUps = [] }: Turn, { say, onAsk }: PanelDeps): HTMLElement | undefined {
  if (followUps.length === 0) return undefined;
  const items = followUps.slice(0, FOLLOW_UPS_MAX).map((question) => {
    const inside = [element("span", {}, question), icon(paths.ask)];
    return element(
      "li",
      {},
      element("button", { type: "button", class: "chip", onclick: () => onAsk(question) }, ...inside),
    );
  });
  return element(
    "div",
    { class: "follow-ups", role: "group", "aria-label": say("followUps") },
    element("h4", {}, say("followUps")),
    element("ul", { class: "chips" }, ...items),
  );
}

/** Pages of the docs open in place, those of another origin beside. */
function openingOf(url: string): { target?: string; rel?: string } {
  return URL.parse(url)?.origin === location.origin ? {} : { target: "_blank", rel: "noopener noreferrer" };
}
