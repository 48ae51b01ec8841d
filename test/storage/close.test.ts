import { expect, test } from "bun:test";
import { temporaryDirectory } from "../helpers/temporary-directory.ts";
import { openStorageAt } from "../helpers/test-storage.ts";

test("a storage whose write-ahead log cannot be taken in is closed all the same", async () => {
  using directory = temporaryDirectory();
  const storage = await openStorageAt(directory.path);
  // Stands for a disk that is full or became read-only: SQLite refuses the checkpoint.
  storage.database.run("BEGIN IMMEDIATE");
  expect(() => storage.close()).not.toThrow();
});
