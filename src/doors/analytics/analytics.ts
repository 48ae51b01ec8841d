import type { Retention } from "@docent/answering/threads/retention";
import type { Analytics } from "@docent/measuring/analytics";
import type { Gaps } from "@docent/measuring/gaps/gaps";
import type { AdminGuards } from "../admin/guard.ts";
import type { Operation } from "../operation.ts";
import type { Streams } from "../streaming/answering.ts";
import { conversationOperations } from "./conversations.ts";
import { evaluationOperations } from "./evaluation.ts";
import { exportConversations } from "./export.ts";
import { gapOperations } from "./gaps.ts";
import { getOverview, reportOperations } from "./reports.ts";

interface AnalyticsOptions {
  analytics: Analytics;
  gaps: Gaps;
  retention: Pick<Retention, "removeThread">;
  /** Gets to know of an export while it is sent. */
  streams: Streams;
}

/** What owners read of their readers: `/v1/analytics/{domain}/…`. */
export function analyticsOperations(
  { analytics, gaps, retention, streams }: AnalyticsOptions,
  guards: AdminGuards,
): Operation[] {
  return [
    getOverview(analytics, guards),
    ...conversationOperations(analytics, retention, guards),
    ...evaluationOperations(analytics, guards),
    ...reportOperations(analytics, guards),
    exportConversations(analytics, streams, guards),
    ...gapOperations(gaps, guards),
  ];
}
