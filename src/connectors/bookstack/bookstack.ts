import { authorizationFrom } from "../authorization.ts";
import type { Connector } from "../connector.ts";
import { createApi, openSystem } from "./api.ts";
import { listPages } from "./list.ts";
import { dataOf, READ_PAGE, writePage } from "./page.ts";
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
