import { z } from "zod";
import { withoutEditor } from "../../generators/bookstack/bookstack.ts";
import { keepPlaces, rewriteAnchors } from "../../generators/wiki-pages/wiki-pages.ts";
import { attribute, elementsIn } from "../../markdown/html/html.ts";
import { authorizationFrom } from "../authorization.ts";
import type { Connector } from "../connector.ts";
import { type RenderedPage, type WrittenPage, writeRendered } from "../rendered.ts";
import { createApi, openSystem } from "./api.ts";
import { listPages } from "./list.ts";
import { placeIn } from "./place.ts";

/** BookStack 21.04 and later, by its REST API. */
export const bookstack: Connector = {
  writePage,
  async signIn(secret) {
    return authorizationFrom(secret, (token) => `Token ${token}`);
  },
  async open(address, server, bounds) {
    const place = placeIn(address);
    const { program, url } = await openSystem(place.base, server);
    const api = createApi(place.base, server);
    let addresses: ReadonlyMap<string, string> = new Map();
    return {
      program,
      async list() {
        const listing = await listPages(api, { url, place }, bounds);
        addresses = new Map(listing.pages.map((page) => [page.id, page.address]));
        return listing;
      },
      async read({ id, address: page }) {
        const shown = await api.read(`pages/${encodeURIComponent(id)}`, READ_PAGE);
        const pageAt = (href: string) => ownAddress(href, { bases: [url, place.base], addresses });
        const written = await bounds.write("bookstack", { html: shown.html, address: page, pageAt });
        return { data: dataOf(shown), ...written };
      },
    };
  },
};

/** An address of the wiki as people see it, without the ways of its permanent links; undefined for other addresses. */
function ownAddress(
  href: string,
  { bases, addresses }: { bases: readonly string[]; addresses: ReadonlyMap<string, string> },
): string | undefined {
  const base = bases.find((each) => href.startsWith(`${each}/`));
  if (base === undefined) return undefined;
  const [path = "", hash = ""] = href.slice(base.length).split(/(?=#)/, 2);
  const permanent = /^\/link\/(\d{1,15})$/.exec(path)?.[1];
  const plain = permanent === undefined ? undefined : addresses.get(permanent);
  return (plain ?? bases[0] + path.replace(/\/$/, "")) + hash;
}

const READ_PAGE = z.object({
  html: z.string().default(""),
  tags: z.array(z.object({ name: z.string(), value: z.string().nullish() })).default([]),
});

/** The body of a page as BookStack renders it. */
function writePage({ html, address, pageAt }: RenderedPage): WrittenPage {
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
function dataOf({ tags }: z.infer<typeof READ_PAGE>): Record<string, unknown> {
  const named = tags.map(({ name, value }) => (value ? `${name}: ${value}` : name));
  return named.length > 0 ? { tags: named } : {};
}
