import { attribute, classesOf, collapse, type HtmlElement, textOf, walkNodes } from "./dom.ts";

/** A formula's TeX between dollars, where an element is a formula: its source is what a reader would search for. */
export function texOf(element: HtmlElement): string | undefined {
  if (element.tagName === "math") return dollars(annotation(element) ?? textOf(element));
  const classes = classesOf(element);
  // Sphinx leaves the source in place for a script to draw.
  if (classes.includes("math") && (classes.includes("notranslate") || classes.includes("arithmatex"))) {
    return dollars(textOf(element));
  }
  return classes.includes("arithmatex") ? dollars(textOf(element)) : undefined;
}

function annotation(math: HtmlElement): string | undefined {
  const parts: string[] = [];
  let inside = 0;
  const isTex = (element: HtmlElement) => attribute(element, "encoding") === "application/x-tex";
  walkNodes(math.childNodes, {
    text: (value) => void (inside > 0 && parts.push(value)),
    enter(element) {
      if (isTex(element)) inside += 1;
      return true;
    },
    leave(element) {
      if (isTex(element)) inside -= 1;
    },
  });
  return parts.length === 0 ? undefined : collapse(parts.join(""));
}

function dollars(text: string): string {
  const tex = text.replace(/^(?:\\\(|\\\[|\$\$?)|(?:\\\)|\\\]|\$\$?)$/g, "").trim();
  return tex === "" ? "" : `$${tex}$`;
}
