import { splitFrontMatter } from "./front-matter.ts";
import { readHtml } from "./html/html.ts";
import { unwrapMdx } from "./mdx/mdx.ts";
import { unwrapIndentedBlocks } from "./mkdocs.ts";
import type { PageFormat } from "./page-format.ts";
import { rstToMarkdown } from "./rst/rst.ts";
import { normalizeSource } from "./source-text.ts";
import { textToMarkdown } from "./txt.ts";

/** A page's body as Markdown, and what the page says about itself. */
export interface MarkdownSource {
  /** Front matter, or what stands for it. */
  data: Record<string, unknown>;
  markdown: string;
  /** What the page is called, in plain words, where the format has a place for it and no front matter. */
  title?: string;
  /** In plain words. */
  description?: string;
  faults: string[];
}

/** Reads a page of any format as Markdown. It never throws. */
export function asMarkdown(source: string, format: PageFormat): MarkdownSource {
  switch (format) {
    case "html":
      return htmlAsMarkdown(normalizeSource(source));
    case "rst":
      return { data: dataOf({}), markdown: rstToMarkdown(normalizeSource(source)), faults: [] };
    case "txt":
      return { data: dataOf({}), markdown: textToMarkdown(normalizeSource(source)), faults: [] };
    case "md":
    case "mdx": {
      const { data, body, fault } = splitFrontMatter(source);
      const { markdown, faults } =
        format === "mdx" ? unwrapMdx(body, data) : { markdown: unwrapIndentedBlocks(body), faults: [] };
      return { data, markdown, faults: fault === undefined ? faults : [fault, ...faults] };
    }
  }
}

function htmlAsMarkdown(html: string): MarkdownSource {
  const page = readHtml(html);
  const { title, description, language, redirect } = page;
  const data = dataOf({
    ...page.front,
    ...(language === undefined ? {} : { language }),
    // A page that only sends its readers on has nothing to find.
    ...(page.noindex || redirect !== undefined ? { noindex: true } : {}),
  });
  return {
    data,
    markdown: page.markdown,
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    faults: page.fault === undefined ? [] : [page.fault],
  };
}

/** Without a prototype, as front matter is. */
function dataOf(data: Record<string, unknown>): Record<string, unknown> {
  return Object.assign(Object.create(null), data);
}
