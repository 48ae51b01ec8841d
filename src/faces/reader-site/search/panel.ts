import { element } from "../../dom/element.ts";
import { type Found, foundOption } from "./results.ts";

/** What was found, below the search box. */
export interface FoundPanel {
  isOpen(): boolean;
  open(): void;
  close(): void;
  /** Shows these; a sentence where there are none. */
  show(found: readonly Found[], sentence: string): void;
  /** Chooses the next entry or the one before; past the ends, the box itself. */
  step(by: 1 | -1): void;
  /** The entry that Enter opens. */
  chosen(): HTMLAnchorElement | undefined;
}

const LIST_ID = "~found";

/** Puts the panel into the form, and tells of it at the input as screen readers expect. */
export function createFoundPanel(form: HTMLFormElement, input: HTMLInputElement): FoundPanel {
  const list = element("div", { id: LIST_ID, role: "listbox", "aria-label": input.placeholder });
  const status = element("p", { role: "status" });
  const panel = element("div", { class: "found", hidden: true }, list, status);
  form.append(panel);
  for (const [name, value] of [
    ["role", "combobox"] as const,
    ["aria-controls", LIST_ID] as const,
    ["aria-autocomplete", "list"] as const,
    ["aria-haspopup", "listbox"] as const,
    ["aria-expanded", "false"] as const,
  ])
    input.setAttribute(name, value);

  let options: HTMLAnchorElement[] = [];
  let at = -1;

  function choose(index: number): void {
    options[at]?.setAttribute("aria-selected", "false");
    at = index;
    const option = options[at];
    option?.setAttribute("aria-selected", "true");
    option?.scrollIntoView({ block: "nearest" });
    if (option) input.setAttribute("aria-activedescendant", option.id);
    else input.removeAttribute("aria-activedescendant");
  }

  function setOpen(isOpen: boolean): void {
    panel.hidden = !isOpen;
    input.setAttribute("aria-expanded", String(isOpen && options.length > 0));
    if (!isOpen) choose(-1);
  }

  // A page that was left for an entry is come back to without the list over it.
  list.addEventListener("click", () => setOpen(false));

  return {
    isOpen: () => !panel.hidden,
    open: () => setOpen(true),
    close: () => setOpen(false),
    show(found, sentence) {
      choose(-1);
      options = found.map((each, index) => foundOption(each, `${LIST_ID}-${index}`));
      list.replaceChildren(...options);
      list.hidden = options.length === 0;
      status.textContent = sentence;
      setOpen(true);
    },
    step(by) {
      const places = options.length + 1;
      choose(((at + 1 + by + places) % places) - 1);
    },
    chosen: () => options[at],
  };
}
