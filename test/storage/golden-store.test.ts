import { describeGenerationReportStore } from "../contract/generation-report-store.ts";
import { describeGoldenStore } from "../contract/golden-store.ts";
import { hasPostgres } from "../helpers/postgres.ts";
import { openTestPostgres } from "../helpers/test-postgres.ts";
import { openTestStorage } from "../helpers/test-storage.ts";

describeGoldenStore("SQLite", openTestStorage);
describeGenerationReportStore("SQLite", openTestStorage);
if (hasPostgres) describeGoldenStore("PostgreSQL", openTestPostgres);
if (hasPostgres) describeGenerationReportStore("PostgreSQL", openTestPostgres);
