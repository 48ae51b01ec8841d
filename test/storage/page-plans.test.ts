import { expect, test } from "bun:test";
import { PAGE_QUERIES } from "../../src/storage/content/pages.ts";
import { PAGE_IDS } from "../../src/storage/content/search.ts";
import { sqliteDialect } from "../../src/storage/sql/dialect.ts";
import { openTestStorage } from "../helpers/test-storage.ts";

async function planOf(sql: string): Promise<string> {
  using storage = await openTestStorage();
  const names = [...new Set(sql.match(/\$\w+/g))].map((name): [string, null] => [name.slice(1), null]);
  return storage.database
    .query<{ detail: string }, Record<string, null>>(`EXPLAIN QUERY PLAN ${sql}`)
    .all(Object.fromEntries(names))
    .map(({ detail }) => detail)
    .join("\n");
}

test.each(["count", "versions", "languages"] as const)("%s reads no page, only the index", async (name) => {
  expect(await planOf(PAGE_QUERIES[name].textFor(sqliteDialect))).toContain(
    "SEARCH pages USING COVERING INDEX pages_in_site",
  );
});

test("the pages that a filter allows are read from the index alone, each part from where the one before ended", async () => {
  const plan = await planOf(PAGE_IDS.textFor(sqliteDialect));
  expect(plan).toContain("USING COVERING INDEX pages_in_site (site_id=? AND kind=? AND id>?)");
  expect(plan).not.toContain("TEMP B-TREE");
});

test("a part of the navigation begins where the one before ended, and nothing is sorted", async () => {
  const plan = await planOf(PAGE_QUERIES.navigation.textFor(sqliteDialect));
  expect(plan).toContain("USING INDEX pages_in_site (site_id=? AND kind=? AND id>?)");
  expect(plan).not.toContain("TEMP B-TREE");
});
