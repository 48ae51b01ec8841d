import { AppError } from "@docent/kernel/errors";
import { z } from "zod";
import type { NoPage, ReadServerPage } from "../connector.ts";
import { createOnward } from "../onward.ts";
import { type QuestionChoice, writeQuestion } from "../tracker/tracker.ts";
import { askGraphql, type GitHub, type Repository } from "./api.ts";

const LABELS = z.object({ nodes: z.array(z.object({ name: z.string() })) }).nullish();
const LISTED = z.object({
  number: z.number().int().positive(),
  title: z.string(),
  updatedAt: z.string(),
  answerChosenAt: z.string().nullish(),
  activeLockReason: z.string().nullish(),
  author: z.object({ login: z.string() }).nullish(),
  labels: LABELS,
});
const LIST = z.object({
  repository: z.object({
    discussions: z.object({
      pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() }),
      nodes: z.array(LISTED),
    }),
  }),
});
const QUERY_LIST = `
  query ($owner: String!, $name: String!, $after: String) {
    repository(owner: $owner, name: $name) {
      discussions(first: 100, after: $after, orderBy: { field: CREATED_AT, direction: DESC }) {
        pageInfo { hasNextPage endCursor }
        nodes {
          number title updatedAt answerChosenAt activeLockReason author { login }
          labels(first: 20) { nodes { name } }
        }
      }
    }
  }`;
const PARTS_MAX = 1_000;

export async function chooseDiscussions(
  hub: GitHub,
  repository: Repository,
  choice: QuestionChoice,
  pagesMax: number,
): Promise<void> {
  const isNew = createOnward(hub.graphql);
  let after: string | null = null;
  for (let part = 0; part < PARTS_MAX; part++) {
    const variables: Record<string, string | null> = { ...namesOf(repository), after };
    const { discussions } = (await askGraphql(hub, LIST, QUERY_LIST, variables)).repository;
    for (const each of discussions.nodes) {
      const { number, title, updatedAt, answerChosenAt, author } = each;
      const address = `${repository.web}/discussions/${number}`;
      choice.take({
        page: {
          id: `discussion ${number}`,
          address,
          title,
          changedAt: updatedAt,
          revision: answerChosenAt ?? "",
        },
        author: author?.login ?? "",
        labels: namesIn(each.labels),
        against: againstDiscussion(each),
      });
    }
    const { hasNextPage, endCursor } = discussions.pageInfo;
    if (!hasNextPage || endCursor === null || choice.taken > pagesMax) return;
    isNew(endCursor);
    after = endCursor;
  }
}

function againstDiscussion({ answerChosenAt, activeLockReason }: z.infer<typeof LISTED>): string | undefined {
  if (activeLockReason === "SPAM" || activeLockReason === "OFF_TOPIC")
    return "what was locked as spam or off-topic";
  return answerChosenAt == null ? "discussions without an accepted answer" : undefined;
}

const COMMENT = z.object({
  databaseId: z.number(),
  body: z.string(),
  createdAt: z.string(),
  authorAssociation: z.string().default("NONE"),
  author: z.object({ login: z.string() }).nullish(),
});
const DISCUSSION = z.object({
  repository: z.object({
    discussion: z
      .object({
        title: z.string(),
        body: z.string(),
        createdAt: z.string(),
        updatedAt: z.string(),
        answerChosenAt: z.string().nullish(),
        author: z.object({ login: z.string() }).nullish(),
        labels: LABELS,
        answer: COMMENT.nullish(),
      })
      .nullable(),
  }),
});
const QUERY_ONE = `
  query ($owner: String!, $name: String!, $number: Int!) {
    repository(owner: $owner, name: $name) {
      discussion(number: $number) {
        title body createdAt updatedAt answerChosenAt author { login }
        labels(first: 20) { nodes { name } }
        answer { databaseId body createdAt authorAssociation author { login } }
      }
    }
  }`;

/** What was asked, and the answer that was accepted. */
export async function readDiscussion(
  hub: GitHub,
  repository: Repository,
  number: number,
): Promise<ReadServerPage | NoPage> {
  const { discussion } = (await askGraphql(hub, DISCUSSION, QUERY_ONE, { ...namesOf(repository), number }))
    .repository;
  if (discussion === null)
    throw new AppError("not_found", `There is no discussion ${number} in ${repository.web} any more.`);
  const { title, body, author, createdAt, updatedAt, answerChosenAt, labels, answer } = discussion;
  return writeQuestion({
    title,
    author: author?.login ?? "",
    body,
    askedAt: createdAt,
    closedAt: answerChosenAt ?? updatedAt,
    labels: namesIn(labels),
    referenceTo: (other) => `${repository.web}/issues/${other}`,
    comments:
      answer == null
        ? []
        : [
            {
              author: answer.author?.login ?? "",
              // An answer that somebody accepted is one, whoever wrote it.
              isBot: false,
              isMaintainer: ["OWNER", "MEMBER", "COLLABORATOR"].includes(answer.authorAssociation),
              isAccepted: true,
              anchor: `discussioncomment-${answer.databaseId}`,
              at: answer.createdAt,
              body: answer.body,
            },
          ],
  });
}

const namesIn = (labels: z.infer<typeof LABELS>) => labels?.nodes.map(({ name }) => name) ?? [];

function namesOf({ fullName }: Repository) {
  const [owner = "", name = ""] = fullName.split("/");
  return { owner, name };
}
