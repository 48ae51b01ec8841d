import { z } from "zod";
import type { NoPage, ReadServerPage } from "../connector.ts";
import {
  isBot,
  type ListedQuestion,
  type QuestionChoice,
  readList,
  writeQuestion,
} from "../tracker/tracker.ts";
import type { GitHub, Repository } from "./api.ts";

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

export async function chooseIssues(
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

export async function readIssue(
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
