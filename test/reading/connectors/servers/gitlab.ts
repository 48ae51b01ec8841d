import type { WikiServer } from "../../../contract/connector.ts";
import { pngBytes } from "../../../helpers/image-bytes.ts";
import { json, type KeptPage, part, startWikiServer, type WikiServerModel } from "./wiki-server.ts";

const SECRET = "glpat-tbGGqKPkXyAc5cB9aGsP";
const ISSUES_IN_REPLY = 3;
const PROJECT = "/api/v4/projects/acme%2Ftools%2Fwidget";
const BY_NUMBER = "/api/v4/projects/7";
const UPLOAD = "/uploads/0123456789abcdef0123456789abcdef/picture.png";

/** GitLab 17, as the documentation of its REST API has it. */
export const startGitLab = (): WikiServer =>
  startWikiServer({
    place: "/acme/tools/widget/-/issues/?state=closed",
    secret: SECRET,
    pagesInReply: ISSUES_IN_REPLY,
    isSignedIn: (request) => request.headers.get("authorization") === `Bearer ${SECRET}`,
    answer: (model, _, url) => answer(model, url),
  });

function answer(model: WikiServerModel, url: URL): Response {
  const { pathname } = url;
  if (pathname === "/api/v4/version") return json({ version: "17.11.2-ee", revision: "d1ec1f8a3c6" });
  if (pathname === PROJECT)
    return json({
      id: 7,
      path_with_namespace: "acme/tools/widget",
      web_url: `${model.url}/acme/tools/widget`,
    });
  if (pathname === `${PROJECT}/issues_statistics`)
    return json({ statistics: { counts: { all: 9, closed: 7, opened: 2 } } });
  if (pathname === `${PROJECT}/issues`) return listed(model, url);
  if (pathname === `${BY_NUMBER}/members/all`)
    return json([
      { id: 1, username: "keeper", access_level: 40 },
      { id: 2, username: "asker", access_level: 10 },
    ]);
  if (pathname === BY_NUMBER + UPLOAD)
    return new Response(pngBytes().slice(), { headers: { "content-type": "image/png" } });
  const [, iid, notes] = /^\/api\/v4\/projects\/7\/issues\/(\d+)(\/notes)?$/.exec(pathname) ?? [];
  const page = model.pages().find(({ id }) => String(id) === iid);
  if (page === undefined) return json({ message: "404 Not found" }, 404);
  return json(notes === undefined ? issueOf(model, page) : notesOf(page));
}

function listed(model: WikiServerModel, url: URL): Response {
  const at = Number(url.searchParams.get("page") ?? "1");
  const all = model.pages().toReversed();
  const next = new URL(url);
  next.searchParams.set("page", String(at + 1));
  const reply = json(
    part(all, (at - 1) * ISSUES_IN_REPLY, ISSUES_IN_REPLY).map((page) => issueOf(model, page)),
  );
  const hasMore = at * ISSUES_IN_REPLY < all.length;
  reply.headers.set("x-next-page", hasMore ? String(at + 1) : "");
  if (hasMore) reply.headers.set("link", `<${next.href}>; rel="next", <${url.href}>; rel="first"`);
  return reply;
}

function issueOf(model: WikiServerModel, { id, title, words, linksTo, showsImage, changedAt }: KeptPage) {
  const other = linksTo === undefined ? "" : `\n\nSee #${model.pageOf(linksTo)?.id ?? 0}.`;
  const image = showsImage ? `\n\n![A picture](${UPLOAD})` : "";
  return {
    id: id + 900,
    iid: id,
    project_id: 7,
    title,
    description: `${words}${other}${image}`,
    state: "closed",
    type: "ISSUE",
    severity: "UNKNOWN",
    milestone: null,
    assignees: [],
    assignee: null,
    due_date: null,
    imported: false,
    imported_from: "none",
    author: { id: 2, username: "asker", name: "Asker", state: "active", locked: false, avatar_url: null },
    labels: ["support"],
    user_notes_count: 2,
    confidential: false,
    discussion_locked: null,
    moved_to_id: null,
    issue_type: "issue",
    references: { short: `#${id}`, relative: `#${id}`, full: `acme/tools/widget#${id}` },
    web_url: `${model.url}/acme/tools/widget/-/work_items/${id}`,
    _links: {
      self: `${model.url}/api/v4/projects/7/issues/${id}`,
      project: `${model.url}/api/v4/projects/7`,
      closed_as_duplicate_of: null,
    },
    created_at: "2026-01-01T00:00:00.000Z",
    updated_at: changedAt,
    closed_at: changedAt,
  };
}

const notesOf = ({ id, title, changedAt }: KeptPage) =>
  [
    {
      id: id * 10,
      system: true,
      internal: false,
      body: "added ~support label",
      author: { username: "keeper" },
    },
    {
      id: id * 10 + 1,
      system: false,
      internal: true,
      body: "The customer is Foo Inc.",
      author: { username: "keeper" },
    },
    {
      id: id * 10 + 2,
      system: false,
      internal: false,
      body: `This answers ${title}.`,
      author: { username: "keeper" },
    },
  ].map((note) => ({
    ...note,
    type: null,
    attachment: null,
    noteable_id: id + 900,
    noteable_iid: id,
    noteable_type: "Issue",
    project_id: 7,
    resolvable: false,
    confidential: note.internal,
    imported: false,
    imported_from: "none",
    commands_changes: {},
    created_at: changedAt,
    updated_at: changedAt,
  }));
