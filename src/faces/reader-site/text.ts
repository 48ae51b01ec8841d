import { copyButton } from "../dom/button.ts";
import { element } from "../dom/element.ts";
import { createHighlighter } from "../dom/highlighter.ts";

const LANGUAGE = /^language-(.+)$/;

/** Colours the page's code, and puts a button beside each block that copies it. */
export function prepareCode(labels: { copy: string; copied: string }): void {
  // This file is one of the assets, and so is the one that colours.
  const paint = createHighlighter(new URL("../", import.meta.url).href);
  for (const code of document.querySelectorAll<HTMLElement>("main pre > code")) {
    const pre = code.parentElement;
    if (!pre) continue;
    const written = code.textContent ?? "";
    const block = element("div", { class: "code" });
    pre.replaceWith(block);
    block.append(
      pre,
      copyButton(labels, () => written.replace(/\n$/, "")),
    );
    const language = [...code.classList].map((name) => LANGUAGE.exec(name)?.[1]).find(Boolean);
    if (language) paint(code, language);
  }
}

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
