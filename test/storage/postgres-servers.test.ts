import { describe, expect, test } from "bun:test";
import { openDatabase } from "../../src/storage/postgres/database/database.ts";
import { upgrade } from "../../src/storage/postgres/migrate.ts";
import { createHearing, joinServers } from "../../src/storage/postgres/servers.ts";
import { openWatch, type Watch } from "../../src/storage/postgres/watch.ts";
import { TEST_TIME } from "../helpers/fake-clock.ts";
import { canStartPostgres, hasPostgres, newDatabase, queryNow, startPostgres } from "../helpers/postgres.ts";
import { openWay } from "../helpers/postgres-way.ts";
import { addSite } from "../helpers/site-data.ts";
import { quietLog, testLog } from "../helpers/test-log.ts";
import { openTestPostgres } from "../helpers/test-postgres.ts";
import { addTurn } from "../helpers/turn-data.ts";

const nameOf = (url: string) => new URL(url).pathname.slice(1);

describe("a server hears of the others", () => {
  const BEAT_MS = 5000;

  /** What it can tell at each of its beats. */
  const heard = (times: readonly number[]) => times.map(createHearing());
  const beats = (from: number, count: number) =>
    Array.from({ length: count }, (_, index) => from + index * BEAT_MS);

  test("once it has been there as long as they may be silent", () => {
    expect(heard(beats(1000, 7))).toEqual([false, false, false, false, false, true, true]);
  });

  test("and not again until then after it was away itself: PostgreSQL may have been away for all", () => {
    expect(heard([...beats(0, 8), ...beats(80_000, 6)]).slice(8)).toEqual([
      ...Array.from({ length: 5 }, () => false),
      true,
    ]);
  });

  test("although one of its beats was late", () => {
    expect(heard([...beats(0, 8), 48_000]).at(-1)).toBe(true);
  });
});

describe.if(hasPostgres)("servers on one database", () => {
  test("end what one that is gone has left, and nothing else", async () => {
    const url = await newDatabase();
    using gone = await openTestPostgres({ url, isServer: true });
    using alive = await openTestPostgres({ url, isServer: true });
    const site = await addSite(gone.sites, "docs");
    await addTurn(gone.threads, { siteId: site.id, id: "gone", asked: { caller: "web" }, end: null });
    await addTurn(alive.threads, { siteId: site.id, id: "alive", asked: { caller: "web" }, end: null });
    using command = await openTestPostgres({ url });
    await addTurn(command.threads, { siteId: site.id, id: "cli", asked: { caller: "cli" }, end: null });
    const silence = `UPDATE servers SET seen_at = now() - interval '31 seconds'
      WHERE id = (SELECT server_id FROM turns WHERE id LIKE '%gone%')`;
    queryNow(nameOf(url), silence, []);
    const outcomes = () =>
      queryNow<{ id: string; outcome: string | null }>(
        nameOf(url),
        "SELECT id, outcome FROM turns ORDER BY id",
        [],
      ).map(({ id, outcome }) => [id, outcome]);
    const watch = openWatch(url, () => {});
    const database = openDatabase({ url, connectionsMax: 1, connectSecondsMax: 5 });
    const { log, lines } = testLog();
    const join = (id: string, hears: boolean) =>
      joinServers(database, { id, watch, log, hears: () => hears });

    const deaf = await join("deaf", false);
    expect(outcomes()).toEqual([
      ["alive", null],
      ["cli", null],
      ["gone", null],
    ]);
    const hearing = await join("hearing", true);
    expect(outcomes()).toEqual([
      ["alive", null],
      ["cli", null],
      ["gone", "failed"],
    ]);
    expect(lines).toEqual([expect.objectContaining({ level: "warn", failed: 1 })]);
    await Promise.all([deaf.leave(), hearing.leave()]);
    await Promise.all([watch.close(), database.close()]);
  });

  test("keep the places before a model of one that is slow, and not of one whose connection has ended", async () => {
    const url = await newDatabase();
    const sql = (text: string) => queryNow(nameOf(url), text, []);
    // As if PostgreSQL had been there for longer than this test.
    sql(
      "CREATE FUNCTION pg_postmaster_start_time() RETURNS timestamptz LANGUAGE sql AS 'SELECT ''-infinity''::timestamptz'",
    );
    sql(`ALTER DATABASE ${nameOf(url)} SET search_path = public, pg_catalog`);
    using one = await openTestPostgres({ url, isServer: true });
    using other = await openTestPostgres({ url, isServer: true });
    const ticket = {
      number: 1,
      asker: { siteId: 1, reader: "reader" },
      again: false,
      choices: [{ address: "http://model", rank: 0, slots: 1 }],
      address: undefined,
    };
    await one.modelLine?.update([ticket], () => []);
    const seenByOther = async () => (await other.modelLine?.update([], () => []))?.length;
    const silent = "UPDATE servers SET seen_at = now() - interval '11 seconds'";
    sql(silent);
    expect(await seenByOther()).toBe(1);
    sql(
      "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND classid = 1685021545",
    );
    // Until then it has not come back with a beat.
    while ((await seenByOther()) !== 0) sql(silent);
  });

  test.if(canStartPostgres)("are heard although no commit is acknowledged", async () => {
    const postgres = await startPostgres({ settings: ["synchronous_standby_names=nobody"] });
    const url = postgres.urlOf("postgres");
    const database = openDatabase({ url, connectionsMax: 1, connectSecondsMax: 5 });
    await upgrade(database, TEST_TIME);
    await database.run("ALTER ROLE postgres SET synchronous_commit = on");
    const watch = openWatch(url, () => {});
    const { leave } = await joinServers(database, { id: "one", watch, log: quietLog() });
    const heard = () => database.all("SELECT id FROM servers");
    expect(await heard()).toEqual([{ id: "one" }]);
    await leave();
    expect(await heard()).toEqual([]);
    await Promise.all([watch.close(), database.close()]);
    await postgres.stop();
  });

  test("know how far their own clocks are from the database's", async () => {
    const url = await newDatabase();
    const database = openDatabase({ url, connectionsMax: 1, connectSecondsMax: 5 });
    const watch = openWatch(url, () => {});
    const queries: Watch["queries"] = {
      // The same answer, as a machine gets it whose clock is 90 seconds behind.
      async get<Row>(...asked: Parameters<Watch["queries"]["get"]>) {
        const row = await watch.queries.get<Row>(...asked);
        if (typeof row === "object" && row !== null && "at" in row)
          Object.assign(row, { at: Number(row.at) + 90_000 });
        return row;
      },
    };
    const { aheadMs, leave } = await joinServers(database, {
      id: "one",
      watch: { queries },
      log: quietLog(),
    });
    expect(Math.round(aheadMs() / 10_000)).toBe(9);
    await leave();
    await Promise.all([watch.close(), database.close()]);
  });
});

