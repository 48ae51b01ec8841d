import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { type FakeOllama, startFakeOllama } from "../helpers/fake-ollama.ts";
import { hasPgbouncer } from "../helpers/pgbouncer.ts";
import { canStartPostgres } from "../helpers/postgres.ts";
import { ENGINES, type Engine, type EngineName, startEngine } from "./outages/engines.ts";
import { openSites, PAGES, type Sites, SMALL_PAGES, until } from "./outages/sites.ts";

// One outage of half a minute in the middle of all that is done at the same time: a run of the command line, one that the
// server was asked for, what a model writes for search, questions that are put into gaps, readers who ask. The real program,
// over every kind of storage.

setDefaultTimeout(240_000);

const OUTAGE_MS = 30_000;

const isHere = (name: EngineName) =>
  name === "SQLite" || (canStartPostgres && (name === "PostgreSQL" || hasPgbouncer));

for (const name of ENGINES.filter((each) => !isHere(each)))
  process.stderr.write(`\n  ${name} is not here: what docs/scaling.md says of its absence is NOT TESTED\n`);

const WRITTEN = "SELECT count(*) AS count FROM enriched_passages";
const IN_GAPS = "SELECT count(*) AS count FROM gap_questions";
const CUT_OFF = `
  SELECT count(*) AS count FROM source_runs WHERE outcome = 'failed' AND message LIKE 'The run was cut off before its end%'`;
const UNENDED = "SELECT count(*) AS count FROM source_runs WHERE finished_at IS NULL";

describe.each(ENGINES.filter(isHere))("half a minute without %s", (name) => {
  let ollama: FakeOllama;
  let engine: Engine;
  let sites: Sites;

  beforeAll(async () => {
    ollama = startFakeOllama();
    engine = await startEngine(name);
    sites = await openSites(engine, ollama);
  });
  afterAll(async () => {
    await sites?.close();
    await engine?.close();
    await ollama?.stop();
  });

  test("fails no run, loses no count, and ends no work of the server", async () => {
    const { place, server } = sites;
    expect((await sites.ask("How is the quantum flux capacitor calibrated?")).status).toBe(200);
    await until(async () => (await sites.count(WRITTEN)) > 0);
    const commanded = place.spawn("ingest", "commanded", "commanded");
    const job = await sites.request();
    await sites.untilInTheMiddle(["commanded", "requested"]);

    const during = await engine.away(place.folder, OUTAGE_MS, async () => {
      sites.letModelWrite();
      return { asked: await sites.ask("What is said of the zebra?"), live: await sites.health("live") };
    });
    expect(during).toMatchObject({ asked: { status: 503, retryAfter: expect.any(String) }, live: 200 });

    const said = await new Response(commanded.stderr).text();
    expect([await commanded.exited, said]).toEqual([
      0,
      expect.stringContaining("the database is away: this waits for it"),
    ]);
    const whole = { outcome: "published", counts: { added: PAGES, changed: 0, removed: 0 } };
    expect(await sites.lastRun("commanded")).toMatchObject(whole);

    await until(async () => (await job()).state === "ended");
    expect(await job()).toMatchObject({ ...whole, message: null });
    expect(await sites.lastRun("requested")).toMatchObject(whole);
    expect(await sites.count(UNENDED)).toBe(0);

    await until(async () => (await sites.count(WRITTEN)) === SMALL_PAGES);
    await until(async () => (await sites.count(IN_GAPS)) === 1);
    const after = await sites.ask("What is said of the zebra?");
    expect([after.status, after.text]).toEqual([200, expect.stringContaining("zebra")]);
    expect(server.child.exitCode).toBeNull();
    expect(
      server
        .err()
        .split("\n")
        .filter((line) => line.includes('"level":"error"')),
    ).toEqual([]);
  });

  test("that lasts for longer than a run may wait fails it, which says so, and the next goes on from there", async () => {
    const { place } = sites;
    const folder = sites.writeMore();
    const run = place.spawn("ingest", "commanded", folder, "--database-wait-seconds", "1");
    await sites.untilInTheMiddle(["commanded"]);
    await engine.away(place.folder, 0, () => run.exited);
    expect([await run.exited, await new Response(run.stderr).text()]).toEqual([
      1,
      expect.stringMatching(
        /docent: The database was away for longer than 1 seconds\.\n {2}→ .*To wait longer, raise database_wait_seconds\.\n$/,
      ),
    ]);
    const again = await place.run("ingest", "commanded", folder);
    expect([again.code, again.err]).toEqual([0, expect.any(String)]);
    expect(await sites.lastRun("commanded")).toMatchObject({
      outcome: "published",
      counts: { added: PAGES },
    });
    expect(await sites.count(UNENDED)).toBe(0);
    expect(await sites.count(CUT_OFF)).toBe(1);
  });
});
