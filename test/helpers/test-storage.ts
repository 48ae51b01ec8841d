import type { Log } from "../../src/lib/log.ts";
import { openStorage, type Storage } from "../../src/storage/sqlite/sqlite.ts";
import { TEST_TIME } from "./fake-clock.ts";
import { temporaryDirectory } from "./temporary-directory.ts";
import { quietLog } from "./test-log.ts";

export interface TestStorage extends Storage, Disposable {
  directory: string;
}

/** The storage of a directory, which stays when it is closed. */
export function openStorageAt(
  directory: string,
  { now = TEST_TIME, log = quietLog() } = {},
): Promise<Storage> {
  return openStorage({ directory, synchronous: "normal", backups: 3, locked: false, now, log });
}

/** An empty storage in a directory of its own, gone when the test is. Use it with `using`. */
export async function openTestStorage(options: { now?: number; log?: Log } = {}): Promise<TestStorage> {
  const directory = temporaryDirectory();
  const storage = await openStorageAt(directory.path, options);
  return {
    ...storage,
    directory: directory.path,
    [Symbol.dispose]() {
      storage.close();
      directory[Symbol.dispose]();
    },
  };
}
