import { describeTurnStore } from "../contract/turn-store.ts";
import { hasPostgres } from "../helpers/postgres.ts";
import { openTestPostgres } from "../helpers/test-postgres.ts";
import { openTestStorage } from "../helpers/test-storage.ts";

describeTurnStore("SQLite", openTestStorage);
if (hasPostgres) describeTurnStore("PostgreSQL", openTestPostgres);
