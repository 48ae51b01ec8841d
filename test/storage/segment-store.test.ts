import { describeSegmentStore } from "../contract/segment-store.ts";
import { hasPostgres } from "../helpers/postgres.ts";
import { openTestPostgres } from "../helpers/test-postgres.ts";
import { openTestStorage } from "../helpers/test-storage.ts";

describeSegmentStore("SQLite", openTestStorage);
if (hasPostgres) describeSegmentStore("PostgreSQL", openTestPostgres, { isShared: true });
