import { describeTurnStore } from "../contract/turn-store.ts";
import { openTestStorage } from "../helpers/test-storage.ts";

describeTurnStore("SQLite", openTestStorage);
