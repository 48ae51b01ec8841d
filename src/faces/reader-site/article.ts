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

/** What is copied with formulas in it has their TeX: of the signs that stand above each other, lines would remain. */
export function copyMathsAsTex(): void {
  if (document.querySelector("math") === null) return;
  document.addEventListener("copy", (event) => {
    const selection = document.getSelection();
    if (selection === null || selection.isCollapsed || !event.clipboardData) return;
    const parts = Array.from({ length: selection.rangeCount }, (_, index) => selection.getRangeAt(index));
    if (!parts.some((range) => touchesMaths(range))) return;
    const html = document.createElement("div");
    for (const range of parts) html.append(wholeFormulas(range).cloneContents());
    const copied = html.cloneNode(true);
    if (!(copied instanceof HTMLElement)) return;
    for (const formula of copied.querySelectorAll("math")) formula.replaceWith(texOf(formula));
    event.clipboardData.setData("text/plain", wordsOf(copied));
    event.clipboardData.setData("text/html", html.innerHTML);
    event.preventDefault();
  });
}

const formulaAround = (node: Node) =>
  (node instanceof Element ? node : node.parentElement)?.closest("math") ?? undefined;

function touchesMaths(range: Range): boolean {
  return (
    formulaAround(range.commonAncestorContainer) !== undefined ||
    range.cloneContents().querySelector("math") !== null
  );
}

/** A range that ends within a formula ends behind it. */
function wholeFormulas(range: Range): Range {
  const whole = range.cloneRange();
  const [first, last] = [formulaAround(range.startContainer), formulaAround(range.endContainer)];
  if (first) whole.setStartBefore(first);
  if (last) whole.setEndAfter(last);
  return whole;
}

function texOf(formula: Element): string {
  const tex = formula.querySelector("annotation")?.textContent ?? formula.textContent ?? "";
  return formula.getAttribute("display") === "block" ? `$$ ${tex} $$` : `$${tex}$`;
}

/** The words as they look: blocks on lines of their own, which only an element that is shown knows. */
function wordsOf(element: HTMLElement): string {
  element.className = "off-screen";
  document.body.append(element);
  // biome-ignore lint/performance/useDomNodeTextContent: how the words look is what is asked for.
  const words = element.innerText;
  element.remove();
  return words.trim();
}

/** A picture is worth enlarging when there is at least so much more of it than is shown. */
const LARGER_MIN = 1.2;

/** Shows pictures that are larger than the text is wide over the whole page: by a click, Enter or the space bar. */
export function prepareImages(): void {
  for (const image of document.querySelectorAll<HTMLImageElement>("article img")) {
    // A picture in a link leads where its author wants it to.
    if (image.closest("a")) continue;
    const offer = () => {
      if (image.naturalWidth >= image.clientWidth * LARGER_MIN) makeEnlargeable(image);
    };
    if (image.complete) offer();
    else image.addEventListener("load", offer, { once: true });
  }
}

function makeEnlargeable(image: HTMLImageElement): void {
  image.classList.add("enlargeable");
  image.tabIndex = 0;
  image.setAttribute("role", "button");
  image.setAttribute("aria-haspopup", "dialog");
  if (image.alt === "") image.setAttribute("aria-label", nameOf(image));
  image.addEventListener("click", () => enlarge(image));
  image.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    enlarge(image);
  });
}

function enlarge(image: HTMLImageElement): void {
  const name = image.alt || nameOf(image);
  const large = element("img", { src: image.currentSrc, alt: image.alt });
  const dialog = element("dialog", { class: "enlarged", "aria-label": name }, large);
  dialog.addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

/** What its file is called, for a picture that nobody described. */
const nameOf = ({ currentSrc }: HTMLImageElement) => {
  const file = new URL(currentSrc).pathname.split("/").at(-1) ?? "";
  return file.replace(/\.\w+$/, "");
};
