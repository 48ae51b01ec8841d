import { describeSessionStore } from "../contract/session-store.ts";
import { hasPostgres } from "../helpers/postgres.ts";
import { openTestPostgres } from "../helpers/test-postgres.ts";
import { openTestStorage } from "../helpers/test-storage.ts";

describeSessionStore("SQLite", openTestStorage);
if (hasPostgres) describeSessionStore("PostgreSQL", openTestPostgres);
