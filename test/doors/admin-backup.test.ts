import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createBackupCopies } from "../../src/storage/backup-download.ts";
import { checkBackup } from "../../src/storage/sqlite/files/backup.ts";
import { type AdminDoorUnderTest, startAdminDoor } from "../helpers/admin-door.ts";
import { isShared } from "../helpers/shared-database.ts";
import { temporaryDirectory } from "../helpers/temporary-directory.ts";

let door: AdminDoorUnderTest;
beforeAll(async () => {
  door = await startAdminDoor();
});
afterAll(() => door.close());

const fetchBackup = (signal?: AbortSignal) =>
  fetch(`${door.url}/v1/admin/backup`, {
    headers: { authorization: `Bearer ${door.keys.server}` },
    ...(signal ? { signal } : {}),
  });
const leftIn = (folder: string) => (existsSync(folder) ? readdirSync(folder) : []);

// PostgreSQL has tools of its own for that.
test.skipIf(isShared)(
  "a backup is a sound copy of everything, and leaves nothing on the server",
  async () => {
    const reply = await fetchBackup();
    expect(reply.headers.get("content-disposition")).toMatch(
      /^attachment; filename="docent-backup-\d{4}-\d\d-\d\d\.db"$/,
    );
    using directory = temporaryDirectory();
    const file = join(directory.path, "fetched.db");
    writeFileSync(file, await reply.bytes());
    checkBackup(file);
    const copy = new Database(file, { readonly: true });
    expect(copy.query("SELECT domain FROM sites ORDER BY domain").values()).toEqual([["acme"], ["rival"]]);
    copy.close();
    expect(leftIn(join(door.data, "backups"))).toEqual([]);
  },
);

test.skipIf(isShared)("nobody says where it is written", async () => {
  const before = readdirSync(door.data).sort();
  const reply = await door.ask("GET", "/backup?file=/tmp/x.db", { as: "server" });
  expect(reply.status).toBe(200);
  expect(readdirSync(door.data).sort()).toEqual(before);
});

test("two at once are refused, and whoever leaves makes room for the next", async () => {
  using directory = temporaryDirectory();
  const open = createBackupCopies({
    folder: directory.path,
    write: async (file) => void (await Bun.write(file, new Uint8Array(2_000_000))),
  });
  const first = await open(new AbortController().signal);
  await expect(open(new AbortController().signal)).rejects.toMatchObject({ code: "conflict" });
  await first.content.cancel();
  await first.ended;
  expect(leftIn(directory.path)).toEqual([]);
  const leaving = new AbortController();
  const second = await open(leaving.signal);
  const reader = second.content.getReader();
  await reader.read();
  leaving.abort();
  await expect(reader.read().then(() => reader.read())).rejects.toThrow();
  await second.ended;
  expect(leftIn(directory.path)).toEqual([]);
  const third = await open(new AbortController().signal);
  expect((await new Response(third.content).bytes()).length).toBe(2_000_000);
});

test("what a killed server left is taken away by the next one", () => {
  using directory = temporaryDirectory();
  for (const name of ["being-sent.db", "being-sent.db.partial"])
    writeFileSync(join(directory.path, name), "left");
  createBackupCopies({ folder: directory.path, async write() {} });
  expect(leftIn(directory.path)).toEqual([]);
});

test("one that cannot be written is told, and the next one works", async () => {
  using directory = temporaryDirectory();
  let fails = true;
  const open = createBackupCopies({
    folder: directory.path,
    async write(file) {
      if (fails) throw new Error("the disk is full");
      await Bun.write(file, "copy");
    },
  });
  await expect(open(new AbortController().signal)).rejects.toThrow("the disk is full");
  fails = false;
  expect(await new Response((await open(new AbortController().signal)).content).text()).toBe("copy");
});
