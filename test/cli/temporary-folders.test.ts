import { expect, test } from "bun:test";
import { existsSync, statSync } from "node:fs";
import { createTemporaryFolders } from "../../src/cli/temporary-folders.ts";

test("a folder is its owner's alone, and goes with its scope", () => {
  const folders = createTemporaryFolders();
  const path = (() => {
    using folder = folders.make();
    expect(statSync(folder.path).mode & 0o777).toBe(0o700);
    return folder.path;
  })();
  expect(existsSync(path)).toBe(false);
});

test("none is left when a command is over that still works with it, and none comes after", () => {
  const folders = createTemporaryFolders();
  const { path } = folders.make();
  folders.end();
  expect(existsSync(path)).toBe(false);
  expect(() => folders.make()).toThrow("The command is over");
});
