import { describeThreadStore } from "../contract/thread-store.ts";
import { openTestStorage } from "../helpers/test-storage.ts";

describeThreadStore("SQLite", openTestStorage);
