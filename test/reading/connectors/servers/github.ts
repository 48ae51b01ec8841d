import type { WikiServer } from "../../../contract/connector.ts";
import { escaped, json, type KeptPage, part, startWikiServer, type WikiServerModel } from "./wiki-server.ts";

const SECRET = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";
const ISSUES_IN_REPLY = 3;

/** GitHub Enterprise Server, as GitHub's description of its REST API and its GraphQL schema have it. */
export const startGitHub = (): WikiServer =>
  startWikiServer({
    place: "/acme/widget",
    secret: SECRET,
    pagesInReply: ISSUES_IN_REPLY,
    isSignedIn: (request) => request.headers.get("authorization") === `Bearer ${SECRET}`,
    answer: (model, request, url) =>
      url.pathname === "/api/graphql" ? graphql(model, request) : rest(model, url),
  });

const REPOSITORY = "/api/v3/repos/acme/widget";
const BY_NUMBER = "/api/v3/repositories/4711/issues";

function rest(model: WikiServerModel, url: URL): Response {
  const { pathname } = url;
  if (pathname === REPOSITORY)
    return json({
      id: 4711,
      name: "widget",
      owner: { login: "acme", type: "Organization" },
      description: null,
      homepage: null,
      license: null,
      archived: false,
      full_name: "acme/widget",
      private: true,
      has_issues: true,
      has_discussions: true,
      open_issues_count: 4,
      permissions: { admin: false, push: false, pull: true },
    });
  if (pathname === `${REPOSITORY}/issues` || pathname === BY_NUMBER) return listed(model, url);
  const [, number, comments] = /\/issues\/(\d+)(\/comments)?$/.exec(pathname) ?? [];
  const page = model.pages().find(({ id }) => String(id) === number);
  if (page === undefined)
    return json(
      { message: "Not Found", documentation_url: "https://docs.github.com/rest", status: "404" },
      404,
    );
  return json(comments === undefined ? issueOf(model, page) : commentsOf(page));
}

/** The newest first, so many at once, with where the next are: there the repository goes by its number. */
function listed(model: WikiServerModel, url: URL): Response {
  const at = Number(url.searchParams.get("page") ?? "1");
  const all = model.pages().toReversed();
  const next = new URL(url);
  next.pathname = BY_NUMBER;
  next.searchParams.set("page", String(at + 1));
  const reply = json(
    part(all, (at - 1) * ISSUES_IN_REPLY, ISSUES_IN_REPLY).map((page) => issueOf(model, page)),
  );
  if (at * ISSUES_IN_REPLY < all.length)
    reply.headers.set("link", `<${next.href}>; rel="next", <${next.href}>; rel="last"`);
  return reply;
}

function issueOf(model: WikiServerModel, { id, title, words, linksTo, showsImage, changedAt }: KeptPage) {
  const other = linksTo === undefined ? "" : `\r\n\r\nSee #${model.pageOf(linksTo)?.id ?? 0}.`;
  const image = showsImage ? `\r\n\r\n![A picture](${model.url}${model.imagePath})` : "";
  return {
    number: id,
    title,
    user: { login: "asker", id: 1, type: "User", user_view_type: "public", site_admin: false },
    labels: [{ id: 9, name: "question", description: null, color: "d876e3", default: true }],
    assignee: null,
    assignees: [],
    milestone: null,
    performed_via_github_app: null,
    reactions: { total_count: 0 },
    state: "closed",
    state_reason: "completed",
    locked: false,
    active_lock_reason: null,
    comments: 3,
    created_at: "2026-01-01T00:00:00Z",
    updated_at: changedAt,
    closed_at: changedAt,
    author_association: "NONE",
    body: `<!-- Please search first. -->\r\n### What happens\r\n\r\n${escaped(words).replaceAll("&lt;", "\\<").replaceAll("&amp;", "&")}${other}${image}`,
  };
}

const commentsOf = ({ id, title, changedAt }: KeptPage) =>
  [
    {
      id: id * 10,
      user: { login: "triage[bot]", type: "Bot" },
      body: "Thanks for the report!",
      author_association: "NONE",
    },
    { id: id * 10 + 1, user: { login: "somebody", type: "User" }, body: "+1", author_association: "NONE" },
    {
      id: id * 10 + 2,
      user: { login: "keeper", type: "User" },
      body: `This answers ${title}.`,
      author_association: "MEMBER",
    },
  ].map((comment) => ({ ...comment, created_at: changedAt, updated_at: changedAt }));

async function graphql(_: WikiServerModel, request: Request): Promise<Response> {
  const { query } = await request.json();
  if (!String(query).includes("discussions("))
    return json({
      data: { repository: { discussion: null } },
      errors: [
        {
          type: "NOT_FOUND",
          path: ["repository", "discussion"],
          locations: [{ line: 4, column: 7 }],
          message: "Could not resolve to a Discussion",
        },
      ],
    });
  const discussions = { pageInfo: { hasNextPage: false, endCursor: null }, nodes: [] };
  return json({ data: { repository: { discussions } } });
}
