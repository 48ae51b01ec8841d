import { type FocusEvent, useEffect, useLayoutEffect, useRef } from "react";

const CONTROLS = "a[href], button:not([disabled]), input, select, summary";

/**
 * Where the control that has the focus is taken away with its row, the keyboard goes on at the row that is now in its
 * place, and not at the beginning of the page. Gives what the list of rows has to have.
 */
export function useRowFocus<Rows extends HTMLElement>() {
  const rows = useRef<Rows>(null);
  const focused = useRef<{ element: Element; index: number }>(undefined);

  useLayoutEffect(() => {
    const lost = focused.current;
    if (lost === undefined || lost.element.isConnected || document.activeElement !== document.body) return;
    focused.current = undefined;
    const left = [...(rows.current?.children ?? [])];
    const nearest = [...left.slice(lost.index), ...left.slice(0, lost.index).reverse()];
    const control = nearest
      .map((row) => row.querySelector<HTMLElement>(CONTROLS))
      .find((each) => each !== null);
    (control ?? pageHeading())?.focus();
  });
  // The last row may go with all of the list.
  useEffect(
    () => () => {
      const lost = focused.current;
      if (lost === undefined || lost.element.isConnected) return;
      if (document.activeElement === document.body) pageHeading()?.focus();
    },
    [],
  );

  return {
    ref: rows,
    onFocus({ target }: FocusEvent<Rows>) {
      const index = [...(rows.current?.children ?? [])].findIndex((row) => row.contains(target));
      focused.current = { element: target, index: Math.max(index, 0) };
    },
    onBlur({ target }: FocusEvent<Rows>) {
      // Some browsers tell of it while the element is being removed: that is no leaving.
      queueMicrotask(() => {
        if (target.isConnected && focused.current?.element === target) focused.current = undefined;
      });
    },
  };
}

const pageHeading = () => document.querySelector<HTMLElement>("main h1");
