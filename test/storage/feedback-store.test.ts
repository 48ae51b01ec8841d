import { describeFeedbackStore } from "../contract/feedback-store.ts";
import { hasPostgres } from "../helpers/postgres.ts";
import { openTestPostgres } from "../helpers/test-postgres.ts";
import { openTestStorage } from "../helpers/test-storage.ts";

describeFeedbackStore("SQLite", openTestStorage);
if (hasPostgres) describeFeedbackStore("PostgreSQL", openTestPostgres);
