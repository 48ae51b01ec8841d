import type { WikiServer } from "../../../contract/connector.ts";
import {
  type AllDetails,
  type DetailedPage,
  htmlOf,
  marksIn,
  pagesOfKind,
  restrictionIn,
} from "./confluence-pages.ts";
import { json, part, startWikiServer, type WikiServerModel } from "./wiki-server.ts";

const PAGES_IN_REPLY = 3;
const TOKEN = "NjMyMTgwNzEyMzQ1OqFhZmzOq6pX1sTg1qzK7kQz";
const CONTEXT = "/confluence";

interface Server {
  model: WikiServerModel;
  details: AllDetails;
  hasScan: boolean;
  isEndless: boolean;
  /** How it calls itself. */
  base: string;
}

interface Manner {
  /** Those before 7.18 have no list that is gone through by a cursor. */
  version?: string;
  /** How it calls itself, if not as it is reached. */
  base?: string;
  /** Its lists by offset name a next part behind the last one, too, which has the last pages again, or none. */
  endless?: boolean;
}

/** Confluence Data Center below a context path, with the space DOC, as the documentation of its API has it. */
export const startConfluence = (
  details: AllDetails = {},
  { version = "8.5.4", base, endless = false }: Manner = {},
): WikiServer =>
  startWikiServer({
    place: `${CONTEXT}/display/DOC`,
    secret: TOKEN,
    pagesInReply: PAGES_IN_REPLY,
    isSignedIn: ({ url, headers }) =>
      url.endsWith("/manifest") || headers.get("authorization") === `Bearer ${TOKEN}`,
    answer: (model, _, url) => {
      if (!url.pathname.startsWith(`${CONTEXT}/`)) return new Response("Not found", { status: 404 });
      const path = url.pathname.slice(CONTEXT.length);
      if (path === "/rest/applinks/1.0/manifest") return manifest(version);
      const hasScan = !/^(?:6|7\.(?:\d|1[0-7]))\./.test(version);
      return path.startsWith("/rest/api/")
        ? reply(
            { model, details, hasScan, isEndless: endless, base: base ?? model.url + CONTEXT },
            path.slice("/rest/api/".length),
            url.searchParams,
          )
        : new Response("<html><title>Page Not Found - Confluence</title></html>", { status: 404 });
    },
  });

const manifest = (version: string) =>
  new Response(
    `<?xml version="1.0" encoding="UTF-8" standalone="yes"?><manifest><id>f0b5</id><name>Confluence</name><typeId>confluence</typeId><version>${version}</version><buildNumber>9012</buildNumber></manifest>`,
    { headers: { "content-type": "application/xml" } },
  );

function reply(server: Server, path: string, asked: URLSearchParams): Response {
  const [first = "", id = "", ...more] = path.split("/");
  if (first === "space") return id === "" ? spaces(server, asked) : space(server, id);
  if (first !== "content") return noSuch(`null for uri: ${path}`);
  if (id === "" || (id === "scan" && server.hasScan)) return contents(server, path, asked);
  const page = pagesOfKind(server.model, server.details, ["page", "blogpost"]).find(
    (each) => String(each.id) === id,
  );
  if (page === undefined) return noSuch(`No content found with id: ContentId{id=${id}}`);
  if (more.join("/") === "restriction/byOperation/read")
    return page.details.isUnsaid ? noSuch("Not there") : json(restrictionIn(page));
  return json(contentIn(server, page, asked.get("expand") ?? ""));
}

const noSuch = (message: string) =>
  json(
    { statusCode: 404, data: { authorized: false, valid: true, errors: [], successful: false }, message },
    404,
  );

const SPACES = [
  { id: 98306, key: "DOC", name: "Documentation", type: "global", status: "current" },
  { id: 98307, key: "OPS", name: "Operations", type: "global", status: "current" },
  { id: 98308, key: "OLD", name: "Old product", type: "global", status: "archived" },
  { id: 98309, key: "~ada", name: "Ada Berg", type: "personal", status: "current" },
];

const spaceIn = ({ model }: Server, { key, ...space }: (typeof SPACES)[number]) => {
  const home = model.pageOf("Home");
  const isHome = key === "DOC" && home !== undefined;
  return {
    ...space,
    key,
    _links: { webui: `/display/${key}` },
    ...(isHome ? { homepage: { id: String(home.id), type: "page", title: "Home" } } : {}),
  };
};

function spaces(server: Server, asked: URLSearchParams): Response {
  const wanted = SPACES.filter(
    ({ type, status }) => (asked.get("type") ?? type) === type && (asked.get("status") ?? status) === status,
  );
  const found = wanted.slice(0, Number(asked.get("limit") ?? 25)).map((each) => spaceIn(server, each));
  return json({
    results: found,
    start: 0,
    limit: 25,
    size: found.length,
    _links: { base: server.base, context: CONTEXT },
  });
}

