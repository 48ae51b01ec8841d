import type { LedgerEntry, LedgerStore, UnendedRun } from "../../../ingest/stores.ts";
import { type LedgerRow, toLedgerEntry } from "../../rows/ledger.ts";
import { cutOffEnd, endedRunSchema, type RunRow, toRunRecord } from "../../rows/runs.ts";
import { wholeText } from "../../whole-text.ts";
import type { Database, Queries } from "../database/database.ts";

const RUNS_KEPT = 50;

const BEGIN = "INSERT INTO source_runs (source_id, started_at) VALUES ($sourceId, $at) RETURNING id";
const REMOVE_OLD = `
  DELETE FROM source_runs WHERE source_id = $sourceId AND id <=
    (SELECT id FROM source_runs WHERE source_id = $sourceId ORDER BY id DESC LIMIT 1 OFFSET ${RUNS_KEPT})`;
const FORGET_DOCS =
  "UPDATE source_runs SET docs_json = NULL WHERE source_id = $sourceId AND docs_json IS NOT NULL";
const NOTE_DOCS = "UPDATE source_runs SET generator = $generator, docs_json = $docsJson WHERE id = $runId";
const NOTE_PROGRESS =
  "UPDATE source_runs SET counts_json = $countsJson WHERE id = $runId AND finished_at IS NULL";
const END = `
  UPDATE source_runs SET finished_at = $at, outcome = $outcome, message = $message, generation = $generation,
    addresses_json = $addressesJson, counts_json = $countsJson
  WHERE id = $runId`;
const STRIKE_OUT = "DELETE FROM ledger WHERE source_id = $sourceId AND run_id <> $runId";
const RUNS = `
  SELECT id, started_at, finished_at, outcome, message, generation, generator, docs_json, addresses_json,
    counts_json AS run_counts_json
  FROM source_runs WHERE source_id = $sourceId AND id > $after ORDER BY id DESC LIMIT $limit`;
const ENDED = `
  SELECT id, outcome, finished_at FROM source_runs WHERE finished_at >= $since AND outcome IS NOT NULL
  ORDER BY finished_at, id`;
const UNENDED = `
  SELECT source_runs.id, site_id, source_id FROM source_runs JOIN sources ON sources.id = source_id
  WHERE finished_at IS NULL ORDER BY source_runs.id`;
const OPEN = `
  SELECT id, generation, message, id = (SELECT max(id) FROM source_runs WHERE source_id = $sourceId) AS is_newest
  FROM source_runs WHERE source_id = $sourceId AND finished_at IS NULL`;
const SETTLE =
  "UPDATE source_runs SET finished_at = $at, outcome = $outcome, message = $message WHERE id = $id";
const LAST_ENDED = `
  SELECT coalesce(max(id), 0) AS id FROM source_runs WHERE source_id = $sourceId AND finished_at IS NOT NULL`;
/** Of a page that was not read, what was noted of its passages and links stands. */
const PUT = `
  INSERT INTO ledger (source_id, location, run_id, path, format, found, decision, reason, detail, passages, content_hash,
    validator, links_json, took_ms, decided_at)
  SELECT $sourceId::int, location, $runId::int, path, format, found, decision, reason, detail, passages, content_hash,
    validator, links_json, took_ms, decided_at
  FROM unnest($locations::text[], $paths::text[], $formats::text[], $found::text[], $decisions::text[],
    $reasons::text[], $details::text[], $passages::int[], $contentHashes::text[], $validators::text[], $linksJson::text[],
    $tookMs::float8[], $decidedAt::bigint[])
    AS noted (location, path, format, found, decision, reason, detail, passages, content_hash, validator, links_json,
      took_ms, decided_at)
  ON CONFLICT (source_id, md5(location)) DO UPDATE SET
    run_id = excluded.run_id, path = excluded.path, format = excluded.format, found = excluded.found,
    decision = excluded.decision, reason = excluded.reason, detail = excluded.detail,
    passages = coalesce(excluded.passages, ledger.passages), content_hash = excluded.content_hash,
    validator = excluded.validator, links_json = excluded.links_json, took_ms = excluded.took_ms,
    decided_at = excluded.decided_at`;

const COLUMNS = `
  location, path, format, found, decision, reason, detail, passages, content_hash, validator, links_json, took_ms,
  decided_at`;
const ENTRIES = `SELECT ${COLUMNS} FROM ledger WHERE source_id = $sourceId`;
const ALL = `${ENTRIES} ORDER BY location`;
const PART = `
  ${ENTRIES} AND ($after::text IS NULL OR location > $after) AND ($decisions::text[] IS NULL OR decision = ANY($decisions))
  ORDER BY location LIMIT $limit`;
/** Whether a place is called by a path: as it is, below something, and with whatever it ends in. */
const IS_CALLED = `(location = $path OR strpos('/' || location || '/', '/' || $path || '/') > 0
  OR strpos('/' || location, '/' || $path || '.') > 0)`;
const ABOUT = `
  SELECT source_id AS source, ${COLUMNS} FROM ledger
  WHERE source_id IN (SELECT id FROM sources WHERE site_id = $siteId)
    AND (path = $path OR (decision IN ('skipped', 'removed') AND $path <> '' AND ${IS_CALLED}))
  ORDER BY coalesce(path = $path, false) DESC, length(location), location LIMIT $limit`;

