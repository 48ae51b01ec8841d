type Attribute = string | number | boolean | undefined | ((event: Event) => void);
type Child = Node | string | undefined | false;

/**
 * An element with its attributes and children. A function becomes a listener: `onclick`. Nothing is read as HTML, and no
 * `style` attribute is set: a page's policy may forbid it.
 */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Record<string, Attribute> = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(name.slice(2), value);
    else setAttribute(made, name, value);
  }
  made.append(...present(children));
  return made;
}

/** Sets an attribute, or takes it away. */
function setAttribute(target: Element, name: string, value: string | number | boolean | undefined): void {
  if (value === undefined || value === false) target.removeAttribute(name);
  else target.setAttribute(name, value === true ? "" : String(value));
}

/** Puts these in the place of an element's children. */
export function fill(parent: Element, ...children: Child[]): void {
  parent.replaceChildren(...present(children));
}

const present = (children: Child[]): (Node | string)[] =>
  children.flatMap((child) => (child === undefined || child === false || child === "" ? [] : [child]));
