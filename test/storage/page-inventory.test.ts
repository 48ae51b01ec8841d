import { describePageInventory } from "../contract/page-inventory.ts";
import { hasPostgres } from "../helpers/postgres.ts";
import { openTestPostgres } from "../helpers/test-postgres.ts";
import { openTestStorage } from "../helpers/test-storage.ts";

describePageInventory("SQLite", openTestStorage);
if (hasPostgres) describePageInventory("PostgreSQL", openTestPostgres);
