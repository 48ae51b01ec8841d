import type { LedgerEntry, LedgerStore, UnendedRun } from "@docent/sites/ingest/stores";
import { type LedgerRow, toLedgerEntry } from "../rows/ledger.ts";
import { cutOffEnd, endedRunSchema, type RunRow, toRunRecord } from "../rows/runs.ts";
import type { Dialect } from "../sql/dialect.ts";
import { all, get, run, type Sql, type Steps } from "../sql/sql.ts";
import { columns, select, statement, type Values } from "../sql/statement.ts";
import { ledger, sourceRuns } from "../tables/content.ts";
import { wholeText } from "../whole-text.ts";

const RUNS_KEPT = 50;

const BEGIN = statement<{ id: number }>(
  "INSERT INTO source_runs (source_id, started_at) VALUES ($sourceId, $at) RETURNING id",
);
const REMOVE_OLD = statement(`
  DELETE FROM source_runs WHERE source_id = $sourceId AND id <=
    (SELECT id FROM source_runs WHERE source_id = $sourceId ORDER BY id DESC LIMIT 1 OFFSET ${RUNS_KEPT})`);
const FORGET_DOCS = statement(
  "UPDATE source_runs SET docs_json = NULL WHERE source_id = $sourceId AND docs_json IS NOT NULL",
);
const NOTE_DOCS = statement(
  "UPDATE source_runs SET generator = $generator, docs_json = $docsJson WHERE id = $runId",
);
const NOTE_PROGRESS = statement(
  "UPDATE source_runs SET counts_json = $countsJson WHERE id = $runId AND finished_at IS NULL",
);
const END = statement(`
  UPDATE source_runs SET finished_at = $at, outcome = $outcome, message = $message, generation = $generation,
    addresses_json = $addressesJson, counts_json = $countsJson
  WHERE id = $runId`);
/** A run that read everything has noted all that there is. */
const STRIKE_OUT = statement("DELETE FROM ledger WHERE source_id = $sourceId AND run_id <> $runId");
const RUNS = statement<RunRow>(`
  SELECT ${columns(sourceRuns, ["startedAt", "finishedAt", "outcome", "message", "generation", "generator", "docsJson", "addressesJson"])},
    counts_json AS "runCountsJson"
  FROM source_runs WHERE source_id = $sourceId AND id > $after ORDER BY id DESC LIMIT $limit`);
const ENDED = select(
  sourceRuns,
  ["id", "outcome", "finishedAt"],
  "FROM source_runs WHERE finished_at >= $since AND outcome IS NOT NULL ORDER BY finished_at, id",
);
const UNENDED = statement<UnendedRun>(`
  SELECT source_runs.id, site_id AS "siteId", source_id AS "sourceId"
  FROM source_runs JOIN sources ON sources.id = source_id
  WHERE finished_at IS NULL ORDER BY source_runs.id`);
const OPEN = statement<Pick<RunRow, "generation" | "message"> & { id: number; isNewest: number }>(`
  SELECT id, generation, message, id = (SELECT max(id) FROM source_runs WHERE source_id = $sourceId) AS "isNewest"
  FROM source_runs WHERE source_id = $sourceId AND finished_at IS NULL`);
const SETTLE = statement(
  "UPDATE source_runs SET finished_at = $at, outcome = $outcome, message = $message WHERE id = $id",
);
const LAST_ENDED = statement<{ id: number }>(
  "SELECT coalesce(max(id), 0) AS id FROM source_runs WHERE source_id = $sourceId AND finished_at IS NOT NULL",
);
/** Of a page that was not read, what was noted of its passages and links stands. */
const PUT = statement(
  (d) => `
  INSERT INTO ledger (source_id, location, run_id, path, format, found, decision, reason, detail, passages, content_hash,
    validator, links_json, took_ms, decided_at)
  SELECT CAST($sourceId AS integer), location, CAST($runId AS integer), path, format, found, decision, reason, detail,
    passages, "contentHash", validator, "linksJson", "tookMs", "decidedAt"
  FROM ${d.rows(NOTED)} WHERE TRUE
  ON CONFLICT (source_id, ${d.uniqueOf("location")}) DO UPDATE SET
    run_id = excluded.run_id, path = excluded.path, format = excluded.format, found = excluded.found,
    decision = excluded.decision, reason = excluded.reason, detail = excluded.detail,
    passages = coalesce(excluded.passages, ledger.passages), content_hash = excluded.content_hash,
    validator = excluded.validator, links_json = excluded.links_json, took_ms = excluded.took_ms,
    decided_at = excluded.decided_at`,
);
const NOTED = {
  location: "text",
  path: "text",
  format: "text",
  found: "text",
  decision: "text",
  reason: "text",
  detail: "text",
  passages: "int",
  contentHash: "text",
  validator: "text",
  linksJson: "text",
  tookMs: "float8",
  decidedAt: "bigint",
} as const;

