import { createSearchStore } from "../../src/storage/content/search.ts";
import { createSqliteSql } from "../../src/storage/sqlite/sql.ts";
import { describeSearchFilters } from "../contract/search-filters.ts";
import { describeSearchStore } from "../contract/search-store.ts";
import { hasPostgres } from "../helpers/postgres.ts";
import { openTestPostgres } from "../helpers/test-postgres.ts";
import { openTestStorage } from "../helpers/test-storage.ts";

/** As where sqlite-vec cannot be loaded. */
async function openWithoutVectors() {
  const storage = await openTestStorage();
  return { ...storage, search: createSearchStore(createSqliteSql(storage.database), { hasVectors: false }) };
}

describeSearchStore("SQLite", openTestStorage);
if (hasPostgres) describeSearchStore("PostgreSQL", openTestPostgres);
describeSearchFilters("SQLite with sqlite-vec", openTestStorage);
if (hasPostgres) describeSearchFilters("PostgreSQL", openTestPostgres);
describeSearchFilters("SQLite without sqlite-vec", openWithoutVectors);
