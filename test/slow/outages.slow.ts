import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { type FakeOllama, startFakeOllama } from "../helpers/fake-ollama.ts";
import { hasPgbouncer } from "../helpers/pgbouncer.ts";
import { canStartPostgres } from "../helpers/postgres.ts";
import { MEASURED } from "./outages/beside.ts";
import { ENGINES, type Engine, type EngineName, startEngine } from "./outages/engines.ts";
import { openSites, PAGES, type Sites, SMALL_PAGES } from "./outages/sites.ts";
import { until } from "./outages/steps.ts";

// One outage of half a minute in the middle of all that is done at the same time: a run of the command line, one that the
// server was asked for, what a model writes for search, questions that are put into gaps, a notice on its way to whoever is
// told, questions that measure search, a backup, readers who ask. The real program, over every kind of storage.

setDefaultTimeout(300_000);

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

/** A storage with what works on it, and what came of half a minute without it. */
interface Trial {
  name: EngineName;
  ollama: FakeOllama;
  engine: Engine;
  sites: Sites;
  outage: Promise<void>;
}

let trials: Trial[] = [];
const trialOf = (name: EngineName): Trial => {
  const trial = trials.find((each) => each.name === name);
  if (trial === undefined) throw new Error(`${name} was not opened`);
  return trial;
};

async function open(name: EngineName): Promise<Trial> {
  const ollama = startFakeOllama();
  const engine = await startEngine(name);
  const sites = await openSites(engine, ollama);
  const outage = goThrough(engine, sites);
  // A test waits for it, and fails with it.
  outage.catch(() => {});
  return { name, ollama, engine, sites, outage };
}

/** All of the work, with half a minute in its middle in which nothing can be stored. */
async function goThrough(engine: Engine, sites: Sites): Promise<void> {
  const { place, server, beside } = sites;
  expect((await sites.ask("How is the quantum flux capacitor calibrated?")).status).toBe(200);
  await until(async () => (await sites.count(WRITTEN)) > 0);
  const measuring = await beside.begin();
  const commanded = place.spawn("ingest", "commanded", "commanded");
  const job = await sites.request();
  await sites.untilInTheMiddle(["commanded", "requested"]);

  const during = await engine.away(place.folder, OUTAGE_MS, async () => {
    sites.letModelWrite();
    const copying = beside.meanwhile();
    const asked = await sites.ask("What is said of the zebra?");
    return { copying, asked, live: await sites.health("live") };
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

  expect(await measuring.end()).toEqual(MEASURED);
  if (during.copying !== undefined)
    expect([await during.copying.exited, (await beside.verify()).code]).toEqual([0, 0]);
  const { notices, arrived } = await beside.told();
  expect(notices).toEqual([{ id: expect.any(String), state: "sent", tries: 1 }]);
  expect(arrived).toEqual(notices.map(({ id }) => id));

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
}

// They are away at the same time: half a minute is long.
beforeAll(async () => {
  trials = await Promise.all(ENGINES.filter(isHere).map(open));
});
afterAll(async () => {
  for (const { ollama, engine, sites } of trials) {
    await sites.close();
    await engine.close();
    await ollama.stop();
  }
});

describe.each(ENGINES.filter(isHere))("an absence of %s", (name) => {
  test("of half a minute fails no run, loses no count, and ends no work of the server", async () => {
    await trialOf(name).outage;
  });

  // How long a run waits is one clock's, whatever is away: that PgBouncer is known to be is shown above.
  test.if(name !== "PgBouncer")(
    "that lasts for longer than a run may wait fails it, which says so, and the next goes on from there",
    async () => {
      const { engine, sites } = trialOf(name);
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
    },
  );
});
