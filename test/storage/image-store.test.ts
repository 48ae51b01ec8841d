import { describeImageStore } from "../contract/image-store.ts";
import { openTestStorage } from "../helpers/test-storage.ts";

describeImageStore("SQLite", openTestStorage);
