import { describeImageStore } from "../contract/image-store.ts";
import { hasPostgres } from "../helpers/postgres.ts";
import { openTestPostgres } from "../helpers/test-postgres.ts";
import { openTestStorage } from "../helpers/test-storage.ts";

describeImageStore("SQLite", openTestStorage);
if (hasPostgres) describeImageStore("PostgreSQL", openTestPostgres);
