import { describeMetaStore } from "../contract/meta-store.ts";
import { hasPostgres } from "../helpers/postgres.ts";
import { openTestPostgres } from "../helpers/test-postgres.ts";
import { openTestStorage } from "../helpers/test-storage.ts";

describeMetaStore("SQLite", openTestStorage);
if (hasPostgres) describeMetaStore("PostgreSQL", openTestPostgres);
