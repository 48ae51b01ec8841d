/** An address at which a page was before, or is known besides. */
export interface PageRedirect {
  /** As `normalizePath` writes it. */
  from: string;
  /** The path of the page, with `#` and an anchor where it leads to a heading. */
  to: string;
}

/** Where in a site an address leads that is no page's. */
export interface RedirectTarget {
  path: string;
  /** Empty where it leads to the page itself. */
  anchor: string;
}

export function redirectTargetOf(to: string): RedirectTarget {
  const mark = to.indexOf("#");
  return mark < 0 ? { path: to, anchor: "" } : { path: to.slice(0, mark), anchor: to.slice(mark + 1) };
}
