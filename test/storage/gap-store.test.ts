import { describeGapStore } from "../contract/gap-store.ts";
import { hasPostgres } from "../helpers/postgres.ts";
import { openTestPostgres } from "../helpers/test-postgres.ts";
import { openTestStorage } from "../helpers/test-storage.ts";

describeGapStore("SQLite", openTestStorage);
if (hasPostgres) describeGapStore("PostgreSQL", openTestPostgres);
