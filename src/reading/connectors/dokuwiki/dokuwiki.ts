import { z } from "zod";
import { authorizationFrom, basic, bearer } from "../authorization.ts";
import type { Connector } from "../connector.ts";
import { type Addresses, readAddresses } from "./addresses.ts";
import { createApi, findWiki, mustBeSignedIn } from "./api.ts";
import { listPages, PAGES } from "./list.ts";
import { writePage } from "./page.ts";

/** Walks the folders of all pages. With 0, pages are listed that the wiki's search knows, and these may be fewer. */
const DEPTH = 100;
const START = "start";

/** DokuWiki 2024-02 and later, by its JSON-RPC. */
export const dokuwiki: Connector = {
  writePage,
  async signIn(secret, server, address) {
    const headers = authorizationFrom(secret, secret.includes(":") ? basic : bearer);
    await mustBeSignedIn(createApi(await findWiki(address, server), server, headers));
    return headers;
  },
  async open(address, server, bounds) {
    const api = createApi(await findWiki(address, server), server);
    const version = await api.ask("getWikiVersion", {}, z.string());
    let known: { addresses: Addresses; ids: ReadonlySet<string> } | undefined;
    return {
      program: `DokuWiki ${version.replace(/^Release /, "")}`,
      async list() {
        const all = await api.ask("listPages", { namespace: "", depth: DEPTH }, PAGES);
        const ids = new Set(all.map(({ id }) => id));
        const sample = [...ids].find((id) => id.includes(":")) ?? [...ids].find((id) => id !== START);
        const addresses = await readAddresses(api.base, server, { start: START, sample });
        known = { addresses, ids };
        return listPages(all, addresses, { place: address.href, start: START, bounds });
      },
      async read({ id, address: page, title }) {
        const html = await api.ask("getPageHTML", { page: id }, z.string());
        const pageAt = (href: string) => {
          const linked = known?.addresses.idIn(href);
          if (known === undefined || linked === undefined || !known.ids.has(linked)) return undefined;
          return known.addresses.of(linked) + (URL.parse(href)?.hash ?? "");
        };
        const { title: own, ...written } = await bounds.write("dokuwiki", { html, address: page, pageAt });
        return { data: { title: own ?? title }, ...written };
      },
    };
  },
};
