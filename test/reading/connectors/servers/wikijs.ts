import { z } from "zod";
import type { WikiServer } from "../../../contract/connector.ts";
import { escaped, html, json, type KeptPage, startWikiServer, type WikiServerModel } from "./wiki-server.ts";

const SECRET =
  "eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCJ9.eyJhcGkiOjEsImdycCI6MywiaXNzIjoidXJuOndpa2kuanMifQ.c2lnbmVk";

interface WikiJsManner {
  /** Whether addresses name the language. Pages whose title begins with "Seite" are in German. */
  namespacing?: boolean;
  /** The body of every page, in the place of its words. */
  body?: string;
  /** What the wiki takes for its own address. */
  host?: string;
  /** Whether guests may read: a wrong key is a guest's. */
  isOpen?: boolean;
  /** What the key is answered: as if it was revoked, or the API turned off. */
  refuses?: string;
}

/** Wiki.js, as version 2.5 answers: the words of pages are in what it sends to browsers. */
export const startWikiJs = (manner: WikiJsManner = {}): WikiServer =>
  startWikiServer({
    place: "/",
    secret: SECRET,
    pagesInReply: 3,
    async answer(model, request, url) {
      const isSignedIn = request.headers.get("authorization") === `Bearer ${SECRET}`;
      if (url.pathname === "/graphql") {
        if (manner.refuses !== undefined)
          return json({ data: {}, errors: [{ message: manner.refuses, path: [] }] }, 500);
        const { query } = z.object({ query: z.string() }).parse(await request.json());
        return json(answer(model, manner, { query, isSignedIn }));
      }
      if (!isSignedIn && manner.isOpen !== true)
        return new Response("<title>Unauthorized</title>", { status: 403 });
      const page = model.pages().find((each) => addressOf(each, manner) === url.pathname);
      if (page === undefined && url.pathname !== "/") return new Response("Not Found", { status: 404 });
      return shown(model, page, manner);
    },
  });

const localeOf = ({ title }: KeptPage) => (title.startsWith("Seite") ? "de" : "en");
const pathOf = ({ title }: KeptPage) => title.toLowerCase().replaceAll(" ", "-").replace("--", "/");

function addressOf(page: KeptPage, { namespacing = false }: WikiJsManner): string {
  const locale = localeOf(page);
  if (namespacing || locale === "de") return `/${locale}/${pathOf(page)}`;
  return pathOf(page) === "home" ? "/" : `/${pathOf(page)}`;
}

/** What a guest may not see is an error beside no data, with status 200. */
function answer(
  model: WikiServerModel,
  { namespacing = false, isOpen = false }: WikiJsManner,
  { query, isSignedIn }: { query: string; isSignedIn: boolean },
): unknown {
  const error = (message: string, ...path: string[]) => ({
    errors: [{ message, path }],
    data: { [path[0] ?? ""]: null },
  });
  if (query.includes("profile"))
    return isSignedIn
      ? { data: { users: { profile: { id: 1 } } } }
      : error("You must be authenticated to access this resource.", "users", "profile");
  if (query.includes("localization"))
    return { data: { localization: { config: { locale: "en", namespacing } } } };
  if (!isSignedIn && !isOpen) return error("Forbidden", "pages", "list");
  return { data: { pages: { list: model.pages().map(listed) } } };
}

const listed = (page: KeptPage) => ({
  id: page.id,
  path: pathOf(page),
  locale: localeOf(page),
  title: page.title,
  contentType: "markdown",
  isPublished: !page.title.startsWith("Draft"),
  isPrivate: page.title.startsWith("Private"),
  updatedAt: page.changedAt,
  tags: ["guide"],
});

function shown(
  model: WikiServerModel,
  page: KeptPage | undefined,
  { body, host, ...manner }: WikiJsManner,
): Response {
  const sidebar = [
    { i: "sdi-1", k: "link", l: "Start", c: "mdi-home", y: "home", t: "/" },
    { i: "sdi-2", k: "header", l: "More" },
    { i: "sdi-3", k: "link", l: "Elsewhere", y: "external", t: "https://example.com" },
  ];
  const { words = "", showsImage = false } = page ?? {};
  const linked = page?.linksTo === undefined ? undefined : model.pageOf(page.linksTo);
  const link =
    linked === undefined
      ? ""
      : `<p><a href="${addressOf(linked, manner)}" class="is-internal-link is-invalid-page">${linked.title}</a></p>`;
  const image = showsImage ? `<p><img src="${model.imagePath}" alt="A picture"></p>` : "";
  const made = `<h2 id="first" class="toc-header"><a class="toc-anchor" href="#first">¶</a> First</h2>\n<p>${escaped(words)}</p>${link}${image}`;
  return html(
    `<meta property="og:url" content="${host ?? model.url}/x"><div id="root"><page locale="en" sidebar="${btoa(JSON.stringify(sidebar))}" nav-mode="MIXED"><template slot="contents"><div>${body ?? made}</div></template><template slot="comments"><div></div></template></page></div>`,
  );
}
