import { describeLimitStore } from "../contract/limit-store.ts";
import { openTestStorage } from "../helpers/test-storage.ts";

describeLimitStore("SQLite", openTestStorage);
