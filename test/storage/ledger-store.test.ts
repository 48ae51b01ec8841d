import { describeLedgerStore } from "../contract/ledger-store.ts";
import { hasPostgres } from "../helpers/postgres.ts";
import { openTestPostgres } from "../helpers/test-postgres.ts";
import { openTestStorage } from "../helpers/test-storage.ts";

describeLedgerStore("SQLite", openTestStorage);
if (hasPostgres) describeLedgerStore("PostgreSQL", openTestPostgres);
