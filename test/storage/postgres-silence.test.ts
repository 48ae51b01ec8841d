import { expect, test } from "bun:test";
import { SQL } from "bun";
import { openDatabase } from "../../src/storage/postgres/database/database.ts";
import { remedyOf } from "../../src/storage/postgres/failures.ts";
import { createLeases } from "../../src/storage/postgres/leases.ts";
import { hasPostgres, newDatabase } from "../helpers/postgres.ts";
import { openWay } from "../helpers/postgres-way.ts";

const opened = (url: string) =>
  openDatabase({ url, connectionsMax: 3, connectSecondsMax: 5 }, { readMs: 100, writeMs: 100 });

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
