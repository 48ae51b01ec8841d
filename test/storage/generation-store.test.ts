import { describeGenerationStore } from "../contract/generation-store.ts";
import { hasPostgres } from "../helpers/postgres.ts";
import { openTestPostgres } from "../helpers/test-postgres.ts";
import { openTestStorage } from "../helpers/test-storage.ts";

describeGenerationStore("SQLite", openTestStorage);
if (hasPostgres) describeGenerationStore("PostgreSQL", openTestPostgres);