describe.if(hasPostgres)("whether PostgreSQL answers", () => {
  test("is no while the way to it is cut, and yes again soon after", async () => {
    const way = await openWay(await newDatabase());
    const mended: string[] = [];
    const watch = openWatch(way.url, (which) => mended.push(which), { cutMs: 1000 });
    expect(await watch.answers()).toBe(true);
    way.cut({ stays: true });
    while (await watch.answers()) await Bun.sleep(50);
    way.mend();
    expect(mended).toEqual([]);
    while (!(await watch.answers())) await Bun.sleep(50);
    expect(mended).toEqual(["all"]);
    await watch.close();
    way.close();
  });

  test("is yes while it stands still for a moment, and what is being written goes on", async () => {
    const way = await openWay(await newDatabase());
    const database = openDatabase({ url: way.url, connectionsMax: 1, connectSecondsMax: 5 });
    const mended: string[] = [];
    const watch = openWatch(way.url, (which) => {
      mended.push(which);
      database.reconnect(which);
    });
    expect(await watch.answers()).toBe(true);
    const written = database.inOneWrite(async (write) => {
      way.hold();
      return write.get<{ one: number }>("SELECT 1 AS one");
    });
    // The first look is one that nothing answers.
    await Bun.sleep(1100);
    const looks = [await watch.answers()];
    way.resume();
    for (let time = 0; time < 2; time++) {
      await Bun.sleep(1100);
      looks.push(await watch.answers());
    }
    expect([looks, mended]).toEqual([[true, true, true], ["idle"]]);
    expect(await written).toEqual({ one: 1 });
    await Promise.all([watch.close(), database.close()]);
    way.close();
  });

  test("is yes while a beat waits for others", async () => {
    const url = await newDatabase();
    const database = openDatabase({ url, connectionsMax: 2, connectSecondsMax: 5 });
    const watch = openWatch(url, () => {});
    const { leave } = await joinServers(database, { id: "one", watch, log: quietLog(), beatMs: 10 });
    const isOver = Promise.withResolvers<void>();
    const holding = database.inOneWrite(async (write) => {
      await write.run("UPDATE servers SET seen_at = seen_at");
      await isOver.promise;
    });
    const looks: boolean[] = [];
    for (let time = 0; time < 4; time++) {
      looks.push(await watch.answers());
      await Bun.sleep(1000);
    }
    expect(looks).not.toContain(false);
    isOver.resolve();
    await holding;
    await leave();
    await Promise.all([watch.close(), database.close()]);
  });

  test("is no where nobody listens", async () => {
    const watch = openWatch("postgres://postgres@127.0.0.1:1/docent", () => {});
    expect(await watch.answers()).toBe(false);
    await watch.close();
  });

  test("is asked once for all who want to know within a second", async () => {
    const url = await newDatabase();
    const watch = openWatch(url, () => {});
    const asked = () =>
      queryNow<{ backends: number }>(
        nameOf(url),
        "SELECT count(*)::int AS backends FROM pg_stat_activity WHERE datname = current_database() AND query = 'SELECT 1' AND application_name = 'docent'",
        [],
      )[0]?.backends;
    const answers = Array.from({ length: 1000 }, watch.answers);
    expect(new Set(answers).size).toBe(1);
    expect(await Promise.all(answers)).toEqual(answers.map(() => true));
    expect(asked()).toBe(1);
    expect(watch.answers()).toBe(watch.answers());
    await watch.close();
  });
});
