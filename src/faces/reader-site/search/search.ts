import { asRecord } from "@docent/kernel/text/json";
import { element } from "../../dom/element.ts";
import { type Found, type FoundReply, foundOption, readFound } from "./results.ts";

/** Between two letters of somebody who types on. */
const PAUSE_MS = 90;

/**
 * Searches while one types: `/` and ⌘/Ctrl+K go to the box, arrows choose, Enter opens, Escape closes. Where the page has
 * the assistant, they search over the page.
 */
export function prepareSearch(): void {
  const form = document.querySelector<HTMLFormElement>("form.search");
  const input = form?.querySelector<HTMLInputElement>('input[type="search"]');
  if (!form || !input) return;
  document.addEventListener("keydown", (event) => {
    if (!isCall(event)) return;
    event.preventDefault();
    // What is written before the search over the page has come is not lost: it stands in the box, and goes there.
    input.focus();
    input.select();
    searchOverPage(input.value);
  });
  input.addEventListener("click", () => searchOverPage(input.value));
  input.addEventListener("input", () => searchOverPage(input.value));
  if (form.dataset["search"] === undefined) return;
  const panel = createFoundPanel(form, input);
  const { ask, leave } = createAsker(form, input, panel);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const close = () => {
    clearTimeout(timer);
    leave();
  };
  input.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(ask, PAUSE_MS);
  });
  input.addEventListener("focus", () => {
    // Somebody who comes back to the box goes on; a page of results does not begin with a list over it.
    if (panel.isOpen() || input.value.trim() === "" || input.value === input.defaultValue) return;
    ask();
  });
  input.addEventListener("keydown", (event) => pressed(event, input, { panel, close }));
  const closeOutside = (target: EventTarget | null) => {
    if (target instanceof Node && !form.contains(target)) close();
  };
  document.addEventListener("pointerdown", ({ target }) => closeOutside(target));
  form.addEventListener("focusout", ({ relatedTarget }) => closeOutside(relatedTarget));
}

/** Searches as everywhere else, where the page has the assistant. Tells whether it has. */
function searchOverPage(words: string): boolean {
  const { search } = asRecord(Reflect.get(window, "Docent"));
  if (typeof search !== "function") return false;
  // Without words it goes on with its own.
  search(words.trim() || undefined);
  return true;
}

interface Asker {
  /** Asks for what is in the box now, and shows what comes unless something else was asked meanwhile. */
  ask(): Promise<void>;
  /** Closes the list: what is still on its way does not open it again. */
  leave(): void;
}

function createAsker(form: HTMLFormElement, input: HTMLInputElement, panel: FoundPanel): Asker {
  let asking: AbortController | undefined;
  let shownFor: string | undefined;
  const leave = () => {
    asking?.abort();
    panel.close();
  };
  const ask = async () => {
    const query = input.value.trim();
    asking?.abort();
    if (query === "") panel.close();
    else if (query === shownFor) panel.open();
    if (query === "" || query === shownFor) return;
    const { search = "", nothing = "", count = "", busy = "", corrected: note = "" } = form.dataset;
    asking = new AbortController();
    const { signal } = asking;
    try {
      const { found, corrected } = await fetchFound(search, query, signal);
      const counted = count.replace("{count}", String(found.length));
      const sentence =
        found.length === 0 ? nothing : corrected === undefined ? counted : `${note} ${counted}`;
      if (signal.aborted) return;
      panel.show(
        found,
        sentence.replace("{query}", () => corrected ?? query),
      );
      shownFor = query;
    } catch {
      if (signal.aborted) return;
      panel.show([], busy);
      shownFor = undefined;
    }
  };
  return { ask, leave };
}

function pressed(
  event: KeyboardEvent,
  input: HTMLInputElement,
  { panel, close }: { panel: FoundPanel; close: () => void },
): void {
  // Words of some scripts are put together with the same keys.
  if (event.isComposing) return;
  const { key } = event;
  const entry = panel.isOpen() ? panel.chosen() : undefined;
  const isStep = (key === "ArrowDown" || key === "ArrowUp") && panel.isOpen();
  if (isStep) panel.step(key === "ArrowDown" ? 1 : -1);
  else if (key === "Enter" && entry) entry.click();
  else if (key === "Escape" && panel.isOpen()) close();
  else if (key === "Escape") input.blur();
  else return;
  event.preventDefault();
}

async function fetchFound(address: string, query: string, signal: AbortSignal): Promise<FoundReply> {
  const url = new URL(address, location.href);
  url.searchParams.set("q", query);
  const reply = await fetch(url, { signal, credentials: "omit" });
  if (!reply.ok) throw new Error(`search: ${reply.status}`);
  return readFound(await reply.json());
}

function isCall({ key, ctrlKey, metaKey, altKey, shiftKey, target }: KeyboardEvent): boolean {
  if (altKey) return false;
  if (ctrlKey || metaKey) return key.toLowerCase() === "k" && !shiftKey;
  return key === "/" && !isTyping(target);
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches("input, textarea, select") || target.shadowRoot !== null)
  );
}

/** What was found, below the search box. */
interface FoundPanel {
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
function createFoundPanel(form: HTMLFormElement, input: HTMLInputElement): FoundPanel {
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
