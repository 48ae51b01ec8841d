import { AppError } from "@docent/kernel/errors";
import { z } from "zod";
import type {
  Connector,
  ListedPage,
  NoPage,
  ReadServerPage,
  ServerAccess,
  ServerBounds,
  ServerPages,
} from "../connector.ts";
import { orRefusal } from "../refusal.ts";
import { createChoice, isBot, menuOfQuestions, readList, writeQuestion } from "../tracker/tracker.ts";
import { findScope, type Scope } from "./api.ts";
import { againstIssue, ISSUE, issueAt, listedIssue, projectOf } from "./list.ts";

const HINT =
  "The variable holds a personal, group or project access token with the scope read_api, of somebody who may see the issues.";

/** GitLab 14 and later, by version 4 of its REST API: the issues of a project, or of all projects of a group. */
export const gitlab: Connector = {
  open: (address, server, bounds) => orRefusal(openScope(address, server, bounds), HINT),
};

const VERSION = z.object({ version: z.string() });
const STATISTICS = z.object({ statistics: z.object({ counts: z.object({ opened: z.number() }) }) });
const LISTED_AT_ONCE = 100;

async function openScope(address: URL, server: ServerAccess, bounds: ServerBounds): Promise<ServerPages> {
  const scope = await findScope(address, server);
  const members = createMembers(scope, server);
  return {
    program: await programOf(scope, server),
    async list() {
      const choice = createChoice(`${scope.web}/-/issues`);
      choice.leaveOut(await countOpen(scope, server), "open issues");
      const list = `${scope.api}/issues?state=closed&scope=all&order_by=created_at&sort=desc&per_page=${LISTED_AT_ONCE}`;
      for await (const part of readList(server, list, { item: ISSUE })) {
        for (const issue of part) choice.take(listedIssue(issue, scope));
        if (choice.taken > bounds.pagesMax) break;
      }
      const pages = choice.pages();
      return { pages, leftOut: choice.leftOut(), menu: menuOfQuestions(pages), redirects: [] };
    },
    read: (page) => readIssue(page, { scope, server, members }),
  };
}

/** Names the program with its version, which GitLab tells only those who are signed in. */
async function programOf({ root }: Scope, server: ServerAccess): Promise<string> {
  const found = await server.json(`${root}/api/v4/version`, VERSION).catch(() => undefined);
  return found === undefined ? "GitLab" : `GitLab ${found.version.slice(0, 60)}`;
}

/** For the record alone: a server that does not tell it is read all the same. */
async function countOpen({ api }: Scope, server: ServerAccess): Promise<number> {
  const found = await server.json(`${api}/issues_statistics?scope=all`, STATISTICS).catch(() => undefined);
  return found?.statistics.counts.opened ?? 0;
}

const NOTE = z.object({
  id: z.number(),
  body: z.string().default(""),
  author: z.object({ username: z.string(), bot: z.boolean().optional() }).nullish(),
  created_at: z.string(),
  /** What GitLab wrote by itself: a label was added. */
  system: z.boolean().default(false),
  /** For members of the project alone; called so from GitLab 15.0 on. */
  internal: z.boolean().nullish(),
  confidential: z.boolean().nullish(),
});
const MEMBER = z.object({ username: z.string(), access_level: z.number() });

const AT_ONCE = 100;
/** Of five hundred notes the first say what the answer was. */
const NOTE_PARTS_MAX = 5;
const MEMBER_PARTS_MAX = 20;
/** Guests of a project may be anybody; reporters are not. */
const REPORTER = 20;

/** The names of those who look after a project. */
type Members = (projectId: string) => Promise<ReadonlySet<string>>;

/** Each project is asked once for its members. */
function createMembers({ root }: Scope, server: ServerAccess): Members {
  const known = new Map<string, Promise<ReadonlySet<string>>>();
  return (projectId) => {
    const members = known.get(projectId) ?? membersOf(`${root}/api/v4/projects/${projectId}`, server);
    known.set(projectId, members);
    return members;
  };
}

/** Who is not signed in is not told them: then nobody is known to be one. */
async function membersOf(project: string, server: ServerAccess): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  let parts = 0;
  try {
    const list = `${project}/members/all?per_page=${AT_ONCE}`;
    for await (const part of readList(server, list, { item: MEMBER })) {
      for (const { username, access_level } of part) if (access_level >= REPORTER) names.add(username);
      if (++parts >= MEMBER_PARTS_MAX) break;
    }
  } catch (error) {
    const isHidden = error instanceof AppError && ["forbidden", "not_found"].includes(error.code);
    if (!isHidden) throw error;
  }
  return names;
}

interface Reading {
  scope: Scope;
  server: ServerAccess;
  members: Members;
}

async function readIssue(
  { id }: ListedPage,
  { scope, server, members }: Reading,
): Promise<ReadServerPage | NoPage> {
  const [projectId = "", iid = ""] = id.split(" ");
  const project = `${scope.root}/api/v4/projects/${projectId}`;
  const issue = await server.json(`${project}/issues/${iid}`, ISSUE);
  const against = againstIssue(issue);
  // An issue may have become one that is left out since it was listed.
  if (against !== undefined) return { noPage: `is one of those that are left out: ${against}` };
  const notes: z.infer<typeof NOTE>[] = [];
  let parts = 0;
  const list = `${project}/issues/${iid}/notes?sort=asc&order_by=created_at&per_page=${AT_ONCE}`;
  for await (const part of readList(server, list, { item: NOTE })) {
    notes.push(
      ...part.filter((note) => !note.system && note.internal !== true && note.confidential !== true),
    );
    if (++parts >= NOTE_PARTS_MAX) break;
  }
  const maintainers = await members(projectId);
  const withFiles = (body: string) => body.replace(UPLOAD, `$1${project}$2`);
  return writeQuestion({
    title: issue.title,
    author: issue.author?.username ?? "",
    body: withFiles(issue.description ?? ""),
    askedAt: issue.created_at,
    closedAt: issue.closed_at ?? issue.updated_at,
    labels: issue.labels,
    referenceTo: (other) => issueAt(scope, projectOf(issue, scope), other),
    comments: notes.map(({ id: note, author, created_at, body }) => ({
      author: author?.username ?? "",
      isBot: author?.bot === true || isBot(author?.username ?? ""),
      isMaintainer: maintainers.has(author?.username ?? ""),
      isAccepted: false,
      anchor: `note_${note}`,
      at: created_at,
      body: withFiles(body),
    })),
  });
}

/** A file that somebody added: for a token it is below the API's address of the project alone. */
const UPLOAD = /(\]\(|\bsrc=")(\/uploads\/[0-9a-f]{32}\/)/g;
