import { describeSourceStore } from "../contract/source-store.ts";
import { openTestStorage } from "../helpers/test-storage.ts";

describeSourceStore("SQLite", openTestStorage);
