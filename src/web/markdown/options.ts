/** How Markdown is shown. */
export interface MarkdownOptions {
  /** Headings are shown so many levels lower: an answer stands below a heading of its page. */
  headingOffset?: number;
  /** Where a link or an image leads that is allowed; undefined shows its words alone. What it gives is checked again. */
  resolveLink?: (href: string) => string | undefined;
  /** Origins whose pages open in place; the page's own unless told otherwise. Links to any other are external. */
  ownOrigins?: readonly string[];
  /** Where external links open: in a new tab unless told otherwise. */
  externalTarget?: "_blank" | "_self" | "_top";
  /** Origins that images may be loaded from, besides the page's own. */
  imageOrigins?: readonly string[];
  /**
   * Called once for each block of code, when it is complete. `pre` stands in a `div.code` that has room for buttons;
   * the children of `code` may be replaced.
   */
  onCode?: (pre: HTMLElement, code: HTMLElement, language: string) => void;
  /**
   * Called once for each link, when it is complete. A citation's words are a number in brackets, such as `[2]`. What
   * the hook does to the link stays: it is not touched again.
   */
  onLink?: (link: HTMLAnchorElement, url: string) => void;
}

/** Markdown in a page, which may still be coming. */
export interface MarkdownView {
  /** Shows the whole text so far. What is finished keeps its nodes; only the last block is touched. */
  write(textSoFar: string): void;
  /** Nothing more will come: what was held back is shown. */
  end(): void;
}
