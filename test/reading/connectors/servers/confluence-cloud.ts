import type { WikiServer } from "../../../contract/connector.ts";
import {
  type AllDetails,
  type DetailedPage,
  htmlOf,
  marksIn,
  pagesOfKind,
  restrictionIn,
} from "./confluence-pages.ts";
import { json, type KeptPage, part, startWikiServer, type WikiServerModel } from "./wiki-server.ts";

const PAGES_IN_REPLY = 3;
const LIMIT_MAX = 250;
const SECRET = "ada@example.com:ATATT3xFfGF0T4JqQ7yB";
const ADA = "712020:5e0f6d1c-8a53-4f57-9b1e-2c7d90a4b3e8";
const SPACE = {
  id: "98306",
  key: "DOC",
  name: "Documentation",
  type: "global",
  status: "current",
  authorId: ADA,
  spaceOwnerId: ADA,
  createdAt: "2025-12-01T09:12:44.318Z",
  description: null,
  icon: null,
};

interface Manner {
  /** What addresses call the space DOC, if it was renamed. */
  alias?: string;
}

interface Server {
  model: WikiServerModel;
  details: AllDetails;
  alias: string;
  asked: URLSearchParams;
  /** The path that is asked for. */
  path: string;
}

/**
 * Confluence Cloud with the space DOC. Its second API answers what real sites were recorded to answer; where nothing was
 * recorded, what its description has. Its first one is its search, and who may read a page.
 */
export const startConfluenceCloud = (
  details: AllDetails = {},
  { alias = SPACE.key }: Manner = {},
): WikiServer =>
  startWikiServer({
    place: "/wiki/spaces/DOC/overview?homepageId=1",
    secret: SECRET,
    pagesInReply: PAGES_IN_REPLY,
    isSignedIn: ({ headers }) =>
      headers.get("authorization") === `Basic ${Buffer.from(SECRET).toString("base64")}`,
    answer(model, _, url) {
      const server = { model, details, alias, asked: url.searchParams, path: url.pathname };
      if (url.pathname.startsWith("/wiki/api/v2/")) return second(server);
      if (url.pathname === "/wiki/rest/api/content/search") return search(server);
      const id = /^\/wiki\/rest\/api\/content\/(\d+)\/restriction\/byOperation\/read$/.exec(
        url.pathname,
      )?.[1];
      const page = allOf(server).find((each) => String(each.id) === id);
      if (page === undefined || page.details.isUnsaid)
        return json({ message: "This deprecated endpoint has been removed" }, 410);
      return json(restrictionIn(page));
    },
  });

const allOf = ({ model, details }: Server) =>
  pagesOfKind(model, details, ["page", "blogpost", "folder", "embed"]);

function second(server: Server): Response {
  const [kind = "", id = "", below = ""] = server.path.slice("/wiki/api/v2/".length).split("/");
  if (kind === "spaces") return id === "" ? listOf(server, spacesOf(server)) : inSpace(server, below);
  const wanted = { pages: "page", blogposts: "blogpost", folders: "folder", embeds: "embed" }[kind];
  const found = allOf(server).find(
    (each) => String(each.id) === id && (each.details.kind ?? "page") === wanted,
  );
  return found === undefined ? noSuch() : json(single(server, found));
}

const refusal = (status: number, code: string, title: string, detail: string | null = null) =>
  json({ errors: [{ status, code, title, detail }] }, status);
const noSuch = () => refusal(404, "NOT_FOUND", "Not Found");

const spaceIn = ({ model, alias }: Server) => {
  const home = model.pageOf("Home");
  return {
    ...SPACE,
    homepageId: home === undefined ? null : String(home.id),
    currentActiveAlias: alias,
    _links: { webui: `/spaces/${alias}` },
  };
};

/** A space is found by what its addresses call it, too, and in any case of letters. */
const spacesOf = (server: Server) => {
  const { asked } = server;
  const others = [
    { ...SPACE, id: "98307", key: "~7120", name: "Ada Berg", type: "personal" },
    { ...SPACE, id: "98308", key: "OLD", name: "Old product", status: "archived" },
  ];
  return [
    spaceIn(server),
    ...others.map((each) => ({
      ...each,
      homepageId: "98401",
      currentActiveAlias: each.key,
      _links: { webui: `/spaces/${each.key}` },
    })),
  ].filter(({ key, currentActiveAlias, status }) => {
    const wanted = (asked.get("keys") ?? key).toLowerCase();
    const isWanted = [key, currentActiveAlias].some((name) => name.toLowerCase() === wanted);
    return isWanted && (asked.get("status") ?? status) === status;
  });
};

function inSpace(server: Server, below: string): Response {
  if (below === "") return json(spaceIn(server));
  const wanted = below === "pages" ? "page" : "blogpost";
  const isArchived = server.asked.get("status") === "archived";
  const found = allOf(server).filter(
    ({ details }) => (details.kind ?? "page") === wanted && (details.isArchived ?? false) === isArchived,
  );
  return listOf(
    server,
    found.map((page) => place(server, page)),
  );
}

/** A list by a cursor, whose next part is named from the host's root, with the cursor as it is. */
function listOf({ model, asked, path }: Server, all: readonly unknown[]): Response {
  if (Number(asked.get("limit") ?? 25) > LIMIT_MAX)
    return refusal(
      400,
      "INVALID_REQUEST_PARAMETER",
      `Provided size for 'limit' is greater than ${LIMIT_MAX}`,
    );
  const start = startOf(asked.get("cursor"));
  if (start === undefined)
    return refusal(
      400,
      "INVALID_REQUEST_PARAMETER",
      "Provided value for 'cursor' is not the correct type. Expected type is Cursor.",
      "The provided cursor was not valid.",
    );
  const end = start + PAGES_IN_REPLY;
  const next = `${path}?limit=${PAGES_IN_REPLY}&cursor=${cursorAt(end)}`;
  return json({
    results: part(all, start, PAGES_IN_REPLY),
    _links: { base: `${model.url}/wiki`, ...(end < all.length ? { next } : {}) },
  });
}

