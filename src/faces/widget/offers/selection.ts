import type { QuestionContext } from "../../conversation/state.ts";
import { createOfferButton } from "./button.ts";
import { selectedContext } from "./context.ts";
import type { PageOffer } from "./offers.ts";

/** A selection is complete when it has rested for so long. */
const REST_MS = 250;
const GAP_PIXELS = 8;

/** Offers to ask about the text that is selected on the page, below its end. */
export function offerSelection(label: string, ask: (context: QuestionContext) => void): PageOffer {
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
