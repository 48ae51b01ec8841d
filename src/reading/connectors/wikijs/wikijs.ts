import { AppError } from "@docent/kernel/errors";
import { z } from "zod";
import { authorizationFrom, bearer } from "../authorization.ts";
import type { Connector, ServerAccess, ServerRequest } from "../connector.ts";
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

const HINT =
  "The variable holds a key made at Administration → API Access, for a group that may read pages and assets (read:pages, read:assets) and nothing else.";

const REPLY = z.object({
  data: z.unknown().optional(),
  errors: z.array(z.object({ message: z.string().default("") })).optional(),
});
const NOT_ALLOWED = /forbidden|unauthorized|not authorized|authenticated|access/i;

/** The answer to a question in GraphQL. Wiki.js says no with status 200, and with 500 to a key that was revoked. */
async function askWiki<T>(
  base: string,
  server: ServerAccess,
  question: { query: string; data: z.ZodType<T>; headers?: ServerRequest["headers"] },
): Promise<T> {
  const address = `${base}/graphql`;
  const { query, data: schema, headers = {} } = question;
  const reply = await server.json(address, REPLY, { json: { query }, headers }).catch((error: unknown) => {
    throw sayingMore(error, base);
  });
  const data = schema.safeParse(reply.data);
  if (data.success) return data.data;
  const said = reply.errors?.[0]?.message ?? "";
  if (NOT_ALLOWED.test(said))
    throw new AppError("forbidden", `${base} does not let whoever signs in with this read it.`, {
      hint: HINT,
      cause: new Error(said.slice(0, 500)),
    });
  throw new AppError("unavailable", `${address} answers with something that cannot be read.`, {
    hint: "Wiki.js 2 is read. Look at the address of the source, and at what the server answers there.",
    cause: new Error(said.slice(0, 500), { cause: data.error }),
  });
}

function sayingMore(error: unknown, base: string): unknown {
  if (!(error instanceof AppError)) return error;
  if (error.code === "not_found")
    return new AppError("not_found", `No Wiki.js was found at ${base}.`, {
      hint: "Name the address of the wiki, or of a page of it, as a browser shows it. Wiki.js 2 is read.",
    });
  const hint =
    error.code === "unavailable" && error.message.endsWith("500.")
      ? `A key that was revoked, and an API that is turned off, are answered so, too. ${HINT}`
      : (error.hint ?? "");
  return new AppError(error.code, error.message, { hint, cause: error.cause });
}

const PROFILE = z.object({ users: z.object({ profile: z.object({ id: z.number() }) }) });

/** Raises where a key is none: without this, the wiki would take whoever holds it for a guest, and not say so. */
async function mustBeSignedIn(
  base: string,
  server: ServerAccess,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  await askWiki(base, server, { query: "{ users { profile { id } } }", data: PROFILE, headers });
}
