import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createPatience } from "../../src/storage/patience.ts";
import { type Database, openDatabase, outlasting } from "../../src/storage/postgres/database/database.ts";
import { isAway, remedyOf } from "../../src/storage/postgres/failures.ts";
import { createLeases } from "../../src/storage/postgres/leases.ts";
import {
  canStartPostgres,
  hasPostgres,
  newDatabase,
  type OwnServer,
  queryNow,
  startPostgres,
} from "../helpers/postgres.ts";
import { openWay } from "../helpers/postgres-way.ts";
import { within } from "../helpers/shared-place.ts";
import { testLog } from "../helpers/test-log.ts";

const ADD = "INSERT INTO changes (name, revision) VALUES ($name, 1)";
const COUNT = "SELECT count(*)::int AS count FROM changes";

/** A database of work that waits, and what it says meanwhile. */
function waiting(url: string, secondsMax = 60) {
  const { log, lines } = testLog();
  const away = Promise.withResolvers<void>();
  const patience = createPatience({
    secondsMax,
    fromStart: false,
    isAway,
    remedyOf,
    log: {
      ...log,
      warn(...said) {
        log.warn(...said);
        away.resolve();
      },
    },
    pause: () => Bun.sleep(20),
  });
  const plain = openDatabase({ url, connectionsMax: 3, connectSecondsMax: 5, namesWrites: true });
  return { database: outlasting(plain, patience), plain, patience, lines, away: away.promise };
}

const nameOf = (url: string) => new URL(url).pathname.slice(1);
const countIn = (url: string) => queryNow<{ count: number }>(nameOf(url), COUNT, [])[0]?.count;

describe.if(canStartPostgres)("while PostgreSQL is stopped and started again", () => {
  let postgres: OwnServer;
  beforeAll(async () => {
    postgres = await startPostgres({ kept: true });
    await within(postgres.urlOf("postgres"), "CREATE DATABASE outage");
    await within(postgres.urlOf("outage"), "CREATE TABLE changes (name text PRIMARY KEY, revision int)");
  });
  afterAll(() => postgres.stop());

  test.each([
    ["as its operator does", true],
    ["as a crash does", false],
  ])("reads, statements and writes go on, each once: %s", async (_, gently) => {
    const { database, plain, lines, away } = waiting(postgres.urlOf("outage"));
    await database.run("DELETE FROM changes");
    const inTheMiddle = Promise.withResolvers<void>();
    const isOver = Promise.withResolvers<void>();
    let tries = 0;
    const write = database.inOneWrite(async (within) => {
      tries += 1;
      await within.run(ADD, { name: "whole" });
      inTheMiddle.resolve();
      await isOver.promise;
      return within.get<{ one: number }>("SELECT 1 AS one");
    });
    await inTheMiddle.promise;
    let others: Promise<unknown[]> = Promise.resolve([]);
    await postgres.restart({
      gently,
      async meanwhile() {
        others = Promise.all([database.get(COUNT), database.run(ADD, { name: "alone" })]);
        isOver.resolve();
        await away;
      },
    });
    expect(await write).toEqual({ one: 1 });
    expect((await others)[1]).toBe(1);
    expect([tries, await database.get<{ count: number }>(COUNT)]).toEqual([2, { count: 2 }]);
    expect(lines.map(({ event }) => event)).toContain("the database is away: this waits for it");
    await plain.close();
  });
});

