import { describeEnrichmentStore } from "../contract/enrichment-store.ts";
import { hasPostgres } from "../helpers/postgres.ts";
import { openTestPostgres } from "../helpers/test-postgres.ts";
import { openTestStorage } from "../helpers/test-storage.ts";

describeEnrichmentStore("SQLite", openTestStorage);
if (hasPostgres) describeEnrichmentStore("PostgreSQL", openTestPostgres);
