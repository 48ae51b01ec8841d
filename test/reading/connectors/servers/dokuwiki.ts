import { z } from "zod";
import type { WikiServer } from "../../../contract/connector.ts";
import { escaped, html, json, type KeptPage, startWikiServer, type WikiServerModel } from "./wiki-server.ts";

const SECRET = "docent:correct horse";
const TOKEN = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJkb2NlbnQifQ.c2lnbmVk";

interface DokuWikiManner {
  /** What addresses look like: `{ before: "", separator: "/" }` for `/wiki/guide/install`. */
  form?: { before: string; separator: string };
  /** The HTML of every page, in the place of its words. */
  body?: string;
  /** Whether all may ask: a wrong password is a guest's. */
  isOpen?: boolean;
  /** Whether the setting "remote" is off. */
  isOff?: boolean;
}

/** DokuWiki below /wiki, as its API of version 14 answers. The title "Guide  Install" is the page guide:install. */
export const startDokuWiki = (manner: DokuWikiManner = {}): WikiServer =>
  startWikiServer({
    place: "/wiki/doku.php?id=start",
    secret: SECRET,
    pagesInReply: 3,
    async answer(model, request, url) {
      const authorization = request.headers.get("authorization");
      const isSignedIn = authorization === `Basic ${btoa(SECRET)}` || authorization === `Bearer ${TOKEN}`;
      const method = /^\/wiki\/lib\/exe\/jsonrpc\.php\/core\.(\w+)$/.exec(url.pathname)?.[1];
      if (method === undefined) return page(model, manner, url);
      if (manner.isOff === true) return error(404, -32605, "JSON-RPC server not enabled");
      if (request.method !== "POST") return error(405, -32606, "JSON-RPC server only accepts POST requests");
      if (method === "getAPIVersion") return result(14);
      if (!isSignedIn && manner.isOpen !== true)
        return error(401, -32603, `server error. not authorized to call method core.${method}`);
      if (method === "whoAmI") return result({ login: isSignedIn ? "docent" : "", groups: ["user"] });
      if (method === "getWikiVersion") return result('Release 2025-05-14b "Librarian"');
      const asked = ASKED.parse(await request.json());
      if (method === "listPages")
        return result(asked.depth === 0 ? [] : model.pages().toSorted(byId).map(listed));
      const found = model.pages().find((each) => idOf(each) === asked.page);
      if (found === undefined) return error(400, 121, "The requested page (revision) does not exist");
      return result(manner.body ?? rendered(model, manner, found));
    },
  });

/** A list of all pages by the index of the search is empty until somebody looks at them. */
const ASKED = z.object({ depth: z.number().default(1), page: z.string().default("") });

export const DOKUWIKI_TOKEN = TOKEN;

const result = (value: unknown) => json({ result: value, error: { code: 0, message: "success" } });
const error = (status: number, code: number, message: string) => json({ error: { code, message } }, status);
const idOf = ({ title }: KeptPage) => title.toLowerCase().replaceAll("  ", ":").replaceAll(" ", "_");
const byId = (a: KeptPage, b: KeptPage) => (idOf(a) < idOf(b) ? -1 : 1);

const listed = (each: KeptPage) => ({
  id: idOf(each),
  revision: Date.parse(each.changedAt) / 1000,
  size: 100 + each.revision,
  title: idOf(each),
  permission: 1,
  hash: "",
  author: "",
});

function addressOf(
  id: string,
  { form = { before: "doku.php?id=", separator: ":" } }: DokuWikiManner,
): string {
  return `/wiki/${form.before}${id.replaceAll(":", form.separator)}`;
}

function page(model: WikiServerModel, manner: DokuWikiManner, url: URL): Response {
  const id = url.searchParams.get("id") ?? "start";
  return html(`<link rel="canonical" href="${model.url}${addressOf(id, manner)}"/><p>${id}</p>`);
}

function rendered(
  model: WikiServerModel,
  manner: DokuWikiManner,
  { title, words, linksTo, showsImage }: KeptPage,
) {
  const linked = linksTo === undefined ? undefined : model.pageOf(linksTo);
  const link =
    linked === undefined
      ? ""
      : `<p>\n<a href="${addressOf(idOf(linked), manner)}#server" class="wikilink1" title="${idOf(linked)}" data-wiki-id="${idOf(linked)}">${linked.title}</a>\n</p>`;
  const image = showsImage
    ? `<p>\n<a href="/wiki/lib/exe/detail.php?id=x&amp;media=wiki:a.png" class="media"><img src="${model.imagePath}" class="media" loading="lazy" alt="A picture" /></a>\n</p>`
    : "";
  return `\n<h1 class="sectionedit1" id="first">${escaped(title)}</h1>\n<div class="level1">\n\n<p>\n${escaped(words)}\n</p>${link}${image}\n</div>\n<!-- EDIT{&quot;target&quot;:&quot;section&quot;} -->`;
}
