import { type MarkdownElement, toElement } from "../tree.ts";

/** Makes one element of each formula among an element's children: code between dollars. */
export function withMaths(element: MarkdownElement): MarkdownElement {
  const { children, type } = element;
  if (type === "pre" || type === "code" || !children.some(isCode)) return element;
  const out: unknown[] = [];
  for (let at = 0; at < children.length; at++) {
    const child = children[at];
    const before = out.at(-1);
    const behind = children[at + 1];
    const tex = isCode(child) ? texOf(child) : undefined;
    const isMaths =
      typeof before === "string" && typeof behind === "string" && OPENS.test(before) && CLOSES.test(behind);
    if (tex === undefined || !isMaths) {
      out.push(child);
      continue;
    }
    out[out.length - 1] = before.slice(0, -1);
    out.push({ type: "maths", props: { tex } }, behind.slice(1));
    at += 1;
  }
  return { ...element, children: out };
}

const OPENS = /(?:^|[^\w$])\$$/;
const CLOSES = /^\$(?![\w$])/;

const isCode = (value: unknown) => toElement(value)?.type === "code";

function texOf(value: unknown): string | undefined {
  const children = toElement(value)?.children ?? [];
  return children.every((child) => typeof child === "string") ? children.join("") : undefined;
}
