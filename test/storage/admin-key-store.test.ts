import { describeAdminKeyStore } from "../contract/admin-key-store.ts";
import { openTestStorage } from "../helpers/test-storage.ts";

describeAdminKeyStore("SQLite", openTestStorage);
