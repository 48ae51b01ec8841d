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
