import { AppError } from "@docent/kernel/errors";
import { z } from "zod";
import type { Connector, ListedPage, ServerAccess, ServerBounds, ServerPages } from "../connector.ts";
import { orRefusal } from "../refusal.ts";
import {
  createChoice,
  isBot,
  type ListedQuestion,
  menuOfQuestions,
  readList,
  writeQuestion,
} from "../tracker/tracker.ts";

const HINT =
  "The variable holds an access token with the rights read:repository and read:issue, of an account that may read the repository.";

/** Gitea 1.20 and Forgejo 1.20 and later. */
export const gitea: Connector = {
  open: (address, server, bounds) => orRefusal(openRepository(address, server, bounds), HINT),
};

/** Nobody where an account was deleted. */
const USER = z.object({ login: z.string() }).nullish();
const REPOSITORY = z.object({
  full_name: z.string().regex(/^[^/\s]+\/[^/\s]+$/),
  open_issues_count: z.number().default(0),
  has_issues: z.boolean().default(true),
});
const ISSUE = z.object({
  number: z.number().int().positive(),
  title: z.string(),
  body: z.string().default(""),
  user: USER,
  /** Of an issue that was brought in from elsewhere. */
  original_author: z.string().default(""),
  labels: z.array(z.object({ name: z.string() })).nullish(),
  comments: z.number().default(0),
  created_at: z.string(),
  updated_at: z.string(),
  closed_at: z.string().nullish(),
  pull_request: z.object({}).nullish(),
});
type Issue = z.infer<typeof ISSUE>;
const COMMENT = z.object({
  id: z.number(),
  body: z.string().default(""),
  user: USER,
  original_author: z.string().default(""),
  created_at: z.string(),
});

/** As many as Gitea gives at once, unless it is set otherwise. */
const LISTED_AT_ONCE = 50;

interface Tracker {
  server: ServerAccess;
  /** Where the server is: its host, and the folder that it has there. */
  root: string;
  /** The API's address of the repository. */
  api: string;
  /** Where people see it. */
  web: string;
}

async function openRepository(
  address: URL,
  server: ServerAccess,
  { pagesMax }: ServerBounds,
): Promise<ServerPages> {
  const { root, owner, name, program } = await findServer(address, server);
  const api = `${root}/api/v1/repos/${owner}/${name}`;
  const { full_name, has_issues, open_issues_count } = await server.json(api, REPOSITORY);
  if (!has_issues)
    throw new AppError("not_found", `${root}/${full_name} has no issues of its own: they are turned off.`, {
      hint: "Name the repository whose issues are to be read.",
    });
  const tracker: Tracker = { server, root, api, web: `${root}/${full_name}` };
  const maintainers = await maintainersOf(tracker);
  return {
    program,
    async list() {
      const choice = createChoice(`${tracker.web}/issues`);
      choice.leaveOut(open_issues_count, "open issues");
      const edits = await lastEdits(tracker);
      const list = `${api}/issues?state=closed&type=issues&limit=${LISTED_AT_ONCE}`;
      for await (const part of readList(server, list, { item: ISSUE })) {
        for (const issue of part) choice.take(listedIssue(issue, tracker, edits));
        if (choice.taken > pagesMax) break;
      }
      const pages = choice.pages();
      return { pages, leftOut: choice.leftOut(), menu: menuOfQuestions(pages), redirects: [] };
    },
    read: (page) => readIssue(page, tracker, maintainers),
  };
}

const VERSION = z.object({ version: z.string() });

/** A server may be in a folder of its host: the folders of the address are tried, the shortest first. */
async function findServer(address: URL, server: ServerAccess) {
  const names = address.pathname.split("/").filter((name) => name !== "");
  for (let folders = 0; folders + 2 <= names.length && folders < 4; folders++) {
    const root = [address.origin, ...names.slice(0, folders)].join("/");
    const reply = await server.ask(`${root}/api/v1/version`, { headers: { accept: "application/json" } });
    if (reply.status >= 400) continue;
    const { version } = await server.json(`${root}/api/v1/version`, VERSION);
    const [owner = "", name = ""] = names.slice(folders);
    const program = `${/\+gitea-/.test(version) ? "Forgejo" : "Gitea"} ${version.slice(0, 60)}`;
    return { root, owner, name: name.replace(/\.git$/, ""), program };
  }
  throw new AppError(
    "not_found",
    `No repository of a Gitea or Forgejo server was found at ${address.href}.`,
    {
      hint: "Name a repository or its issues: https://gitea.example.com/owner/repository.",
    },
  );
}

