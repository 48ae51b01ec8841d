import type { RenderedPage } from "./rendered.ts";

/** The kinds of servers that show a page as HTML, which is made Markdown here. */
export const RENDERING_KINDS = [
  "bookstack",
  "confluence",
  "dokuwiki",
  "mediawiki",
  "wikijs",
  "xwiki",
] as const;
export type RenderingKind = (typeof RENDERING_KINDS)[number];

/** A page that was made Markdown. */
export interface WrittenPage {
  /** What readers take for its title, where that stands in it. */
  title?: string | undefined;
  markdown: string;
  faults: string[];
}

/** Makes Markdown of pages as their servers show them, which may be done elsewhere. */
export type PageWriter = (kind: RenderingKind, page: RenderedPage) => Promise<WrittenPage>;

type Write = (page: RenderedPage) => WrittenPage;

const WRITERS: Record<RenderingKind, () => Promise<{ writePage: Write }>> = {
  bookstack: () => import("./bookstack/page.ts"),
  confluence: () => import("./confluence/page.ts"),
  dokuwiki: () => import("./dokuwiki/page.ts"),
  mediawiki: () => import("./mediawiki/page.ts"),
  wikijs: () => import("./wikijs/page.ts"),
  xwiki: () => import("./xwiki/page.ts"),
};

/** In this process, for as long as it takes. */
export const writeHere: PageWriter = async (kind, page) => (await WRITERS[kind]()).writePage(page);
