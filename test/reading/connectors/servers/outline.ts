import { z } from "zod";
import type { WikiServer } from "../../../contract/connector.ts";
import { json, type KeptPage, part, startWikiServer, type WikiServerModel } from "./wiki-server.ts";

const PAGES_IN_REPLY = 3;
const SECRET = "ol_api_N6sVh2kQe8rTz0pLxWc4JdMb7uYfAg1iOaSqXw";
const OPEN = "5b1c5a0e-8d0c-4d6e-9a43-0a7c1f1d2e01";
const CLOSED = "5b1c5a0e-8d0c-4d6e-9a43-0a7c1f1d2e02";
const ATTACHMENT = "a61e4e2c-6c0f-4c1f-8f1f-2d6f4f5b7c10";

interface OutlineManner {
  /** The text of every document, in the place of its words. */
  text?: string;
  /** What the workspace takes for its own address. */
  url?: string;
  /** What the key may not do. */
  forbids?: readonly string[];
  /** Which titles are below which: `{ "Page B": "Page A" }`. */
  below?: Readonly<Record<string, string>>;
}

/**
 * Outline, as its API of version 1.9 answers: documents are in a collection of their own, and those whose title begins with
 * "Private" in one for members who were invited.
 */
export const startOutline = (manner: OutlineManner = {}): WikiServer =>
  startWikiServer({
    place: "/home",
    secret: SECRET,
    pagesInReply: PAGES_IN_REPLY,
    async answer(model, request, url) {
      const isSignedIn = request.headers.get("authorization") === `Bearer ${SECRET}`;
      const { pathname, searchParams } = url;
      if (pathname === "/api/attachments.redirect") {
        if (!isSignedIn || searchParams.get("id") !== ATTACHMENT)
          return failure(403, "authorization_error", "Authorization error");
        return new Response(null, { status: 302, headers: { location: model.url + model.imagePath } });
      }
      const method = /^\/api\/([\w.]+)$/.exec(pathname)?.[1];
      if (method === undefined || request.method !== "POST")
        return new Response("Not Found", { status: 404 });
      if (!isSignedIn) return failure(401, "authentication_required", "Invalid API key");
      if (manner.forbids?.includes(method) === true)
        return failure(403, "authorization_error", "API key does not have access to this resource");
      const body = ASKED.parse(await request.json());
      return answer(model, manner, { method, body });
    },
  });

const ASKED = z.object({
  id: z.string().optional(),
  collectionId: z.string().optional(),
  limit: z.number().default(25),
  offset: z.number().default(0),
});
type Asked = z.infer<typeof ASKED>;

const failure = (status: number, error: string, message: string) =>
  json({ ok: false, error, status, message }, status);

const COLLECTIONS = [
  {
    id: OPEN,
    url: "/collection/handbook-2vPwyUOqMz",
    urlId: "2vPwyUOqMz",
    name: "Handbook",
    description: "",
    permission: "read",
    updatedAt: "2026-01-01T00:00:00.000Z",
  },
  {
    id: CLOSED,
    url: "/collection/board-7hXkPqRsTu",
    urlId: "7hXkPqRsTu",
    name: "Board",
    description: "What the *board* decided.",
    permission: null,
    updatedAt: "2026-01-01T00:00:00.000Z",
  },
];

function answer(
  model: WikiServerModel,
  manner: OutlineManner,
  { method, body }: { method: string; body: Asked },
): Response {
  const documents = model.pages().map((page) => present(model, page, manner));
  const inCollection = documents.filter(({ collectionId }) => collectionId === body.collectionId);
  if (method === "auth.info")
    return json({ data: { team: { name: "Acme", url: manner.url ?? model.url }, user: {} } });
  if (method === "collections.list") return listing(COLLECTIONS, body);
  if (method === "collections.info") return json({ data: COLLECTIONS.find(({ id }) => id === body.id) });
  if (method === "collections.documents")
    return json({
      data: nodesBelow(
        documents.filter(({ collectionId }) => collectionId === body.id),
        null,
      ),
    });
  if (method === "documents.list") return listing(inCollection, body);
  const asked = documents.find(({ id, urlId }) => id === body.id || body.id?.endsWith(`-${urlId}`) === true);
  if (method !== "documents.info" || asked === undefined)
    return failure(404, "not_found", "Resource not found");
  return json({ data: asked, policies: [] });
}

function listing(all: readonly unknown[], { limit, offset }: Asked): Response {
  if (limit > 100) return failure(400, "invalid_request", "Pagination limit is too large (max 100)");
  const pagination = { limit, offset, nextPath: `/api/?offset=${offset + limit}`, total: all.length };
  return json({ pagination, data: part(all, offset, Math.min(limit, PAGES_IN_REPLY)), policies: [] });
}

type Presented = ReturnType<typeof present>;

const nodesBelow = (documents: readonly Presented[], parent: string | null): unknown[] =>
  documents
    .filter(({ parentDocumentId }) => parentDocumentId === parent)
    .map(({ id, title, url }) => ({ id, title, url, children: nodesBelow(documents, id) }));

const idOf = ({ id }: KeptPage) => `0b0f1f7c-23a4-4f6c-8f57-${String(id).padStart(12, "0")}`;

function present(model: WikiServerModel, page: KeptPage, { text, below = {} }: OutlineManner) {
  const { id, title, words, revision, changedAt, linksTo, showsImage } = page;
  const urlId = `abcdefghi${id % 10}`;
  const linked = linksTo === undefined ? undefined : model.pageOf(linksTo);
  const link = linked === undefined ? "" : `\n\n[${linked.title}](/doc/an-older-title-abcdefghi${linked.id})`;
  const image = showsImage
    ? `\n\n ![A picture](/api/attachments.redirect?id=${ATTACHMENT} "left-50 =100x50")`
    : "";
  const parent = model.pageOf(below[title] ?? "");
  return {
    id: idOf(page),
    urlId,
    url: `/doc/${title.toLowerCase().replaceAll(" ", "-")}-${urlId}`,
    title,
    text: text ?? `## First\n\n==${words}==${link}${image}`,
    updatedAt: changedAt,
    publishedAt: title.startsWith("Draft") ? null : changedAt,
    archivedAt: title.startsWith("Archived") ? changedAt : null,
    deletedAt: null,
    revision,
    collectionId: title.startsWith("Private") ? CLOSED : OPEN,
    parentDocumentId: parent === undefined ? null : idOf(parent),
    template: title.startsWith("Template"),
  };
}
