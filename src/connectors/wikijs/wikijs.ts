import { AppError } from "../../errors.ts";
import { authorizationFrom, bearer } from "../authorization.ts";
import type { Connector, ServerAccess } from "../connector.ts";
import { askWiki, mustBeSignedIn } from "./api.ts";
import { LISTED, LISTED_QUERY, listPages, type WikiPage } from "./list.ts";
import { bodyIn, type Frame, frameIn, writePage } from "./page.ts";
import { createWiki, LOCALIZATION } from "./wiki.ts";

/**
 * Wiki.js 2. Its API gives the words of a page to those alone who may move or delete it: they are read from what it sends to
 * browsers, for which a key that may only read is enough.
 */
export const wikijs: Connector = {
  writePage,
  async signIn(secret, server, address) {
    const headers = authorizationFrom(secret, bearer);
    await mustBeSignedIn(address.origin, server, headers);
    return headers;
  },
  async open(address, server, bounds) {
    const base = address.origin;
    const said = await askWiki(base, server, {
      query: "{ localization { config { locale namespacing } } }",
      data: LOCALIZATION,
    });
    const { origin = base, links } = await readFrame(base, server);
    const wiki = createWiki(said, { url: origin, base });
    let known: ReadonlyMap<string, WikiPage> = new Map();
    const pageAt = (href: string) => {
      const place = wiki.placeIn(href);
      const listed = place === undefined ? undefined : wiki.addressOf(place);
      return listed !== undefined && known.has(listed) ? listed + (URL.parse(href)?.hash ?? "") : undefined;
    };
    return {
      program: "Wiki.js",
      async list() {
        const { pages } = await askWiki(base, server, { query: LISTED_QUERY, data: LISTED });
        known = new Map(pages.list.map((page) => [wiki.addressOf(page), page]));
        return listPages(wiki, pages.list, { place: address.href, links });
      },
      async read(page) {
        const html = await readHtml(base + new URL(page.address).pathname, server);
        const body = bodyIn(html);
        if (body === undefined)
          throw new AppError("unavailable", `${page.address} shows no page of Wiki.js.`, {
            hint: "Look at it in a browser: Wiki.js 2 is read, with its own theme.",
          });
        const { tags, locale } = known.get(page.address) ?? {};
        const said = tags?.filter((tag) => tag !== null) ?? [];
        return {
          data: {
            ...(said.length > 0 ? { tags: said } : {}),
            ...(wiki.isNamespaced && locale !== undefined ? { language: locale } : {}),
          },
          ...(await bounds.write("wikijs", { html: body, address: page.address, pageAt })),
        };
      },
    };
  },
};

async function readHtml(address: string, server: ServerAccess): Promise<string> {
  const { status, body } = await server.ask(address, { headers: { accept: "text/html" } });
  if (status >= 300) throw new AppError("not_found", `There is nothing at ${address} any more.`);
  return new TextDecoder().decode(body);
}

/** The frame of the first page. A wiki may have none, or not for whoever signed in. */
async function readFrame(base: string, server: ServerAccess): Promise<Frame> {
  try {
    return frameIn(await readHtml(`${base}/`, server));
  } catch (error) {
    if (!(error instanceof AppError) || error.code === "unavailable") throw error;
    return { origin: undefined, links: [] };
  }
}
