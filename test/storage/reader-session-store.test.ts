import { describeReaderSessionStore } from "../contract/reader-session-store.ts";
import { hasPostgres } from "../helpers/postgres.ts";
import { openTestPostgres } from "../helpers/test-postgres.ts";
import { openTestStorage } from "../helpers/test-storage.ts";

describeReaderSessionStore("SQLite", openTestStorage);
if (hasPostgres) describeReaderSessionStore("PostgreSQL", openTestPostgres);
