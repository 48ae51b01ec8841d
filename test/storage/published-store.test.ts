import { describePublishedStore } from "../contract/published-store.ts";
import { hasPostgres } from "../helpers/postgres.ts";
import { openTestPostgres } from "../helpers/test-postgres.ts";
import { openTestStorage } from "../helpers/test-storage.ts";

describePublishedStore("SQLite", openTestStorage);
if (hasPostgres) describePublishedStore("PostgreSQL", openTestPostgres);
