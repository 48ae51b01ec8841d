import { z } from "zod";
import { withoutEditor } from "../../generators/bookstack/bookstack.ts";
import { keepPlaces, rewriteAnchors } from "../../generators/wiki-pages/wiki-pages.ts";
import { attribute, elementsIn } from "../../markdown/html/html.ts";
import { type RenderedPage, type WrittenPage, writeRendered } from "../rendered.ts";

export const READ_PAGE = z.object({
  html: z.string().default(""),
  tags: z.array(z.object({ name: z.string(), value: z.string().nullish() })).default([]),
});

/** The body of a page as BookStack renders it. */
export function writePage({ html, address, pageAt }: RenderedPage): WrittenPage {
  return writeRendered(html, {
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
}

/** What stands in front of a page. */
export function dataOf({ tags }: z.infer<typeof READ_PAGE>): Record<string, unknown> {
  const named = tags.map(({ name, value }) => (value ? `${name}: ${value}` : name));
  return named.length > 0 ? { tags: named } : {};
}
