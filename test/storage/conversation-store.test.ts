import { describeConversationStore } from "../contract/conversation-store.ts";
import { hasPostgres } from "../helpers/postgres.ts";
import { openTestPostgres } from "../helpers/test-postgres.ts";
import { openTestStorage } from "../helpers/test-storage.ts";

describeConversationStore("SQLite", openTestStorage);
if (hasPostgres) describeConversationStore("PostgreSQL", openTestPostgres);