const EDITED = z.object({ id: z.number(), issue_url: z.string().default(""), updated_at: z.string() });
/** Twenty thousand comments: what is edited behind them is noticed when something else of its issue changes. */
const EDIT_PARTS_MAX = 400;

/**
 * When the comments of each issue were last edited, by its number: that changes nothing of what its list says of an issue.
 * The list of comments does not say where its next part is.
 */
async function lastEdits({ server, api }: Tracker): Promise<ReadonlyMap<number, string>> {
  const edits = new Map<number, string>();
  const known = new Set<number>();
  for (let part = 1; part <= EDIT_PARTS_MAX; part++) {
    const list = `${api}/issues/comments?limit=${LISTED_AT_ONCE}&page=${part}`;
    const comments = await server.json(list, z.array(EDITED));
    for (const { issue_url, updated_at } of comments) {
      const number = Number(/\/issues\/(\d+)$/.exec(issue_url)?.[1] ?? 0);
      const at = inUtc(updated_at);
      if (at > (edits.get(number) ?? "")) edits.set(number, at);
    }
    // A server that goes on saying the same has no more.
    if (comments.every(({ id }) => known.has(id))) break;
    for (const { id } of comments) known.add(id);
  }
  return edits;
}

function listedIssue(issue: Issue, { web }: Tracker, edits: ReadonlyMap<number, string>): ListedQuestion {
  const { number, title, comments, updated_at, pull_request } = issue;
  return {
    page: {
      id: String(number),
      address: `${web}/issues/${number}`,
      title,
      changedAt: inUtc(updated_at),
      revision: `${comments} ${edits.get(number) ?? ""}`,
    },
    author: authorOf(issue),
    labels: labelsOf(issue),
    comments,
    against: pull_request == null ? undefined : "pull requests",
  };
}

async function readIssue(
  { id }: ListedPage,
  { server, root, api, web }: Tracker,
  maintainers: ReadonlySet<string>,
) {
  const issue = await server.json(`${api}/issues/${id}`, ISSUE);
  const comments = await server.json(`${api}/issues/${id}/comments`, z.array(COMMENT));
  return writeQuestion({
    title: issue.title,
    author: authorOf(issue),
    body: withFiles(issue.body, root),
    askedAt: inUtc(issue.created_at),
    closedAt: inUtc(issue.closed_at ?? issue.updated_at),
    labels: labelsOf(issue),
    referenceTo: (other) => `${web}/issues/${other}`,
    comments: comments.map((comment) => ({
      author: authorOf(comment),
      isBot: isBot(authorOf(comment)),
      isMaintainer: maintainers.has(authorOf(comment)),
      isAccepted: false,
      anchor: `issuecomment-${comment.id}`,
      at: inUtc(comment.created_at),
      body: withFiles(comment.body, root),
    })),
  });
}

/** Finds who may write to the repository. Without a token that is not told: then nobody is known to. */
async function maintainersOf({ server, api }: Tracker): Promise<ReadonlySet<string>> {
  try {
    const users = await server.json(`${api}/assignees`, z.array(z.object({ login: z.string() })));
    return new Set(users.map(({ login }) => login));
  } catch (error) {
    const isHidden = error instanceof AppError && ["forbidden", "not_found"].includes(error.code);
    if (!isHidden) throw error;
    return new Set();
  }
}

/** Files that people added to what they wrote are named without the folder of the server. */
const withFiles = (body: string, root: string) =>
  body.replace(/(\]\(|\bsrc=")(\/attachments\/)/g, `$1${root.replaceAll("$", "$$$$")}$2`);

const authorOf = ({ user, original_author }: Pick<Issue, "user" | "original_author">) =>
  original_author || (user?.login ?? "");

const labelsOf = ({ labels }: Issue) => labels?.map(({ name }) => name) ?? [];

/** Gitea says times with the zone of its server. */
function inUtc(time: string): string {
  const at = Date.parse(time);
  return Number.isNaN(at) ? time : new Date(at).toISOString();
}
