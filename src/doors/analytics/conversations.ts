import type { Retention } from "@docent/answering/threads/retention";
import { OUTCOMES } from "@docent/answering/threads/threads";
import type { Analytics } from "@docent/measuring/analytics";
import { z } from "zod";
import { type AdminGuards, adminOperation } from "../admin/guard.ts";
import { removedShape } from "../admin/shapes.ts";
import { gives, type Operation, reply } from "../operation.ts";
import { describedAs, listFields, readPeriod } from "../request/fields.ts";
import { callerShape, conversationListShape, turnShape } from "./shapes.ts";

const TEXT_CHARACTERS_MAX = 200;

/** Several outcomes, with commas between them. */
const outcomes = describedAs(
  z
    .string()
    .max(200)
    .transform((text) => text.split(","))
    .pipe(z.array(z.enum(OUTCOMES))),
  z.string().regex(new RegExp(`^(${OUTCOMES.join("|")})(,(${OUTCOMES.join("|")}))*$`)),
);
const helpful = describedAs(
  z.enum(["true", "false"]).transform((text) => text === "true"),
  z.boolean(),
);

/** The query of the list: a field that is left out filters nothing. */
const listSchema = z.object({
  ...listFields,
  outcome: outcomes.optional(),
  helpful: helpful.optional(),
  caller: callerShape.optional(),
  text: z.string().max(TEXT_CHARACTERS_MAX).optional(),
});

/** Conversations as the dashboard shows them, by the ids of messages: `/v1/analytics/{domain}/conversations`. */
export function conversationOperations(
  { conversationList, turns }: Pick<Analytics, "conversationList" | "turns">,
  retention: Pick<Retention, "removeThread">,
  guards: AdminGuards,
): Operation[] {
  return [
    adminOperation({
      id: "listTurns",
      method: "GET",
      path: "/v1/analytics/:domain/conversations",
      tag: "Analytics",
      guard: guards.reads,
      query: listSchema,
      summary: "Look for questions with their answers",
      description:
        "Looks at 20,000 questions at most: where there are more, a part may be short or empty and yet not be the last.",
      replies: gives(200, "A part of the list, newest first.", conversationListShape),
      async run({ site, query, signal }) {
        const { outcome, helpful, caller, text, ...part } = query();
        const filter = { outcomes: outcome, helpful, caller, text };
        return reply(await conversationList(site().id, readPeriod(part), filter, part, signal));
      },
    }),
    adminOperation({
      id: "getTurn",
      method: "GET",
      path: "/v1/analytics/:domain/conversations/:id",
      tag: "Analytics",
      guard: guards.reads,
      summary: "Show one answer with all that is kept of it",
      replies: gives(200, "The question, the answer, and what it was made from.", turnShape),
      run: async ({ site, param }) => reply(await turns.show(site().id, param("id"))),
    }),
    adminOperation({
      id: "deleteThreadOfTurn",
      method: "DELETE",
      path: "/v1/analytics/:domain/conversations/:id",
      tag: "Analytics",
      guard: guards.writes,
      records: ["conversations.deleted"],
      summary: "Delete the conversation that an answer belongs to",
      replies: gives(200, "How much was deleted.", removedShape),
      async run({ site, record, param }) {
        const threadId = await turns.threadOf(site().id, param("id"));
        const removed = await retention.removeThread(site().id, threadId);
        await record({ kind: "conversations.deleted", details: { of: "thread", ...removed } });
        return reply(removed);
      },
    }),
  ];
}
