import { describeAdminKeyStore } from "../contract/admin-key-store.ts";
import { hasPostgres } from "../helpers/postgres.ts";
import { openTestPostgres } from "../helpers/test-postgres.ts";
import { openTestStorage } from "../helpers/test-storage.ts";

describeAdminKeyStore("SQLite", openTestStorage);
if (hasPostgres) describeAdminKeyStore("PostgreSQL", openTestPostgres);
