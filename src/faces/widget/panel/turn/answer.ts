import { isComing, type Turn } from "../../../conversation/state.ts";
import { copyButton } from "../../../dom/button.ts";
import { element } from "../../../dom/element.ts";
import { createMarkdownView, type MarkdownView } from "../../../markdown/markdown.ts";
import type { PanelDeps } from "../deps.ts";
import { createCitations } from "./citations.ts";
import { createPacedText, type PacedText } from "./paced-text.ts";

/** An answer's text, as it comes. */
interface AnswerView {
  element: HTMLElement;
  /** At once for an answer that was there before it is shown. */
  show(turn: Turn, atOnce: boolean): void;
  reset(): void;
  /** The number of a cited passage: 1 for the one that is cited first. */
  numberOf(url: string): number;
}

/** Below the question, which is a heading of the third level. */
const HEADING_OFFSET = 3;

export function createAnswerView(deps: PanelDeps): AnswerView {
  const { say, paint, siteUrl, isCalm, onGrow } = deps;
  const container = element("div", { class: "answer", lang: document.documentElement.lang });
  const citations = createCitations(container, say);
  let markdown: MarkdownView;
  let reveal: PacedText;

  const base = siteUrl === undefined ? location.href : `${siteUrl}/`;
  const reset = () => {
    citations.reset();
    const text = element("div", { class: "markdown" });
    container.replaceChildren(text);
    markdown = createMarkdownView(text, {
      headingOffset: HEADING_OFFSET,
      resolveLink: (href) => URL.parse(href, base)?.href,
      imageOrigins: siteUrl === undefined ? [] : [new URL(siteUrl).origin],
      onLink: citations.mark,
      onCode: (pre, code, language) => {
        const labels = { copy: say("copyCode"), copied: say("copied") };
        pre.parentElement?.append(copyButton(labels, () => code.textContent ?? ""));
        paint(code, language);
      },
    });
    reveal = createPacedText((text) => {
      markdown.write(text);
      onGrow();
    }, isCalm);
  };
  reset();

  return {
    element: container,
    reset,
    numberOf: citations.numberOf,
    show(turn, atOnce) {
      citations.show(turn);
      container.hidden = turn.answer === "";
      container.dir = directionOf(turn.answer);
      if (turn.answer !== "") reveal.text(turn.answer);
      if (isComing(turn) && !atOnce) return;
      reveal.finish();
      if (!isComing(turn)) markdown.end();
    },
  };
}

const RIGHT_TO_LEFT = /[\u0590-\u08ff]/;
/** A name in another script may stand first. */
const TELLING_CHARACTERS = 40;

/** An answer is written as its page is, whatever the widget speaks; but one in English not from right to left. */
function directionOf(text: string): string {
  const isOther = text.length >= TELLING_CHARACTERS && !RIGHT_TO_LEFT.test(text);
  return isOther ? "ltr" : getComputedStyle(document.body).direction;
}
