import { describeEvaluationStore } from "../contract/evaluation-store.ts";
import { openTestStorage } from "../helpers/test-storage.ts";

describeEvaluationStore("SQLite", openTestStorage);
