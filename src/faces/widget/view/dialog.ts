import type { Look } from "../look/look.ts";

/** The dialog that a panel is shown as. */
export interface PanelDialog {
  /** Before the page where that is asked for, whatever the look. */
  show(isRaised?: boolean): void;
  hide(): void;
  isShown(): boolean;
  /** Whether the page behind cannot be used meanwhile. */
  isModal(): boolean;
  /** To be called when the dialog was removed and put back: the browser has forgotten that it was open. */
  revive(): void;
  end(): void;
}

/** On screens as narrow as this the panel takes the whole of them. */
const SHEET = "(max-width: 480px)";

/** A panel inside the page. */
const ALWAYS_SHOWN: PanelDialog = {
  show() {},
  hide() {},
  isShown: () => true,
  isModal: () => false,
  revive() {},
  end() {},
};

/**
 * Shows a panel as a dialog: beside the page, or before it where the look or the screen wants that. A panel inside the
 * page is always there.
 */
export function createPanelDialog(
  panel: HTMLElement,
  variant: Look["variant"],
  onDismiss: () => void,
): PanelDialog {
  if (!(panel instanceof HTMLDialogElement)) return ALWAYS_SHOWN;
  const sheet = matchMedia(SHEET);
  const ending = new AbortController();
  const { signal } = ending;
  let isShown = false;
  let isRaised = false;
  const isModal = () => isRaised || variant === "modal" || sheet.matches;

  const show = (raised = isRaised) => {
    isShown = true;
    isRaised = raised;
    if (panel.open) panel.close();
    if (isModal()) panel.showModal();
    // `show()` would take the focus, also from a reader who only comes back to a page.
    else panel.setAttribute("open", "");
    fit();
  };
  const again = () => {
    if (isShown) show();
  };
  // A keyboard on the screen covers what is below; what is left of the screen is the panel's.
  const fit = () => {
    const seen = window.visualViewport;
    // A reader who looks closer sees less of the screen, and covers nothing.
    if (!seen || !sheet.matches || seen.scale > 1.01) return;
    panel.style.setProperty("--seen-height", `${seen.height}px`);
    panel.style.setProperty("--seen-top", `${seen.offsetTop}px`);
  };
  // Browsers close a dialog by themselves too: a phone by what leads back, and without asking first.
  panel.addEventListener("close", () => isShown && !panel.open && onDismiss());
  // Of a dialog, what is outside of its box is its backdrop.
  panel.addEventListener("pointerdown", (event) => {
    if (event.target !== panel || !isModal()) return;
    const { left, right, top, bottom } = panel.getBoundingClientRect();
    const { clientX: x, clientY: y } = event;
    if (x < left || x > right || y < top || y > bottom) onDismiss();
  });
  sheet.addEventListener("change", again, { signal });
  for (const name of ["resize", "scroll"]) window.visualViewport?.addEventListener(name, fit, { signal });
  return {
    show,
    hide() {
      isShown = false;
      isRaised = false;
      panel.close();
    },
    isShown: () => isShown,
    isModal,
    revive: again,
    end: () => ending.abort(),
  };
}
