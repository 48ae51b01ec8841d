import { describeOverviewStore } from "../contract/overview-store.ts";
import { hasPostgres } from "../helpers/postgres.ts";
import { openTestPostgres } from "../helpers/test-postgres.ts";
import { openTestStorage } from "../helpers/test-storage.ts";

describeOverviewStore("SQLite", openTestStorage);
if (hasPostgres) describeOverviewStore("PostgreSQL", openTestPostgres);
