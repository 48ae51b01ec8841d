import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CALIBRATION_REVISION } from "../../../src/finding/search/relevance/calibration.ts";
import { AppError } from "../../../src/kernel/errors.ts";
import { heldLease } from "../../../src/kernel/lib/lease.ts";
import { sourceWork } from "../../../src/running/upkeep/source-work.ts";
import { completeVectors } from "../../../src/running/upkeep/vectors.ts";
import { createOrganizationTurns } from "../../../src/sites/ingest/organization-turns.ts";
import { FIXTURE_DOCS, startDocent, type TestDocent } from "../../helpers/docent.ts";
import { TEST_TIME } from "../../helpers/fake-clock.ts";
import { isShared } from "../../helpers/shared-database.ts";
import { addSite } from "../../helpers/site-data.ts";
import { temporaryDirectory } from "../../helpers/temporary-directory.ts";
import { testLog } from "../../helpers/test-log.ts";
import { openTestStorage } from "../../helpers/test-storage.ts";
import { until } from "../../helpers/until.ts";

/** Changes what an older version, or time, would have left, in the file of SQLite. */
function change(data: string, ...statements: string[]): void {
  const database = new Database(join(data, "docent.db"));
  for (const sql of statements) database.run(sql);
  database.close();
}

/** Lets the work of a test begin: the server beside it does the same work, and one would wait for the other. */
const atOnce = async () => heldLease(() => {});

const stateOf = async ({ app }: TestDocent) => {
  const [site] = await app.parts.people.sites.list();
  return app.parts.storage.content.search.state(site?.id ?? 0);
};

test.skipIf(isShared)(
  "a server gives sites the vectors that they have not, or have of another embedder, by itself",
  async () => {
    using directory = temporaryDirectory();
    await (await startDocent({ data: directory.path })).close();
    // As an upgrade, or another setting, leaves it.
    change(
      directory.path,
      "UPDATE sites SET embedder_id = NULL",
      "DELETE FROM passage_vectors WHERE passage_id % 2 = 0",
      "UPDATE embedders SET identity = 'another'",
    );
    const docent = await startDocent({ data: directory.path, docs: null });
    await until(async () => (await stateOf(docent)).embedder !== undefined);
    const { generation, embedder } = await stateOf(docent);
    expect([generation, embedder?.identity === "another"]).toEqual([1, false]);
    const { id } = (await docent.app.parts.people.sites.list())[0] ?? { id: 0 };
    expect(
      await docent.app.parts.storage.content.passageVectors.missing(id, embedder?.id ?? 0, 0, 10),
    ).toEqual([]);
    await until(async () => docent.logged.join("").includes("a site has its vectors"));
    await docent.close();
  },
);

test.skipIf(isShared)(
  "a run calibrates its site, and a server a site that an older version left without",
  async () => {
    using directory = temporaryDirectory();
    const data = join(directory.path, "data");
    const docs = join(directory.path, "docs");
    mkdirSync(docs);
    for (let page = 0; page < 110; page++)
      writeFileSync(
        join(docs, `page-${page}.md`),
        `# Page ${page}\n\nThe zebra of enclosure ${page} eats hay.\n`,
      );
    const calibrated = async (docent: TestDocent) => {
      const [site] = await docent.app.parts.people.sites.list();
      const { calibrations } = docent.app.parts.storage.content;
      const { generation, embedder } = await stateOf(docent);
      const key = {
        siteId: site?.id ?? 0,
        generation,
        audience: "everything" as const,
        embedderId: embedder?.id,
        revision: CALIBRATION_REVISION,
      };
      return (await calibrations.nearest(key))?.generation;
    };
    const first = await startDocent({ data, docs });
    expect(await calibrated(first)).toBe(1);
    await first.close();
    change(data, "DELETE FROM calibrations");
    const upgraded = await startDocent({ data, docs: null });
    await until(async () => (await calibrated(upgraded)) === 1);
    await upgraded.close();
  },
);

