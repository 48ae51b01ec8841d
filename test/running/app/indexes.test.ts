import { expect, test } from "bun:test";
import { SEGMENT_REVISION, SegmentDamaged } from "../../../src/finding/search/keyword-index/keyword-index.ts";
import { heldLease } from "../../../src/kernel/lib/lease.ts";
import { completeIndexes } from "../../../src/running/upkeep/indexes.ts";
import { createOrganizationTurns } from "../../../src/sites/ingest/organization-turns.ts";
import { startDocent, type TestDocent } from "../../helpers/docent.ts";
import { hasPostgres, newDatabase, queryNow } from "../../helpers/postgres.ts";
import { testLog } from "../../helpers/test-log.ts";
import { openTestStorage } from "../../helpers/test-storage.ts";
import { until } from "../../helpers/until.ts";

const WHOLE = { outdated: 0, newer: 0, missing: 0 };

/** Looks after sites that are whole or not, as a test says by their names. */
async function looking(
  lacks: Record<string, () => typeof WHOLE>,
  complete: (domain: string) => Promise<void>,
  { isApart = false } = {},
) {
  const storage = await openTestStorage();
  const sites = Object.keys(lacks).map((domain, index) => ({
    id: index + 1,
    domain,
    organizationId: "o",
    generation: 1,
  }));
  const nameOf = (siteId: number) => sites.find(({ id }) => id === siteId)?.domain ?? "";
  const looked: string[] = [];
  let rounds = 0;
  const { log, lines } = testLog();
  const work = completeIndexes(
    {
      list: async () => {
        rounds += 1;
        return sites;
      },
      stores: storage,
      index: {
        async lacks(siteId) {
          looked.push(nameOf(siteId));
          return lacks[nameOf(siteId)]?.() ?? WHOLE;
        },
        complete: (siteId) =>
          isApart ? Promise.reject(new Error("was done here")) : complete(nameOf(siteId)),
      },
      takeOn: async () => heldLease(() => {}),
      completeApart: isApart ? complete : undefined,
      lookMs: 5,
    },
    createOrganizationTurns(2),
    log,
  );
  return {
    work,
    looked,
    sites,
    warnings: () => lines.filter(({ level }) => level === "warn"),
    async rounds(more: number) {
      const until_ = rounds + more;
      await until(() => rounds >= until_);
    },
    async [Symbol.asyncDispose]() {
      await work.close();
      storage[Symbol.dispose]();
    },
  };
}

for (const isApart of [false, true]) {
  test(`an index that is outdated, incomplete or damaged is made whole, ${isApart ? "by another process" : "here"}`, async () => {
    const done: string[] = [];
    const unless = (domain: string, lack: Partial<typeof WHOLE>) => () => ({
      ...WHOLE,
      ...(done.includes(domain) ? {} : lack),
    });
    await using it = await looking(
      {
        old: unless("old", { outdated: 1 }),
        holed: unless("holed", { missing: 1 }),
        ahead: unless("ahead", { newer: 1 }),
        sound: () => WHOLE,
        damaged() {
          if (!done.includes("damaged")) throw new SegmentDamaged(1, 1);
          return WHOLE;
        },
      },
      async (domain) => void done.push(domain),
      { isApart },
    );
    await it.rounds(4);
    expect(done.toSorted()).toEqual(["damaged", "holed", "old"]);
    expect(it.warnings()).toEqual([]);
  });
}

test("a site that is whole is not read again before it has changed", async () => {
  await using it = await looking({ sound: () => WHOLE }, async () => {});
  await it.rounds(4);
  expect(it.looked).toEqual(["sound"]);
  for (const site of it.sites) site.generation += 1;
  await it.rounds(4);
  expect(it.looked).toEqual(["sound", "sound"]);
});

test("what fails is tried again and said once, and holds up no other site", async () => {
  let attempts = 0;
  const done: string[] = [];
  await using it = await looking(
    {
      failing: () => ({ ...WHOLE, outdated: attempts < 4 ? 1 : 0 }),
      other: () => ({ ...WHOLE, missing: done.length > 0 ? 0 : 1 }),
    },
    async (domain) => {
      if (domain === "other") return void done.push(domain);
      if (++attempts < 4) throw new Error("the database is away");
    },
  );
  await until(() => attempts === 4 && done.length === 1);
  expect(it.warnings()).toMatchObject([{ site: "failing" }]);
});

/** Whether all that is indexed was made by this version. Asked of the server, which psql would hold up. */
async function isOfNow({ app }: TestDocent): Promise<boolean> {
  const site = await app.parts.people.sites.get("acme");
  const list = await app.parts.storage.content.segments.list(site.id);
  return list.length > 0 && list.every(({ revision }) => revision === SEGMENT_REVISION);
}

async function findsByWords({ app }: TestDocent): Promise<boolean> {
  const site = await app.parts.people.sites.get("acme");
  const { passages } = await app.parts.content.pages.countPages(site.id);
  const { segments } = app.parts.storage.content;
  const list = await segments.list(site.id);
  return list.reduce((sum, each) => sum + each.passages, 0) === passages && passages > 0;
}

test.if(hasPostgres)("servers that share a database make an outdated or missing index anew", async () => {
  const settings = { database_url: await newDatabase() };
  const database = new URL(settings.database_url).pathname.slice(1);
  await (await startDocent({ settings })).close();
  for (const change of [
    "UPDATE segments SET revision = '1.6'",
    "UPDATE segments SET revision = '1.1'",
    "DELETE FROM segments",
  ]) {
    queryNow(database, change, []);
    const docent = await startDocent({ settings, docs: null });
    await until(() => isOfNow(docent));
    expect(await findsByWords(docent)).toBe(true);
    await docent.close();
  }
});
