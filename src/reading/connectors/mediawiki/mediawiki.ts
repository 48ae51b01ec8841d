import { AppError } from "@docent/kernel/errors";
import { DAY_MS } from "@docent/kernel/lib/clock";
import { z } from "zod";
import { authorizationFrom, bearer } from "../authorization.ts";
import type {
  Connector,
  ServerAccess,
  ServerBounds,
  ServerChanges,
  ServerPages,
  ServerReply,
} from "../connector.ts";
import { jsonSaid } from "../said.ts";
import { createApi, findApi, type MediaWikiApi, unreadable } from "./api.ts";
import { isText, listedPage, listPages, PAGE_INFO, type PageInfo } from "./list.ts";
import { writePage } from "./page.ts";
import { createWiki, SITE_INFO, type Wiki } from "./wiki.ts";

/** MediaWiki 1.31 and later, by the API that every wiki has. */
export const mediawiki: Connector = {
  writePage,
  /** A bot password is a name and a password with which a session is opened; what is anything else is a token of OAuth. */
  async signIn(secret, server, address) {
    if (!secret.includes(":")) return authorizationFrom(secret, bearer);
    return openSession(await findApi(address, server), secret, server);
  },
  async open(address, server, bounds) {
    const api = createApi(await findApi(address, server), server);
    const { query } = await api.ask(
      { action: "query", meta: "siteinfo", siprop: "general|namespaces" },
      z.object({ query: SITE_INFO }),
    );
    return pagesOf(createWiki(query, api.address), api, bounds);
  },
};

const LOGIN_TOKEN = z.object({ query: z.object({ tokens: z.object({ logintoken: z.string() }) }) });
const LOGIN = z.object({ login: z.object({ result: z.string() }) });

async function openSession(
  address: string,
  secret: string,
  server: ServerAccess,
): Promise<Readonly<Record<string, string>>> {
  const [name = "", password = ""] = secret.split(/:(.*)/s);
  const query = "action=query&meta=tokens&type=login&format=json&formatversion=2";
  const begun = await server.ask(`${address}?${query}`);
  const { query: found } = readReply(begun, LOGIN_TOKEN);
  const reply = await server.ask(address, {
    form: {
      action: "login",
      format: "json",
      formatversion: "2",
      lgname: name,
      lgpassword: password,
      lgtoken: found.tokens.logintoken,
    },
    headers: { cookie: cookieOf(begun.headers) },
  });
  const { login } = readReply(reply, LOGIN);
  if (login.result === "Success") return { cookie: cookieOf(begun.headers, reply.headers) };
  throw new AppError("forbidden", `${address} does not take the name and password.`, {
    hint: "The variable holds a bot password, made at Special:BotPasswords, as name@bot:password.",
    cause: new Error(login.result.slice(0, 200)),
  });
}

/** What a reply says whose headers are wanted as well. */
function readReply<T>({ url, body }: ServerReply, schema: z.ZodType<T>): T {
  const parsed = schema.safeParse(jsonSaid(body));
  if (parsed.success) return parsed.data;
  throw unreadable(url, parsed.error);
}

/** The cookies that replies have set, later ones in the place of earlier ones. */
function cookieOf(...replies: Headers[]): string {
  const cookies = new Map(
    replies
      .flatMap((headers) => headers.getSetCookie())
      .map((line) => (line.split(";", 1)[0] ?? "").split(/=(.*)/s))
      .map(([name = "", value = ""]) => [name.trim(), value]),
  );
  return [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
}

const PARSED = z.object({
  parse: z.object({
    text: z.string(),
    displaytitle: z.string().default(""),
    categories: z.array(z.object({ category: z.string(), hidden: z.boolean().optional() })).default([]),
  }),
});

function pagesOf(wiki: Wiki, api: MediaWikiApi, bounds: ServerBounds): ServerPages {
  return {
    program: wiki.program,
    list: () => listPages(wiki, api, bounds),
    changedSince: (time) => changesSince(wiki, api, time),
    async read({ id, address, title }) {
      const { parse } = await api.ask(
        {
          action: "parse",
          pageid: id,
          prop: "text|displaytitle|categories",
          disableeditsection: "1",
          disablelimitreport: "1",
          disabletoc: "1",
        },
        PARSED,
      );
      const { title: shown = "", ...written } = await bounds.write("mediawiki", {
        html: parse.text,
        titleHtml: parse.displaytitle,
        address,
        pageAt: wiki.pageAt,
      });
      const tags = parse.categories
        .filter(({ hidden }) => hidden !== true)
        .map(({ category }) => category.replaceAll("_", " "));
      return {
        data: { title: shown === "" ? title : shown, ...(tags.length > 0 ? { tags } : {}) },
        ...written,
      };
    },
  };
}

const CHANGE = z.object({ ns: z.number(), title: z.string(), timestamp: z.string() });
const CHANGES = z.object({ query: z.object({ recentchanges: z.array(CHANGE) }) });
const PAGES = z.object({ query: z.object({ pages: z.array(PAGE_INFO) }) });

/** More is found faster by the list of all pages. */
const TITLES_MAX = 500;
const TITLES_AT_ONCE = 50;

/**
 * A change to what stands on other pages reaches them by and by: templates (10), modules (828), files (6) and words of the
 * program (8). For as long, the list of all pages is asked, which tells when each was made anew.
 */
const ON_OTHER_PAGES = "6|8|10|828";
const REACHES_PAGES_MS = DAY_MS;

/** What the wiki's recent changes say; undefined where they do not reach back so far, or concern too much. */
async function changesSince(wiki: Wiki, api: MediaWikiApi, time: string): Promise<ServerChanges | undefined> {
  const changes = (parameters: Readonly<Record<string, string>>) =>
    api.ask(
      { action: "query", list: "recentchanges", rcprop: "title|timestamp", rclimit: "max", ...parameters },
      CHANGES,
    );
  const since = Date.parse(time);
  if (Number.isNaN(since)) return undefined;
  const [oldest] = (await changes({ rcdir: "newer", rclimit: "1" })).query.recentchanges;
  if (oldest === undefined || Date.parse(oldest.timestamp) > since) return undefined;
  const other = await changes({
    rcnamespace: ON_OTHER_PAGES,
    rcend: new Date(since - REACHES_PAGES_MS).toISOString(),
    rclimit: "1",
  });
  if (other.query.recentchanges.length > 0) return undefined;
  const own = await changes({
    rcnamespace: [...wiki.namespaces.keys()].join("|"),
    rcend: time,
    rctype: "edit|new|log",
  });
  const titles = [...new Set(own.query.recentchanges.map(({ title }) => title))];
  if (titles.length > TITLES_MAX || own.query.recentchanges.length >= TITLES_MAX) return undefined;
  const infos: PageInfo[] = [];
  for (let at = 0; at < titles.length; at += TITLES_AT_ONCE) {
    const some = titles.slice(at, at + TITLES_AT_ONCE).join("|");
    const { query } = await api.ask({ action: "query", prop: "info", titles: some }, PAGES);
    infos.push(...query.pages);
  }
  const isThere = (info: PageInfo) =>
    info.missing !== true && info.redirect !== true && info.pageid !== undefined && isText(info);
  return {
    pages: infos.filter(isThere).map((info) => listedPage(wiki, info)),
    removed: infos.filter((info) => !isThere(info)).map(({ title }) => wiki.addressOf(title)),
  };
}
