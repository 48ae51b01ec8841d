import type { QuestionContext } from "../../conversation/state.ts";
import { createOfferButton } from "./button.ts";
import { codeContext } from "./context.ts";
import type { PageOffer } from "./offers.ts";

/** The pointer may leave the block for the button in between. */
const LEAVE_MS = 220;
const INSET_PIXELS = 12;
/** Half of the button's height: it sits on the block's lower edge, away from the copy button that many pages have. */
const OVERLAP_PIXELS = 15;

/**
 * Offers to ask about a block of code while the pointer or the focus is in it. The button floats: the page's layout is
 * left as it is, and no stop is added to its order of focus. By keyboard, the hotkey asks about the block in focus.
 */
export function offerCode(
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