const ENTRY = [
  "location",
  "path",
  "format",
  "found",
  "decision",
  "reason",
  "detail",
  "passages",
  "contentHash",
  "validator",
  "linksJson",
  "tookMs",
  "decidedAt",
] as const;
const ENTRIES = select(ledger, ENTRY, "FROM ledger WHERE source_id = $sourceId ORDER BY location");
const PART = select(
  ledger,
  ENTRY,
  (d) => `
  FROM ledger WHERE source_id = $sourceId AND (CAST($after AS text) IS NULL OR location > $after)
    AND (${d.hasNo("decisions", "text")} OR ${d.isOneOf("decision", "decisions", "text")})
  ORDER BY location LIMIT $limit`,
);
/** Whether a place is called by a path: as it is, below something, and with whatever it ends in. */
const isCalled = (d: Dialect) => `(location = $path
  OR ${d.placeOf("'/' || $path || '/'", "'/' || location || '/'")} > 0
  OR ${d.placeOf("'/' || $path || '.'", "'/' || location")} > 0)`;
const ABOUT = statement<LedgerRow & { source: number }>(
  (d) => `
  SELECT source_id AS source, ${columns(ledger, ENTRY)} FROM ledger
  WHERE source_id IN (SELECT id FROM sources WHERE site_id = $siteId)
    AND (path = $path OR (decision IN ('skipped', 'removed') AND $path <> '' AND ${isCalled(d)}))
  ORDER BY coalesce(path = $path, FALSE) DESC, length(location), location LIMIT $limit`,
);

export function createLedgerStore(sql: Sql): LedgerStore {
  return {
    beginRun: ({ id: sourceId }, at) =>
      sql.inOneWrite(function* () {
        const begun = yield* get(BEGIN, { sourceId, at });
        if (begun === undefined) throw new Error("the run that was just begun is not there");
        yield* run(REMOVE_OLD, { sourceId });
        return begun.id;
      }),

    noteDocs: ({ id: sourceId }, runId, generator, docs) =>
      sql.inOneWrite(function* () {
        yield* run(FORGET_DOCS, { sourceId });
        yield* run(NOTE_DOCS, { runId, generator, docsJson: JSON.stringify(docs) });
      }),

    async noteProgress(runId, counts) {
      await sql.run(NOTE_PROGRESS, { runId, countsJson: JSON.stringify(counts) });
    },

    endRun({ id: sourceId }, runId, { outcome, message, generation, addresses, counts, at }) {
      const addressesJson = addresses && JSON.stringify(addresses);
      const countsJson = JSON.stringify(counts);
      return sql.inOneWrite(function* () {
        yield* run(END, { runId, outcome, message, generation, addressesJson, countsJson, at });
        if (outcome === "published" || outcome === "unchanged") yield* run(STRIKE_OUT, { sourceId, runId });
      });
    },

    ...tellRuns(sql),

    async record({ id: sourceId }, runId, entries) {
      await sql.runRows(PUT, { sourceId, runId }, noted(entries));
    },

    async entries(sourceId) {
      return (await sql.all(ENTRIES, { sourceId })).map(toLedgerEntry);
    },

    async part(sourceId, { after, decisions, limit }) {
      return (await sql.all(PART, { sourceId, after, decisions, limit })).map(toLedgerEntry);
    },

    async about(siteId, path, limit) {
      const rows = await sql.all(ABOUT, { siteId, path, limit });
      return rows.map(({ source, ...row }) => ({ ...toLedgerEntry(row), source }));
    },
  };
}

const WITHOUT_LIMIT = Number.MAX_SAFE_INTEGER;

/** What is told of runs, and of those that were cut off. */
const tellRuns = (
  sql: Sql,
): Pick<LedgerStore, "runs" | "runsAfter" | "unended" | "lastEnded" | "settle" | "endedRuns"> => ({
  async runs(sourceId, limit) {
    return (await sql.all(RUNS, { sourceId, after: 0, limit })).map(toRunRecord);
  },
  async runsAfter(sourceId, after) {
    return (await sql.all(RUNS, { sourceId, after, limit: WITHOUT_LIMIT })).map(toRunRecord).reverse();
  },

  unended: () => sql.all(UNENDED),
  async lastEnded(sourceId) {
    return (await sql.get(LAST_ENDED, { sourceId }))?.id ?? 0;
  },
  settle: ({ id: sourceId }, end) => sql.inOneWrite(() => settle(sourceId, end)),

  async endedRuns(since) {
    return (await sql.all(ENDED, { since })).map((row) => endedRunSchema.parse(row));
  },
});

function* settle(sourceId: number, { message, at }: { message: string; at: number }): Steps<void> {
  for (const { id, isNewest, ...open } of yield* all(OPEN, { sourceId })) {
    const end = cutOffEnd(open, { message });
    yield* run(SETTLE, { id, at, ...end });
    if (end.outcome === "published" && isNewest === 1) yield* run(STRIKE_OUT, { sourceId, runId: id });
  }
}

/** What is noted. Of what is noted twice of a location, the later: one statement writes a row once. */
function noted(entries: readonly LedgerEntry[]): Values[] {
  const last = new Map<string, LedgerEntry>();
  for (const entry of entries) {
    const location = wholeText(entry.location);
    const passages = entry.passages ?? last.get(location)?.passages;
    last.set(location, { ...entry, passages });
  }
  return [...last.values()].map(({ links, ...entry }) => ({ ...entry, linksJson: JSON.stringify(links) }));
}
