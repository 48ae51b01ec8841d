import { describeThreadStore } from "../contract/thread-store.ts";
import { hasPostgres } from "../helpers/postgres.ts";
import { openTestPostgres } from "../helpers/test-postgres.ts";
import { openTestStorage } from "../helpers/test-storage.ts";

describeThreadStore("SQLite", openTestStorage);
if (hasPostgres) describeThreadStore("PostgreSQL", openTestPostgres);
