import { describeOverviewStore } from "../contract/overview-store.ts";
import { openTestStorage } from "../helpers/test-storage.ts";

describeOverviewStore("SQLite", openTestStorage);
