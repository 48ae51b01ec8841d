import { type RefObject, useEffect, useRef } from "react";

/** When a step is done, what the keyboard was at is gone with it: it goes on at the step that is next. */
export function useStepFocus(page: RefObject<HTMLElement | null>, step: string): void {
  const before = useRef(step);
  useEffect(() => {
    if (before.current === step) return;
    before.current = step;
    if (document.activeElement !== document.body) return;
    page.current?.querySelector<HTMLElement>('[aria-current="step"] h2')?.focus();
  }, [page, step]);
}
