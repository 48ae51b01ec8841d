import type { QuestionContext } from "../../conversation/state.ts";
import type { Say } from "../labels.ts";
import type { Look } from "../look/look.ts";
import { createOfferButton } from "./button.ts";
import { codeContext, selectedContext } from "./context.ts";

/** A button over the page that offers to ask about a piece of it, until it is ended. */
interface PageOffer {
  element: HTMLElement;
  /** What the reader points at now; undefined for nothing. */
  context(): QuestionContext | undefined;
  end(): void;
}

export interface OfferOptions {
  look: Look;
  say: Say;
  onAskAbout: (context: QuestionContext) => void;
  /** Whether an event came out of the widget. */
  isOurs: (target: EventTarget | null) => boolean;
}

/** The offers that a look has: for the text that is selected, and for the block of code that is pointed at. */
export function createOffers({ look, say, onAskAbout, isOurs }: OfferOptions): PageOffer[] {
  return [
    ...(look.askAboutSelection ? [offerSelection(say("askAboutSelection"), onAskAbout)] : []),
    ...(look.askAboutCode ? [offerCode(say("askAboutCode"), isOurs, onAskAbout)] : []),
  ];
}

/** The pointer may leave the block for the button in between. */
const LEAVE_MS = 220;
const INSET_PIXELS = 12;
/** Half of the button's height: it sits on the block's lower edge, away from the copy button that many pages have. */
const OVERLAP_PIXELS = 15;

/**
 * Offers to ask about a block of code while the pointer or the focus is in it. The button floats: the page's layout is
 * left as it is, and no stop is added to its order of focus. By keyboard, the hotkey asks about the block in focus.
 */
function offerCode(
  label: string,
  isOurs: (target: EventTarget | null) => boolean,
  ask: (context: QuestionContext) => void,
): PageOffer {
  let block: Element | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const hide = () => {
    clearTimeout(timer);
    timer = undefined;
    block = undefined;
    offer.hide();
  };
  const offer = createOfferButton(label, () => {
    const context = block && codeContext(block);
    hide();
    if (context) ask(context);
  });
  offer.element.tabIndex = -1;

  const look = ({ target }: Event) => {
    if (isOurs(target)) {
      clearTimeout(timer);
      timer = undefined;
      return;
    }
    const found = blockOf(target);
    if (!found) {
      if (block) timer ??= setTimeout(hide, LEAVE_MS);
      return;
    }
    clearTimeout(timer);
    timer = undefined;
    if (found === block || !codeContext(found)) return;
    block = found;
    offer.show(cornerOf(found));
  };
  const ending = new AbortController();
  const how = { passive: true, capture: true, signal: ending.signal };
  for (const name of ["pointerover", "focusin"]) document.addEventListener(name, look, how);
  window.addEventListener("scroll", hide, how);
  return {
    element: offer.element,
    context() {
      const focused = blockOf(document.activeElement);
      return focused && codeContext(focused);
    },
    end() {
      hide();
      ending.abort();
    },
  };
}

const blockOf = (target: EventTarget | null) =>
  target instanceof Element ? (target.closest("pre") ?? undefined) : undefined;

/** The lower right corner of what can be seen of a block. */
function cornerOf(block: Element) {
  const { right, bottom } = block.getBoundingClientRect();
  return {
    x: Math.min(right, innerWidth) - INSET_PIXELS,
    top: Math.min(bottom, innerHeight) - OVERLAP_PIXELS,
    edge: "right",
  } as const;
}

/** A selection is complete when it has rested for so long. */
const REST_MS = 250;
const GAP_PIXELS = 8;

/** Offers to ask about the text that is selected on the page, below its end. */
function offerSelection(label: string, ask: (context: QuestionContext) => void): PageOffer {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isPressed = false;
  const context = () => {
    const selected = selectedContext();
    if (!selected) return undefined;
    const { range: _, ...rest } = selected;
    return rest;
  };
  const offer = createOfferButton(label, () => {
    const selected = context();
    offer.hide();
    if (selected) ask(selected);
  });
  const look = () => {
    const selected = isPressed ? undefined : selectedContext();
    const lines = selected ? [...selected.range.getClientRects()] : [];
    const end = lines.at(-1);
    if (!end) return offer.hide();
    offer.show({ x: end.right - GAP_PIXELS, top: end.bottom + GAP_PIXELS, edge: "left" });
  };
  const later = () => {
    clearTimeout(timer);
    timer = setTimeout(look, REST_MS);
  };
  const changed = () => {
    offer.hide();
    later();
  };
  const down = () => {
    isPressed = true;
  };
  const up = () => {
    isPressed = false;
    later();
  };
  const ending = new AbortController();
  const how = { passive: true, capture: true, signal: ending.signal };
  document.addEventListener("selectionchange", changed, how);
  document.addEventListener("pointerdown", down, how);
  for (const name of ["pointerup", "pointercancel"]) document.addEventListener(name, up, how);
  window.addEventListener("scroll", changed, how);
  return {
    element: offer.element,
    context,
    end() {
      clearTimeout(timer);
      ending.abort();
    },
  };
}
