import { describeIngestStore } from "../contract/ingest-store.ts";
import { hasPostgres } from "../helpers/postgres.ts";
import { openTestPostgres } from "../helpers/test-postgres.ts";
import { openTestStorage } from "../helpers/test-storage.ts";

describeIngestStore("SQLite", openTestStorage);
if (hasPostgres) describeIngestStore("PostgreSQL", openTestPostgres);
