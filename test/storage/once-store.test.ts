import { describeOnceStore } from "../contract/once-store.ts";
import { memoryOnce } from "../helpers/memory-once.ts";
import { hasPostgres } from "../helpers/postgres.ts";
import { openTestPostgres } from "../helpers/test-postgres.ts";
import { openTestStorage } from "../helpers/test-storage.ts";

describeOnceStore("SQLite", openTestStorage);
if (hasPostgres) describeOnceStore("PostgreSQL", openTestPostgres);
describeOnceStore("memory", async () => ({ once: memoryOnce(), [Symbol.dispose]() {} }));
