import { describeConversationListStore } from "../contract/conversation-list-store.ts";
import { openTestStorage } from "../helpers/test-storage.ts";

describeConversationListStore("SQLite", openTestStorage);
