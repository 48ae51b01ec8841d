import { describeVectorStore } from "../contract/vector-store.ts";
import { openTestStorage } from "../helpers/test-storage.ts";

describeVectorStore("SQLite", openTestStorage);
