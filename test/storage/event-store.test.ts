import { describeEventStore } from "../contract/event-store.ts";
import { hasPostgres } from "../helpers/postgres.ts";
import { openTestPostgres } from "../helpers/test-postgres.ts";
import { openTestStorage } from "../helpers/test-storage.ts";

describeEventStore("SQLite", openTestStorage);
if (hasPostgres) describeEventStore("PostgreSQL", openTestPostgres);
