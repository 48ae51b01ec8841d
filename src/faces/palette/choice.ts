import { fill } from "../dom/element.ts";
import { type Chosen, groupOf, type Row } from "./rows.ts";
import { LIST_ID, type PaletteView } from "./view.ts";

/** Rows with the heading above them, where they have one. */
export interface ListPart {
  title: string | undefined;
  rows: readonly Row[];
}

/** The rows, of which one is marked while the focus stays in the field. */
export interface Choice {
  /** Shows these, and marks one of them, counted from 0; none where that is -1. */
  show(parts: readonly ListPart[], marked: number): void;
  /** Marks the next row or the one before; past the ends, none. */
  step(by: 1 | -1): void;
  /** Does what the marked row does. */
  press(): void;
}

export function createChoice(
  { input, list }: Pick<PaletteView, "input" | "list">,
  onChosen: (chosen: Chosen) => void,
): Choice {
  let rows: readonly Row[] = [];
  let at = -1;

  function mark(index: number): void {
    rows[at]?.element.setAttribute("aria-selected", "false");
    at = index;
    const row = rows[at]?.element;
    row?.setAttribute("aria-selected", "true");
    row?.scrollIntoView({ block: "nearest" });
    if (row) input.setAttribute("aria-activedescendant", row.id);
    else input.removeAttribute("aria-activedescendant");
  }

  return {
    show(parts, marked) {
      rows = parts.flatMap((part) => part.rows);
      for (const [index, { element, chosen }] of rows.entries()) {
        element.id = `${LIST_ID}-${index}`;
        element.addEventListener("click", () => onChosen(chosen));
        element.addEventListener("pointermove", () => index !== at && mark(index));
      }
      fill(list, ...parts.flatMap(elementsOf));
      list.scrollTop = 0;
      input.setAttribute("aria-expanded", String(rows.length > 0));
      at = -1;
      mark(Math.min(marked, rows.length - 1));
    },
    step(by) {
      const places = rows.length + 1;
      mark(((at + 1 + by + places) % places) - 1);
    },
    press: () => rows[at]?.element.click(),
  };
}

const elementsOf = ({ title, rows }: ListPart, index: number): HTMLElement[] =>
  title === undefined ? rows.map((row) => row.element) : [groupOf(`${LIST_ID}-of-${index}`, title, rows)];
