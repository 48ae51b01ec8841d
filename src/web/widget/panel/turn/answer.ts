import { isComing, type Turn } from "../../../conversation/state.ts";
import { copyButton } from "../../../dom/button.ts";
import { element } from "../../../dom/element.ts";
import { createMarkdownView, type MarkdownView } from "../../../markdown/markdown.ts";
import { passageOf } from "../citation-card.ts";
import type { PanelDeps } from "../deps.ts";
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

const CITATION = /^\[\d{1,3}\]$/;
/** Below the question, which is a heading of the third level. */
const HEADING_OFFSET = 3;

export function createAnswerView(deps: PanelDeps): AnswerView {
  const { say, paint, siteUrl, isCalm, onGrow } = deps;
  const container = element("div", { class: "answer", lang: document.documentElement.lang });
  const numbers = new Map<string, number>();
  let shown: Turn | undefined;
  let markdown: MarkdownView;
  let reveal: PacedText;

  const numberOf = (url: string): number => {
    const known = numbers.get(url) ?? numbers.size + 1;
    numbers.set(url, known);
    return known;
  };
  const base = siteUrl === undefined ? location.href : `${siteUrl}/`;
  /** The links that cite, with what they lead to. */
  const cited = new Map<HTMLAnchorElement, string>();
  /** Those who do not see what a number shows hear more than it. What a source is called may come after its number. */
  const label = (link: HTMLAnchorElement, url: string) => {
    const passage = shown && passageOf(shown, url);
    const number = String(numberOf(url));
    if (passage) link.setAttribute("aria-label", say("source", { number, title: passage.title }));
  };
  const reset = () => {
    numbers.clear();
    cited.clear();
    const text = element("div", { class: "markdown" });
    container.replaceChildren(text);
    markdown = createMarkdownView(text, {
      headingOffset: HEADING_OFFSET,
      resolveLink: (href) => URL.parse(href, base)?.href,
      imageOrigins: siteUrl === undefined ? [] : [new URL(siteUrl).origin],
      onLink: (link, url) => {
        if (!CITATION.test(link.textContent ?? "")) return;
        link.textContent = String(numberOf(url));
        link.className = "cite";
        cited.set(link, url);
        label(link, url);
      },
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
    numberOf,
    show(turn, atOnce) {
      shown = turn;
      for (const [link, url] of cited) {
        // What is still being written is made anew with each word.
        if (container.contains(link)) label(link, url);
        else cited.delete(link);
      }
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
