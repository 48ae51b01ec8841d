/**
 * How a page is written. What is not Markdown is made Markdown before it is read (`asMarkdown`). A further format needs
 * its extensions and its rank in `reading/sources/files/page-file.ts`, and its media types in
 * `reading/sources/response-text.ts`. What is no text, such as a PDF, comes as "document": Markdown that we wrote, with the
 * places marked that citations lead to. What is made where its other files are, such as a manual page with the names of
 * others, comes as "written": Markdown that we wrote, with its title in front, in which nothing means more than in plain one.
 */
export const PAGE_FORMATS = [
  "md",
  "mdx",
  "qmd",
  "html",
  "rst",
  "man",
  "org",
  "pod",
  "ipynb",
  "txt",
  "written",
  "document",
] as const;
export type PageFormat = (typeof PAGE_FORMATS)[number];
