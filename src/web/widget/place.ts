/** The element that a page names for an inline widget; null while it is not there. */
export function findPlace(selector: string): Element | null {
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
