import { describeMemberStore } from "../contract/member-store.ts";
import { openTestStorage } from "../helpers/test-storage.ts";

describeMemberStore("SQLite", openTestStorage);
