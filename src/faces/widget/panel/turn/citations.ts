import type { Turn } from "../../../conversation/state.ts";
import { passageOf } from "../citation-card.ts";
import type { PanelDeps } from "../deps.ts";

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

export function createCitations(container: HTMLElement, say: PanelDeps["say"]): Citations {
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
