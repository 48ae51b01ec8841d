import { describeSearchStore } from "../contract/search-store.ts";
import { openTestStorage } from "../helpers/test-storage.ts";

describeSearchStore("SQLite", openTestStorage);
