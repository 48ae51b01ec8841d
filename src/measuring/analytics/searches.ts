import type { Clock } from "@docent/kernel/lib/clock";
import { readCursor, writeCursor } from "@docent/kernel/lib/cursor";
import { hrefOf } from "@docent/reading/page/page-path";
import { z } from "zod";
import { cutPart, type PartQuery } from "./list-part.ts";
import type {
  CountedSearch,
  EventStore,
  LoggedSearch,
  Period,
  SearchClicks,
  SearchLogStore,
  SearchReportStore,
} from "./stores.ts";

/** Somebody's search, which may still be being typed. */
interface NotedSearch {
  siteId: number;
  /** Tells apart who searches; it is not kept. */
  asker: string;
  query: string;
  results: number;
}

/** Notes what is searched for, without a write while anybody waits. */
export interface SearchLog {
  note(search: NotedSearch): void;
  /** Writes the searches that nobody types on; all of them where the server ends. */
  flush(options?: { isEnding?: boolean }): Promise<void>;
}

interface SearchLogDeps {
  store: SearchLogStore;
  clock: Clock;
  /** How many searches wait in memory. Beyond it, the one that was typed longest ago counts as it is. */
  waitingMax: number;
}

interface Typed {
  query: string;
  results: number;
}

/** A search that is typed on. */
interface Typing {
  siteId: number;
  /** What stands in the box. */
  last: Typed;
  /** What stood there before letters were taken back. */
  longest: Typed;
  at: number;
}

/** Who types no letter for so long has typed what they search for. */
const PAUSE_MS = 5000;

/** A query as it is counted: how it is written makes no other search of it. */
export const countedQuery = (query: string) => query.toLowerCase().replace(/\s+/g, " ").trim();

/** A search box asks at every letter. What one asker types in one go counts once, as the last that was typed. */
export function createSearchLog({ store, clock, waitingMax }: SearchLogDeps): SearchLog {
  /** By site and asker, the one that was typed on longest ago first. */
  const typing = new Map<string, Typing>();
  let finished: LoggedSearch[] = [];

  function finish(key: string, each: Typing): void {
    typing.delete(key);
    // Where the disk is full for long, what was searched last is not worth all of the memory.
    if (finished.length < waitingMax) finished.push({ siteId: each.siteId, ...meant(each), at: each.at });
  }

  function finishRested(isEnding: boolean): void {
    const now = clock();
    for (const [key, each] of typing) {
      // One that comes from the future was noted before the clock was put back.
      if (!isEnding && each.at <= now && each.at > now - PAUSE_MS) return;
      finish(key, each);
    }
  }

  return {
    note({ siteId, asker, query: written, results }) {
      const last = { query: countedQuery(written), results };
      if (last.query === "") return;
      const key = `${siteId} ${asker}`;
      const at = clock();
      const before = typing.get(key);
      const goesOn = before !== undefined && at - before.at < PAUSE_MS && isTypedOn(before.last, last);
      if (before !== undefined && !goesOn) finish(key, before);
      const isTakenBack = goesOn && last.query.length < before.last.query.length;
      typing.delete(key);
      typing.set(key, { siteId, last, longest: isTakenBack ? before.longest : last, at });
      const [oldest] = typing;
      if (oldest !== undefined && typing.size > waitingMax) finish(...oldest);
    },

    async flush({ isEnding = false } = {}) {
      finishRested(isEnding);
      if (finished.length === 0) return;
      const writing = finished;
      finished = [];
      try {
        await store.add(writing);
      } catch (error) {
        finished = [...writing, ...finished].slice(0, waitingMax);
        throw error;
      }
    },
  };
}

/** Tells whether letters were added, or taken back. */
const isTypedOn = ({ query: before }: Typed, { query: now }: Typed) =>
  now.startsWith(before) || before.startsWith(now);

/** Who takes back a letter or two corrects it; who takes back most of it empties the box. */
const meant = ({ last, longest }: Typing) => (last.query.length * 2 >= longest.query.length ? last : longest);

const cursorSchema = z.lazy(() =>
  z.tuple([z.int().nonnegative(), z.int().nonnegative(), z.string().max(5000)]),
);

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
