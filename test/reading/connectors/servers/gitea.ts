import type { WikiServer } from "../../../contract/connector.ts";
import { pngBytes } from "../../../helpers/image-bytes.ts";
import { json, type KeptPage, part, startWikiServer, type WikiServerModel } from "./wiki-server.ts";

const SECRET = "b5e1a5bd3dd7e66a4b7ad8c1a1b3d9f0c2e4a6b8";
const ISSUES_IN_REPLY = 3;
const ATTACHMENT = "/attachments/dbd5c057-ce4a-4ce4-b056-1a1aa3e3a941";
const REPOSITORY = "/git/api/v1/repos/acme/widget";

/** Gitea 1.26 in a folder of its host, as its swagger file and a server of that version have it. */
export const startGitea = (): WikiServer =>
  startWikiServer({
    place: "/git/acme/widget/issues?state=closed",
    secret: SECRET,
    pagesInReply: ISSUES_IN_REPLY,
    isSignedIn: (request) => request.headers.get("authorization") === `Bearer ${SECRET}`,
    answer: (model, _, url) => answer(model, url),
  });

function answer(model: WikiServerModel, url: URL): Response {
  const { pathname } = url;
  if (pathname === "/git/api/v1/version") return json({ version: "1.26.0" });
  if (pathname === REPOSITORY)
    return json({
      full_name: "acme/widget",
      html_url: `${model.url}/git/acme/widget`,
      has_issues: true,
      internal_tracker: { enable_time_tracker: true },
      open_issues_count: 2,
      open_pr_counter: 1,
    });
  if (pathname === `${REPOSITORY}/issues/comments`) return json(allComments(model, url));
  if (pathname === `/git${ATTACHMENT}`)
    return new Response(pngBytes().slice(), { headers: { "content-type": "image/png" } });
  if (pathname === `${REPOSITORY}/assignees`) return json([{ id: 1, login: "keeper" }]);
  if (pathname === `${REPOSITORY}/issues`) return listed(model, url);
  const [, number, comments] = /\/issues\/(\d+)(\/comments)?$/.exec(pathname) ?? [];
  const page = model.pages().find(({ id }) => String(id) === number);
  if (page === undefined)
    return json({ message: "issue does not exist", url: `${model.url}/api/swagger` }, 404);
  return json(comments === undefined ? issueOf(model, page) : commentsOf(page));
}

/** Its own name for itself is another than the one by which it is reached. */
function listed(model: WikiServerModel, url: URL): Response {
  const at = Number(url.searchParams.get("page") ?? "1");
  const all = model.pages().toReversed();
  const next = new URL(url.pathname + url.search, "https://git.example.com");
  next.searchParams.set("page", String(at + 1));
  const reply = json(
    part(all, (at - 1) * ISSUES_IN_REPLY, ISSUES_IN_REPLY).map((page) => issueOf(model, page)),
  );
  reply.headers.set("x-total-count", String(all.length));
  if (at * ISSUES_IN_REPLY < all.length) reply.headers.set("link", `<${next.href}>; rel="next"`);
  return reply;
}

const inZone = (time: string) => time.replace("Z", "+00:00");

function issueOf(model: WikiServerModel, { id, title, words, linksTo, showsImage, changedAt }: KeptPage) {
  const other = linksTo === undefined ? "" : `\n\nSee #${model.pageOf(linksTo)?.id ?? 0}.`;
  const image = showsImage ? `\n\n![A picture](${ATTACHMENT})` : "";
  return {
    id: id + 500,
    number: id,
    title,
    user: { id: 2, login: "asker" },
    original_author: "",
    labels: [{ id: 1, name: "kind/question" }],
    state: "closed",
    is_locked: false,
    comments: 2,
    created_at: "2026-01-01T00:00:00+00:00",
    updated_at: inZone(changedAt),
    closed_at: inZone(changedAt),
    pull_request: null,
    body: `What happens\n============\n\n${words}${other}${image}`,
  };
}

const commentsOf = ({ id, title, changedAt }: KeptPage) => [
  {
    id: id * 10,
    user: { id: 3, login: "renovate-bot" },
    original_author: "",
    body: "Stale.",
    created_at: inZone(changedAt),
  },
  {
    id: id * 10 + 1,
    user: { id: 1, login: "keeper" },
    original_author: "",
    body: `This answers ${title}.`,
    created_at: inZone(changedAt),
  },
];

/** Those of all issues, the oldest first; without a word of where the next are. */
function allComments(model: WikiServerModel, url: URL) {
  const at = Number(url.searchParams.get("page") ?? "1");
  const all = model.pages().flatMap((page) =>
    commentsOf(page).map((comment) => ({
      ...comment,
      updated_at: comment.created_at,
      issue_url: `${model.url}/git/acme/widget/issues/${page.id}`,
      pull_request_url: "",
    })),
  );
  return part(all, (at - 1) * ISSUES_IN_REPLY, ISSUES_IN_REPLY);
}
