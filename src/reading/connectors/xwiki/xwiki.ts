import { AppError } from "@docent/kernel/errors";
import { z } from "zod";
import { authorizationFrom, basic } from "../authorization.ts";
import type { Connector, ServerAccess } from "../connector.ts";
import { openApi, type XWikiApi } from "./api.ts";
import { addressOf, type FoundPage, findPages, listPages } from "./list.ts";
import { writePage } from "./page.ts";
import { type Addresses, createAddresses, HOME, pagePath } from "./references.ts";

/** XWiki 8 and later, by its REST API for what there is, and by its pages for their words. */
export const xwiki: Connector = {
  writePage,
  async signIn(secret) {
    return authorizationFrom(secret, basic);
  },
  async open(address, server, bounds) {
    const api = await openApi(address, server);
    const addresses = await readAddresses(api);
    let known: ReadonlyMap<string, FoundPage> = new Map();
    const pageAt = (href: string) => {
      const names = addresses.namesIn(href);
      if (names === undefined || names.length === 0) return undefined;
      // "A/B" is the space B in A if there is one, or else the page B.
      const space = addresses.of(names, HOME);
      const page = addresses.of(names.slice(0, -1), names.at(-1) ?? HOME);
      const listed = [space, page].find((each) => known.has(each));
      return listed === undefined ? undefined : listed + (/#.*$/.exec(href)?.[0] ?? "");
    };
    return {
      program: api.program,
      async list() {
        const found = await findPages(api, bounds);
        known = new Map(found.map((page) => [addressOf(addresses, page), page]));
        return listPages(api, found, { addresses, place: address.href });
      },
      async read({ address: page }) {
        const { language = "" } = known.get(page) ?? {};
        const html = await readShown(page, { base: api.base, server });
        const { markdown, faults } = await bounds.write("xwiki", { html, address: page, pageAt });
        return { data: language === "" ? {} : { language: tagOf(language) }, markdown, faults };
      },
    };
  },
};

/** XWiki writes languages as Java does: `pt_BR`. */
const tagOf = (language: string) => language.replaceAll("_", "-");

const SHOWN = z.object({ xwikiAbsoluteUrl: z.string().optional() });

/** How the wiki writes addresses is told by its first page. */
async function readAddresses(api: XWikiApi): Promise<Addresses> {
  try {
    const { xwikiAbsoluteUrl } = await api.read(pagePath(["Main"], HOME), SHOWN);
    return createAddresses(xwikiAbsoluteUrl, api.base);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "not_found") throw error;
    return createAddresses(undefined, api.base);
  }
}

/** What the wiki shows of a page, without what stands around it. */
async function readShown(
  page: string,
  { base, server }: { base: string; server: ServerAccess },
): Promise<string> {
  const { pathname, search } = new URL(page);
  // Where the wiki calls itself otherwise, it is asked where the source says that it is.
  const asked = new URL(pathname + search, base);
  for (const [name, value] of [
    ["xpage", "plain"],
    ["outputSyntax", "html"],
    ["basicauth", "1"],
  ] as const)
    asked.searchParams.set(name, value);
  const { status, body } = await server.ask(asked, { headers: { accept: "text/html" } });
  if (status >= 300) throw new AppError("not_found", `There is nothing at ${page} any more.`);
  return new TextDecoder().decode(body);
}
