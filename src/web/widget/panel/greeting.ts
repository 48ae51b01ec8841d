import { element } from "../../dom/element.ts";
import type { Say } from "../labels.ts";

/** What stands in the panel before the first question. */
export function createGreeting(
  say: Say,
  starterQuestions: string[],
  onAsk: (text: string) => void,
): HTMLElement {
  const starters = starterQuestions.map((question) =>
    element(
      "li",
      {},
      element("button", { type: "button", class: "starter", onclick: () => onAsk(question) }, question),
    ),
  );
  return element(
    "div",
    { class: "greeting" },
    element("h3", {}, say("greeting")),
    element("p", {}, say("introduction")),
    starters.length > 0 && element("ul", { class: "starters", "aria-label": say("starters") }, ...starters),
  );
}
