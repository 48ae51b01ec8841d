import type { WikiServer } from "../../../contract/connector.ts";
import { escaped, html, json, type KeptPage, startWikiServer, type WikiServerModel } from "./wiki-server.ts";

const PAGES_IN_REPLY = 3;
const SECRET = "Docent:correct:horse";

/** An object that gives rights: `{ space: "Guide", page: "WebPreferences", levels: "view" }`. */
interface RightsObject {
  space: string;
  page: string;
  levels: string;
}

interface XWikiManner {
  /** The HTML of every page, in the place of its words. */
  body?: string;
  /** Where the wiki says that its pages are. */
  view?: string;
  rights?: readonly RightsObject[];
  /** Whether the wiki tells nobody of rights. */
  hidesRights?: boolean;
  /** So many pages that nobody may view come before all others in the list. */
  unseen?: number;
}

/**
 * XWiki below /xwiki, as its API of version 16 answers. The title "Guide  Install" is the page WebHome in the space
 * Guide.Install, "Notes!" the page Notes in Main, and "Guide (fr)" the French translation of Guide.WebHome.
 */
export const startXWiki = (manner: XWikiManner = {}): WikiServer =>
  startWikiServer({
    place: "/xwiki/bin/view/Main/",
    secret: SECRET,
    pagesInReply: PAGES_IN_REPLY,
    isSignedIn: (request) => request.headers.get("authorization") === `Basic ${btoa(SECRET)}`,
    answer(model, _request, url) {
      const rest = /^\/xwiki\/rest\/(?:wikis\/xwiki\/)?(.*)$/.exec(url.pathname)?.[1];
      if (rest === undefined) return shown(model, manner, url);
      return answer(model, manner, { rest, query: url.searchParams });
    },
  });

interface Asked {
  rest: string;
  query: URLSearchParams;
}

function answer(model: WikiServerModel, manner: XWikiManner, { rest, query }: Asked): Response {
  const { rights = [], view, hidesRights, unseen = 0 } = manner;
  if (rest === "") return json({ links: [], version: "16.10.5", syntaxes: null });
  if (rest === "query") {
    const rows = [...Array<undefined>(unseen), ...model.pages()];
    // XWiki takes a part of what it finds, and then leaves out what may not be viewed.
    const start = Math.ceil(Number(query.get("start")) / 500) * PAGES_IN_REPLY;
    const part = rows.slice(start, start + PAGES_IN_REPLY).filter((page) => page !== undefined);
    return json({ links: [], searchResults: part.map((page) => found(model, page)), template: "…" });
  }
  const listed = /^classes\/XWiki\.XWiki(Global)?Rights\/objects$/.exec(rest);
  if (listed !== null) {
    if (hidesRights === true) return new Response("", { status: 403 });
    const isGlobal = listed[1] !== undefined;
    const own = rights.filter(({ page }) => (page === "WebPreferences") === isGlobal);
    const objectSummaries = own.map(({ space, page }, number) => ({
      space,
      pageName: page,
      number,
      wiki: "xwiki",
    }));
    return json({ links: [], objectSummaries: query.get("start") === "0" ? objectSummaries : [] });
  }
  const object = /^spaces\/(\w+)\/pages\/(\w+)\/objects\/[\w.]+\/\d+$/.exec(rest);
  if (object !== null) {
    const [, space, page] = object;
    const levels = rights.find((each) => each.space === space && each.page === page)?.levels;
    return json({ className: "XWiki.XWikiRights", properties: [{ name: "levels", value: levels }] });
  }
  const translation = /^(spaces\/.+)\/pages\/(\w+)\/translations\/(\w+)$/.exec(rest);
  if (translation !== null) {
    const [, spaces = "", name, language] = translation;
    const page = model.pages().find((each) => {
      const place = placeOf(each);
      return pathIn(place.spaces) === spaces && place.name === name && place.language === language;
    });
    if (page === undefined) return noSuch();
    return json({ links: [], language, title: page.title, ...stateOf(page), content: "…" });
  }
  if (rest === "spaces/Main/pages/WebHome")
    return json({
      links: [],
      id: "xwiki:Main.WebHome",
      title: "Home",
      parent: "",
      language: "",
      hidden: false,
      // Both are whole addresses.
      xwikiRelativeUrl: `${view ?? `${model.url}/xwiki/bin/view/`}Main/`,
      xwikiAbsoluteUrl: `${view ?? `${model.url}/xwiki/bin/view/`}Main/`,
      translations: { links: [], translations: [], default: "en" },
      objects: null,
      attachments: null,
    });
  return noSuch();
}

/** What is not there is said by the server that the program runs in. */
const noSuch = () =>
  new Response("<!doctype html><html><body><h1>HTTP Status 404 – Not Found</h1></body></html>", {
    status: 404,
    headers: { "content-type": "text/html;charset=utf-8" },
  });

/** The spaces and the name of a page, and the language of a translation. */
function placeOf({ title }: KeptPage): { spaces: string[]; name: string; language: string } {
  const language = /\((\w+)\)$/.exec(title)?.[1] ?? "";
  const plain = title.replace(/ \(\w+\)$/, "");
  if (plain.endsWith("!")) return { spaces: ["Main"], name: plain.slice(0, -1), language };
  return { spaces: plain.split("  "), name: "WebHome", language };
}

const pathIn = (spaces: readonly string[]) =>
  spaces.map((space) => `spaces/${encodeURIComponent(space)}`).join("/");

const stateOf = ({ changedAt, revision }: KeptPage) => ({
  modified: Date.parse(changedAt),
  version: `${revision}.1`,
});

/** Of a translation it has the title, the time and the version of the page itself. */
function found(model: WikiServerModel, page: KeptPage) {
  const { spaces, name, language } = placeOf(page);
  const itself = model.pageOf(page.title.replace(/ \(\w+\)$/, "")) ?? page;
  const space = spaces.map((each) => each.replace(/([.\\])/g, "\\$1")).join(".");
  return {
    links: [],
    type: "page",
    id: `xwiki:${space}.${name}`,
    pageFullName: `${space}.${name}`,
    title: itself.title,
    wiki: "xwiki",
    space,
    pageName: name,
    ...stateOf(itself),
    author: "xwiki:XWiki.Ada",
    authorName: null,
    language: language === "" ? null : language,
    className: null,
    objectNumber: null,
    filename: null,
    score: null,
    object: null,
    hierarchy: null,
  };
}

const pathOf = (page: KeptPage) => {
  const { spaces, name } = placeOf(page);
  return `/xwiki/bin/view/${spaces.map(encodeURIComponent).join("/")}/${name === "WebHome" ? "" : name}`;
};

function shown(model: WikiServerModel, { body }: XWikiManner, { pathname, searchParams }: URL): Response {
  const language = searchParams.get("language") ?? "";
  const page = model.pages().find((each) => pathOf(each) === pathname && placeOf(each).language === language);
  if (page === undefined || searchParams.get("xpage") !== "plain") return new Response("", { status: 404 });
  const linked = page.linksTo === undefined ? undefined : model.pageOf(page.linksTo);
  const link =
    linked === undefined
      ? ""
      : `<p><span class="wikilink"><a href="${pathOf(linked)}#HFirst">${linked.title}</a></span></p>`;
  const image = page.showsImage ? `<p><img src="${model.imagePath}" alt="A picture"/></p>` : "";
  return html(
    body ??
      `<h2 id="HFirst" class="wikigeneratedid"><span>First</span></h2><p>${escaped(page.words)}</p>${link}${image}`,
  );
}
