import { expect, test } from "bun:test";
import { connect, createServer, type Socket } from "node:net";
import { SQL } from "bun";
import { openDatabase } from "../../src/storage/postgres/database/database.ts";
import { remedyOf } from "../../src/storage/postgres/failures.ts";
import { createLeases } from "../../src/storage/postgres/leases.ts";
import { hasPostgres, newDatabase } from "../helpers/postgres.ts";

/** A way to PostgreSQL that can be cut: what is sent then arrives nowhere, and nobody is told. */
async function openWay(url: string) {
  const socketPath = new URL(url).searchParams.get("path") ?? "";
  const pairs: [Socket, Socket][] = [];
  const server = createServer((near) => {
    const far = connect(socketPath);
    pairs.push([near, far]);
    near.pipe(far);
    far.pipe(near);
    for (const each of [near, far]) each.on("error", () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the way has no port");
  return {
    url: `postgres://postgres@127.0.0.1:${address.port}${new URL(url).pathname}`,
    /** Those that are open go silent; new ones find the way. */
    cut() {
      for (const [near, far] of pairs.splice(0)) {
        near.unpipe(far);
        far.unpipe(near);
        near.pause();
        far.pause();
      }
    },
    close() {
      server.close();
      for (const each of pairs.flat()) each.destroy();
    },
  };
}

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
