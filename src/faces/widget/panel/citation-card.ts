import type { Source, Turn } from "../../conversation/state.ts";
import { element, fill } from "../../dom/element.ts";

/** What a citation shows while it is pointed at: the passage's title and a piece of its text. */
interface CitationCard {
  element: HTMLElement;
  /** Watches the citations in an element; a citation belongs to the turn that `turnOf` gives. */
  watch(within: HTMLElement, turnOf: (link: Element) => Turn | undefined): void;
  isShown(): boolean;
  hide(): void;
}

const SHOW_MS = 120;
const HIDE_MS = 180;
const GAP_PIXELS = 8;
const CARD_ID = "docent-citation";

export function createCitationCard(): CitationCard {
  const card = element("div", { class: "card", id: CARD_ID, role: "tooltip", hidden: true });
  let timer: ReturnType<typeof setTimeout> | undefined;
  let shownFor: Element | undefined;

  const later = (run: () => void, milliseconds: number) => {
    clearTimeout(timer);
    timer = setTimeout(run, milliseconds);
  };
  const hide = () => {
    clearTimeout(timer);
    card.hidden = true;
    shownFor?.removeAttribute("aria-describedby");
    shownFor = undefined;
  };
  const show = (link: HTMLAnchorElement, turn: Turn | undefined) => {
    const passage = turn && passageOf(turn, link.href);
    if (!passage || !link.isConnected) return;
    hide();
    fill(card, element("strong", {}, passage.title), element("p", { class: "snippet" }, passage.snippet));
    card.hidden = false;
    shownFor = link;
    link.setAttribute("aria-describedby", CARD_ID);
    place(card, link);
  };

  card.addEventListener("pointerenter", () => clearTimeout(timer));
  card.addEventListener("pointerleave", () => later(hide, HIDE_MS));
  return {
    element: card,
    isShown: () => !card.hidden,
    hide,
    watch(within, turnOf) {
      const citeOf = ({ target }: Event) => {
        const link = target instanceof Element ? target.closest("a.cite, a.source") : null;
        return link instanceof HTMLAnchorElement ? link : undefined;
      };
      within.addEventListener("pointerover", (event) => {
        const link = citeOf(event);
        if (link && link !== shownFor) later(() => show(link, turnOf(link)), SHOW_MS);
      });
      within.addEventListener("pointerout", (event) => citeOf(event) && later(hide, HIDE_MS));
      within.addEventListener("focusin", (event) => {
        const link = citeOf(event);
        if (link?.matches(":focus-visible")) show(link, turnOf(link));
      });
      within.addEventListener("focusout", hide);
      // What is shown no longer stands at its link. What is about to be shown will.
      within.addEventListener("scroll", () => shownFor && hide(), { passive: true });
    },
  };
}

/** The passage behind a link. Before the sources have come, what was found says as much. */
export function passageOf({ sources, results }: Turn, url: string): Source | undefined {
  const source = sources.find((each) => sameAddress(each.url, url));
  const found = results.find(({ href }) => url.endsWith(`/${href.replace(/^\/+/, "")}`));
  const title = source?.title || found?.title;
  return title ? { url, title, snippet: source?.snippet || found?.content || "" } : undefined;
}

const sameAddress = (one: string, other: string) => URL.parse(one)?.href === URL.parse(other)?.href;

/** Above the link where there is room, else below it, and within the panel. */
function place(card: HTMLElement, link: HTMLElement): void {
  const panel = card.parentElement?.getBoundingClientRect();
  if (!panel) return;
  const at = link.getBoundingClientRect();
  const { width, height } = card.getBoundingClientRect();
  const left = Math.min(Math.max(at.left - panel.left - 20, GAP_PIXELS), panel.width - width - GAP_PIXELS);
  const above = at.top - panel.top - height - GAP_PIXELS;
  card.style.left = `${Math.max(left, GAP_PIXELS)}px`;
  card.style.top = `${above > GAP_PIXELS ? above : at.bottom - panel.top + GAP_PIXELS}px`;
}