export function createLedgerStore(database: Database): LedgerStore {
  return {
    async beginRun({ id: sourceId }, at) {
      return database.inOneWrite(async (write) => {
        const run = await write.get<{ id: number }>(BEGIN, { sourceId, at });
        if (run === undefined) throw new Error("the run that was just begun is not there");
        await write.run(REMOVE_OLD, { sourceId });
        return run.id;
      });
    },

    async noteDocs({ id: sourceId }, runId, generator, docs) {
      await database.inOneWrite(async (write) => {
        await write.run(FORGET_DOCS, { sourceId });
        await write.run(NOTE_DOCS, { runId, generator, docsJson: JSON.stringify(docs) });
      });
    },

    async noteProgress(runId, counts) {
      await database.run(NOTE_PROGRESS, { runId, countsJson: JSON.stringify(counts) });
    },

    async endRun({ id: sourceId }, runId, end) {
      const { outcome, message = null, generation = null, addresses, counts, at } = end;
      const addressesJson = addresses === undefined ? null : JSON.stringify(addresses);
      const countsJson = JSON.stringify(counts);
      await database.inOneWrite(async (write) => {
        await write.run(END, { runId, outcome, message, generation, addressesJson, countsJson, at });
        // A run that read everything has noted all that there is.
        if (outcome === "published" || outcome === "unchanged")
          await write.run(STRIKE_OUT, { sourceId, runId });
      });
    },

    ...tellRuns(database),

    async record({ id: sourceId }, runId, entries) {
      await database.run(PUT, { sourceId, runId, ...columnsOf(lastOfEach(entries)) });
    },

    async entries(sourceId) {
      return (await database.all<LedgerRow>(ALL, { sourceId })).map(toLedgerEntry);
    },

    async part(sourceId, { after = null, decisions = null, limit }) {
      return (await database.all<LedgerRow>(PART, { sourceId, after, decisions, limit })).map(toLedgerEntry);
    },

    async about(siteId, path, limit) {
      const rows = await database.all<LedgerRow & { source: number }>(ABOUT, { siteId, path, limit });
      return rows.map(({ source, ...row }) => ({ ...toLedgerEntry(row), source }));
    },
  };
}

/** What is told of runs, and of those that were cut off. */
const tellRuns = (
  database: Database,
): Pick<LedgerStore, "runs" | "runsAfter" | "unended" | "lastEnded" | "settle" | "endedRuns"> => ({
  async runs(sourceId, limit) {
    return (await database.all<RunRow>(RUNS, { sourceId, after: 0, limit })).map(toRunRecord);
  },
  async runsAfter(sourceId, after) {
    return (await database.all<RunRow>(RUNS, { sourceId, after, limit: null })).map(toRunRecord).reverse();
  },

  unended: () => database.all<UnendedRun>(UNENDED),
  async lastEnded(sourceId) {
    return (await database.get<{ id: number }>(LAST_ENDED, { sourceId }))?.id ?? 0;
  },
  settle: ({ id: sourceId }, end) => database.inOneWrite((write) => settle(write, sourceId, end)),

  async endedRuns(since) {
    return (await database.all(ENDED, { since })).map((row) => endedRunSchema.parse(row));
  },
});

type OpenRow = Pick<RunRow, "generation" | "message"> & { id: number; isNewest: number };

async function settle(
  write: Queries,
  sourceId: number,
  { message, at }: { message: string; at: number },
): Promise<void> {
  for (const { id, isNewest, ...run } of await write.all<OpenRow>(OPEN, { sourceId })) {
    const end = cutOffEnd(run, { message });
    await write.run(SETTLE, { id, at, ...end });
    if (end.outcome === "published" && isNewest === 1) await write.run(STRIKE_OUT, { sourceId, runId: id });
  }
}

/** Of what is noted twice of a location, the later: one statement writes a row once. */
function lastOfEach(entries: readonly LedgerEntry[]): LedgerEntry[] {
  const last = new Map<string, LedgerEntry>();
  for (const entry of entries) {
    const location = wholeText(entry.location);
    const passages = entry.passages ?? last.get(location)?.passages;
    last.set(location, { ...entry, passages });
  }
  return [...last.values()];
}

const columnsOf = (entries: readonly LedgerEntry[]) => ({
  locations: entries.map(({ location }) => location),
  paths: entries.map(({ path }) => path ?? null),
  formats: entries.map(({ format }) => format ?? null),
  found: entries.map(({ found }) => found),
  decisions: entries.map(({ decision }) => decision),
  reasons: entries.map(({ reason }) => reason ?? null),
  details: entries.map(({ detail }) => detail ?? null),
  passages: entries.map(({ passages }) => passages ?? null),
  contentHashes: entries.map(({ contentHash }) => contentHash ?? null),
  validators: entries.map(({ validator }) => validator ?? null),
  linksJson: entries.map(({ links }) => JSON.stringify(links)),
  tookMs: entries.map(({ tookMs }) => tookMs),
  decidedAt: entries.map(({ decidedAt }) => decidedAt),
});
