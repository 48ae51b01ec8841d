import { describeKeyStore } from "../contract/key-store.ts";
import { hasPostgres } from "../helpers/postgres.ts";
import { openTestPostgres } from "../helpers/test-postgres.ts";
import { openTestStorage } from "../helpers/test-storage.ts";

describeKeyStore("SQLite", openTestStorage);
if (hasPostgres) describeKeyStore("PostgreSQL", openTestPostgres);
