import { describeIngestStore } from "../contract/ingest-store.ts";
import { openTestStorage } from "../helpers/test-storage.ts";

describeIngestStore("SQLite", openTestStorage);
