import type { HandOver } from "@docent/answering/handover/handover";
import type { Search } from "@docent/finding/search/search";
import type { Analytics } from "@docent/measuring/analytics";
import type { PageStore } from "@docent/sites/pages/pages";
import { type GuardDeps, siteGuard } from "../guard/guard.ts";
import type { Operation } from "../operation.ts";
import { eventOperation } from "./events.ts";
import { feedbackOperation } from "./feedback.ts";
import { handOverOperation } from "./hand-over.ts";
import { pageOperation } from "./page.ts";
import { searchOperation } from "./search.ts";
import { widgetOperation } from "./widget.ts";

interface SiteApiOptions {
  guard: GuardDeps;
  search: Search;
  pages: PageStore;
  analytics: Pick<Analytics, "searchLog" | "feedback" | "events" | "sharedQuestions">;
  handOver: HandOver;
  /** Where the server is reached from outside. Known once it listens. */
  publicUrl: () => string;
}

/** What an assistant key opens besides questions: search, pages, what the widget says, feedback, clicks. */
export function siteApiOperations(options: SiteApiOptions): Operation[] {
  const { guard, search, pages, analytics, handOver, publicUrl } = options;
  return [
    searchOperation(siteGuard(guard, "searches"), search, analytics.searchLog),
    pageOperation(siteGuard(guard, "pages"), pages),
    widgetOperation(siteGuard(guard, "pages"), {
      pages,
      sharedQuestions: analytics.sharedQuestions,
      isHandOverOffered: handOver.isOffered,
      publicUrl,
    }),
    feedbackOperation(siteGuard(guard, "feedback"), analytics.feedback),
    handOverOperation(siteGuard(guard, "handOvers"), handOver, publicUrl),
    eventOperation(siteGuard(guard, "events"), analytics.events),
  ];
}
