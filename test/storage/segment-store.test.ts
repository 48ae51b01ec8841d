import { describeSegmentStore } from "../contract/segment-store.ts";
import { openTestStorage } from "../helpers/test-storage.ts";

describeSegmentStore("SQLite", openTestStorage);
