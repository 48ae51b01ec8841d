import { AppError } from "@docent/kernel/errors";
import initial from "../../../migrations/postgres/0001_initial.sql" with { type: "text" };
import modelLine from "../../../migrations/postgres/0002_model_line.sql" with { type: "text" };
import uploads from "../../../migrations/postgres/0003_uploads.sql" with { type: "text" };
import runJobs from "../../../migrations/postgres/0004_run_jobs.sql" with { type: "text" };
import countTogether from "../../../migrations/postgres/0005_count_together.sql" with { type: "text" };
import questions from "../../../migrations/postgres/0006_questions.sql" with { type: "text" };
import audit from "../../../migrations/postgres/0007_audit.sql" with { type: "text" };
import audiences from "../../../migrations/postgres/0008_audiences.sql" with { type: "text" };
import signIn from "../../../migrations/postgres/0009_sign_in.sql" with { type: "text" };
import readers from "../../../migrations/postgres/0010_readers.sql" with { type: "text" };
import golden from "../../../migrations/postgres/0011_golden.sql" with { type: "text" };
import notices from "../../../migrations/postgres/0012_notices.sql" with { type: "text" };
import appChats from "../../../migrations/postgres/0013_app_chats.sql" with { type: "text" };
import streamPlaces from "../../../migrations/postgres/0014_stream_places.sql" with { type: "text" };
import keptWords from "../../../migrations/postgres/0015_kept_words.sql" with { type: "text" };
import runsOfJobs from "../../../migrations/postgres/0016_runs_of_jobs.sql" with { type: "text" };
import touched from "../../../migrations/postgres/0017_touched.sql" with { type: "text" };
import writtenVectors from "../../../migrations/postgres/0018_written_vectors.sql" with { type: "text" };
import carriedCalibrations from "../../../migrations/postgres/0019_carried_calibrations.sql" with {
  type: "text",
};
import publishedPages from "../../../migrations/postgres/0020_published_pages.sql" with { type: "text" };
import type { Database, Queries } from "./database/database.ts";

interface Migration {
  name: string;
  sql: string;
}

/** Every migration there has been, in order. Never changed once released: a new one goes to the end. */
export const MIGRATIONS: readonly Migration[] = [
  { name: "0001_initial", sql: initial },
  { name: "0002_model_line", sql: modelLine },
  { name: "0003_uploads", sql: uploads },
  { name: "0004_run_jobs", sql: runJobs },
  { name: "0005_count_together", sql: countTogether },
  { name: "0006_questions", sql: questions },
  { name: "0007_audit", sql: audit },
  { name: "0008_audiences", sql: audiences },
  { name: "0009_sign_in", sql: signIn },
  { name: "0010_readers", sql: readers },
  { name: "0011_golden", sql: golden },
  { name: "0012_notices", sql: notices },
  { name: "0013_app_chats", sql: appChats },
  { name: "0014_stream_places", sql: streamPlaces },
  { name: "0015_kept_words", sql: keptWords },
  { name: "0016_runs_of_jobs", sql: runsOfJobs },
  { name: "0017_touched", sql: touched },
  { name: "0018_written_vectors", sql: writtenVectors },
  { name: "0019_carried_calibrations", sql: carriedCalibrations },
  { name: "0020_published_pages", sql: publishedPages },
];

/** The oldest PostgreSQL that its makers still look after. */
const VERSION_MIN = 14;

const ABOUT = `
  SELECT current_setting('server_version_num')::int / 10000 AS version, current_database() AS name,
    pg_encoding_to_char(encoding) AS encoding, pg_is_in_recovery() AS is_replica,
    current_setting('default_transaction_read_only') = 'on' AS is_read_only,
    to_regclass('docent_migrations') IS NOT NULL AS is_ours
  FROM pg_database WHERE datname = current_database()`;
const APPLIED = "SELECT name FROM docent_migrations ORDER BY name";
/** Tables that belong to no extension, unless another server has made Docent's meanwhile. */
const TABLES = `
  SELECT relname AS name FROM pg_class
  WHERE to_regclass('docent_migrations') IS NULL AND relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p')
    AND NOT EXISTS (SELECT 1 FROM pg_depend WHERE objid = pg_class.oid AND deptype = 'e')
  ORDER BY relname LIMIT 4`;
