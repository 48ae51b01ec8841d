import { describePageStore } from "../contract/page-store.ts";
import { hasPostgres } from "../helpers/postgres.ts";
import { openTestPostgres } from "../helpers/test-postgres.ts";
import { openTestStorage } from "../helpers/test-storage.ts";

describePageStore("SQLite", openTestStorage);
if (hasPostgres) describePageStore("PostgreSQL", openTestPostgres);
