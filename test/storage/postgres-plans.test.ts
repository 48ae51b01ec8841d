import { expect, test } from "bun:test";
import { openDatabase } from "../../src/storage/postgres/database/database.ts";
import { FIGURES, OUTCOMES } from "../../src/storage/reports/overview.ts";
import { postgresDialect } from "../../src/storage/sql/dialect.ts";
import type { Statement } from "../../src/storage/sql/statement.ts";
import { hasPostgres, newDatabase, queryNow } from "../helpers/postgres.ts";
import { addSite } from "../helpers/site-data.ts";
import { openTestPostgres } from "../helpers/test-postgres.ts";

const TURNS = 5000;

test.if(hasPostgres)("what an overview counts is in an index alone", async () => {
  const url = await newDatabase();
  using storage = await openTestPostgres({ url });
  const site = await addSite(storage.sites, "docs");
  const name = new URL(url).pathname.slice(1);
  const many = `generate_series(1, ${TURNS}) AS n`;
  queryNow(name, `INSERT INTO threads SELECT n::text, ${site.id}, n, n FROM ${many}`, []);
  // What is not written to the disk yet is not known to be visible to all.
  queryNow(
    name,
    `SET synchronous_commit = on; INSERT INTO turns (id, thread_id, site_id, position, question_message_id, fp, caller, question, outcome, created_at)
     SELECT n::text, n::text, ${site.id}, 0, 'q', n % 99, 'web', repeat('why so ', 250), 'answered', n FROM ${many}`,
    [],
  );
  queryNow(name, "VACUUM ANALYZE turns", []);
  const database = openDatabase({ url, connectionsMax: 1, connectSecondsMax: 5 });
  const planOf = async (query: Statement<unknown>, values: Record<string, number | string>) => {
    const asked = { siteId: site.id, ...values };
    const rows = await database.all<Record<string, string>>(
      `EXPLAIN ${query.textFor(postgresDialect)}`,
      asked,
    );
    return rows.flatMap((row) => Object.values(row)).join("\n");
  };
  for (const [from, to] of [
    [0, TURNS],
    [TURNS - 200, TURNS],
  ] as const) {
    expect(await planOf(FIGURES, { from, to })).toContain("Index Only Scan using turns_in_overview");
    expect(
      await planOf(OUTCOMES, { rangesJson: JSON.stringify([{ range: 0, begins: from, ends: to }]) }),
    ).toContain("Index Only Scan using turns_in_overview");
  }
  await database.close();
});
