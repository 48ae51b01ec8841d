const WRITABLE = "input, textarea, [contenteditable]";

/**
 * Marks the root while the page cannot be scrolled, as behind a drawer or a search, or while somebody writes into it: on a
 * small screen the button would lie on that, or on the keyboard. Gives what ends it.
 */
export function markBusyPage(root: HTMLElement): () => void {
  const elements = [document.documentElement, document.body];
  const isHeld = () => elements.some((each) => getComputedStyle(each).overflowY === "hidden");
  // Some pages never scroll as a whole.
  const isAlwaysHeld = isHeld();
  const mark = () => {
    const isWriting = document.activeElement?.matches(WRITABLE) === true;
    root.toggleAttribute("data-busy", isWriting || (!isAlwaysHeld && isHeld()));
  };
  const observer = new MutationObserver(mark);
  for (const each of elements) observer.observe(each, { attributeFilter: ["class", "style"] });
  for (const name of ["focusin", "focusout"]) document.addEventListener(name, mark);
  return () => {
    observer.disconnect();
    for (const name of ["focusin", "focusout"]) document.removeEventListener(name, mark);
  };
}
