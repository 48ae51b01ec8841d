import { SECOND_MS } from "@docent/kernel/lib/clock";
import { z } from "zod";
import { reasonFor } from "../../generators/dokuwiki/dokuwiki.ts";
import type { ServerBounds, ServerListing, ServerMenuEntry } from "../connector.ts";
import { isoTime } from "../said.ts";
import { menuOfTitles } from "../title-tree.ts";
import type { Addresses } from "./addresses.ts";

export const PAGES = z.array(
  z.object({
    id: z.string(),
    /** When it was last written, in seconds. */
    revision: z.number().default(0),
    size: z.number().default(0),
    title: z.string().default(""),
  }),
);
type Page = z.infer<typeof PAGES>[number];

const namesIn = (id: string) => id.split(":");
const lastOf = (id: string) => namesIn(id).at(-1) ?? id;
/** A wiki without titles has the ids of pages in their place. */
const titleOf = ({ id, title }: Page) =>
  title === "" || title === id ? lastOf(id).replaceAll("_", " ") : title;

/** The pages of a place: all, or a page with those in the namespace of its name. */
export function listPages(
  all: readonly Page[],
  addresses: Addresses,
  { place, start, bounds: { pagesMax } }: { place: string; start: string; bounds: ServerBounds },
): ServerListing {
  // What is done with a page, such as to edit it, names it as well.
  const asked = new URL(place).searchParams.get("id");
  const named =
    (asked ?? addresses.idIn(place) ?? start).replaceAll("/", ":").replace(/^:+|(?<!:):+$/g, "") || start;
  const scope = lastOf(named) === start ? named.slice(0, -start.length).replace(/:$/, "") : named;
  const wanted = all.filter(({ id }) => scope === "" || id === scope || id.startsWith(`${scope}:`));
  const read = wanted.filter(({ id }) => reasonFor(id) === undefined);
  return {
    pages: read.slice(0, pagesMax + 1).map((page) => ({
      id: page.id,
      address: addresses.of(page.id),
      title: titleOf(page),
      changedAt: isoTime(page.revision * SECOND_MS),
      revision: String(page.size),
    })),
    leftOut: wanted.flatMap(({ id }) => {
      const detail = reasonFor(id);
      return detail === undefined ? [] : [{ address: addresses.of(id), detail }];
    }),
    menu: menuOf(read, addresses, start),
    redirects: [],
  };
}

/** The first page, and the tree of namespaces, where the first page of one is its entry. */
function menuOf(pages: readonly Page[], addresses: Addresses, start: string): ServerMenuEntry[] {
  const ids = new Set(pages.map(({ id }) => id));
  const home = pages.find(({ id }) => id === start);
  const tree = menuOfTitles(
    pages
      .filter((page) => page !== home)
      .map((page) => {
        const names = namesIn(page.id);
        const above = names.slice(0, -1);
        const isEntry = names.at(-1) === start && !ids.has(above.join(":"));
        const titles = isEntry ? above : names;
        const label = isEntry && titleOf(page) === start ? (above.at(-1) ?? start) : titleOf(page);
        return { titles, label, path: addresses.of(page.id) };
      }),
  );
  const top = home === undefined ? [] : [{ label: titleOf(home), address: addresses.start, children: [] }];
  return [...top, ...tree];
}
