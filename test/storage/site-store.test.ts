import { describeSiteStore } from "../contract/site-store.ts";
import { openTestStorage } from "../helpers/test-storage.ts";

describeSiteStore("SQLite", openTestStorage);
