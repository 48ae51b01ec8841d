import { type RefObject, useEffect } from "react";

/** Closes what is open when someone presses beside it, or the focus goes elsewhere. */
export function useDismiss(isOpen: boolean, frame: RefObject<HTMLElement | null>, close: () => void): void {
  useEffect(() => {
    if (!isOpen) return;
    const hear = ({ target }: Event) => {
      if (target instanceof Node && !frame.current?.contains(target)) close();
    };
    document.addEventListener("pointerdown", hear);
    document.addEventListener("focusin", hear);
    return () => {
      document.removeEventListener("pointerdown", hear);
      document.removeEventListener("focusin", hear);
    };
  }, [isOpen, frame, close]);
}
