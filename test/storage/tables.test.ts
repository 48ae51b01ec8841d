import { describe, expect, test } from "bun:test";
import { getTableColumns, getTableName, is } from "drizzle-orm";
import { SQLiteTable } from "drizzle-orm/sqlite-core";
import { openDatabase } from "../../src/storage/postgres/database/database.ts";
import { openSqlite } from "../../src/storage/sqlite/sqlite.ts";
import * as content from "../../src/storage/tables/content.ts";
import * as conversations from "../../src/storage/tables/conversations.ts";
import * as people from "../../src/storage/tables/people.ts";
import * as reports from "../../src/storage/tables/reports.ts";
import { TEST_TIME } from "../helpers/fake-clock.ts";
import { hasPostgres, newDatabase } from "../helpers/postgres.ts";
import { temporaryDirectory } from "../helpers/temporary-directory.ts";
import { quietLog } from "../helpers/test-log.ts";
import { openTestPostgres } from "../helpers/test-postgres.ts";
import { openTestStorage } from "../helpers/test-storage.ts";

interface ColumnInfo {
  name: string;
  type: string;
  notnull: number;
  pk: number;
  dflt_value: string | null;
}

const described = [people, content, conversations, reports].flatMap((room) =>
  Object.values(room).filter((value) => is(value, SQLiteTable)),
);

const PUBLIC_COLUMNS = `
  SELECT table_name || '.' || column_name AS column, data_type AS type, is_nullable AS nullable
  FROM information_schema.columns WHERE table_schema = 'public'`;

async function queryPostgres(url: string, text: string) {
  const database = openDatabase({ url, connectionsMax: 1, connectSecondsMax: 5 });
  const rows = await database.all<{ column: string; type: string; nullable: string }>(text);
  await database.close();
  return rows;
}

/** The tables that migrations made, without SQLite's own. */
const OWN_TABLES = `
  SELECT name FROM sqlite_master
  WHERE type = 'table' AND name NOT LIKE 'sqlite_%'
  ORDER BY name`;

/** Columns that PostgreSQL alone has: of what several servers do at the same time. */
const OF_POSTGRES = [
  "cached_answers.query",
  "generations.holder",
  "organizations.number",
  "sites.removed",
  "sources.claimed_by",
  "sources.claimed_until",
  "turns.server_id",
];

/** What a column of PostgreSQL is called where it is described. */
const TYPES: Readonly<Record<string, string>> = {
  boolean: "boolean",
  bytea: "buffer",
  text: "string",
  integer: "number",
  bigint: "number",
  real: "number",
  "double precision": "number",
};

test.if(hasPostgres)("PostgreSQL has every described column, of the same type, and no others", async () => {
  const url = await newDatabase();
  using _ = await openTestPostgres({ url });
  const columns = (await queryPostgres(url, PUBLIC_COLUMNS)).map(({ column, type, nullable }) => [
    column,
    TYPES[type] ?? type,
    nullable === "NO",
  ]);
  const names = described.map((table) => getTableName(table));
  const isDescribed = ([column]: unknown[]) =>
    names.some((name) => String(column).startsWith(`${name}.`)) && !OF_POSTGRES.includes(String(column));
  const inCode = described.flatMap((table) =>
    Object.values(getTableColumns(table)).map((column) => [
      `${getTableName(table)}.${column.name}`,
      column.dataType,
      column.notNull || column.primary,
    ]),
  );
  expect(columns.filter(isDescribed).toSorted()).toEqual(inCode.toSorted());
});

