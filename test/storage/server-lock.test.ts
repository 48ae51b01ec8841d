import { describe, expect, test } from "bun:test";
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { watchDirectory } from "../../src/running/app/data-directory.ts";
import { acquireLock } from "../../src/storage/sqlite/files/lock.ts";
import { DATABASE_FILE } from "../../src/storage/sqlite/files/open.ts";
import { lockServer } from "../../src/storage/sqlite/files/server-lock.ts";
import { temporaryDirectory } from "../helpers/temporary-directory.ts";

const locksFolders = process.platform !== "win32";

/** A directory with a database, locked as a server locks it. */
function lockedDirectory(path: string) {
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, DATABASE_FILE), "words");
  const lock = lockServer(path);
  if (!lock) throw new Error("it is locked already");
  expect(lock.look()).toBeUndefined();
  return lock;
}

describe("the lock of a server", () => {
  test.if(locksFolders)("keeps others out whatever is deleted in the directory", () => {
    using directory = temporaryDirectory();
    const lock = lockedDirectory(directory.path);
    for (const name of ["server.lock", "locks", DATABASE_FILE])
      rmSync(join(directory.path, name), { recursive: true, force: true });
    expect(lockServer(directory.path)).toBeUndefined();
    lock.release();
    const next = lockServer(directory.path);
    expect(next).toBeDefined();
    next?.release();
  });

  test.if(locksFolders)("goes with a directory that is moved", () => {
    using directory = temporaryDirectory();
    const lock = lockedDirectory(join(directory.path, "a"));
    renameSync(join(directory.path, "a"), join(directory.path, "b"));
    expect(lockServer(join(directory.path, "b"))).toBeUndefined();
    expect(lock.look()).toBe("moved");
    lock.release();
  });

  test("given back twice gives back nobody else's", () => {
    using directory = temporaryDirectory();
    const first = lockServer(directory.path);
    first?.release();
    const second = lockServer(directory.path);
    first?.release();
    expect(lockServer(directory.path)).toBeUndefined();
    second?.release();
  });

  test("takes its file again when that was deleted", () => {
    using directory = temporaryDirectory();
    const lock = lockedDirectory(directory.path);
    const file = join(directory.path, "server.lock");
    rmSync(file);
    expect(lock.look()).toBeUndefined();
    // As another version of Docent takes it.
    expect(acquireLock(file)).toBeUndefined();
    lock.release();
  });

  test("says when another server has taken its file meanwhile", () => {
    using directory = temporaryDirectory();
    const lock = lockedDirectory(directory.path);
    rmSync(join(directory.path, "server.lock"));
    const other = acquireLock(join(directory.path, "server.lock"));
    expect(lock.look()).toBe("taken");
    other?.();
    lock.release();
  });

  test("says when the database was removed, or another is in its place", () => {
    using directory = temporaryDirectory();
    const lock = lockedDirectory(directory.path);
    const database = join(directory.path, DATABASE_FILE);
    renameSync(database, `${database}.old`);
    expect(lock.look()).toBe("database");
    writeFileSync(database, "others");
    expect(lock.look()).toBe("database");
    renameSync(`${database}.old`, database);
    expect(lock.look()).toBeUndefined();
    lock.release();
  });

  test("where a directory is lost, who waits for that is told what to do", async () => {
    using directory = temporaryDirectory();
    const data = join(directory.path, "data");
    const lock = lockedDirectory(data);
    const watch = watchDirectory(lock, data, { everyMs: 1 });
    rmSync(data, { recursive: true });
    expect(await watch.lost).toMatchObject({ code: "conflict", hint: expect.stringContaining("restore") });
    watch.close();
    lock.release();
  });
});
