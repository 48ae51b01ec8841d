import { describe, expect, test } from "bun:test";
import { SQL } from "bun";
import { toAppError } from "../../src/kernel/errors.ts";
import { openDatabase, stateOf } from "../../src/storage/postgres/database/database.ts";
import { explained, remedyOf } from "../../src/storage/postgres/failures.ts";
import { createLeases } from "../../src/storage/postgres/leases.ts";
import { command, hasPostgres, newDatabase, queryNow } from "../helpers/postgres.ts";
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

test.if(hasPostgres)(
  "where one connection is found silent, nothing is begun on those beside it",
  async () => {
    const way = await openWay(await newDatabase());
    const database = opened(way.url);
    await Promise.all([1, 2, 3].map(() => database.get("SELECT 1")));
    way.cut();
    expect(await database.get("SELECT 1").then(String, remedyOf)).toContain("cannot be reached");
    const others = [1, 2, 3].map(() => database.get<{ one: number }>("SELECT 1 AS one"));
    expect(await Promise.all(others)).toEqual(others.map(() => ({ one: 1 })));
    await database.close();
    way.close();
  },
);

test.if(hasPostgres)("where a new connection is not answered, those that there are do the work", async () => {
  const way = await openWay(await newDatabase());
  const database = openDatabase(
    { url: way.url, connectionsMax: 3, connectSecondsMax: 1 },
    { readMs: 20_000, writeMs: 20_000, abandonedMs: 20_000 },
  );
  await database.get("SELECT 1");
  way.silenceNew();
  const isOver = Promise.withResolvers<void>();
  const write = database.inOneWrite(async (within) => {
    await isOver.promise;
    return within.get<{ one: number }>("SELECT 1 AS one");
  });
  const other = database.get<{ one: number }>("SELECT 1 AS one");
  // It is in the way of nobody who comes later.
  expect(await database.countConnections(2)).toEqual({ had: 0, silent: 2 });
  isOver.resolve();
  expect(await Promise.all([write, other])).toEqual([{ one: 1 }, { one: 1 }]);
  way.mend();
  expect(await database.countConnections(2)).toEqual({ had: 2, silent: 0 });
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
  const lease = await createLeases(database, { everyMs: 50, silentMax: 30 }).take("source", [1]);
  if ("heldBy" in lease) throw new Error("nobody else has it");
  for (let time = 0; time < 2; time++) {
    // Longer than the silence that it bears, which is long enough for a PostgreSQL that has much to do.
    Bun.sleepSync(2_000);
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

const nameOf = (url: string) => new URL(url).pathname.slice(1);

/** What runs on PostgreSQL with this in it, and how many connections of ours there are. */
const onPostgres = (url: string, text: string) =>
  queryNow<{ running: number; connections: number }>(
    nameOf(url),
    `SELECT count(*) FILTER (WHERE state = 'active' AND query LIKE '%${text}%')::int AS running,
      count(*)::int AS connections
    FROM pg_stat_activity WHERE application_name = 'docent' AND datname = current_database()`,
    [],
  )[0];

/** How a client is told of a failure. */
const toldOf = async (failing: Promise<unknown>) => {
  const error = toAppError(
    explained(
      await failing.then(
        () => "did not fail",
        (failure: unknown) => failure,
      ),
    ),
  );
  return [error.code, error.message, error.retryAfterSeconds];
};

const TOO_LONG = [
  "unavailable",
  "The database took too long for this. Ask for less, such as a shorter time, or try again later.",
  10,
];
const BUSY = ["unavailable", "Docent has too much to do at the moment. Try again in a few seconds.", 5];

test.if(hasPostgres)(
  "a read that takes too long fails alone, and PostgreSQL does not go on with it",
  async () => {
    const url = await newDatabase();
    const database = openDatabase(
      { url, connectionsMax: 4, connectSecondsMax: 5 },
      { readMs: 1000, writeMs: 60_000, abandonedMs: 60_000 },
    );
    const isOver = Promise.withResolvers<void>();
    const write = database.inOneWrite(async (within) => {
      await within.run("SELECT pg_sleep(2)");
      await isOver.promise;
      return within.get<{ one: number }>("SELECT 1 AS one");
    });
    const other = database.run("SELECT pg_sleep(2)");
    // As a reader does who waits, and asks again.
    for (let time = 0; time < 3; time++) {
      const slow = [1, 2].map(() => toldOf(database.get("SELECT pg_sleep(600) /* slow report */")));
      expect(await Promise.all(slow)).toEqual([TOO_LONG, TOO_LONG]);
    }
    isOver.resolve();
    expect(await write).toEqual({ one: 1 });
    expect(await other).toBe(0);
    expect(onPostgres(url, "slow report")).toEqual({ running: 0, connections: 4 });
    await database.close();
  },
);

test.if(hasPostgres)("who waits for a connection for too long fails alone", async () => {
  const database = openDatabase(
    { url: await newDatabase(), connectionsMax: 1, connectSecondsMax: 5 },
    { readMs: 500, writeMs: 60_000, abandonedMs: 60_000 },
  );
  const isOver = Promise.withResolvers<void>();
  const write = database.inOneWrite(async (within) => {
    await isOver.promise;
    return within.get<{ one: number }>("SELECT 1 AS one");
  });
  expect(await toldOf(database.get("SELECT 1"))).toEqual(BUSY);
  expect(await toldOf(database.inOneWrite((within) => within.get("SELECT 1")))).toEqual(BUSY);
  const patient = database.run("SELECT 1");
  isOver.resolve();
  expect(await write).toEqual({ one: 1 });
  expect(await patient).toBe(0);
  await database.close();
});

test.if(hasPostgres)("each connection has the bounds of what is done on it, and a new one too", async () => {
  const url = await newDatabase();
  const database = openDatabase(
    { url, connectionsMax: 1, connectSecondsMax: 5 },
    { readMs: 2000, writeMs: 60_000, abandonedMs: 60_000 },
  );
  const bounds = () =>
    database.get<{ statement: string; check: string; pid: number }>(
      `SELECT current_setting('statement_timeout') AS statement, pg_backend_pid() AS pid,
        current_setting('client_connection_check_interval') AS check`,
    );
  const first = await bounds();
  expect(first).toMatchObject({ statement: "2s", check: process.platform === "linux" ? "5s" : "0" });
  // A write may take longer than a read, on the same connection.
  expect(await database.run("SELECT pg_sleep(3)")).toBe(0);
  const within = await database.inOneWrite((write) =>
    write.get("SELECT current_setting('statement_timeout') AS statement"),
  );
  expect(within).toEqual({ statement: "1min" });
  expect(await bounds()).toEqual(first);
  queryNow(nameOf(url), `SELECT pg_terminate_backend(${first?.pid})`, []);
  let next: Awaited<ReturnType<typeof bounds>>;
  // Until it is heard that the connection has ended, a statement on it fails.
  while (next === undefined) next = await bounds().catch(() => undefined);
  expect(next).toEqual({ statement: "2s", check: first?.check ?? "", pid: expect.any(Number) });
  expect(next.pid).not.toBe(first?.pid);
  await database.close();
});

test.if(hasPostgres)("a migration may take as long as it likes", async () => {
  const database = openDatabase(
    { url: await newDatabase(), connectionsMax: 1, connectSecondsMax: 5 },
    { readMs: 5000, writeMs: 500, abandonedMs: 60_000 },
  );
  await database.inOneWrite((write) => write.script("SELECT pg_sleep(2); SELECT 1"));
  await database.close();
});

test.if(hasPostgres)("a write that is cut off at its end is not waited for without end", async () => {
  const way = await openWay(await newDatabase());
  const database = opened(way.url);
  const writing = database.inOneWrite(async (write) => {
    await write.run("UPDATE sites SET name = ''");
    way.cut();
  });
  expect(await writing.then(String, remedyOf)).toContain("cannot be reached");
  expect(await database.get<{ one: number }>("SELECT 1 AS one")).toEqual({ one: 1 });
  await database.close();
  way.close();
});

describe.if(hasPostgres)("a failure that passes is told as one", () => {
  const OTHERS = [
    "unavailable",
    "Others were changing the same at that moment. Try again in a few seconds.",
    2,
  ];
  const HELD_UP = [
    "unavailable",
    "This was interrupted, and nothing of it was stored. Try again in a few seconds.",
    5,
  ];
  const LACKING = [
    "unavailable",
    "The database has too much to do at the moment. Try again in a few seconds.",
    10,
  ];

  test("by what PostgreSQL calls it, and nothing else is", async () => {
    const database = openDatabase({ url: await newDatabase(), connectionsMax: 2, connectSecondsMax: 5 });
    const told = async (state: string) => [
      state,
      ...(await toldOf(database.run(`DO $$ BEGIN RAISE EXCEPTION 'x' USING ERRCODE = '${state}'; END $$`))),
    ];
    const states = ["57014", "25P03", "25P04", "55P03", "40001", "40P01", "53000", "53400", "53100", "22012"];
    expect(await Promise.all(states.map(told))).toEqual([
      ["57014", ...TOO_LONG],
      ["25P03", ...HELD_UP],
      ["25P04", ...HELD_UP],
      ["55P03", ...OTHERS],
      ["40001", ...OTHERS],
      ["40P01", ...OTHERS],
      ["53000", ...LACKING],
      ["53400", ...LACKING],
      ["53100", "unavailable", "Docent cannot store or read anything at the moment.", undefined],
      ["22012", "internal", "Internal error", undefined],
    ]);
    await database.close();
  });

  test("where this server was held up in the middle of a write", async () => {
    const database = openDatabase(
      { url: await newDatabase(), connectionsMax: 1, connectSecondsMax: 5 },
      { readMs: 10_000, writeMs: 60_000, abandonedMs: 100 },
    );
    const writing = database.inOneWrite(async (write) => {
      await write.run("UPDATE sites SET name = ''");
      await Bun.sleep(1000);
      await write.run("UPDATE sites SET name = ''");
    });
    expect((await toldOf(writing))[0]).toBe("unavailable");
    expect(await database.get<{ one: number }>("SELECT 1 AS one")).toEqual({ one: 1 });
    await database.close();
  });
});