const cursorAt = (place: number) =>
  Buffer.from(JSON.stringify({ id: String(place), contentOrder: "id", contentOrderValue: place })).toString(
    "base64",
  );

function startOf(cursor: string | null): number | undefined {
  if (cursor === null) return 0;
  const place = /"contentOrderValue":(\d+)}$/.exec(Buffer.from(cursor, "base64").toString())?.[1];
  return place !== undefined && cursorAt(Number(place)) === cursor ? Number(place) : undefined;
}

/** Where people open something: the page that a space opens with has the address of the space. */
function webuiOf({ alias, details }: Server, { id, title, changedAt }: KeptPage): string {
  const { kind = "page", address } = details[title] ?? {};
  const words = encodeURIComponent(title).replaceAll("%20", "+");
  if (address !== undefined) return address;
  if (title === "Home") return `/spaces/${alias}/overview`;
  if (kind === "folder" || kind === "embed") return `/spaces/${alias}/${kind}/${id}`;
  const day = changedAt.slice(0, 10).replaceAll("-", "/");
  return kind === "page"
    ? `/spaces/${alias}/pages/${id}/${words}`
    : `/spaces/${alias}/blog/${day}/${id}/${words}`;
}

function place(server: Server, page: DetailedPage): Record<string, unknown> {
  const { id, title, revision, changedAt } = page;
  const { kind = "page", isArchived } = page.details;
  const isPlace = kind === "folder" || kind === "embed";
  const at = changedAt.replace("Z", ".000Z");
  const webui = webuiOf(server, page);
  return {
    id: String(id),
    status: isArchived ? "archived" : "current",
    // A smart link that a program made has no title of its own.
    ...(kind === "embed" ? { embedUrl: "https://roadmap.example.com/" } : { title }),
    spaceId: SPACE.id,
    authorId: ADA,
    ...(kind === "blogpost" ? {} : { ...aboveOf(server, page), ownerId: ADA }),
    ...(isPlace ? { type: kind } : { body: {} }),
    ...(kind === "page" ? { lastOwnerId: null } : {}),
    // Whatever the documentation says, folders have milliseconds.
    createdAt: isPlace ? Date.parse(changedAt) : at,
    version: {
      number: revision,
      message: "",
      minorEdit: false,
      authorId: ADA,
      createdAt: at,
      ncsStepVersion: "1",
    },
    _links: {
      webui,
      editui: `/pages/resumedraft.action?draftId=${id}`,
      edituiv2: webui.replace(/\/(pages|blog)\/.*/, `/$1/edit-v2/${id}`),
      tinyui: "/x/AgAB",
    },
  };
}

function aboveOf({ model, details }: Server, page: DetailedPage) {
  const { parent, position = null } = page.details;
  if (parent === undefined) return { parentId: null, parentType: null, position };
  const above = model.pageOf(parent);
  return { parentId: String(above?.id ?? 99), parentType: details[parent]?.kind ?? "page", position };
}

function single(server: Server, page: DetailedPage): Record<string, unknown> {
  const { model, asked } = server;
  const addressOf = (title: string) => `${model.url}/wiki${webuiOf(server, model.pageOf(title) ?? page)}`;
  const labels = (page.details.labels ?? []).map((name) => ({ id: "917505", name, prefix: "global" }));
  const { _links: links, ...listed } = place(server, page);
  const path = server.path.slice("/wiki".length);
  return {
    ...listed,
    ...(asked.get("include-labels") === "true"
      ? { labels: { results: labels, meta: { hasMore: false }, _links: { self: `${path}/labels` } } }
      : {}),
    ...(asked.get("body-format") === "export_view"
      ? { body: { export_view: { representation: "export_view", value: htmlOf(page, model, addressOf) } } }
      : {}),
    _links: { ...Object(links), base: `${model.url}/wiki` },
  };
}

/** The search, which does not know at once what is new, and names its next part from the wiki's root. */
function search(server: Server): Response {
  const { model, asked } = server;
  if (asked.get("cql") !== 'space = "DOC" and type in (page, blogpost, folder)')
    return json({ statusCode: 400, message: "Could not parse cql" }, 400);
  const all = allOf(server).filter(
    ({ details: { kind, isUnindexed, isArchived } }) => kind !== "embed" && !isUnindexed && !isArchived,
  );
  const start = Number(asked.get("cursor") ?? 0);
  const next = `/rest/api/content/search?next=true&cursor=${start + PAGES_IN_REPLY}&limit=${PAGES_IN_REPLY}&cql=${asked.get("cql")}`;
  return json({
    results: part(all, start, PAGES_IN_REPLY).map((page) => ({
      id: String(page.id),
      type: page.details.kind ?? "page",
      status: "current",
      title: page.title,
      ...marksIn(page, "/wiki"),
    })),
    start: 0,
    limit: PAGES_IN_REPLY,
    size: part(all, start, PAGES_IN_REPLY).length,
    _links: {
      base: `${model.url}/wiki`,
      context: "/wiki",
      ...(start + PAGES_IN_REPLY < all.length ? { next } : {}),
    },
  });
}
