import { z } from "zod";
import type { Analytics } from "../../analytics/analytics.ts";
import { EXPORT_FORMATS, type ExportFormat } from "../../analytics/conversations/export.ts";
import type { Site } from "../../sites/sites.ts";
import type { Retention } from "../../threads/retention.ts";
import { type AdminGuards, adminOperation } from "../admin/guard.ts";
import { gives, type Operation, reply } from "../operation.ts";
import { listFields, periodFields, readPeriod } from "../request/fields.ts";
import type { Streams } from "../stream/answering.ts";
import { textStream } from "../stream/text-stream.ts";
import { conversationOperations } from "./conversations.ts";
import { evaluationOperations } from "./evaluation.ts";
import { overviewOperations } from "./overview.ts";
import { callersShape, conversationsShape, feedbackShape, searchesShape, threadShape } from "./shapes.ts";

/** The query of what is counted or written out as a whole. */
export const periodSchema = z.object(periodFields);
/** The query of a list. */
export const listSchema = z.object(listFields);
/** The query of an export. */
export const exportSchema = z.object({ ...periodFields, format: z.enum(EXPORT_FORMATS) });

const CONTENT_TYPES: Record<ExportFormat, string> = {
  csv: "text/csv; charset=utf-8; header=present",
  jsonl: "application/x-ndjson; charset=utf-8",
};

interface AnalyticsOptions {
  analytics: Analytics;
  retention: Pick<Retention, "removeThread">;
  /** Told of an export that is being sent. */
  streams: Streams;
}

/** What owners read of their readers: `/v1/analytics/{domain}/…`. */
export function analyticsOperations(
  { analytics, retention, streams }: AnalyticsOptions,
  guards: AdminGuards,
): Operation[] {
  const { conversations, searches, feedback } = analytics;
  return [
    ...overviewOperations(analytics, guards),
    ...conversationOperations(analytics, retention, guards),
    ...evaluationOperations(analytics, guards),
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
    }),
    adminOperation({
      id: "getThread",
      method: "GET",
      path: "/v1/analytics/:domain/assistant/threads/:id",
      tag: "Analytics",
      guard: guards.reads,
      summary: "Show a conversation",
      replies: gives(200, "Its messages.", threadShape),
      run: async ({ site, param }) => reply(await conversations.thread(site(), param("id"))),
    }),
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
    }),
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
    }),
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
    }),
    adminOperation({
      id: "exportConversations",
      method: "GET",
      path: "/v1/analytics/:domain/export",
      tag: "Analytics",
      guard: guards.reads,
      query: exportSchema,
      summary: "Export all conversations",
      replies: {
        200: { description: "The file.", contentType: "text/csv", otherTypes: ["application/x-ndjson"] },
      },
      async run({ site, query, signal }) {
        const { format, ...dates } = query();
        const texts = analytics.export(site(), readPeriod(dates), format);
        return exportReply(site(), format, texts, { streams, signal });
      },
    }),
  ];
}

function exportReply(
  { domain }: Site,
  format: ExportFormat,
  texts: AsyncGenerator<string>,
  { streams, signal }: { streams: Streams; signal: AbortSignal },
): Response {
  const stop = new AbortController();
  const onEnd = streams.add(stop);
  const content = textStream(texts, { signal: AbortSignal.any([signal, stop.signal]), onEnd });
  return new Response(content, {
    headers: {
      "content-type": CONTENT_TYPES[format],
      "content-disposition": `attachment; filename="${domain}-conversations.${format}"`,
      "x-content-type-options": "nosniff",
    },
  });
}
