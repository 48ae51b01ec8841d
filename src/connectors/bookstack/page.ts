import { z } from "zod";
import { withoutEditor } from "../../generators/bookstack/bookstack.ts";
import { keepPlaces, rewriteAnchors } from "../../generators/wiki-pages/wiki-pages.ts";
import { attribute, elementsIn } from "../../markdown/html/html.ts";
import type { ReadServerPage } from "../connector.ts";
import { writeRendered } from "../rendered.ts";

export const READ_PAGE = z.object({
  html: z.string().default(""),
  tags: z.array(z.object({ name: z.string(), value: z.string().nullish() })).default([]),
});

interface RenderedPage {
  page: z.infer<typeof READ_PAGE>;
  address: string;
  /** Where a page is listed, for any address of it; undefined for what is none. */
  pageAt(address: string): string | undefined;
}

/** The body of a page as BookStack renders it. */
export function writePage({ page, address, pageAt }: RenderedPage): ReadServerPage {
  const { markdown, faults } = writeRendered(page.html, {
    address,
    edit(body) {
      const linked = new Set(
        elementsIn(body, (each) => attribute(each, "href")?.startsWith("#") === true).map((link) =>
          attribute(link, "href")?.slice(1),
        ),
      );
      // Every paragraph has an id.
      keepPlaces(body, (element) => linked.has(attribute(element, "id")));
      withoutEditor(body);
      rewriteAnchors(body, (link) => {
        const href = attribute(link, "href") ?? "";
        return pageAt(href) ?? href;
      });
    },
  });
  const tags = page.tags.map(({ name, value }) => (value ? `${name}: ${value}` : name));
  return { data: tags.length > 0 ? { tags } : {}, markdown, faults };
}
