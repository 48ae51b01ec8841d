import type { Database } from "bun:sqlite";
import { join } from "node:path";
import { AppError } from "../../errors.ts";
import type { Log } from "../../lib/log.ts";
import { createCuratedStore } from "./content/curated.ts";
import { createGenerationStore } from "./content/generations.ts";
import { createIngestStore } from "./content/ingest.ts";
import { createPageInventory } from "./content/inventory.ts";
import { countIndexable, isIndexStale, rebuildIndex } from "./content/keyword-index.ts";
import { createLedgerStore } from "./content/ledger.ts";
import { createPageStore } from "./content/pages.ts";
import { createVectorStore } from "./content/passage-vectors.ts";
import { createSearchStore } from "./content/search.ts";
import { createSourceStore } from "./content/sources.ts";
import { createAnswerCacheStore } from "./conversations/answer-cache.ts";
import { createFeedbackStore } from "./conversations/feedback.ts";
import { createRetentionStore } from "./conversations/retention.ts";
import { createThreadStore } from "./conversations/threads.ts";
import { createTurnStore } from "./conversations/turns.ts";
import { explainFailures } from "./failures.ts";
import { backUpBeforeUpgrade } from "./files/backup.ts";
import { acquireAllLocks } from "./files/lock.ts";
import { appliedMigrations, applyMigrations, MIGRATIONS, pendingMigrations } from "./files/migrate.ts";
import { checkNothingLost, DATABASE_FILE, openDatabase } from "./files/open.ts";
import { isReadOnly } from "./files/open-read-only.ts";
import { lockServer, type ServerLock } from "./files/server-lock.ts";
import { removeLeftovers } from "./files/unfinished-files.ts";
import { loadVectors } from "./files/vector-extension.ts";
import { vectorLibrary } from "./files/vector-file.ts";
import { createMetaStore } from "./meta.ts";
import { createAdminKeyStore } from "./people/admin-keys.ts";
import { createKeyStore } from "./people/assistant-keys.ts";
import { createLimitStore } from "./people/limits.ts";
import { createMemberStore } from "./people/members.ts";
import { createSessionStore } from "./people/sessions.ts";
import { createSiteStore } from "./people/sites.ts";
import { createConversationListStore } from "./reports/conversation-list.ts";
import { createConversationStore } from "./reports/conversations.ts";
import { createEvaluationStore } from "./reports/evaluation.ts";
import { createEventStore } from "./reports/events.ts";
import { createGapStore } from "./reports/gaps.ts";
import { createOverviewStore } from "./reports/overview.ts";
import { createSearchLogStore } from "./reports/search-log.ts";

export interface StorageOptions {
  directory: string;
  synchronous: "normal" | "full";
  /** How many automatic backups are kept. */
  backups: number;
  /** The caller holds the server's lock already. */
  locked: boolean;
  now: number;
  log: Log;
}

/** Opens a data directory: the database, at this binary's schema, and the stores on it. */
export async function openStorage(options: StorageOptions) {
  const { directory, synchronous, locked, log } = options;
  if (locked) tidy(directory, log);
  const isRead = isReadOnly(join(directory, DATABASE_FILE));
  const database = openDatabase(directory, { synchronous });
  try {
    if (isRead) checkReadable(database, directory);
    else upgrade(database, options);
  } catch (error) {
    database.close();
    throw error;
  }
  const vectors = loadVectors(database, await vectorLibrary(), directory);
  return {
    database,
    /** Nothing can be stored: what is there can be read. */
    isReadOnly: isRead,
    vectors,
    sites: explainFailures(createSiteStore(database)),
    keys: explainFailures(createKeyStore(database)),
    limits: explainFailures(createLimitStore(database)),
    meta: createMetaStore(database, { isReadOnly: isRead }),
    pages: explainFailures(createPageStore(database)),
    inventory: explainFailures(createPageInventory(database)),
    sources: explainFailures(createSourceStore(database)),
    ingest: explainFailures(createIngestStore(database, directory)),
    ledger: explainFailures(createLedgerStore(database)),
    generations: explainFailures(createGenerationStore(database, directory)),
    passageVectors: explainFailures(createVectorStore(database)),
    search: explainFailures(createSearchStore(database, { hasVectors: vectors.available })),
    threads: explainFailures(createThreadStore(database)),
    curated: explainFailures(createCuratedStore(database)),
    adminKeys: explainFailures(createAdminKeyStore(database)),
    members: explainFailures(createMemberStore(database)),
    sessions: explainFailures(createSessionStore(database)),
    conversations: explainFailures(createConversationStore(database)),
    conversationList: explainFailures(createConversationListStore(database)),
    turns: explainFailures(createTurnStore(database)),
    overview: explainFailures(createOverviewStore(database)),
    evaluation: explainFailures(createEvaluationStore(database)),
    feedback: explainFailures(createFeedbackStore(database)),
    events: explainFailures(createEventStore(database)),
    searchLog: explainFailures(createSearchLogStore(database)),
    gaps: explainFailures(createGapStore(database)),
    retention: explainFailures(createRetentionStore(database)),
    answerCache: explainFailures(createAnswerCacheStore(database)),
    close() {
      if (!isRead) takeInLog(database, log);
      database.close();
    },
  };
}

