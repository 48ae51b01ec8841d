import { expect, test } from "bun:test";
import { SQL } from "bun";
import { openDatabase, stateOf } from "../../src/storage/postgres/database/database.ts";
import { remedyOf } from "../../src/storage/postgres/failures.ts";
import { createLeases } from "../../src/storage/postgres/leases.ts";
import { command, hasPostgres, newDatabase } from "../helpers/postgres.ts";
import { openWay } from "../helpers/postgres-way.ts";

/** Short, for these tests wait for it; long, for a machine with much to do answers late. */
const SILENCE = { readMs: 1500, writeMs: 1500, abandonedMs: 2000 };

const opened = (url: string) => openDatabase({ url, connectionsMax: 3, connectSecondsMax: 5 }, SILENCE);

test.if(hasPostgres)("connections that are cut off silently are left, and others found", async () => {
  const way = await openWay(await newDatabase());
  const database = opened(way.url);
  await Promise.all([1, 2, 3].map(() => database.get("SELECT 1")));
  way.cut();
  const failed = await Promise.allSettled([
    database.get("SELECT 1"),
    database.run("UPDATE sites SET name = ''"),
    database.inOneWrite((write) => write.run("UPDATE sites SET name = ''")),
  ]);
  for (const each of failed) {
    expect(each.status).toBe("rejected");
    if (each.status === "rejected") expect(remedyOf(each.reason)).toContain("cannot be reached");
  }
  expect(await database.get<{ one: number }>("SELECT 1 AS one")).toEqual({ one: 1 });
  expect(await database.inOneWrite((write) => write.get<{ one: number }>("SELECT 1 AS one"))).toEqual({
    one: 1,
  });
  await database.close();
  way.close();
});

test.if(hasPostgres)("a lease on a connection that was cut off is lost", async () => {
  const way = await openWay(await newDatabase());
  const database = opened(way.url);
  const lease = await createLeases(database).take("source", [1]);
  if ("heldBy" in lease) throw new Error("nobody else has it");
  const lost = new Promise((resolve) => lease.lost.addEventListener("abort", resolve));
  way.cut();
  await lost;
  await database.close();
  way.close();
});

test.if(hasPostgres)("a lease is kept by a process that was held up for long", async () => {
  const database = opened(await newDatabase());
  const lease = await createLeases(database, { everyMs: 10, silentMax: 3 }).take("source", [1]);
  if ("heldBy" in lease) throw new Error("nobody else has it");
  for (let time = 0; time < 3; time++) {
    // Longer than the silence that it bears, by far.
    Bun.sleepSync(500);
    await database.get("SELECT 1");
    await Bun.sleep(1);
  }
  expect(lease.lost.aborted).toBe(false);
  await lease.release();
  await database.close();
});

test.if(hasPostgres)("a lease of a server that was cut off is another's soon", async () => {
  const url = await newDatabase();
  const way = await openWay(url);
  const [cut, other] = [opened(way.url), opened(url)];
  const held = await createLeases(cut, { everyMs: 100, silentMax: 5, abandonedMs: 2500 }).take("source", [1]);
  // As long as it is heard it keeps it.
  await Bun.sleep(3000);
  expect(await createLeases(other).take("source", [1])).toEqual({ heldBy: "another", id: 1 });
  way.cut();
  while ("heldBy" in (await createLeases(other).take("source", [1]))) await Bun.sleep(20);
  if ("heldBy" in held) throw new Error("nobody else has it");
  expect(held.lost.aborted).toBe(true);
  await Promise.all([cut.close(), other.close()]);
  way.close();
});

test.if(hasPostgres)(
  "what a server has locked that was cut off in the middle of a write is free soon",
  async () => {
    const url = await newDatabase();
    const way = await openWay(url);
    const [cut, other] = [opened(way.url), openDatabase({ url, connectionsMax: 1, connectSecondsMax: 5 })];
    const note = "INSERT INTO changes (name, revision) VALUES ('sites', $revision)";
    const writing = cut.inOneWrite(async (write) => {
      await write.run(note, { revision: 1 });
      way.cut();
      await write.run(note, { revision: 2 });
    });
    expect(await writing.then(String, remedyOf)).toContain("cannot be reached");
    await other.run(note, { revision: 3 });
    expect(await other.all<{ revision: number }>("SELECT revision FROM changes")).toEqual([{ revision: 3 }]);
    await Promise.all([cut.close(), other.close()]);
    way.close();
  },
);

test.if(hasPostgres)(
  "a database that accepts no writes any more is looked for anew, and what reads is not disturbed",
  async () => {
    const url = await newDatabase();
    const name = new URL(url).pathname.slice(1);
    await command(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
    const database = opened(url);
    const write = () => database.run("UPDATE sites SET name = ''");
    expect(stateOf(await write().catch((error: unknown) => error))).toBe("25006");
    await command(`ALTER DATABASE ${name} RESET default_transaction_read_only`);
    // The connections of before would still refuse it.
    expect(await write()).toBe(0);
    expect(await database.inOneWrite((within) => within.run("UPDATE sites SET name = ''"))).toBe(0);
    await database.close();
  },
);

test.if(hasPostgres)("a statement that fails fails alone", async () => {
  const database = opened(await newDatabase());
  const [bad, good] = await Promise.allSettled([
    database.get("SELECT 1 / 0"),
    database.get("SELECT 1 AS one"),
  ]);
  expect([bad.status, bad.status === "rejected" && bad.reason instanceof SQL.PostgresError, good]).toEqual([
    "rejected",
    true,
    { status: "fulfilled", value: { one: 1 } },
  ]);
  await database.close();
});
