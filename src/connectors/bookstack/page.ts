import { z } from "zod";
import {
  type CalloutMark,
  calloutOf,
  keepPlaces,
  rewriteAnchors,
} from "../../generators/wiki-pages/wiki-pages.ts";
import {
  attribute,
  classesOf,
  editElements,
  elementsIn,
  type HtmlElement,
  textOf,
} from "../../markdown/html/html.ts";
import type { ReadServerPage } from "../connector.ts";
import { writeRendered } from "../rendered.ts";
import { takeTasks } from "../tasks.ts";

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
      editElements(body, (element) => (isImageLink(element) ? element.childNodes : undefined));
      editElements(body, (element) => calloutIn(element));
      takeTasks(body);
      rewriteAnchors(body, (link) => {
        const href = attribute(link, "href") ?? "";
        return pageAt(href) ?? href;
      });
    },
  });
  const tags = page.tags.map(({ name, value }) => (value ? `${name}: ${value}` : name));
  return { data: tags.length > 0 ? { tags } : {}, markdown, faults };
}

const CALLOUTS: ReadonlyMap<string, CalloutMark> = new Map([
  ["info", "NOTE"],
  ["success", "TIP"],
  ["warning", "WARNING"],
  ["danger", "CAUTION"],
]);

function calloutIn(element: HtmlElement) {
  const classes = classesOf(element);
  if (!classes.includes("callout")) return undefined;
  const mark = classes.flatMap((name) => CALLOUTS.get(name) ?? [])[0] ?? "NOTE";
  return calloutOf(element, { mark, body: element.childNodes });
}

/** An image that leads to itself, larger. */
function isImageLink(element: HtmlElement): boolean {
  if (element.tagName !== "a" || textOf(element).trim() !== "") return false;
  const isUpload = /\/uploads\/images\//.test(attribute(element, "href") ?? "");
  return isUpload && elementsIn(element, ({ tagName }) => tagName === "img").length === 1;
}
