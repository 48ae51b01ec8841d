import { describeKeyStore } from "../contract/key-store.ts";
import { openTestStorage } from "../helpers/test-storage.ts";

describeKeyStore("SQLite", openTestStorage);