describe.if(hasPostgres)("a write whose end was not heard", () => {
  const opened = async () => {
    const url = await newDatabase();
    const way = await openWay(url);
    return { url, way, ...waiting(way.url) };
  };

  test("is not done again where PostgreSQL has kept it", async () => {
    const { url, way, database, plain } = await opened();
    let tries = 0;
    const writing = database.inOneWrite(async (within) => {
      tries += 1;
      await within.run(ADD, { name: "once" });
      way.loseAnswers();
      return tries;
    });
    while (countIn(url) !== 1) await Bun.sleep(10);
    way.hangUp();
    expect([await writing, tries, countIn(url)]).toEqual([1, 1, 1]);
    await plain.close();
    way.close();
  });

  test("is done again where it has not", async () => {
    const { url, way, database, plain } = await opened();
    let tries = 0;
    const writing = database.inOneWrite(async (within) => {
      tries += 1;
      await within.run(ADD, { name: "once" });
      if (tries > 1) return tries;
      // The commit arrives nowhere.
      way.cut();
      setTimeout(() => way.hangUp(), 20);
      return tries;
    });
    expect([await writing, tries, countIn(url)]).toEqual([2, 2, 1]);
    await plain.close();
    way.close();
  });

  test("counts as done where it is a statement alone", async () => {
    const { url, way, database, plain } = await opened();
    const add = "INSERT INTO organizations (id, name, created_at) VALUES ('counted', 'x', 1) RETURNING id";
    await database.get("SELECT 1");
    let isKept = false;
    const losing: Database = {
      ...plain,
      inOneWrite: (work) =>
        plain.inOneWrite(async (write) => {
          const done = await work(write);
          if (!isKept) way.loseAnswers();
          return done;
        }),
    };
    const { patience } = waiting(url);
    const adding = outlasting(losing, patience).get<{ id: string }>(add);
    const kept = () =>
      queryNow(nameOf(url), "SELECT 1 FROM organizations WHERE id = 'counted'", []).length === 1;
    while (!kept()) await Bun.sleep(10);
    isKept = true;
    way.hangUp();
    expect(await adding).toEqual({ id: "counted" });
    await plain.close();
    way.close();
  });
});

describe.if(hasPostgres)("a lease whose connection ends", () => {
  const HOLDER = `
    SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND classid = 1685021541 AND objid = 1
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
  const holderIn = (url: string) => queryNow<{ pid: number }>(nameOf(url), HOLDER, [])[0]?.pid;
  const regain = { everyMs: 10, triesMax: 5 };

  async function held() {
    const url = await newDatabase();
    const { database, plain, patience } = waiting(url);
    const lease = await createLeases(database, { patience, regain }).take("source", [1]);
    if ("heldBy" in lease) throw new Error("nobody else has it");
    const first = holderIn(url);
    const end = () => queryNow(nameOf(url), `SELECT pg_terminate_backend(${first})`, []);
    return { url, database, plain, lease, first, end };
  }

  test("is taken again, and is not lost to itself", async () => {
    const { url, plain, lease, first, end } = await held();
    end();
    let again = holderIn(url);
    while (again === undefined || again === first) {
      await Bun.sleep(10);
      again = holderIn(url);
    }
    expect(lease.lost.aborted).toBe(false);
    const other = createLeases(plain);
    expect(await other.take("source", [1])).toEqual({ heldBy: "another", id: 1 });
    await lease.release();
    const next = await other.take("source", [1]);
    if ("heldBy" in next) throw new Error("it was not released");
    await next.release();
    await plain.close();
  });

  test("is lost where another has it by then, and says so", async () => {
    const { url, database, plain, lease, end } = await held();
    const lost = new Promise((resolve) => lease.lost.addEventListener("abort", resolve));
    // Waits before PostgreSQL for the lock, and so has it the moment that it is free.
    const other = openDatabase({ url, connectionsMax: 1, connectSecondsMax: 5 });
    const isOver = Promise.withResolvers<void>();
    const holding = other.inOneWrite(async (write) => {
      await write.get("SELECT pg_advisory_xact_lock(1685021541, 1)");
      await isOver.promise;
    });
    const WAITS =
      "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND classid = 1685021541 AND NOT granted";
    while (queryNow(nameOf(url), WAITS, []).length === 0) await Bun.sleep(10);
    end();
    await lost;
    expect(lease.lost.reason).toMatchObject({ code: "conflict", message: "Another server does this now." });
    isOver.resolve();
    await holding;
    await lease.release();
    expect(await database.get<{ one: number }>("SELECT 1 AS one")).toEqual({ one: 1 });
    await Promise.all([plain.close(), other.close()]);
  });
});