test("the vectors of one organization do not wait for those of another one, nor for what goes wrong there", async () => {
  const docent = await startDocent();
  const { people } = docent.app.parts;
  const { id: organizationId } = await people.sites.addOrganization("other");
  for (const domain of ["acme-2", "rival", "rival-2"])
    await people.sites.add({ domain, organization: domain.startsWith("acme") ? "default" : organizationId });
  const all = (await people.sites.list()).map((site) => ({ ...site, generation: 1 }));
  const names = new Map(all.map(({ id, domain }) => [id, domain]));
  const slow = Promise.withResolvers<void>();
  const ended: string[] = [];
  const calibrated: string[] = [];
  const { log, lines } = testLog();
  const work = completeVectors(
    {
      sites: { ...people.sites, list: async () => all },
      vectors: {
        areCurrent: async () => false,
        removeOld: async () => {},
        async complete(siteId) {
          const name = names.get(siteId) ?? "";
          if (name.startsWith("acme")) await slow.promise;
          if (name === "rival") throw new Error("a passage that no model takes");
          ended.push(name);
        },
      },
      calibrator: {
        isUncalibrated: async () => true,
        async calibrate(siteId) {
          calibrated.push(names.get(siteId) ?? "");
        },
      },
      takeOn: atOnce,
    },
    createOrganizationTurns(2),
    log,
  );
  await until(() => ended.length === 1);
  expect(ended).toEqual(["rival-2"]);
  slow.resolve();
  await until(() => ended.length === 3);
  await work.close();
  expect(lines.filter(({ level }) => level === "warn")).toMatchObject([{ site: "rival" }]);
  expect(calibrated.toSorted()).toEqual(ended.toSorted());
  await docent.close();
});

test("vectors that could not be made are tried again, whatever went wrong, and it is said once", async () => {
  using storage = await openTestStorage();
  const site = { ...(await addSite(storage.sites, "docs")), generation: 1 };
  const lost = new AbortController();
  const ended: string[] = [];
  const { log, lines } = testLog();
  let rounds = 0;
  const work = completeVectors(
    {
      sites: {
        async list() {
          rounds += 1;
          if (rounds === 1) throw new Error("the database is away");
          return [site];
        },
      },
      vectors: {
        areCurrent: async () => false,
        removeOld: async () => {},
        async complete(_, { signal }) {
          if (rounds === 2) throw new Error("the model is away");
          if (rounds === 3) lost.abort(new Error("the lease was lost"));
          signal.throwIfAborted();
          ended.push(`round ${rounds}`);
        },
      },
      calibrator: { isUncalibrated: async () => false, calibrate: async () => {} },
      takeOn: async () => ({
        lost: rounds === 2 ? lost.signal : new AbortController().signal,
        release: async () => {},
      }),
      retryMs: { first: 1, most: 4 },
    },
    createOrganizationTurns(2),
    log,
  );
  await until(() => ended.length > 0);
  await Bun.sleep(20);
  await work.close();
  // What went through is not done again.
  expect([ended, rounds]).toEqual([["round 4"], 4]);
  expect(lines.filter(({ level }) => level === "warn")).toMatchObject([
    { event: expect.stringContaining("vectors could not be made") },
  ]);
});

test("vectors that fail are not waited for when the server stops", async () => {
  const { log } = testLog();
  let rounds = 0;
  const work = completeVectors(
    {
      sites: {
        async list() {
          rounds += 1;
          throw new Error("the database is away");
        },
      },
      vectors: { areCurrent: async () => true, removeOld: async () => {}, complete: async () => {} },
      calibrator: { isUncalibrated: async () => false, calibrate: async () => {} },
      takeOn: async () => heldLease(() => {}),
    },
    createOrganizationTurns(2),
    log,
  );
  await until(() => rounds === 1);
  await work.close();
  expect(rounds).toBe(1);
});

test("a server removes what a change of the embedder has left that was cut short", async () => {
  using directory = temporaryDirectory();
  const before = await startDocent({ data: directory.path });
  const { people, storage } = before.app.parts;
  const site = await people.sites.get("acme");
  const { passageVectors: vectors, segments } = storage.content;
  const ids = await segments.passageIds(site.id);
  const old = await vectors.embedder("old", 8);
  await vectors.put(
    old,
    ids.map((passageId) => ({ passageId, bits: new Uint8Array(1), vector: new Int8Array(8).fill(1) })),
  );
  const left = async ({ app }: TestDocent) =>
    (
      await app.parts.storage.content.search.similarities(
        { embedderId: old, isEnriched: false },
        new Int8Array(8).fill(1),
        ids,
      )
    ).size;
  expect(await left(before)).toBeGreaterThan(0);
  await before.close();
  const docent = await startDocent({ data: directory.path, docs: null });
  await until(async () => (await left(docent)) === 0);
  expect((await stateOf(docent)).embedder?.id).not.toBe(old);
  await docent.close();
});

