import { ENDED_KEPT, RUN_ENDS, type RunJob, type RunJobStore } from "@docent/sites/ingest/run-jobs/run-jobs";
import { z } from "zod";
import type { Database } from "../database/database.ts";
import { isThere } from "../servers.ts";

const JOBS = `
  SELECT run_jobs.id, site_id, source_id, location, removes, force, preview, checks_addresses, accepts_worse, requested_at, started_at, after_run,
    ended_at, end_json, domain, organization_id, ${isThere("run_jobs.server_id")} AS is_held
  FROM run_jobs JOIN sites ON sites.id = run_jobs.site_id`;
const FIND = `${JOBS} WHERE run_jobs.id = $id`;
const UNDER_WAY = `${JOBS} WHERE ended_at IS NULL ORDER BY run_jobs.id`;
const ADD = `
  INSERT INTO run_jobs (id, site_id, source_id, location, removes, force, preview, checks_addresses, accepts_worse,
    requested_at)
  VALUES ($id, $siteId, $sourceId, $location, $removes, $force, $preview, $checksAddresses, $acceptsWorse, $requestedAt)
  ON CONFLICT DO NOTHING`;
const BEGIN = `
  UPDATE run_jobs SET server_id = $serverId, started_at = $at, after_run = coalesce(after_run, (
    SELECT coalesce(max(source_runs.id), 0) FROM source_runs
    WHERE source_runs.source_id = run_jobs.source_id AND finished_at IS NOT NULL))
  WHERE id = $id AND ended_at IS NULL AND NOT ${isThere("server_id")}`;
const GIVE_BACK = `
  UPDATE run_jobs SET server_id = NULL, started_at = NULL
  WHERE id = $id AND ended_at IS NULL AND server_id = $serverId`;
/** Another server may have begun it anew, after this one seemed to be gone. */
const END = `
  UPDATE run_jobs SET ended_at = $at, end_json = $endJson
  WHERE id = $id AND ended_at IS NULL AND server_id = $serverId`;
const FORGET = `
  DELETE FROM run_jobs WHERE ended_at IS NOT NULL AND id IN (
    SELECT run_jobs.id FROM run_jobs JOIN sites ON sites.id = run_jobs.site_id
    WHERE ended_at IS NOT NULL AND organization_id = (
      SELECT organization_id FROM sites JOIN run_jobs AS one ON one.site_id = sites.id WHERE one.id = $id)
    ORDER BY run_jobs.id DESC OFFSET ${ENDED_KEPT})`;

/** The runs that were asked of all servers on this database, as one of them does them. */
export function createRunJobStore(database: Database, serverId: string): RunJobStore {
  return {
    isShared: true,
    async add(job) {
      const { id, siteId, sourceId, location, requestedAt } = job;
      const { removes = false, force = false, preview = false, checksAddresses = false } = job;
      const { acceptsWorse = false } = job;
      const how = { removes, force, preview, checksAddresses, acceptsWorse };
      return (await database.run(ADD, { id, siteId, sourceId, location, requestedAt, ...how })) === 1;
    },
    async find(id) {
      const row = await database.get<RunJobRow>(FIND, { id });
      return row === undefined ? undefined : toRunJob(row);
    },
    async underWay() {
      return (await database.all<RunJobRow>(UNDER_WAY)).map(toRunJob);
    },
    begin: async (id, at) => (await database.run(BEGIN, { id, at, serverId })) === 1,
    async giveBack(id) {
      await database.run(GIVE_BACK, { id, serverId });
    },
    async end(id, end, at) {
      await database.run(END, { id, at, serverId, endJson: JSON.stringify(end) });
      await database.run(FORGET, { id });
    },
  };
}

interface RunJobRow {
  id: string;
  siteId: number;
  domain: string;
  organizationId: string;
  sourceId: number;
  location: string;
  removes: number;
  force: number;
  preview: number;
  checksAddresses: number;
  acceptsWorse: number;
  requestedAt: number;
  startedAt: number | null;
  afterRun: number | null;
  endedAt: number | null;
  endJson: string | null;
  /** The server that has begun it is there. */
  isHeld: number;
}

const endSchema = z.object({
  outcome: z.enum(RUN_ENDS),
  message: z.string().optional(),
  generation: z.number().optional(),
  counts: z.record(z.string(), z.number()).exactOptional(),
});

function toRunJob(row: RunJobRow): RunJob {
  const { id, siteId, domain, organizationId, sourceId, location, requestedAt } = row;
  const { startedAt, afterRun, endedAt } = row;
  const isBegun = row.isHeld === 1 && startedAt !== null;
  return {
    id,
    siteId,
    domain,
    organizationId,
    sourceId,
    location,
    removes: row.removes === 1,
    force: row.force === 1,
    preview: row.preview === 1,
    checksAddresses: row.checksAddresses === 1,
    acceptsWorse: row.acceptsWorse === 1,
    requestedAt,
    state: endedAt !== null ? "ended" : isBegun ? "running" : "waiting",
    ...(startedAt !== null && (isBegun || endedAt !== null) ? { startedAt } : {}),
    ...(afterRun !== null && !isBegun && endedAt === null ? { afterRun } : {}),
    ...(endedAt !== null ? { endedAt } : {}),
    ...(row.endJson !== null ? { end: endSchema.parse(JSON.parse(row.endJson)) } : {}),
  };
}
