import { z } from "zod";
import { readCursor, writeCursor } from "../lib/cursor.ts";
import { hrefOf } from "../pages/page-path.ts";
import type { EventStore, SearchClicks } from "./events.ts";
import { cutPart, type PartQuery } from "./list-part.ts";
import type { Period } from "./period.ts";

/** How often something was searched for. */
export interface CountedSearch {
  query: string;
  hits: number;
  /** How many passages it gave the last time. */
  results: number;
  lastAt: number;
}

/** A place in the list of searches, the most frequent first. */
export interface SearchPlace {
  hits: number;
  query: string;
}

/** Counts searches. `upTo` is the newest that is counted: a list that is read part by part stays the same list. */
export interface SearchReportStore {
  newest(siteId: number): Promise<number>;
  count(siteId: number, period: Period, upTo: number): Promise<number>;
  list(
    siteId: number,
    period: Period,
    part: { upTo: number; behind: SearchPlace | undefined; limit: number },
  ): Promise<CountedSearch[]>;
}

const cursorSchema = z.tuple([z.int().nonnegative(), z.int().nonnegative(), z.string().max(5000)]);

/** What readers search for, the most frequent first. */
export function createSearchReport({ store, events }: { store: SearchReportStore; events: EventStore }) {
  return async (siteId: number, period: Period, { limit, cursor }: PartQuery) => {
    const given = cursor === undefined ? undefined : readCursor(cursorSchema, cursor);
    const [upTo, hits, query] = given ?? [await store.newest(siteId)];
    const behind = hits === undefined || query === undefined ? undefined : { hits, query };
    const rows = await store.list(siteId, period, { upTo, behind, limit: limit + 1 });
    const { part, ...more } = cutPart(rows, limit, (last) => writeCursor([upTo, last.hits, last.query]));
    const tellsClicks = await events.hasSearchClicks(siteId);
    const queries = tellsClicks ? part.map((row) => row.query) : [];
    const clicks = await events.searchClicks(siteId, period, queries);
    return {
      searches: part.map((row) => toJson(row, clicks.get(row.query), tellsClicks)),
      totalSearches: await store.count(siteId, period, upTo),
      ...more,
    };
  };
}

function toJson(row: CountedSearch, clicked: SearchClicks | undefined, tellsClicks: boolean) {
  const share = Math.min(1, (clicked?.clicks ?? 0) / row.hits);
  return {
    searchQuery: row.query,
    hits: row.hits,
    results: row.results,
    ctr: tellsClicks ? Math.round(share * 1000) / 1000 : null,
    topClickedPage: clicked === undefined ? null : hrefOf({ path: clicked.topPath, anchor: "" }),
    lastSearchedAt: new Date(row.lastAt).toISOString(),
  };
}
