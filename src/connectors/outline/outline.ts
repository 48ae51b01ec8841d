import { z } from "zod";
import { writeHeadingIds } from "../../generators/writing/writing.ts";
import { relativeDestinations, rewriteDestinations } from "../../markdown/destinations.ts";
import type { Connector } from "../connector.ts";
import { createApi, findWorkspace } from "./api.ts";
import { createHeadingIds } from "./headings.ts";
import { COLLECTION_MARK, listPages, placeIn, urlIdOf } from "./list.ts";
import { withoutMarks } from "./marks.ts";

const TEXT = z.object({ text: z.string().default("") });
const DESCRIPTION = z.object({ description: z.string().nullish() });

/** Outline, of one's own or in the cloud, by its API. */
export const outline: Connector = {
  async open(address, server, bounds) {
    const base = address.origin;
    const api = createApi(base, server);
    const url = await findWorkspace(base, api);
    const place = placeIn(address);
    /** By id, and by the part of addresses that titles do not change. */
    let addresses: ReadonlyMap<string, string> = new Map();
    return {
      program: "Outline",
      async list() {
        const listing = await listPages(api, { url, place }, bounds);
        addresses = new Map(
          listing.pages.flatMap((page): [string, string][] => [
            [page.id.replace(COLLECTION_MARK, ""), page.address],
            [urlIdOf(page.address), page.address],
          ]),
        );
        return listing;
      },
      async read({ id }) {
        const isCollection = id.startsWith(COLLECTION_MARK);
        const text = isCollection
          ? (await api.ask("collections.info", { id: id.slice(COLLECTION_MARK.length) }, DESCRIPTION))
              .description
          : (await api.ask("documents.info", { id }, TEXT)).text;
        return { data: {}, markdown: writeText(text ?? "", { url, base, addresses }), faults: [] };
      },
    };
  },
};

interface Wiki {
  /** Where people reach it, and where it is asked. */
  url: string;
  base: string;
  addresses: ReadonlyMap<string, string>;
}

const OWN_PAGE = /^\/(?:doc|collection)\/([^/?#]{1,300})/;

/** A document's text as plain Markdown. Its links lead to where pages are listed now, whatever they were called. */
function writeText(text: string, { url, base, addresses }: Wiki): string {
  const relative = [url, base].reduce((all, each) => all.replaceAll(`](${each}/`, "](/"), text);
  const plain = writeHeadingIds(withoutMarks(relative), createHeadingIds());
  const own = relativeDestinations(plain).filter(({ href }) => href.startsWith("/"));
  const whole = own.map((destination) => {
    const { href } = destination;
    const name = OWN_PAGE.exec(href)?.[1];
    const page = name === undefined ? undefined : (addresses.get(name) ?? addresses.get(urlIdOf(name)));
    const hash = /#.*$/.exec(href)?.[0] ?? "";
    return { ...destination, href: page === undefined ? url + href : page + hash };
  });
  return rewriteDestinations(plain, whole);
}