/** What is in the write-ahead log goes into the database, so that the one file is whole when copied. */
function takeInLog(database: Database, log: Log): void {
  try {
    database.run("PRAGMA wal_checkpoint(TRUNCATE)");
  } catch (error) {
    // On a full or read-only disk it stays where it is, and is read from there the next time.
    log.debug("the write-ahead log could not be taken in", { error });
  }
}

export type Storage = Awaited<ReturnType<typeof openStorage>>;

/** The locks of every run of every source. */
export function lockIngests(directory: string): (() => void) | undefined {
  return acquireAllLocks(join(directory, "locks"));
}

/** What cannot be upgraded can be read only where there is nothing to upgrade. */
function checkReadable(database: Database, directory: string): void {
  if (pendingMigrations(database).length === 0 && !isIndexStale(database)) return;
  throw new AppError(
    "unavailable",
    `The database in ${directory} has to be upgraded, and cannot be written.`,
    {
      hint: "Open it once where it can be written, or use the version of Docent that wrote it.",
    },
  );
}

const UPGRADE_WAIT_MS = 3000;
const UPGRADE_POLL_MS = 50;

type UpgradeOptions = Omit<StorageOptions, "synchronous">;

/** Brings a database to the schema of `migrations`, after a backup where there is something to lose. */
export function upgrade(
  database: Database,
  options: UpgradeOptions,
  { migrations = MIGRATIONS, waitMs = UPGRADE_WAIT_MS } = {},
): void {
  const { directory, backups, locked, now, log } = options;
  if (pendingMigrations(database, migrations).length === 0 && !isIndexStale(database)) return;
  const lock = locked ? undefined : waitForServerLock(directory, waitMs);
  try {
    // Another process may have done it while this one waited.
    const pending = pendingMigrations(database, migrations);
    if (appliedMigrations(database).length === 0) checkNothingLost(directory, { isOpen: true });
    if (!locked) tidy(directory, log);
    if (pending.length > 0 && appliedMigrations(database).length > 0) {
      const file = backUpBeforeUpgrade(database, directory, now, backups);
      log.info("the database is upgraded; a backup was made", { file });
    }
    applyMigrations(database, pending, now);
    if (isIndexStale(database)) {
      const passages = countIndexable(database);
      if (passages > 0) log.info("the keyword index is made anew, before anything else", { passages });
      rebuildIndex(database);
      if (passages > 0) log.info("the keyword index was made anew", { passages });
    }
  } finally {
    lock?.release();
  }
}

/** Removes what killed upgrades and restores left. The server's lock is held. */
function tidy(directory: string, log: Log): void {
  try {
    const files = removeLeftovers(directory);
    if (files.length > 0) log.info("what a killed upgrade or restore left was removed", { files });
  } catch (error) {
    log.warn("what a killed upgrade or restore left could not be removed", { error });
  }
}

/** Another command that opens a new data directory holds the lock for a moment; a server holds it for good. */
function waitForServerLock(directory: string, waitMs: number): ServerLock {
  for (let waitedMs = 0; waitedMs <= waitMs; waitedMs += UPGRADE_POLL_MS) {
    const lock = lockServer(directory);
    if (lock) return lock;
    Bun.sleepSync(UPGRADE_POLL_MS);
  }
  throw new AppError("conflict", "The database has to be upgraded, and a server is using it.", {
    hint: "Stop the server, or start it with this version: it upgrades the database itself.",
  });
}
