import { describeGenerationStore } from "../contract/generation-store.ts";
import { openTestStorage } from "../helpers/test-storage.ts";

describeGenerationStore("SQLite", openTestStorage);
