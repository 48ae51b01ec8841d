import { describeLimitStore } from "../contract/limit-store.ts";
import { createMemoryLimitStore, createSharedMemoryLimitStore } from "../helpers/memory-limit-store.ts";
import { hasPostgres } from "../helpers/postgres.ts";
import { openTestPostgres } from "../helpers/test-postgres.ts";
import { openTestStorage } from "../helpers/test-storage.ts";

describeLimitStore("SQLite", openTestStorage);
if (hasPostgres) describeLimitStore("PostgreSQL", openTestPostgres);
describeLimitStore("memory", async () => ({ limits: createMemoryLimitStore(), [Symbol.dispose]() {} }));
describeLimitStore("memory that is shared", async () => ({
  limits: createSharedMemoryLimitStore(),
  [Symbol.dispose]() {},
}));
