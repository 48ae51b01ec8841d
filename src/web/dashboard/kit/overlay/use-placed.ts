import { type RefObject, useLayoutEffect } from "react";

/** Between what opens and what opened it, and to the edge of the window. */
const GAP_PX = 4;
const EDGE_PX = 8;

/**
 * Puts what opens below what opened it, or above where there is more room, in the browser's top layer: nothing around it
 * cuts it off. It follows when the page scrolls.
 */
export function usePlaced(
  opened: RefObject<HTMLElement | null>,
  anchor: RefObject<HTMLElement | null>,
  align: "start" | "end",
): void {
  useLayoutEffect(() => {
    const place = () => {
      if (opened.current && anchor.current) put(opened.current, anchor.current, align);
    };
    opened.current?.showPopover?.();
    place();
    window.addEventListener("scroll", place, { capture: true, passive: true });
    window.addEventListener("resize", place);
    return () => {
      window.removeEventListener("scroll", place, { capture: true });
      window.removeEventListener("resize", place);
    };
  }, [opened, anchor, align]);
}

function put(opened: HTMLElement, anchor: HTMLElement, align: "start" | "end"): void {
  const around = anchor.getBoundingClientRect();
  const { offsetWidth: width, scrollHeight: height } = opened;
  const above = around.top - GAP_PX - EDGE_PX;
  const below = window.innerHeight - around.bottom - GAP_PX - EDGE_PX;
  const goesUp = height > below && above > below;
  const wanted = align === "start" ? around.left : around.right - width;
  const left = Math.max(EDGE_PX, Math.min(wanted, document.documentElement.clientWidth - width - EDGE_PX));
  opened.style.left = `${left}px`;
  opened.style.maxHeight = `${Math.max(goesUp ? above : below, 0)}px`;
  opened.style.top = goesUp ? "auto" : `${around.bottom + GAP_PX}px`;
  opened.style.bottom = goesUp ? `${window.innerHeight - around.top + GAP_PX}px` : "auto";
  opened.style.minWidth = `${around.width}px`;
}
