import type { Database } from "bun:sqlite";
import { createIndexKeeper, SEGMENT_REVISION } from "@docent/finding/search/keyword-index/keyword-index";
import type { SegmentStore } from "@docent/finding/search/keyword-index/segment-store";
import type { StorageOptions } from "../storage.ts";
import { notUpgraded, whileAlone } from "./files/files.ts";

/** Says that every passage was in a segment of this revision when it was written. Runs keep it so. */
const COMPLETE = "keyword_index";
/** How often it is said how far the indexing of a site is. */
const STEPS_SAID = 10;

interface IndexOptions extends Pick<StorageOptions, "directory" | "locked" | "log" | "onUpgrade"> {
  isReadOnly: boolean;
  /** How long to wait for another process that does it. */
  waitMs?: number;
}

/**
 * Makes the keyword index of each site from its passages, where a version without one, or with another, has written the
 * database. Each segment is there once it is finished, so that the next opening goes on from a killed one.
 */
export async function completeIndex(
  database: Database,
  segments: SegmentStore,
  options: IndexOptions,
): Promise<void> {
  if (isComplete(database)) return;
  if (options.isReadOnly) throw notUpgraded(options.directory);
  if (hasNothing(database)) return noteComplete(database);
  // Another process may have done it while this one waited.
  const work = async () => void (isComplete(database) || (await indexAll(database, segments, options)));
  await whileAlone(options, work, options.waitMs);
}

function isComplete(database: Database): boolean {
  const noted = database
    .query<{ value: string }, [string]>("SELECT value FROM meta WHERE name = ?")
    .get(COMPLETE);
  return noted?.value === SEGMENT_REVISION && outdated(database).length === 0;
}

/** A new database, or one into which nothing was read: whatever comes is indexed as it comes. */
function hasNothing(database: Database): boolean {
  const found = "SELECT 1 FROM passages UNION ALL SELECT 1 FROM segments LIMIT 1";
  return database.query(found).get() === null;
}

function noteComplete(database: Database): void {
  database
    .query(
      "INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
    )
    .run(COMPLETE, SEGMENT_REVISION);
}

/** What comes from elsewhere, where nobody keeps the note true: the next opening looks at all of it. */
export function forgetComplete(database: Database): void {
  database.query("DELETE FROM meta WHERE name = ?").run(COMPLETE);
}

/** Segments of another revision: their words are not comparable with those of a question. */
function outdated(database: Database): number[] {
  return database
    .query<{ id: number }, [string]>("SELECT id FROM segments WHERE finished = 1 AND revision <> ?")
    .all(SEGMENT_REVISION)
    .map(({ id }) => id);
}

async function indexAll(database: Database, segments: SegmentStore, options: IndexOptions): Promise<void> {
  const { log } = options;
  const all =
    database.query<{ count: number }, []>("SELECT count(*) AS count FROM passages").get()?.count ?? 0;
  if (all > 0) log.info("the keyword index is made anew, before anything else", { passages: all });
  await segments.remove(outdated(database));
  const keeper = createIndexKeeper({ store: segments, log });
  const { signal } = new AbortController();
  for (const siteId of await segments.sites()) {
    await keeper.catchUp(siteId, { signal, onProgress: sayProgress(database, siteId, options) });
    await keeper.tidy(siteId, signal);
  }
  noteComplete(database);
  if (all > 0) log.info("the keyword index was made anew", { passages: all });
}

/** Says how far a site's index is: on the terminal each time, in the log at each tenth. */
function sayProgress(database: Database, siteId: number, { log, onUpgrade }: IndexOptions) {
  const row = database
    .query<{ domain: string }, [number]>("SELECT domain FROM sites WHERE id = ?")
    .get(siteId);
  let said = 0;
  return (passages: number, of: number): void => {
    onUpgrade?.(passages, of);
    const step = Math.floor((passages / of) * STEPS_SAID);
    if (step === said) return;
    said = step;
    log.info("the keyword index of a site is being made", { site: row?.domain, passages, of });
  };
}
