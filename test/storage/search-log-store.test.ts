import { describeSearchLogStore } from "../contract/search-log-store.ts";
import { hasPostgres } from "../helpers/postgres.ts";
import { openTestPostgres } from "../helpers/test-postgres.ts";
import { openTestStorage } from "../helpers/test-storage.ts";

describeSearchLogStore("SQLite", openTestStorage);
if (hasPostgres) describeSearchLogStore("PostgreSQL", openTestPostgres);
