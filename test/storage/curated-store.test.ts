import { describeCuratedStore } from "../contract/curated-store.ts";
import { hasPostgres } from "../helpers/postgres.ts";
import { openTestPostgres } from "../helpers/test-postgres.ts";
import { openTestStorage } from "../helpers/test-storage.ts";

describeCuratedStore("SQLite", openTestStorage);
if (hasPostgres) describeCuratedStore("PostgreSQL", openTestPostgres);
