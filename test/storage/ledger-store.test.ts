import { describeLedgerStore } from "../contract/ledger-store.ts";
import { openTestStorage } from "../helpers/test-storage.ts";

describeLedgerStore("SQLite", openTestStorage);
