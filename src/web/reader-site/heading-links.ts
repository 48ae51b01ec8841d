const SHOWN_MS = 1600;

/** A heading's link leads to it, and is copied at the same time: that is what most people want of it. */
export function prepareHeadingLinks(copied: string): void {
  for (const link of document.querySelectorAll<HTMLAnchorElement>("a.heading-link")) {
    const name = link.getAttribute("aria-label") ?? "";
    link.addEventListener("click", async () => {
      // Without TLS there is no clipboard; the address is in the browser's bar all the same.
      const done = await navigator.clipboard?.writeText(withoutTheme(link.href)).then(
        () => true,
        () => false,
      );
      if (!done) return;
      link.dataset["said"] = copied;
      link.setAttribute("aria-label", copied);
      setTimeout(() => {
        delete link.dataset["said"];
        link.setAttribute("aria-label", name);
      }, SHOWN_MS);
    });
  }
}

/** Whoever is sent the address has colours of their own. */
function withoutTheme(address: string): string {
  const url = new URL(address);
  url.searchParams.delete("theme");
  return url.href;
}
