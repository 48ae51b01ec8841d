import { describeEvaluationStore } from "../contract/evaluation-store.ts";
import { hasPostgres } from "../helpers/postgres.ts";
import { openTestPostgres } from "../helpers/test-postgres.ts";
import { openTestStorage } from "../helpers/test-storage.ts";

describeEvaluationStore("SQLite", openTestStorage);
if (hasPostgres) describeEvaluationStore("PostgreSQL", openTestPostgres);
