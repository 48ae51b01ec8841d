import { element } from "../dom/element.ts";

/** The one element that the widget puts into a page, and what is drawn inside. */
export interface Host {
  /** Everything of the widget's stands in here. */
  root: HTMLElement;
  /** Whether an event came out of the widget: the page, and we as well, see the host in place of what is inside. */
  holds(target: EventTarget | null): boolean;
  remove(): void;
}

interface HostOptions {
  css: string;
  /** The element that it belongs into now; null while that is not in the page. */
  place: () => Element | null;
  /** Called after the host was taken out of the page and put back. */
  onReturn: () => void;
  /** Called when the page changed. */
  onChange: () => void;
}

const HOST = "docent-widget";
const KEYS = ["keydown", "keypress", "keyup"] as const;
/** Bounds how often it is put back into a page that takes it away each time. */
const RETURNS_PER_SECOND_MAX = 20;

/**
 * A closed shadow root on an element of its own. Its rules are in a constructed sheet, which no policy of the page
 * forbids, and those for the host are important: the only ones that no rule of the page, important or inline, can beat.
 */
export function createHost({ css, place, onReturn, onChange }: HostOptions): Host {
  const host = document.createElement(HOST);
  const shadow = host.attachShadow({ mode: "closed" });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  shadow.adoptedStyleSheets = [sheet];
  const root = element("div", { class: "docent" });
  shadow.append(root);
  // A page that searches at the press of "/" sees the host, where nobody writes, and would take the key for itself.
  for (const name of KEYS) shadow.addEventListener(name, keepKey);

  const attach = (): boolean => {
    const parent = place();
    if (parent === null || host.parentNode === parent) return false;
    // Pages that keep a copy of their body to come back to have an empty copy of the host in it.
    for (const copy of document.querySelectorAll(HOST)) copy.remove();
    host.toggleAttribute("data-inline", parent !== document.body);
    parent.append(host);
    return true;
  };
  let returns = 0;
  // Pages that replace themselves take the host away with their body.
  const observer = new MutationObserver(() => {
    if (returns < RETURNS_PER_SECOND_MAX && attach()) {
      if (returns++ === 0) setTimeout(() => (returns = 0), 1000);
      onReturn();
    }
    onChange();
  });
  attach();
  observer.observe(document, { childList: true, subtree: true });

  return {
    root,
    holds: (target) => target === host,
    remove() {
      observer.disconnect();
      host.remove();
    },
  };
}

/** What is written, and Escape, are the widget's; what is pressed together with ⌘ or Ctrl may be the page's. */
function keepKey(event: Event): void {
  if (event instanceof KeyboardEvent && !event.metaKey && !event.ctrlKey) event.stopPropagation();
}

/** The element that a page names for an inline widget; null while it is not there. */
export function findTarget(selector: string): Element | null {
  try {
    return document.querySelector(selector);
  } catch {
    return null;
  }
}

/** A part of the page is opened by being scrolled to. */
export function whenSeen(element: Element, run: () => void): void {
  const observer = new IntersectionObserver((entries) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    observer.disconnect();
    run();
  });
  observer.observe(element);
}
