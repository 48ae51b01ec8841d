import { expect } from "bun:test";
import { createIndexKeeper } from "../../../../../src/finding/search/keyword-index/keyword-index.ts";
import type { SegmentStore } from "../../../../../src/finding/search/keyword-index/segment-store.ts";
import { completeIndexes } from "../../../../../src/running/upkeep/indexes.ts";
import { createOrganizationTurns } from "../../../../../src/sites/ingest/organization-turns.ts";
import { testLog } from "../../../../helpers/test-log.ts";
import { until } from "../../../../helpers/until.ts";
import { followed, linesOf, NEVER, type Opened, REFUSALS, untilWaiting, type Work } from "../half-way.ts";
import { addSite, pagesOf, read } from "./site.ts";

/** So many of one size are merged. */
const SEGMENTS = 4;
const PAGES = 30;

/** A site whose index has segments that were never merged, and what is found in it. */
async function openSite(it: Opened, domain: string) {
  const site = await addSite(it, domain);
  const { parts } = it.server;
  const store = parts.storage.content.segments;
  const { catchUp } = createIndexKeeper({ store, log: testLog().log });
  const index = { catchUp, tidy: async () => {} };
  for (let generation = 0; generation < SEGMENTS; generation++) {
    const pages = pagesOf(PAGES, `zebra${generation}`);
    await read(it.server, it, { siteId: site.id, pages, generation }, { index });
  }
  async function found() {
    const asked = { audience: "everything", siteId: site.id, text: "Where does page 7 sleep?" } as const;
    const { hits } = await parts.content.search.find({ ...asked, pageSize: 20 });
    return hits.map(({ path, score }) => [path, score]);
  }
  return {
    site,
    store,
    found,
    async expectMerged() {
      const all = await store.list(site.id);
      expect(all.map(({ passages }) => passages)).toEqual([SEGMENTS * PAGES]);
      expect(await store.unfinished(site.id)).toEqual([]);
    },
  };
}

/** A run that merges segments, when it has written a part of the merged one. */
export const mergeOfCommand: Work = async (it, middle) => {
  const { site, store, found, expectMerged } = await openSite(it, "merged");
  const before = await found();
  expect([before.length, (await store.list(site.id)).length]).toEqual([20, SEGMENTS]);
  const { segments } = it.command.parts.storage.content;
  const { log } = testLog();
  const keeper = createIndexKeeper({ store: { ...segments, write: followed(segments.write, middle) }, log });
  const merging = keeper.tidy(site.id, NEVER);
  return {
    refused: () => untilWaiting(it.command),
    async ended() {
      await merging;
      await expectMerged();
      expect(await found()).toEqual(before);
    },
  };
};

/** A server that makes an index whole: when it has written a part of what is missing, or of what it merges then. */
export const indexOfServer =
  (part: "missing" | "merged"): Work =>
  async (it, middle) => {
    const { site, store, found, expectMerged } = await openSite(it, `${part}-whole`);
    const before = await found();
    const [first] = await store.list(site.id);
    await store.remove([first?.id ?? 0]);
    let isFinished = part === "missing";
    const watched: SegmentStore = {
      ...store,
      write: followed(store.write, async () => {
        if (isFinished) await middle();
      }),
      finish: followed(store.finish, async () => {
        isFinished = true;
      }),
    };
    const { log, lines } = testLog();
    const { storage } = it.server.parts;
    let looks = 0;
    const work = completeIndexes(
      {
        list: site.list,
        stores: storage.content,
        index: createIndexKeeper({ store: watched, log }),
        takeOn(name) {
          looks += 1;
          return storage.takeOn(name);
        },
        lookMs: 5,
      },
      createOrganizationTurns(1),
      log,
    );
    const afterLooks = (more: number) => {
      const enough = looks + more;
      return until(() => looks > enough);
    };
    return {
      refused: () => afterLooks(REFUSALS),
      async ended() {
        const keeper = createIndexKeeper({ store, log });
        await until(async () => (await keeper.lacks(site.id, NEVER)).missing === 0);
        // The look that goes on now may be the one that does it.
        await afterLooks(REFUSALS);
        await work.close();
        expect(linesOf(lines, "a site's keyword index is whole")).toHaveLength(1);
        expect(linesOf(lines, "a site's keyword index could not be made whole").length).toBeLessThan(2);
        await expectMerged();
        expect(await found()).toEqual(before);
      },
    };
  };
