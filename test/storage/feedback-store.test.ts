import { describeFeedbackStore } from "../contract/feedback-store.ts";
import { openTestStorage } from "../helpers/test-storage.ts";

describeFeedbackStore("SQLite", openTestStorage);
