import { Database } from "bun:sqlite";
import type { PlainIndex } from "@docent/finding/search/search-store";
import { heldLease } from "@docent/kernel/lib/lease";
import type { LimitStore } from "@docent/people/limits/limits";
import { createContentStores, createSegmentStore } from "../content/content.ts";
import { createConversationStores } from "../conversations/conversations.ts";
import { createMetaStore } from "../meta.ts";
import type { TableStore } from "../move/tables.ts";
import { createPatience } from "../patience.ts";
import { createPeopleStores } from "../people/people.ts";
import { createReportStores } from "../reports/reports.ts";
import { get, run, type Sql } from "../sql/sql.ts";
import { insertInto, select, statement } from "../sql/statement.ts";
import type { Storage, StorageEngine, StorageOptions } from "../storage.ts";
import { limitCounts } from "../tables/people.ts";
import { createOwnChanges, createOwnSites } from "./changes.ts";
import { completeIndex, forgetComplete } from "./complete-index.ts";
import { createOwnContent } from "./content/content.ts";
import { explainFailures, isLocked, remedyOf } from "./failures.ts";
import {
  createTableStore,
  emptyLog,
  examineBackup,
  holdsDatabase,
  lockIngests,
  lockServer,
  openFiles,
  removeChecksum,
  restore,
} from "./files/files.ts";
import { createSqliteSql } from "./sql.ts";

/** Everything in one SQLite file of the data directory. */
export const sqlite: StorageEngine = {
  open: openSqlite,
  holdsDatabase,
  lockServer,
  lockIngests,
  restore,
  examineBackup,
  removeChecksum,
};

/** A storage with its database, which nobody but SQLite's own files and tests may know of. */
export interface SqliteStorage extends Storage {
  database: Database;
}

export async function openSqlite(options: StorageOptions): Promise<SqliteStorage> {
  const { database, lockSource, lockIndex, vectors, ...files } = await openFiles(options);
  const sql = createSqliteSql(database);
  const siteChanges = createOwnChanges();
  const locks = { lockSource, lockIndex };
  const { waiting, log } = options;
  const patience = waiting && createPatience({ ...waiting, isAway: isLocked, remedyOf, log });
  const stores = explainFailures(
    {
      content: createContentStores(
        sql,
        createOwnContent({ ...locks, hasVectors: vectors.available, siteChanges }),
      ),
      people: createPeopleStores(sql, {
        sites: createOwnSites(sql, siteChanges),
        limits: createLimitStore(sql),
        places: undefined,
      }),
      conversations: createConversationStores(sql, {
        serverId: undefined,
        modelLine: undefined,
        forget: async () => emptyLog(database),
      }),
      reports: createReportStores(sql),
    },
    patience,
  );
  const { content, people, conversations, reports } = stores;
  try {
    await completeIndex(database, content.segments, { ...options, ...files });
  } catch (error) {
    files.close();
    throw error;
  }
  return {
    ...files,
    database,
    content,
    people,
    conversations,
    reports,
    meta: createMetaStore(sql, files),
    answers: async () => true,
    releaseMemory: () => void database.run("PRAGMA shrink_memory"),
    openPlainIndex,
    // One server at a time has the data directory.
    takeOn: async () => heldLease(() => {}),
  };
}

/**
 * The tables of a data directory that the caller has locked. What an older version left is brought up to date first, its
 * keyword index too: nothing that is copied elsewhere would be.
 */
export async function openSqliteTables(options: StorageOptions): Promise<TableStore> {
  const { database, isReadOnly, close } = await openFiles(options);
  try {
    // The caller has the locks of sources and indexes as well.
    const lock = async () => heldLease(() => {});
    const segments = createSegmentStore(createSqliteSql(database), lock, "passages");
    await completeIndex(database, segments, { ...options, isReadOnly });
  } catch (error) {
    await close();
    throw error;
  }
  const tables = createTableStore(database, {
    name: `The data directory ${options.directory}`,
    directory: options.directory,
    close,
  });
  return {
    ...tables,
    fill: (work) =>
      tables.fill(async (write, read) => {
        await work(write, read);
        forgetComplete(database);
      }),
  };
}

const LOAD = select(
  limitCounts,
  ["slice", "count"],
  "FROM limit_counts WHERE meter = $meter AND subject = $subject AND expires_at > $now",
);
const ADD = statement<{ count: number }>(`
  ${insertInto(limitCounts)}
  ON CONFLICT (meter, subject, slice) DO UPDATE SET count = limit_counts.count + excluded.count RETURNING count`);
const EXPIRE = statement("DELETE FROM limit_counts WHERE expires_at <= $now");

/** What one server counts. Several count together in a function of PostgreSQL's, and take what others have counted. */
function createLimitStore(sql: Sql): LimitStore {
  return {
    load: (meter, subject, now) => sql.all(LOAD, { meter, subject, now }),

    add: (counts, now) =>
      sql.inOneWrite(function* () {
        const totals: number[] = [];
        for (const each of counts) totals.push((yield* get(ADD, { ...each }))?.count ?? each.count);
        yield* run(EXPIRE, { now });
        return totals;
      }),
  };
}

/** What FTS5 makes of the entries, its words stemmed by Porter. */
export function openPlainIndex(): PlainIndex {
  const database = new Database(":memory:", { strict: true });
  database.run(
    "CREATE VIRTUAL TABLE entries USING fts5 (title, text, language UNINDEXED, tokenize = 'porter unicode61')",
  );
  const insert = database.query<null, [string, string, string]>(
    "INSERT INTO entries (title, text, language) VALUES (?, ?, ?)",
  );
  const best = database.query<{ rowid: number }, [number, string, string, number]>(
    `SELECT rowid FROM entries
     WHERE rank MATCH 'bm25(' || ?1 || ', 1.0)' AND entries MATCH ?2 AND ?3 IN ('', language)
     ORDER BY rank LIMIT ?4`,
  );

  return {
    add(entries) {
      database.transaction(() => {
        for (const { title, text, language } of entries) insert.run(title, text, language);
      })();
    },

    find(words, { titleWeight, language, limit }) {
      if (words.length === 0) return [];
      const match = words.map((word) => `"${word.replaceAll('"', '""')}"`).join(" OR ");
      return best.all(titleWeight, match, language, limit).map(({ rowid }) => rowid - 1);
    },

    close: () => database.close(),
  };
}
