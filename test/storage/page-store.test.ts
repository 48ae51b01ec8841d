import { describePageStore } from "../contract/page-store.ts";
import { openTestStorage } from "../helpers/test-storage.ts";

describePageStore("SQLite", openTestStorage);
