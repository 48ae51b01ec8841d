import { describe, expect, test } from "bun:test";
import { chmodSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { acquireAllLocks, acquireLock } from "../../src/storage/sqlite/files/lock.ts";
import { lockServer } from "../../src/storage/sqlite/files/server-lock.ts";
import { appErrorOf } from "../helpers/rejection.ts";
import { temporaryDirectory } from "../helpers/temporary-directory.ts";

/** A process of its own that tries to take a lock. */
async function startHolder(path: string) {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "../helpers/hold-lock.ts"), path], {
    stdout: "pipe",
    stderr: "inherit",
  });
  const { value } = await child.stdout.getReader().read();
  return { child, said: new TextDecoder().decode(value).trim() };
}

describe("lock", () => {
  test("a second holder gets nothing, until the first gives it back", () => {
    using directory = temporaryDirectory();
    const path = join(directory.path, "a.lock");
    const release = acquireLock(path);
    expect(release).toBeFunction();
    expect(acquireLock(path)).toBeUndefined();
    release?.();
    const again = acquireLock(path);
    expect(again).toBeFunction();
    again?.();
  });

  test("giving it back twice gives back nobody else's", () => {
    using directory = temporaryDirectory();
    const path = join(directory.path, "a.lock");
    const first = acquireLock(path);
    first?.();
    const second = acquireLock(path);
    first?.();
    expect(acquireLock(path)).toBeUndefined();
    second?.();
  });

  test("locks of two paths are two locks", () => {
    using directory = temporaryDirectory();
    const a = acquireLock(join(directory.path, "a.lock"));
    const b = acquireLock(join(directory.path, "b.lock"));
    expect([a !== undefined, b !== undefined]).toEqual([true, true]);
    a?.();
    b?.();
  });

  test("another process gets nothing while it is held here", async () => {
    using directory = temporaryDirectory();
    const path = join(directory.path, "a.lock");
    const release = acquireLock(path);
    const { child, said } = await startHolder(path);
    expect(said).toBe("refused");
    await child.exited;
    release?.();
  });

  test("a process that is killed gives its lock back", async () => {
    using directory = temporaryDirectory();
    const path = join(directory.path, "a.lock");
    const { child, said } = await startHolder(path);
    expect(said).toBe("held");
    expect(acquireLock(path)).toBeUndefined();
    child.kill("SIGKILL");
    await child.exited;
    const release = acquireLock(path);
    expect(release).toBeFunction();
    release?.();
  });

  test("the server's lock makes the data directory, for nobody else to read", () => {
    using directory = temporaryDirectory();
    const data = join(directory.path, "data");
    lockServer(data)?.release();
    expect(statSync(data).mode & 0o777).toBe(0o700);
  });

  test("a place where no lock can be is said, with what to do", async () => {
    using directory = temporaryDirectory();
    const file = join(directory.path, "file");
    writeFileSync(file, "");
    const error = await appErrorOf(() => lockServer(join(file, "data")));
    expect(error.code).toBe("unavailable");
    expect(error.message).toContain(file);
    expect(error.hint).toBeString();
  });

  test.skipIf(process.getuid?.() === 0)(
    "a directory that cannot be written is said, with what to do",
    async () => {
      using directory = temporaryDirectory();
      chmodSync(directory.path, 0o500);
      expect((await appErrorOf(() => lockServer(directory.path))).code).toBe("unavailable");
    },
  );
});

test("all locks of a folder are taken together, or none of them", () => {
  using directory = temporaryDirectory();
  expect(acquireAllLocks(join(directory.path, "locks"))).toBeFunction();
  const first = acquireLock(join(directory.path, "locks/a.lock"));
  const second = acquireLock(join(directory.path, "locks/b.lock"));
  first?.();
  expect(acquireAllLocks(join(directory.path, "locks"))).toBeUndefined();
  second?.();
  const all = acquireAllLocks(join(directory.path, "locks"));
  expect(acquireLock(join(directory.path, "locks/a.lock"))).toBeUndefined();
  all?.();
  acquireLock(join(directory.path, "locks/a.lock"))?.();
});
