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