function space(server: Server, key: string): Response {
  const found = SPACES.find((each) => each.key.toLowerCase() === decodeURIComponent(key).toLowerCase());
  return found === undefined ? noSuch(`No space with key : ${key}`) : json(spaceIn(server, found));
}

/**
 * By offset, or by a cursor that has the id of the last page. A reply has fewer than are asked for, which the next offset
 * passes over, as servers do that an administrator has given a bound.
 */
function contents(server: Server, path: string, asked: URLSearchParams): Response {
  const kind = asked.get("type") === "blogpost" ? "blogpost" : "page";
  const all = pagesOfKind(server.model, server.details, [kind]).filter(() => asked.get("spaceKey") === "DOC");
  const isScan = path === "content/scan";
  const cursor = asked.get("cursor")?.split(":").at(-1);
  const start = isScan
    ? all.findIndex(({ id }) => String(id) === cursor) + 1
    : Number(asked.get("start") ?? 0);
  const some = part(all, server.isEndless ? Math.min(start, all.length - 1) : start, PAGES_IN_REPLY);
  const limit = Number(asked.get("limit") ?? PAGES_IN_REPLY);
  const query = isScan ? `cursor=content:false:${some.at(-1)?.id}` : `start=${start + limit}`;
  const next = `/rest/api/${path}?spaceKey=DOC&type=${kind}&limit=${limit}&${query}`;
  return json({
    results: some.map((page) => contentIn(server, page, asked.get("expand") ?? "")),
    ...(isScan ? { cursor: `content:false:${cursor ?? null}`, nextCursor: query.slice(7) } : { start }),
    limit,
    size: some.length,
    _links: {
      self: `${server.base}/rest/api/${path}`,
      base: server.base,
      context: CONTEXT,
      ...(server.isEndless || start + PAGES_IN_REPLY < all.length ? { next } : {}),
    },
  });
}

/** A page with what of it is asked for: nothing else is in a reply. */
function contentIn(
  { model, details, base }: Server,
  page: DetailedPage,
  expand: string,
): Record<string, unknown> {
  const { id, title, revision, changedAt } = page;
  const expanded = new Set(expand.split(","));
  const marks = marksIn(page, CONTEXT);
  const has = (name: string, value: unknown) => (expanded.has(name) ? { [name]: value } : {});
  return {
    id: String(id),
    type: page.details.kind ?? "page",
    status: "current",
    title,
    ...has("version", {
      by: { type: "anonymous", displayName: "Anonymous" },
      when: changedAt.replace("Z", ".000+00:00"),
      message: "",
      number: revision,
      minorEdit: false,
      hidden: false,
    }),
    // Old servers write a zone without a colon.
    ...has("history", { latest: true, createdDate: changedAt.replace("Z", ".000+0000") }),
    ...has("ancestors", ancestorsOf(model, details, page)),
    ...(expanded.has("space.homepage") ? { space: SPACES[0] } : {}),
    ...(expanded.has("restrictions.read.restrictions.user") ? { restrictions: marks.restrictions } : {}),
    ...(expanded.has("metadata.labels") ? { metadata: marks.metadata } : {}),
    ...(expanded.has("children.attachment") ? { children: marks.children } : {}),
    ...(expanded.has("body.export_view")
      ? {
          body: {
            export_view: {
              value: htmlOf(page, model, (to) => base + webuiOf(to)),
              representation: "export_view",
            },
          },
        }
      : {}),
    extensions: { position: page.details.position ?? "none" },
    _links: {
      webui: page.details.address ?? webuiOf(title),
      edit: `/pages/resumedraft.action?draftId=${id}`,
      tinyui: `/x/${shortOf(id)}`,
      self: `${base}/rest/api/content/${id}`,
    },
    _expandable: { container: "/rest/api/space/DOC", operations: "", body: "", descendants: "" },
  };
}

const webuiOf = (title: string) => `/display/DOC/${encodeURIComponent(title).replaceAll("%20", "+")}`;

/** The bytes of an id in base64, the last one first. */
export function shortOf(id: number): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(id);
  return bytes.toString("base64url").replace(/A+$/, "");
}

function ancestorsOf(model: WikiServerModel, all: AllDetails, page: DetailedPage): { id: string }[] {
  const above = page.details.parent;
  const found =
    above === undefined ? undefined : pagesOfKind(model, all, ["page"]).find(({ title }) => title === above);
  if (above === undefined) return [];
  if (found === undefined) return [{ id: "99" }];
  return [...ancestorsOf(model, all, found), { id: String(found.id) }];
}
