import { describeCuratedStore } from "../contract/curated-store.ts";
import { openTestStorage } from "../helpers/test-storage.ts";

describeCuratedStore("SQLite", openTestStorage);
