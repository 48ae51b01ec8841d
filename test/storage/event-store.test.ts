import { describeEventStore } from "../contract/event-store.ts";
import { openTestStorage } from "../helpers/test-storage.ts";

describeEventStore("SQLite", openTestStorage);
