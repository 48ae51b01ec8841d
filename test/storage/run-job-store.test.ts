import { expect, test } from "bun:test";
import type { RunJob } from "../../src/sites/ingest/run-jobs/run-jobs.ts";
import { createOwnRunJobs } from "../../src/sites/ingest/run-jobs/run-jobs.ts";
import { describeRunJobStore } from "../contract/run-job-store.ts";
import { sourceSpec } from "../helpers/page-data.ts";
import { hasPostgres, queryNow } from "../helpers/postgres.ts";
import { addSite } from "../helpers/site-data.ts";
import { openTestPostgres, type PostgresStorage } from "../helpers/test-postgres.ts";

describeRunJobStore("in memory", async () => ({
  store: createOwnRunJobs(),
  siteId: 1,
  organizationId: "org-1",
  domain: "docs",
}));

function storeOf({ runJobs }: PostgresStorage) {
  if (runJobs === undefined) throw new Error("it is no server");
  return runJobs;
}

async function opened() {
  const storage = await openTestPostgres({ isServer: true });
  const { id: siteId, organizationId, domain } = await addSite(storage.sites, "docs");
  return { storage, store: storeOf(storage), siteId, organizationId, domain };
}

if (hasPostgres) describeRunJobStore("PostgreSQL", opened);

test.if(hasPostgres)(
  "a run of a server that is gone waits again, and its end is another's to note",
  async () => {
    const { storage, store, ...site } = await opened();
    const other = storeOf(await openTestPostgres({ url: storage.url, isServer: true }));
    const job: RunJob = {
      ...site,
      id: "1",
      sourceId: 1,
      location: "/docs",
      state: "waiting",
      requestedAt: 1,
    };
    await store.add(job);
    expect(await store.begin("1", 2)).toBe(true);
    expect([await other.begin("1", 3), (await other.underWay())[0]?.state]).toEqual([false, "running"]);
    const database = new URL(storage.url).pathname.slice(1);
    queryNow(database, "DELETE FROM servers WHERE id = (SELECT server_id FROM run_jobs)", []);
    expect((await other.underWay())[0]?.state).toBe("waiting");
    // What the gone one's process did of it meanwhile counts as this run's.
    const source = await storage.sources.open(sourceSpec(site.siteId), 3);
    queryNow(database, "UPDATE run_jobs SET source_id = ?", [source.id]);
    const meanwhile = await storage.ledger.beginRun(source, 3);
    await storage.ledger.endRun(source, meanwhile, { outcome: "published", counts: {}, at: 3 });
    const [again] = await other.underWay();
    expect([again?.state, again?.afterRun]).toEqual(["waiting", 0]);
    expect((await storage.ledger.runsAfter(source.id, again?.afterRun ?? -1)).length).toBe(1);
    expect(await other.begin("1", 3)).toBe(true);
    await store.end("1", { outcome: "failed" }, 4);
    expect((await other.find("1"))?.state).toBe("running");
    await other.end("1", { outcome: "published" }, 5);
    expect((await store.find("1"))?.end?.outcome).toBe("published");
  },
);
