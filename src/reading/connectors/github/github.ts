import { AppError } from "@docent/kernel/errors";
import { z } from "zod";
import type {
  Connector,
  NoPage,
  ReadServerPage,
  ServerAccess,
  ServerBounds,
  ServerPages,
} from "../connector.ts";
import { orRefusal } from "../refusal.ts";
import {
  createChoice,
  isBot,
  type ListedQuestion,
  menuOfQuestions,
  type QuestionChoice,
  readList,
  writeQuestion,
} from "../tracker/tracker.ts";
import { type GitHub, placeOf, type Repository } from "./api.ts";
import { chooseDiscussions, readDiscussion } from "./discussions.ts";

const HINT =
  "The variable holds a token that may read the repository's metadata, issues and discussions (fine-grained), or one with the scope repo or public_repo (classic). GitHub answers few questions an hour without one.";

/** GitHub and GitHub Enterprise Server 3.6 and later: issues by REST, discussions by GraphQL. */
export const github: Connector = {
  open: (address, server, bounds) => orRefusal(openRepository(address, server, bounds), HINT),
};

const REPOSITORY = z.object({
  full_name: z.string().regex(/^[^/\s]+\/[^/\s]+$/),
  open_issues_count: z.number().default(0),
  has_issues: z.boolean().default(true),
  has_discussions: z.boolean().default(false),
  /** Said to whoever signed in. */
  permissions: z.object({}).optional(),
});

async function openRepository(
  address: URL,
  server: ServerAccess,
  { pagesMax }: ServerBounds,
): Promise<ServerPages> {
  const { owner, name, part, web, api, graphql } = placeOf(address);
  const found = await server.json(`${api}/repos/${owner}/${name}`, REPOSITORY, { headers: REST });
  const hub: GitHub = { server, api, graphql, headers: REST };
  const repository: Repository = { fullName: found.full_name, web: `${web}/${found.full_name}` };
  const { has_issues, has_discussions, open_issues_count } = found;
  const isThere = { issues: has_issues, discussions: has_discussions };
  if (part === undefined ? !has_issues && !has_discussions : !isThere[part])
    throw new AppError("not_found", `${repository.web} has no ${part ?? "issues and no discussions"}.`, {
      hint: "They are turned off there. Name the repository in which questions are answered.",
    });
  return {
    program: "GitHub",
    async list() {
      const choice = createChoice(`${repository.web}/${part ?? "issues"}`);
      if (has_issues && part !== "discussions") {
        choice.leaveOut(open_issues_count, "open issues and pull requests");
        await chooseIssues(hub, repository, choice, pagesMax);
      }
      const leftOut = [];
      if (has_discussions && part !== "issues") {
        // GraphQL answers nobody who is not signed in.
        if (found.permissions !== undefined) await chooseDiscussions(hub, repository, choice, pagesMax);
        else
          leftOut.push({
            address: `${repository.web}/discussions`,
            detail: "are discussions, which GitHub's API tells nobody who is not signed in: name a token",
          });
      }
      const pages = choice.pages();
      return {
        pages,
        leftOut: [...choice.leftOut(), ...leftOut],
        menu: menuOfQuestions(pages),
        redirects: [],
      };
    },
    read: ({ id }) => {
      const [kind = "", number = ""] = id.split(" ");
      return kind === "discussion"
        ? readDiscussion(hub, repository, Number(number))
        : readIssue(hub, repository, Number(number));
    },
  };
}

const REST = { accept: "application/vnd.github+json", "x-github-api-version": "2022-11-28" };

/** Nobody where an account was deleted. */
const USER = z.object({ login: z.string(), type: z.string().default("User") }).nullish();
const ISSUE = z.object({
  number: z.number().int().positive(),
  title: z.string(),
  body: z.string().nullish(),
  user: USER,
  labels: z.array(z.union([z.string(), z.object({ name: z.string().nullish() })])).default([]),
  comments: z.number().default(0),
  state_reason: z.string().nullish(),
  active_lock_reason: z.string().nullish(),
  created_at: z.string(),
  updated_at: z.string(),
  closed_at: z.string().nullish(),
  pull_request: z.object({}).nullish(),
});
type Issue = z.infer<typeof ISSUE>;

const COMMENT = z.object({
  id: z.number(),
  body: z.string().nullish(),
  user: USER,
  author_association: z.string().default("NONE"),
  created_at: z.string(),
});

const LISTED_AT_ONCE = 100;
/** Of five hundred comments the first say what the answer was. */
const COMMENT_PARTS_MAX = 5;
const MAINTAINERS = ["OWNER", "MEMBER", "COLLABORATOR"];

async function chooseIssues(
  { server, api, headers }: GitHub,
  repository: Repository,
  choice: QuestionChoice,
  pagesMax: number,
): Promise<void> {
  const list = `${api}/repos/${repository.fullName}/issues?state=closed&sort=created&direction=desc&per_page=${LISTED_AT_ONCE}`;
  for await (const part of readList(server, list, { item: ISSUE, request: { headers } })) {
    for (const issue of part) choice.take(listedIssue(issue, repository));
    if (choice.taken > pagesMax) return;
  }
}

function listedIssue(issue: Issue, repository: Repository): ListedQuestion {
  const { number, title, user, comments, state_reason, updated_at } = issue;
  return {
    page: {
      id: `issue ${number}`,
      address: issueAt(repository, number),
      title,
      changedAt: updated_at,
      revision: `${comments}`,
    },
    author: user?.type === "Bot" ? "[bot]" : (user?.login ?? ""),
    labels: labelsOf(issue),
    comments,
    against: againstIssue(issue),
    isNotDone: state_reason === "not_planned",
  };
}

function againstIssue({ pull_request, active_lock_reason, state_reason }: Issue): string | undefined {
  if (pull_request != null) return "pull requests";
  if (active_lock_reason === "spam" || active_lock_reason === "off-topic")
    return "what was locked as spam or off-topic";
  return state_reason === "duplicate"
    ? "issues marked as a duplicate, invalid, spam, or not to be done"
    : undefined;
}

async function readIssue(
  { server, api, headers }: GitHub,
  repository: Repository,
  number: number,
): Promise<ReadServerPage | NoPage> {
  const address = `${api}/repos/${repository.fullName}/issues/${number}`;
  const issue = await server.json(address, ISSUE, { headers });
  const comments: z.infer<typeof COMMENT>[] = [];
  let parts = 0;
  const list = `${address}/comments?per_page=${LISTED_AT_ONCE}`;
  for await (const part of readList(server, list, { item: COMMENT, request: { headers } })) {
    comments.push(...part);
    if (++parts >= COMMENT_PARTS_MAX) break;
  }
  return writeQuestion({
    title: issue.title,
    author: issue.user?.login ?? "",
    body: issue.body ?? "",
    askedAt: issue.created_at,
    closedAt: issue.closed_at ?? issue.updated_at,
    labels: labelsOf(issue),
    referenceTo: (other) => issueAt(repository, other),
    comments: comments.map(({ id, body, user, author_association, created_at }) => ({
      author: user?.login ?? "",
      isBot: user?.type === "Bot" || isBot(user?.login ?? ""),
      isMaintainer: MAINTAINERS.includes(author_association),
      isAccepted: false,
      anchor: `issuecomment-${id}`,
      at: created_at,
      body: body ?? "",
    })),
  });
}

const labelsOf = ({ labels }: Issue): string[] =>
  labels.flatMap((label) => (typeof label === "string" ? label : (label.name ?? [])));

const issueAt = ({ web }: Repository, number: number) => `${web}/issues/${number}`;
