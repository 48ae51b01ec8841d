import { describeSiteSecretStore } from "../contract/site-secret-store.ts";
import { hasPostgres } from "../helpers/postgres.ts";
import { openTestPostgres } from "../helpers/test-postgres.ts";
import { openTestStorage } from "../helpers/test-storage.ts";

describeSiteSecretStore("SQLite", openTestStorage);
if (hasPostgres) describeSiteSecretStore("PostgreSQL", openTestPostgres);