test("a server lets another process do it, and only for sites that need it", async () => {
  const docent = await startDocent();
  const { people } = docent.app.parts;
  for (const domain of ["outdated", "uncalibrated", "complete"]) await people.sites.add({ domain });
  const all = (await people.sites.list()).map((site) => ({ ...site, generation: 1 }));
  const nameOf = (siteId: number) => all.find(({ id }) => id === siteId)?.domain;
  const apart: string[] = [];
  const here = () => Promise.reject(new Error("was done here"));
  const { log, lines } = testLog();
  const work = completeVectors(
    {
      sites: { ...people.sites, list: async () => all },
      vectors: {
        areCurrent: async (siteId) => nameOf(siteId) !== "outdated",
        removeOld: async () => {},
        complete: here,
      },
      calibrator: { isUncalibrated: async (siteId) => nameOf(siteId) === "uncalibrated", calibrate: here },
      takeOn: atOnce,
      completeApart: async (domain) => void apart.push(domain),
    },
    createOrganizationTurns(2),
    log,
  );
  await until(() => apart.length === 2);
  await work.close();
  expect(apart.toSorted()).toEqual(["outdated", "uncalibrated"]);
  expect(lines.filter(({ level }) => level === "warn")).toEqual([]);
  await docent.close();
});

test.skipIf(isShared)("a server reads a source that is due by itself, and when it is due next", async () => {
  using directory = temporaryDirectory();
  const data = join(directory.path, "data");
  const docs = join(directory.path, "docs");
  cpSync(FIXTURE_DOCS, docs, { recursive: true });
  await (await startDocent({ data, docs })).close();
  writeFileSync(join(docs, "news.md"), "# News\n\nTeleportation is new.\n");
  change(data, "UPDATE sources SET every_ms = 3600000, next_run_at = 1");
  const docent = await startDocent({ data, docs: null });
  await until(async () => (await stateOf(docent)).generation === 2);
  const [site] = await docent.app.parts.people.sites.list();
  const listed = async () => (await docent.app.parts.sources.ofSites.list(site?.id ?? 0))[0];
  await until(async () => ((await listed())?.nextRunAt ?? 0) > Date.now());
  expect(await listed()).toMatchObject({ lastRun: { outcome: "published", counts: { added: 1 } } });
  await docent.close();
});

test.skipIf(isShared)(
  "a source that cannot be read on schedule is a warning, and the server goes on",
  async () => {
    using directory = temporaryDirectory();
    const data = join(directory.path, "data");
    await (await startDocent({ data })).close();
    change(data, "UPDATE sources SET every_ms = 3600000, next_run_at = 1, location = '/nowhere/at/all'");
    const docent = await startDocent({ data, docs: null });
    await until(() => docent.logged.some((line) => line.includes("could not be read on schedule")));
    expect((await docent.post("{}")).status).toBe(400);
    expect((await stateOf(docent)).generation).toBe(1);
    await docent.close();
  },
);

/** A server whose one source is due, and whose schedule's runs go through `runSelf`. */
async function withDueSource(
  runSelf: (words: string[], signal: AbortSignal) => Promise<void>,
  runMs: number,
) {
  const docent = await startDocent({ clock: () => TEST_TIME });
  const { parts } = docent.app;
  const [site] = await parts.people.sites.list();
  const siteId = site?.id ?? 0;
  const [source] = await parts.sources.ofSites.list(siteId);
  const id = source?.id ?? 0;
  await parts.storage.content.sources.change(id, { everyMs: 3_600_000, nextRunAt: 1 });
  const due = { domain: site?.domain ?? "", sourceId: id };
  return {
    close: docent.close,
    run: (signal: AbortSignal) =>
      sourceWork({ runSelf, config: { run_seconds: runMs / 1000 } }, parts).run(due, signal),
    nextRunAt: async () => (await parts.sources.ofSites.get(siteId, id)).nextRunAt,
  };
}

test("a source whose process was killed is due one interval later; one that the server stopped stays due", async () => {
  const killed = async () => {
    throw new AppError("unavailable", "exit code 137");
  };
  const it = await withDueSource(killed, 60_000);
  await expect(it.run(AbortSignal.abort())).rejects.toThrow("exit code 137");
  expect(await it.nextRunAt()).toBe(1);

  await expect(it.run(new AbortController().signal)).rejects.toThrow("exit code 137");
  expect(await it.nextRunAt()).toBe(TEST_TIME + 3_600_000);
  await it.close();
});

test("a run on schedule that takes too long is ended, and is due one interval later", async () => {
  const endless = (_: string[], signal: AbortSignal) =>
    new Promise<void>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  const it = await withDueSource(endless, 20);
  await expect(it.run(new AbortController().signal)).rejects.toThrow("The run was ended after 0.02 seconds.");
  expect(await it.nextRunAt()).toBe(TEST_TIME + 3_600_000);
  await it.close();
});
