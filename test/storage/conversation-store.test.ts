import { describeConversationStore } from "../contract/conversation-store.ts";
import { openTestStorage } from "../helpers/test-storage.ts";

describeConversationStore("SQLite", openTestStorage);