/** Servers that start together wait for the one that is first. */
const LOCK = "SELECT pg_advisory_xact_lock(1685021540, 0)";
const CREATE = `
  CREATE TABLE IF NOT EXISTS docent_migrations (name text PRIMARY KEY, applied_at bigint NOT NULL)`;
const RECORD = "INSERT INTO docent_migrations (name, applied_at) VALUES ($name, $at)";

interface About {
  version: number;
  name: string;
  encoding: string;
  isReplica: number;
  isReadOnly: number;
  isOurs: number;
}

/**
 * Brings a database to the schema of this binary. Whether anything is to be done is looked at first, without a lock.
 * Returns what it is called, and whether nothing can be written to it.
 */
export async function upgrade(
  database: Database,
  at: number,
): Promise<{ name: string; isReadOnly: boolean }> {
  const about = await database.get<About>(ABOUT);
  if (about === undefined) throw new Error("PostgreSQL does not say which database this is");
  checkUsable(about);
  const { name } = about;
  const isReadOnly = about.isReplica === 1 || about.isReadOnly === 1;
  if ((await pendingMigrations(database, about)).length === 0) return { name, isReadOnly };
  if (isReadOnly) throw notUpgraded(about);
  for (const migration of MIGRATIONS) await apply(database, { ...migration, at });
  return { name, isReadOnly };
}

function checkUsable({ version, name, encoding }: About): void {
  if (version < VERSION_MIN) {
    throw new AppError(
      "unavailable",
      `This PostgreSQL is version ${version}; Docent needs ${VERSION_MIN} or newer.`,
      {
        hint: "Upgrade the PostgreSQL server, or name another one in database_url.",
      },
    );
  }
  if (encoding !== "UTF8") {
    throw new AppError(
      "unavailable",
      `The database ${name} keeps text as ${encoding}, which cannot hold all docs.`,
      {
        hint: `Make one with UTF-8: CREATE DATABASE ${name} ENCODING 'UTF8' TEMPLATE template0`,
      },
    );
  }
}

/** How far a database is behind this binary. Raises `conflict` for one that is ahead of it, or another program's. */
async function pendingMigrations(queries: Queries, { name, isOurs }: About): Promise<readonly Migration[]> {
  if (isOurs === 0) {
    await checkEmpty(queries, name);
    return MIGRATIONS;
  }
  const applied = (await queries.all<{ name: string }>(APPLIED)).map((row) => row.name);
  const unknown = applied.filter((each) => !MIGRATIONS.some((migration) => migration.name === each));
  if (unknown.length > 0) {
    throw new AppError(
      "conflict",
      `The database ${name} was used by a newer Docent (it has ${unknown.join(", ")}).`,
      {
        hint: "Use that version or a later one, or restore a backup that was made before the upgrade.",
      },
    );
  }
  return MIGRATIONS.filter((migration) => !applied.includes(migration.name));
}

async function checkEmpty(queries: Queries, name: string): Promise<void> {
  const tables = (await queries.all<{ name: string }>(TABLES)).map((table) => table.name);
  if (tables.length === 0) return;
  const some = tables.length > 3 ? `${tables.slice(0, 3).join(", ")} and more` : tables.join(", ");
  throw new AppError("conflict", `The database ${name} has tables of another program: ${some}.`, {
    hint: "Make a database for Docent alone (CREATE DATABASE docent), and name it in database_url.",
  });
}

/** Applies a migration, unless another server has done it while this one waited. */
async function apply(database: Database, { name, sql, at }: Migration & { at: number }): Promise<void> {
  await database.inOneWrite(async (write) => {
    await write.run(LOCK);
    await write.run(CREATE);
    const applied = await write.all<{ name: string }>(APPLIED);
    if (applied.some((each) => each.name === name)) return;
    await write.script(sql);
    await write.run(RECORD, { name, at });
  });
}

function notUpgraded({ name }: About): AppError {
  return new AppError("unavailable", `The database ${name} has to be upgraded, and cannot be written.`, {
    hint: "Name the primary in database_url: a replica gets the upgrade from there.",
  });
}
