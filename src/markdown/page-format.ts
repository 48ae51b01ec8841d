/** How a page is written. What is not Markdown is made Markdown before it is read. */
export const PAGE_FORMATS = ["md", "mdx", "html", "rst", "txt"] as const;
export type PageFormat = (typeof PAGE_FORMATS)[number];
