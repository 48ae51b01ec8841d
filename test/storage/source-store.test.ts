import { describeSourceStore } from "../contract/source-store.ts";
import { hasPostgres } from "../helpers/postgres.ts";
import { openTestPostgres } from "../helpers/test-postgres.ts";
import { openTestStorage } from "../helpers/test-storage.ts";

describeSourceStore("SQLite", openTestStorage);
if (hasPostgres) describeSourceStore("PostgreSQL", openTestPostgres);
