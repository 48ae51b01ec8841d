import { describeConversationListStore } from "../contract/conversation-list-store.ts";
import { hasPostgres } from "../helpers/postgres.ts";
import { openTestPostgres } from "../helpers/test-postgres.ts";
import { openTestStorage } from "../helpers/test-storage.ts";

describeConversationListStore("SQLite", openTestStorage);
if (hasPostgres) describeConversationListStore("PostgreSQL", openTestPostgres);
