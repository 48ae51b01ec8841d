import { expect, test } from "bun:test";
import { realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { makeFolder } from "../../../src/kernel/lib/durable-files.ts";
import { recordingDisk } from "../../helpers/stopped-disk.ts";
import { temporaryDirectory } from "../../helpers/temporary-directory.ts";

test.each([
  ["d", ["."]],
  ["./data", ["."]],
  ["d/e/f", ["d/e", "d", "."]],
])(
  "a folder named %s from where the program runs is made, and each on the way is on the disk",
  (name, synced) => {
    using directory = temporaryDirectory();
    const { disk, steps } = recordingDisk();
    const before = process.cwd();
    process.chdir(directory.path);
    try {
      makeFolder(name, disk);
    } finally {
      process.chdir(before);
    }
    expect(statSync(join(directory.path, name)).mode & 0o777).toBe(0o700);
    const last = (folder: string) => join(realpathSync(directory.path), folder).split("/").at(-1);
    expect(steps).toEqual(synced.map((folder) => `syncFolder ${last(folder)}`));
  },
);
