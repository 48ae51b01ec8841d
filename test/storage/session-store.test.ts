import { describeSessionStore } from "../contract/session-store.ts";
import { openTestStorage } from "../helpers/test-storage.ts";

describeSessionStore("SQLite", openTestStorage);
