import type { WikiServer } from "../../contract/connector.ts";
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
const SECRET = "ada@example.com:ATATT3xFfGF0T4JqQ7yB";
const SPACE = {
  id: "98306",
  key: "DOC",
  name: "Documentation",
  type: "global",
  status: "current",
};

interface Server {
  model: WikiServerModel;
  details: AllDetails;
  asked: URLSearchParams;
  /** The path that is asked for. */
  path: string;
}

/** Confluence Cloud with the space DOC, as the description of its API's second version and its search have it. */
export const startConfluenceCloud = (details: AllDetails = {}): WikiServer =>
  startWikiServer({
    place: "/wiki/spaces/DOC/overview?homepageId=1",
    secret: SECRET,
    pagesInReply: PAGES_IN_REPLY,
    isSignedIn: ({ headers }) =>
      headers.get("authorization") === `Basic ${Buffer.from(SECRET).toString("base64")}`,
    answer(model, _, url) {
      const server = { model, details, asked: url.searchParams, path: url.pathname };
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

const allOf = ({ model, details }: Server) => pagesOfKind(model, details, ["page", "blogpost", "folder"]);

function second(server: Server): Response {
  const [kind = "", id = "", below = ""] = server.path.slice("/wiki/api/v2/".length).split("/");
  if (kind === "spaces") return id === "" ? listOf(server, spacesOf(server)) : inSpace(server, below);
  const wanted = { pages: "page", blogposts: "blogpost", folders: "folder" }[kind];
  const found = allOf(server).find(
    (each) => String(each.id) === id && (each.details.kind ?? "page") === wanted,
  );
  return found === undefined ? noSuch() : json(single(server, found));
}

const noSuch = () =>
  json({ errors: [{ status: 404, code: "NOT_FOUND", title: "Not Found", detail: null }] }, 404);

const spacesOf = ({ model, asked }: Server) => {
  const home = model.pageOf("Home");
  const doc = { ...SPACE, homepageId: home === undefined ? null : String(home.id) };
  const all = [
    doc,
    { ...SPACE, id: "98307", key: "~7120", name: "Ada Berg", type: "personal" },
    { ...SPACE, id: "98308", key: "OLD", name: "Old product", status: "archived" },
  ];
  return all.filter(
    ({ key, status }) => (asked.get("keys") ?? key) === key && (asked.get("status") ?? status) === status,
  );
};

function inSpace(server: Server, below: string): Response {
  if (below === "") return json(SPACE);
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

/** A list by a cursor, whose next part is named from the host's root. */
function listOf({ model, asked, path }: Server, all: readonly unknown[]): Response {
  const start = Number(asked.get("cursor") ?? 0);
  const next = `${path}?limit=${PAGES_IN_REPLY}&cursor=${start + PAGES_IN_REPLY}`;
  return json({
    results: part(all, start, PAGES_IN_REPLY),
    _links: { base: `${model.url}/wiki`, ...(start + PAGES_IN_REPLY < all.length ? { next } : {}) },
  });
}

const webuiOf = ({ id, title }: { id: number; title: string }) =>
  `/spaces/DOC/pages/${id}/${encodeURIComponent(title).replaceAll("%20", "+")}`;

function place({ model, details }: Server, page: DetailedPage): Record<string, unknown> {
  const { id, title, revision, changedAt } = page;
  const { parent, position = null, isArchived, address } = page.details;
  const above = parent === undefined ? undefined : model.pageOf(parent);
  return {
    id: String(id),
    status: isArchived ? "archived" : "current",
    title,
    spaceId: SPACE.id,
    parentId: parent === undefined ? null : String(above?.id ?? 99),
    parentType: parent === undefined ? null : (details[parent]?.kind ?? "page"),
    position,
    authorId: "712020:5e",
    ownerId: "712020:5e",
    lastOwnerId: null,
    // Whatever the documentation says, folders have milliseconds.
    createdAt: page.details.kind === "folder" ? Date.parse(changedAt) : changedAt.replace("Z", ".000Z"),
    version: {
      number: revision,
      message: "",
      minorEdit: false,
      authorId: "712020:5e",
      createdAt: changedAt.replace("Z", ".000Z"),
      ncsStepVersion: "1",
    },
    body: {},
    _links: {
      webui: address ?? webuiOf(page),
      editui: `/pages/resumedraft.action?draftId=${id}`,
      tinyui: "/x/AgAB",
    },
  };
}

function single(server: Server, page: DetailedPage): Record<string, unknown> {
  const { model, asked } = server;
  const addressOf = (title: string) => `${model.url}/wiki${webuiOf(model.pageOf(title) ?? page)}`;
  const labels = (page.details.labels ?? []).map((name) => ({ id: "917505", name, prefix: "global" }));
  return {
    ...place(server, page),
    ...(asked.get("include-labels") === "true"
      ? { labels: { results: labels, meta: { hasMore: false } } }
      : {}),
    body:
      asked.get("body-format") === "export_view"
        ? { export_view: { representation: "export_view", value: htmlOf(page, model, addressOf) } }
        : {},
    _links: { base: `${model.url}/wiki`, webui: webuiOf(page) },
  };
}

/** The search, which does not know at once what is new, and names its next part from the wiki's root. */
function search(server: Server): Response {
  const { model, asked } = server;
  if (asked.get("cql") !== 'space = "DOC" and type in (page, blogpost, folder)')
    return json({ statusCode: 400, message: "Could not parse cql" }, 400);
  const all = allOf(server).filter(({ details }) => !details.isUnindexed && !details.isArchived);
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
    _links: {
      base: `${model.url}/wiki`,
      context: "/wiki",
      ...(start + PAGES_IN_REPLY < all.length ? { next } : {}),
    },
  });
}
