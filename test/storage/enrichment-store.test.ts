import { describeEnrichmentStore } from "../contract/enrichment-store.ts";
import { openTestStorage } from "../helpers/test-storage.ts";

describeEnrichmentStore("SQLite", openTestStorage);
