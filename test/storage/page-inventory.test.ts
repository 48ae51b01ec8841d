import { describePageInventory } from "../contract/page-inventory.ts";
import { openTestStorage } from "../helpers/test-storage.ts";

describePageInventory("SQLite", openTestStorage);