describe("the tables that are described, and the migrated schema", () => {
  test("there is something to compare", () => {
    expect(described.length).toBeGreaterThan(5);
  });

  for (const table of described) {
    test(`${getTableName(table)} is the same in both, column by column`, async () => {
      using storage = await openTestStorage();
      const columns = storage.database
        .query<ColumnInfo, [string]>('SELECT name, type, "notnull", pk, dflt_value FROM pragma_table_info(?)')
        .all(getTableName(table));
      const inDatabase = columns.map(({ name, type, notnull, pk }) => ({
        name,
        type,
        // A key that SQLite does not call NOT NULL: the table is STRICT and the key INTEGER, or WITHOUT ROWID.
        isNotNull: notnull === 1 || pk > 0,
      }));
      const inCode = Object.values(getTableColumns(table)).map((column) => ({
        name: column.name,
        type: column.getSQLType().toUpperCase(),
        isNotNull: column.notNull || column.primary,
      }));
      expect(inCode).toEqual(inDatabase);
    });

    test(`what the code may leave out of ${getTableName(table)} has the same default in both`, async () => {
      using storage = await openTestStorage();
      const columns = storage.database
        .query<ColumnInfo, [string]>("SELECT name, dflt_value FROM pragma_table_info(?)")
        .all(getTableName(table));
      const inDatabase = columns.map(({ name, dflt_value }) => [name, dflt_value]);
      const inCode = Object.values(getTableColumns(table)).map((column) => [
        column.name,
        column.hasDefault && column.default !== undefined ? literal(column.default) : null,
      ]);
      expect(inCode).toEqual(inDatabase);
    });
  }

  test("every table that the code does not describe is one it reads by plain SQL", async () => {
    using storage = await openTestStorage();
    const names = storage.database
      .query<{ name: string }, []>(OWN_TABLES)
      .all()
      .map(({ name }) => name);
    const known: string[] = described.map((table) => getTableName(table));
    expect(names.filter((name) => !known.includes(name))).toEqual(["migrations", "segment_rows"]);
    expect(known.filter((name) => !names.includes(name))).toEqual([]);
  });

  test("every table is STRICT", async () => {
    using storage = await openTestStorage();
    const lax = storage.database
      .query<{ name: string }, []>("SELECT name FROM pragma_table_list WHERE type = 'table' AND strict = 0")
      .all()
      .map(({ name }) => name)
      .filter((name) => !name.startsWith("sqlite_"));
    expect(lax).toEqual([]);
  });

  test("a column that holds JSON says so in its name, and no other does", async () => {
    using storage = await openTestStorage();
    const tablesInUse = storage.database.query<{ name: string }, []>(OWN_TABLES).all();
    const columns = tablesInUse.flatMap(({ name }) =>
      storage.database
        .query<ColumnInfo, [string]>("SELECT name, type, dflt_value FROM pragma_table_info(?)")
        .all(name)
        .map((column) => ({ ...column, table: name })),
    );
    for (const { table, name, type, dflt_value } of columns) {
      const looksLikeJson = /^'[[{]/.test(dflt_value ?? "");
      if (looksLikeJson || name.endsWith("_json"))
        expect([table, name, type]).toEqual([table, expect.stringMatching(/_json$/), "TEXT"]);
    }
    const json = columns
      .filter(({ name }) => name.endsWith("_json"))
      .map(({ table, name }) => `${table}.${name}`);
    expect(json.sort()).toEqual([
      "assistant_keys.addresses_json",
      "audit_entries.details_json",
      "audit_entries.organizations_json",
      "cached_answers.answer_json",
      "enrichment_measures.measure_json",
      "enrichments.questions_json",
      "enrichments.words_json",
      "evaluation_questions.expected_json",
      "generation_reports.report_json",
      "generations.counts_json",
      "generations.menu_json",
      "generations.redirects_json",
      "golden_checks.comparison_json",
      "golden_questions.expected_json",
      "golden_questions.groups_json",
      "ledger.links_json",
      "notice_destinations.kinds_json",
      "notices.notice_json",
      "pages.front_matter_json",
      "pages.groups_json",
      "pages.tags_json",
      "pages.translations_json",
      "passages.headings_json",
      "passages.identifiers_json",
      "passages.inner_headings_json",
      "passages.languages_json",
      "published_pages.headings_json",
      "published_pages.places_json",
      "reader_sessions.groups_json",
      "sites.settings_json",
      "source_runs.addresses_json",
      "source_runs.counts_json",
      "source_runs.docs_json",
      "sources.options_json",
      "turns.audience_json",
      "turns.cited_json",
      "turns.filter_json",
      "turns.looks_json",
      "turns.retrieved_json",
      "turns.rewritten_json",
    ]);
  });

  test("everything that belongs to a site goes with it", async () => {
    using storage = await openTestStorage();
    for (const { name } of storage.database.query<{ name: string }, []>(OWN_TABLES).all()) {
      const columns = storage.database
        .query<ColumnInfo, [string]>("SELECT name FROM pragma_table_info(?)")
        .all(name);
      if (!columns.some((column) => column.name === "site_id")) continue;
      const keys = storage.database
        .query<{ from: string; table: string; on_delete: string }, [string]>(
          'SELECT "from", "table", on_delete FROM pragma_foreign_key_list(?)',
        )
        .all(name);
      const toSite = keys.find((key) => key.from === "site_id");
      expect([name, toSite?.table, toSite?.on_delete]).toEqual([name, "sites", "CASCADE"]);
    }
  });

  test("no more of a database is kept in memory than said, and little where nothing is", async () => {
    using directory = temporaryDirectory();
    const kept = async (memoryBytes?: number) => {
      const options = {
        directory: directory.path,
        synchronous: "normal",
        backups: 1,
        locked: false,
      } as const;
      const storage = await openSqlite({ ...options, now: TEST_TIME, log: quietLog(), memoryBytes });
      const row = storage.database.query<{ cache_size: number }, []>("PRAGMA cache_size").get();
      storage.close();
      // Less than nothing is in KiB.
      return (row?.cache_size ?? 0) * -1024;
    };
    expect(await kept(64_000_000)).toBe(64_000_000);
    expect(await kept()).toBe(16_000_000);
  });

  test("a new database has pages in which two passages have room", async () => {
    using storage = await openTestStorage();
    expect(storage.database.query("PRAGMA page_size").get()).toEqual({ page_size: 8192 });
  });
});

/** A default as SQLite writes it. */
function literal(value: unknown): string {
  if (typeof value === "boolean") return value ? "1" : "0";
  return typeof value === "string" ? `'${value}'` : String(value);
}
