import { element } from "../../dom/element.ts";
import * as paths from "../../dom/icon-paths.ts";
import { icon } from "../../dom/icons.ts";

/** A small button on the page, over what it offers to ask about. */
interface OfferButton {
  element: HTMLButtonElement;
  /** At a place of the window: its left edge there, or its right one. */
  show(at: { x: number; top: number; edge: "left" | "right" }): void;
  hide(): void;
}

const EDGE_PIXELS = 8;

export function createOfferButton(label: string, pressed: () => void): OfferButton {
  const button = element(
    "button",
    { type: "button", class: "offer", hidden: true, onclick: pressed },
    icon(paths.ask),
    label,
  );
  // The selection, which it is about, would go with the press.
  button.addEventListener("pointerdown", (event) => event.preventDefault());
  return {
    element: button,
    show({ x: at, top, edge }) {
      button.hidden = false;
      const { width, height } = button.getBoundingClientRect();
      const left = edge === "left" ? at : at - width;
      const x = Math.min(Math.max(left, EDGE_PIXELS), innerWidth - width - EDGE_PIXELS);
      const y = Math.min(Math.max(top, EDGE_PIXELS), innerHeight - height - EDGE_PIXELS);
      button.style.left = `${x}px`;
      button.style.top = `${y}px`;
    },
    hide() {
      button.hidden = true;
    },
  };
}
