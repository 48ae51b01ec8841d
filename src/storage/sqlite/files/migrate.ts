import type { Database } from "bun:sqlite";
import { AppError } from "@docent/kernel/errors";
import initial from "../../../../migrations/0001_initial.sql" with { type: "text" };
import sources from "../../../../migrations/0002_sources.sql" with { type: "text" };
import answers from "../../../../migrations/0003_answers.sql" with { type: "text" };
import doors from "../../../../migrations/0004_doors.sql" with { type: "text" };
import analytics from "../../../../migrations/0005_analytics.sql" with { type: "text" };
import gaps from "../../../../migrations/0006_gaps.sql" with { type: "text" };
import members from "../../../../migrations/0007_members.sql" with { type: "text" };
import overview from "../../../../migrations/0008_overview.sql" with { type: "text" };
import pagesInSite from "../../../../migrations/0009_pages_in_site.sql" with { type: "text" };
import previousTurns from "../../../../migrations/0010_previous_turns.sql" with { type: "text" };
import segments from "../../../../migrations/0011_segments.sql" with { type: "text" };
import withoutFts5 from "../../../../migrations/0012_without_fts5.sql" with { type: "text" };
import secondTry from "../../../../migrations/0013_second_try.sql" with { type: "text" };
import calibrations from "../../../../migrations/0014_calibrations.sql" with { type: "text" };
import menus from "../../../../migrations/0015_menus.sql" with { type: "text" };
import images from "../../../../migrations/0016_images.sql" with { type: "text" };
import redirects from "../../../../migrations/0017_redirects.sql" with { type: "text" };
import generators from "../../../../migrations/0018_generators.sql" with { type: "text" };
import recognized from "../../../../migrations/0019_recognized.sql" with { type: "text" };
import enrichments from "../../../../migrations/0020_enrichments.sql" with { type: "text" };
import pageMarks from "../../../../migrations/0021_page_marks.sql" with { type: "text" };
import looks from "../../../../migrations/0022_looks.sql" with { type: "text" };
import questions from "../../../../migrations/0023_questions.sql" with { type: "text" };
import audit from "../../../../migrations/0024_audit.sql" with { type: "text" };
import audiences from "../../../../migrations/0025_audiences.sql" with { type: "text" };
import signIn from "../../../../migrations/0026_sign_in.sql" with { type: "text" };
import readers from "../../../../migrations/0027_readers.sql" with { type: "text" };
import golden from "../../../../migrations/0028_golden.sql" with { type: "text" };
import notices from "../../../../migrations/0029_notices.sql" with { type: "text" };
import appChats from "../../../../migrations/0030_app_chats.sql" with { type: "text" };
import keptWords from "../../../../migrations/0031_kept_words.sql" with { type: "text" };
import touched from "../../../../migrations/0032_touched.sql" with { type: "text" };
import writtenVectors from "../../../../migrations/0033_written_vectors.sql" with { type: "text" };
import carriedCalibrations from "../../../../migrations/0034_carried_calibrations.sql" with { type: "text" };
import publishedPages from "../../../../migrations/0035_published_pages.sql" with { type: "text" };

interface Migration {
  name: string;
  sql: string;
}

/** Every migration there has been, in order. Never changed once released: a new one goes to the end. */
export const MIGRATIONS: readonly Migration[] = [
  { name: "0001_initial", sql: initial },
  { name: "0002_sources", sql: sources },
  { name: "0003_answers", sql: answers },
  { name: "0004_doors", sql: doors },
  { name: "0005_analytics", sql: analytics },
  { name: "0006_gaps", sql: gaps },
  { name: "0007_members", sql: members },
  { name: "0008_overview", sql: overview },
  { name: "0009_pages_in_site", sql: pagesInSite },
  { name: "0010_previous_turns", sql: previousTurns },
  { name: "0011_segments", sql: segments },
  { name: "0012_without_fts5", sql: withoutFts5 },
  { name: "0013_second_try", sql: secondTry },
  { name: "0014_calibrations", sql: calibrations },
  { name: "0015_menus", sql: menus },
  { name: "0016_images", sql: images },
  { name: "0017_redirects", sql: redirects },
  { name: "0018_generators", sql: generators },
  { name: "0019_recognized", sql: recognized },
  { name: "0020_enrichments", sql: enrichments },
  { name: "0021_page_marks", sql: pageMarks },
  { name: "0022_looks", sql: looks },
  { name: "0023_questions", sql: questions },
  { name: "0024_audit", sql: audit },
  { name: "0025_audiences", sql: audiences },
  { name: "0026_sign_in", sql: signIn },
  { name: "0027_readers", sql: readers },
  { name: "0028_golden", sql: golden },
  { name: "0029_notices", sql: notices },
  { name: "0030_app_chats", sql: appChats },
  { name: "0031_kept_words", sql: keptWords },
  { name: "0032_touched", sql: touched },
  { name: "0033_written_vectors", sql: writtenVectors },
  { name: "0034_carried_calibrations", sql: carriedCalibrations },
  { name: "0035_published_pages", sql: publishedPages },
];

/** How far a database is behind this binary. Raises `conflict` for one that is ahead of it. */
export function pendingMigrations(database: Database, migrations = MIGRATIONS): Migration[] {
  const applied = appliedMigrations(database);
  const unknown = applied.filter((name) => !migrations.some((migration) => migration.name === name));
  if (unknown.length > 0) {
    throw new AppError(
      "conflict",
      `This database was used by a newer Docent (it has ${unknown.join(", ")}).`,
      {
        hint: "Use that version or a later one, or restore a backup that was made before the upgrade (data directory, backups/).",
      },
    );
  }
  return migrations.filter((migration) => !applied.includes(migration.name));
}

/** Names of the migrations that a database has; none for a new one. */
export function appliedMigrations(database: Database): string[] {
  const table = database
    .query("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'migrations'")
    .get();
  if (table === null) return [];
  return database
    .query<{ name: string }, []>("SELECT name FROM migrations ORDER BY name")
    .all()
    .map((row) => row.name);
}

/** Applies migrations, each in its own transaction, so that one which fails leaves the database as it was before it. */
export function applyMigrations(database: Database, migrations: Migration[], at: number): void {
  database.run(
    "CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY, applied_at INTEGER NOT NULL) STRICT",
  );
  const record = database.query("INSERT INTO migrations (name, applied_at) VALUES (?, ?)");
  for (const migration of migrations) {
    database
      .transaction(() => {
        database.run(migration.sql);
        record.run(migration.name, at);
      })
      .exclusive();
  }
}
