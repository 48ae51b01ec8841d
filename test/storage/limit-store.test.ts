import { describeLimitStore } from "../contract/limit-store.ts";
import { createMemoryLimitStore } from "../helpers/memory-limit-store.ts";
import { openTestStorage } from "../helpers/test-storage.ts";

describeLimitStore("SQLite", openTestStorage);
describeLimitStore("memory", async () => ({ limits: createMemoryLimitStore(), [Symbol.dispose]() {} }));
