import { expect, test } from "bun:test";
import { copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { backUp, backUpBeforeUpgrade } from "../../src/storage/sqlite/files/backup.ts";
import { DATABASE_FILE } from "../../src/storage/sqlite/files/open.ts";
import { restore } from "../../src/storage/sqlite/files/restore.ts";
import { TEST_TIME } from "../helpers/fake-clock.ts";
import { recordingDisk } from "../helpers/stopped-disk.ts";
import { temporaryDirectory } from "../helpers/temporary-directory.ts";
import { openTestStorage } from "../helpers/test-storage.ts";

// A power cut keeps what was synced, and any part of the rest in any order: the order of the steps is the guarantee.

const KEPT = "before-restore-2026-01-02T03-04-05.000Z.db";

test("a backup has its name only when its content is on the disk, and is done when its name is", async () => {
  using storage = await openTestStorage();
  const { disk, steps } = recordingDisk();
  backUp(storage.database, join(storage.directory, "b.db"), disk);
  expect(steps).toEqual([
    "syncFile b.db.partial",
    "rename b.db.partial b.db",
    `syncFolder ${storage.directory.split("/").at(-1)}`,
  ]);
});

test("the backup before an upgrade is on the disk, with the folder that holds it, before it is told of", async () => {
  using storage = await openTestStorage();
  const { disk, steps } = recordingDisk();
  backUpBeforeUpgrade(storage.database, storage.directory, TEST_TIME, 3, disk);
  const name = "before-upgrade-2026-01-02T03-04-05.000Z.db";
  expect(steps).toEqual([
    `syncFolder ${storage.directory.split("/").at(-1)}`,
    `syncFile ${name}.partial`,
    `rename ${name}.partial ${name}`,
    "syncFolder backups",
  ]);
});

test("a restored database takes the old one's place when both are on the disk and no log is left for it", async () => {
  using directory = temporaryDirectory();
  using storage = await openTestStorage();
  const backup = join(directory.path, "b.db");
  backUp(storage.database, backup);
  const data = join(directory.path, "data");
  mkdirSync(data);
  for (const suffix of ["", "-wal"])
    copyFileSync(join(storage.directory, DATABASE_FILE + suffix), join(data, DATABASE_FILE + suffix));
  const { disk, steps } = recordingDisk();
  restore(data, backup, TEST_TIME, { disk });
  expect(steps).toEqual([
    "syncFile docent.db.incoming",
    "syncFolder data",
    `syncFile ${KEPT}.partial`,
    `rename ${KEPT}.partial ${KEPT}`,
    "syncFolder backups",
    ...["-wal", "-shm", "-journal"].map((suffix) => `remove docent.db${suffix}`),
    "syncFolder data",
    "rename docent.db.incoming docent.db",
    "syncFolder data",
  ]);
});
