import { isComing, type Turn } from "../../../conversation/state.ts";
import { copyButton } from "../../../dom/button.ts";
import { element } from "../../../dom/element.ts";
import { createMarkdownView, type MarkdownView } from "../../../markdown/markdown.ts";
import { passageOf } from "../citation-card.ts";
import type { PanelDeps } from "../deps.ts";

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

/** The citations of an answer: links that show a number each. */
interface Citations {
  /** The number of a cited passage: 1 for the one that is cited first. */
  numberOf(url: string): number;
  /** Makes a link that cites show its number; leaves others alone. */
  mark(link: HTMLAnchorElement, url: string): void;
  /** What is known by now of what they lead to: what a source is called comes after its number. */
  show(turn: Turn): void;
  reset(): void;
}

const CITATION = /^\[\d{1,3}\]$/;

function createCitations(container: HTMLElement, say: PanelDeps["say"]): Citations {
  const numbers = new Map<string, number>();
  const cited = new Map<HTMLAnchorElement, string>();
  let shown: Turn | undefined;

  const numberOf = (url: string): number => {
    const known = numbers.get(url) ?? numbers.size + 1;
    numbers.set(url, known);
    return known;
  };
  /** The label of a citation's link: who does not see what a number shows hears more than it. */
  const label = (link: HTMLAnchorElement, url: string) => {
    const passage = shown && passageOf(shown, url);
    const number = String(numberOf(url));
    if (passage) link.setAttribute("aria-label", say("source", { number, title: passage.title }));
  };
  return {
    numberOf,
    mark(link, url) {
      if (!CITATION.test(link.textContent ?? "")) return;
      link.textContent = String(numberOf(url));
      link.className = "cite";
      cited.set(link, url);
      label(link, url);
    },
    show(turn) {
      shown = turn;
      for (const [link, url] of cited) {
        // What is still being written is made anew with each word.
        if (container.contains(link)) label(link, url);
        else cited.delete(link);
      }
    },
    reset() {
      numbers.clear();
      cited.clear();
    },
  };
}

/** Of what has not been shown, this share is shown with each frame: never far behind, and never in jumps. */
const SHARE = 1 / 7;

/** Shows a text that comes in pieces at an even pace. */
interface PacedText {
  /** The whole text so far. */
  text(soFar: string): void;
  /** No more will come: what is left is shown at once. */
  finish(): void;
}

/** `show` is given what is to be seen: with each frame a little more, or at once where nothing should move. */
export function createPacedText(show: (text: string) => void, isCalm: () => boolean): PacedText {
  let whole = "";
  let shown = 0;
  let frame: number | undefined;

  const step = () => {
    frame = undefined;
    shown = Math.min(whole.length, shown + Math.ceil((whole.length - shown) * SHARE));
    // Half of a pair of surrogates is no character.
    if (/[\uD800-\uDBFF]/.test(whole.charAt(shown - 1))) shown++;
    show(whole.slice(0, shown));
    if (shown < whole.length) frame = requestAnimationFrame(step);
  };
  const showAll = () => {
    if (frame !== undefined) cancelAnimationFrame(frame);
    frame = undefined;
    if (shown < whole.length) show(whole);
    shown = whole.length;
  };
  return {
    text(soFar) {
      whole = soFar;
      // A page that nobody sees draws no frames.
      if (isCalm() || document.hidden) showAll();
      else frame ??= requestAnimationFrame(step);
    },
    finish: showAll,
  };
}
