import { describe, expect, test } from "bun:test";
import { MIGRATIONS } from "../../src/storage/postgres/migrate.ts";
import { TEST_TIME } from "../helpers/fake-clock.ts";
import { NO_COUNTS, publishPages, sourceSpec, stagedPage } from "../helpers/page-data.ts";
import { hasPostgres, newDatabase, queryNow } from "../helpers/postgres.ts";
import { appErrorOf } from "../helpers/rejection.ts";
import { addSite } from "../helpers/site-data.ts";
import { openTestPostgres } from "../helpers/test-postgres.ts";
import { addTurn } from "../helpers/turn-data.ts";

const nameOf = (url: string) => new URL(url).pathname.slice(1);

async function openedSite() {
  const url = await newDatabase();
  const storage = await openTestPostgres({ url });
  const site = await addSite(storage.sites, "docs");
  const source = await storage.sources.open(sourceSpec(site.id), TEST_TIME);
  await storage.sources.change(source.id, { everyMs: 1000, nextRunAt: TEST_TIME });
  const pages = Array.from({ length: 600 }, (_, index) => stagedPage(`p${index}`, `text ${index}`));
  await publishPages(storage.ingest, source, pages);
  await addTurn(storage.threads, { siteId: site.id, id: "1" });
  /** How many rows of how many tables say that they are of the site. */
  const left = () => {
    const tables = queryNow<{ name: string }>(
      nameOf(url),
      "SELECT table_name AS name FROM information_schema.columns WHERE column_name = 'site_id' AND table_schema = 'public'",
      [],
    ).map(({ name }) => `SELECT site_id FROM ${name}`);
    return queryNow<{ count: number }>(
      nameOf(url),
      `SELECT count(*) AS count FROM (${tables.join(" UNION ALL ")}) AS rows WHERE site_id = ${site.id}`,
      [],
    )[0]?.count;
  };
  /** Has PostgreSQL end the removal before the last of its pages goes, as where a server is killed. */
  const breakRemoval = () =>
    queryNow(
      nameOf(url),
      `CREATE FUNCTION broken() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'broken'; END $$;
       CREATE TRIGGER broken BEFORE DELETE ON pages FOR EACH ROW WHEN (OLD.path = 'p599') EXECUTE FUNCTION broken()`,
      [],
    );
  const mend = () => queryNow(nameOf(url), "DROP TRIGGER broken ON pages", []);
  return {
    url,
    storage,
    site,
    source,
    left,
    breakRemoval,
    mend,
    [Symbol.dispose]: () => storage[Symbol.dispose](),
  };
}

describe.if(hasPostgres)("a site that is removed", () => {
  test("is gone with all that it had", async () => {
    using it = await openedSite();
    expect(it.left()).toBeGreaterThan(1200);
    await it.storage.sites.removeSite(it.site.id);
    expect(it.left()).toBe(0);
    expect(queryNow(nameOf(it.url), "SELECT id FROM sites", [])).toEqual([]);
  });

  test("is there for nobody where the removal is interrupted, and its domain is free", async () => {
    using it = await openedSite();
    const { storage, site, source } = it;
    const { runId } = await storage.ingest.openRun(source, TEST_TIME);
    const revision = await storage.sites.revision();
    it.breakRemoval();
    await expect(storage.sites.removeSite(site.id)).rejects.toThrow("broken");
    // In parts: what went before is gone.
    expect(it.left()).toBeGreaterThan(0);
    expect(queryNow(nameOf(it.url), "SELECT count(*) AS count FROM pages", [])).toEqual([{ count: 100 }]);
    expect(await storage.sites.revision()).not.toBe(revision);
    expect([await storage.sites.listSites(), await storage.sites.findSite("docs")]).toEqual([[], undefined]);
    expect(await storage.sites.findSite(`${site.id} removed`)).toBeUndefined();
    expect(await storage.pages.findPages(site.id, "p599", "everything")).toEqual([]);
    expect(await storage.segments.sites()).toEqual([]);
    expect(await storage.sources.due(TEST_TIME + 1)).toEqual([]);
    const published = storage.ingest.publish(source, runId, { counts: NO_COUNTS, at: TEST_TIME });
    expect((await appErrorOf(() => published)).code).toBe("conflict");
    const again = await addSite(storage.sites, "docs");
    expect(await storage.sites.listSites()).toEqual([again]);
  });

  test.each(["the next removal", "the next server"])(
    "is emptied by %s where the removal was interrupted",
    async (by) => {
      using it = await openedSite();
      it.breakRemoval();
      await expect(it.storage.sites.removeSite(it.site.id)).rejects.toThrow("broken");
      it.mend();
      if (by === "the next server") {
        using server = await openTestPostgres({ url: it.url, isServer: true });
        while (it.left() !== 0) await Bun.sleep(10);
        expect(await server.sites.listSites()).toEqual([]);
      } else {
        const other = await addSite(it.storage.sites, "other");
        await it.storage.sites.removeSite(other.id);
        expect(it.left()).toBe(0);
      }
    },
  );

  test("may have no table that grows with it and is not emptied in parts", () => {
    const sql = MIGRATIONS.map((each) => each.sql).join("\n");
    const tables = [...sql.matchAll(/CREATE TABLE (\w+) \(([\s\S]*?)\n\)/g)];
    const ofSites = tables
      .filter(([, , body = ""]) => /site_id .*REFERENCES sites/.test(body))
      .map(([, name]) => name);
    // In parts by themselves, with what is in parts, or a few for each site.
    expect(ofSites.toSorted()).toEqual(KNOWN.toSorted());
  });
});

/** Those that are emptied in parts, what goes with their rows, and what a site has a few of. */
const KNOWN = `
  segments pages images enrichments events threads searches cached_answers sources
  passages enriched_passages generations turns feedback gap_questions evaluation_questions
  assistant_key_sites calibrations enrichment_measures curated_answers turn_counts gaps run_jobs
  reader_secrets golden_questions golden_checks generation_reports notice_subjects`
  .trim()
  .split(/\s+/);
