import { describeSiteStore } from "../contract/site-store.ts";
import { hasPostgres } from "../helpers/postgres.ts";
import { openTestPostgres } from "../helpers/test-postgres.ts";
import { openTestStorage } from "../helpers/test-storage.ts";

describeSiteStore("SQLite", openTestStorage);
if (hasPostgres) describeSiteStore("PostgreSQL", openTestPostgres);
