import { type Analytics, isTimeZone } from "@docent/measuring/analytics";
import { z } from "zod";
import { type AdminGuards, adminOperation } from "../admin/guard.ts";
import { gives, type Operation, reply } from "../operation.ts";
import { listFields, periodFields, readPeriod } from "../request/fields.ts";
import {
  callersShape,
  conversationsShape,
  feedbackShape,
  overviewShape,
  searchesShape,
  threadShape,
} from "./shapes.ts";

const periodSchema = z.object(periodFields);
const listSchema = z.object(listFields);
const overviewSchema = z.object({
  ...periodFields,
  timeZone: z
    .string()
    .max(100)
    .refine(isTimeZone, "must be the name of a time zone, such as Europe/Berlin")
    .default("UTC"),
});

/** A site at a glance, and lists of what its readers asked, searched for and said of answers. */
export function reportOperations(analytics: Analytics, guards: AdminGuards): Operation[] {
  return [
    listConversations(analytics, guards),
    getThread(analytics, guards),
    countCallers(analytics, guards),
    listSearches(analytics, guards),
    listFeedback(analytics, guards),
  ];
}

/** Shows a period in numbers. */
export const getOverview = ({ overview }: Analytics, guards: AdminGuards): Operation =>
  adminOperation({
    id: "getOverview",
    method: "GET",
    path: "/v1/analytics/:domain/overview",
    tag: "Analytics",
    guard: guards.reads,
    query: overviewSchema,
    summary: "Show a period in numbers, beside the one before it",
    description: "The last 30 days unless it is said, and at most 400.",
    replies: gives(200, "The numbers, and the questions of each day.", overviewShape),
    async run({ site, query }) {
      const { dateFrom: from, dateTo: to, timeZone } = query();
      return reply(await overview(site(), { from, to, timeZone }));
    },
  });

const listConversations = ({ conversations }: Analytics, guards: AdminGuards): Operation =>
  adminOperation({
    id: "listConversations",
    method: "GET",
    path: "/v1/analytics/:domain/assistant",
    tag: "Analytics",
    guard: guards.reads,
    query: listSchema,
    summary: "List questions with their answers",
    replies: gives(200, "A part of the list, newest first.", conversationsShape),
    async run({ site, query }) {
      const sent = query();
      return reply(await conversations.list(site(), readPeriod(sent), sent));
    },
  });

const getThread = ({ conversations }: Analytics, guards: AdminGuards): Operation =>
  adminOperation({
    id: "getThread",
    method: "GET",
    path: "/v1/analytics/:domain/assistant/threads/:id",
    tag: "Analytics",
    guard: guards.reads,
    summary: "Show a conversation",
    replies: gives(200, "Its messages.", threadShape),
    run: async ({ site, param }) => reply(await conversations.thread(site(), param("id"))),
  });

const countCallers = ({ conversations }: Analytics, guards: AdminGuards): Operation =>
  adminOperation({
    id: "countCallers",
    method: "GET",
    path: "/v1/analytics/:domain/assistant/caller-stats",
    tag: "Analytics",
    guard: guards.reads,
    query: periodSchema,
    summary: "Count questions by who asks",
    replies: gives(200, "How many came from pages, programs and elsewhere.", callersShape),
    run: async ({ site, query }) => reply(await conversations.callerStats(site(), readPeriod(query()))),
  });

const listSearches = ({ searches }: Analytics, guards: AdminGuards): Operation =>
  adminOperation({
    id: "listSearches",
    method: "GET",
    path: "/v1/analytics/:domain/searches",
    tag: "Analytics",
    guard: guards.reads,
    query: listSchema,
    summary: "List what readers search for",
    replies: gives(200, "A part of the list, the most frequent first.", searchesShape),
    async run({ site, query }) {
      const sent = query();
      return reply(await searches(site().id, readPeriod(sent), sent));
    },
  });

const listFeedback = ({ feedback }: Analytics, guards: AdminGuards): Operation =>
  adminOperation({
    id: "listFeedback",
    method: "GET",
    path: "/v1/analytics/:domain/feedback",
    tag: "Analytics",
    guard: guards.reads,
    query: listSchema,
    summary: "List what readers say of answers",
    replies: gives(200, "A part of the list, newest first.", feedbackShape),
    async run({ site, query }) {
      const sent = query();
      return reply(await feedback.list(site().id, readPeriod(sent), sent));
    },
  });
