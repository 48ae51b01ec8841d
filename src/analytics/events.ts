import type { Clock } from "../lib/clock.ts";
import type { Period } from "./period.ts";
import { countedQuery } from "./searches.ts";

export const EVENT_TYPES = ["search_click", "source_click", "suggestion_click"] as const;

/** Something that a reader clicked. */
export interface ReaderEvent {
  type: (typeof EVENT_TYPES)[number];
  /** What had been searched for. */
  query: string | undefined;
  /** The page that the click led to. */
  path: string;
  /** The answer that was clicked in. It is noted where both name one of the site's. */
  threadId: string | undefined;
  messageId: string | undefined;
}

/** How often what a search gave was clicked, and the page most often. */
export interface SearchClicks {
  clicks: number;
  topPath: string;
}

/** Keeps what readers clicked. */
export interface EventStore {
  add(siteId: number, event: ReaderEvent, at: number): Promise<void>;
  /** Whether the site ever told of a click in its search. */
  hasSearchClicks(siteId: number): Promise<boolean>;
  /** Of those queries, the ones that something was clicked for. */
  searchClicks(
    siteId: number,
    period: Period,
    queries: readonly string[],
  ): Promise<ReadonlyMap<string, SearchClicks>>;
}

/** What readers click. */
export function createEvents({ store, clock }: { store: EventStore; clock: Clock }) {
  return {
    async add(siteId: number, event: ReaderEvent): Promise<void> {
      const query = event.query === undefined ? undefined : countedQuery(event.query) || undefined;
      await store.add(siteId, { ...event, query }, clock());
    },
  };
}

export type Events = ReturnType<typeof createEvents>;
