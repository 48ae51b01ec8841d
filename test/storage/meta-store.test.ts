import { describeMetaStore } from "../contract/meta-store.ts";
import { openTestStorage } from "../helpers/test-storage.ts";

describeMetaStore("SQLite", openTestStorage);
