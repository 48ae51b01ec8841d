import type { WikiServer } from "../../../contract/connector.ts";
import { escaped, json, type KeptPage, part, startWikiServer, type WikiServerModel } from "./wiki-server.ts";

const PAGES_IN_REPLY = 3;
const SECRET = "Docent@reading:a8f5f167f44f4964e6c998dee827110c";

/** MediaWiki, as its API's own documentation and a wiki of version 1.39 have it. */
export const startMediaWiki = (): WikiServer =>
  startWikiServer({
    place: "/wiki/Main_Page",
    secret: SECRET,
    pagesInReply: PAGES_IN_REPLY,
    tellsChanges: true,
    async answer(model, request, url) {
      if (url.pathname === "/w/api.php") {
        const form = request.method === "POST" ? new URLSearchParams(await request.text()) : undefined;
        const asked = Object.fromEntries(form ?? url.searchParams);
        return reply(model, asked, request.headers.get("cookie") ?? "");
      }
      return new Response(
        `<!DOCTYPE html><html><head><link rel="EditURI" type="application/rsd+xml" href="${model.url}/w/api.php?action=rsd"/></head><body>Login required</body></html>`,
        { headers: { "content-type": "text/html" } },
      );
    },
  });

type Asked = Record<string, string>;

function reply(model: WikiServerModel, asked: Asked, cookie: string): Response {
  if (asked["meta"] === "tokens") {
    const headers = {
      "set-cookie": "wiki_session=abc; path=/; HttpOnly",
      "content-type": "application/json",
    };
    return new Response(JSON.stringify({ query: { tokens: { logintoken: "t+\\" } } }), { headers });
  }
  if (asked["action"] === "login") {
    const isRight =
      `${asked["lgname"]}:${asked["lgpassword"]}` === SECRET && cookie.includes("wiki_session=abc");
    const headers = { "set-cookie": "wiki_session=in; path=/; HttpOnly", "content-type": "application/json" };
    return new Response(JSON.stringify({ login: { result: isRight ? "Success" : "Failed" } }), { headers });
  }
  if (!cookie.includes("wiki_session=in"))
    return json({ error: { code: "readapidenied", info: "You need read permission to use this module." } });
  if (asked["action"] === "parse") return parse(model, asked);
  return json(query(model, asked));
}

function query(model: WikiServerModel, asked: Asked): unknown {
  if (asked["meta"] === "siteinfo") return { query: siteInfo(model) };
  if (asked["list"] === "recentchanges") return recentChanges(model, asked);
  if (asked["list"] === "allpages") return { query: { allpages: [] } };
  if (asked["generator"] === "allpages")
    return asked["gapnamespace"] === "0" ? allPages(model, asked) : { batchcomplete: true };
  if (asked["titles"] === "MediaWiki:Sidebar")
    return { query: { pages: [{ ns: 8, title: asked["titles"], missing: true }] } };
  const titles = (asked["titles"] ?? "").split("|");
  return { query: { pages: titles.map((title) => info(model.pageOf(title), title)) } };
}

const siteInfo = ({ url }: WikiServerModel) => ({
  general: {
    mainpage: "Main Page",
    generator: "MediaWiki 1.39.17",
    server: url,
    articlepath: "/wiki/$1",
    script: "/w/index.php",
  },
  namespaces: {
    "-1": { id: -1, name: "Special" },
    "0": { id: 0, name: "", content: true },
    "1": { id: 1, name: "Talk" },
    "2": { id: 2, name: "User" },
    "10": { id: 10, name: "Template" },
    "12": { id: 12, name: "Help" },
  },
});

/** A page that whoever asks may not see is answered as one that is not there. */
const info = (page: KeptPage | undefined, title: string) =>
  page === undefined
    ? { ns: 0, title, missing: true }
    : {
        pageid: page.id,
        ns: 0,
        title,
        contentmodel: "wikitext",
        touched: page.changedAt,
        lastrevid: page.id * 1000 + page.revision,
      };

function allPages(model: WikiServerModel, { gapcontinue = "0" }: Asked): unknown {
  const all = model.pages().filter(({ title }) => namespaceOf(title) === "0");
  const from = Number(gapcontinue);
  const next = from + PAGES_IN_REPLY;
  return {
    ...(next < all.length
      ? { continue: { gapcontinue: String(next), continue: "gapcontinue||" } }
      : { batchcomplete: true }),
    query: { pages: part(all, from, PAGES_IN_REPLY).map((page) => info(page, page.title)) },
  };
}

const namespaceOf = (title: string) => (title.startsWith("Template:") ? "10" : "0");

/** Without an answer where there is a limit: the newest come first, and none is older than `rcend`. */
function recentChanges({ changes }: WikiServerModel, asked: Asked): unknown {
  const wanted = asked["rcnamespace"]?.split("|");
  const since = Date.parse(asked["rcend"] ?? "1970-01-01T00:00:00Z");
  const found = changes.filter(
    ({ title, at }) => Date.parse(at) >= since && (wanted?.includes(namespaceOf(title)) ?? true),
  );
  const ordered = asked["rcdir"] === "newer" ? found : found.toReversed();
  const limit = asked["rclimit"] === "max" ? 500 : Number(asked["rclimit"]);
  return {
    query: {
      recentchanges: ordered
        .slice(0, limit)
        .map(({ title, at }) => ({ type: "edit", ns: 0, title, timestamp: at })),
    },
  };
}

function parse(model: WikiServerModel, { pageid }: Asked): Response {
  const page = model.pages().find(({ id }) => String(id) === pageid);
  if (page === undefined)
    return json({ error: { code: "nosuchpageid", info: "There is no page with that ID." } });
  const { title, words, linksTo, showsImage } = page;
  const link =
    linksTo === undefined
      ? ""
      : `<p><a href="/wiki/${linksTo.replaceAll(" ", "_")}" title="${linksTo}">${linksTo}</a></p>`;
  const image = showsImage
    ? `<p><a href="/wiki/File:Picture.png" class="image"><img alt="A picture" src="${model.imagePath}" /></a></p>`
    : "";
  return json({
    parse: {
      title,
      pageid: page.id,
      text: `<div class="mw-parser-output"><h2><span class="mw-headline" id="First">First</span></h2><p>${escaped(words)}<sup id="cite_ref-1" class="reference"><a href="#cite_note-1">&#91;1&#93;</a></sup></p>${link}${image}<ol class="references"><li id="cite_note-1"><span class="mw-cite-backlink"><a href="#cite_ref-1">↑</a></span> <span class="reference-text">A note.</span></li></ol></div>`,
      displaytitle: `<span class="mw-page-title-main">${escaped(title)}</span>`,
      categories: [{ sortkey: "", category: "Guides" }],
    },
  });
}
