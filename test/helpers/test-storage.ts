import { openSqlite, type SqliteStorage } from "../../src/storage/sqlite/sqlite.ts";
import type { Storage, StorageOptions } from "../../src/storage/storage.ts";
import { TEST_TIME } from "./fake-clock.ts";
import { prepareFile } from "./prepared-data.ts";
import { temporaryDirectory } from "./temporary-directory.ts";
import { quietLog } from "./test-log.ts";

type Stores = Storage["content"] & Storage["people"] & Storage["conversations"] & Storage["reports"];

/** All the stores of a storage side by side, as suites ask for them. */
export type OpenStorage = Stores & Omit<SqliteStorage, "content" | "people" | "conversations" | "reports">;

export type TestStorage = OpenStorage & Disposable & { directory: string };

type Opening = Partial<Pick<StorageOptions, "now" | "log" | "onUpgrade" | "waiting">>;

/** The storage of a directory, which stays when it is closed. */
export async function openStorageAt(
  directory: string,
  { now = TEST_TIME, log = quietLog(), onUpgrade, waiting }: Opening = {},
): Promise<OpenStorage> {
  const synchronous = "normal";
  const options = {
    directory,
    synchronous,
    backups: 3,
    locked: false,
    now,
    log,
    onUpgrade,
    waiting,
  } as const;
  const { content, people, conversations, reports, ...storage } = await openSqlite(options);
  return { ...storage, ...content, ...people, ...conversations, ...reports };
}

let empty: ReturnType<typeof prepareFile> | undefined;

/** Writes an empty database of SQLite's into a directory: to bring one up to date takes half of a server's start. */
export async function copyEmptyDatabase(directory: string): Promise<void> {
  empty ??= prepareFile(async (data) => void (await openStorageAt(data)).close());
  await (await empty)(directory);
}

/** An empty storage in a directory of its own, gone when the test is. Use it with `using`. */
export async function openTestStorage(options: Opening = {}): Promise<TestStorage> {
  const directory = temporaryDirectory();
  await copyEmptyDatabase(directory.path);
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
