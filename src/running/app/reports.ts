import { createRetention, type Retention } from "@docent/answering/threads/retention";
import { MINUTE_MS } from "@docent/kernel/lib/clock";
import { limitWarnings } from "@docent/kernel/lib/log";
import { type Analytics, createAnalytics } from "@docent/measuring/analytics";
import { createGaps, type Gaps } from "@docent/measuring/gaps/gaps";
import type { Answers } from "./answers/answers.ts";
import type { Content } from "./content.ts";
import type { Ground } from "./parts.ts";

export interface Reports {
  analytics: Analytics;
  gaps: Gaps;
  /** Deletes what a site no longer keeps. */
  retention: Retention;
}

/** A few seconds of typing. More wait only where very many readers search at once. */
const SEARCHES_WAITING_MAX = 20_000;

/** Opens what is reported about questions and readers afterwards. */
export function openReports(
  { config, clock, ids, log, storage }: Ground,
  { search, pages, embedder }: Content,
  { curated }: Answers,
): Reports {
  const { feedback, turns } = storage.conversations;
  return {
    analytics: createAnalytics({
      stores: { ...storage.reports, feedback, turns },
      clock,
      ids,
      searchesWaitingMax: SEARCHES_WAITING_MAX,
    }),
    gaps: createGaps({
      settings: config,
      store: storage.reports.gaps,
      search,
      curated,
      pages,
      embedder,
      clock,
      ids,
      log: limitWarnings(log, { everyMs: MINUTE_MS, clock }),
      canStore: !storage.isReadOnly,
    }),
    retention: createRetention({ store: storage.conversations.retention, clock }),
  };
}
