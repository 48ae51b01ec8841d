import { describeSearchLogStore } from "../contract/search-log-store.ts";
import { openTestStorage } from "../helpers/test-storage.ts";

describeSearchLogStore("SQLite", openTestStorage);
