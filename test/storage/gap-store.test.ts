import { describeGapStore } from "../contract/gap-store.ts";
import { openTestStorage } from "../helpers/test-storage.ts";

describeGapStore("SQLite", openTestStorage);
