import { describe, expect, test } from "bun:test";
import { createIndexKeeper } from "../../../src/finding/search/keyword-index/index-keeper.ts";
import type { SegmentStore } from "../../../src/finding/search/keyword-index/segment-store.ts";
import { createSearch } from "../../../src/finding/search/search.ts";
import { TEST_TIME } from "../../helpers/fake-clock.ts";
import { openIngestSite } from "../../helpers/ingest-site.ts";
import { noCalibrations } from "../../helpers/open-search.ts";
import { quietLog } from "../../helpers/test-log.ts";
import { wordEmbedder } from "../../helpers/word-embedder.ts";

const { signal } = new AbortController();
const settings = {
  vectors_in_memory: 1000,
  vector_memory_bytes: 0,
  keyword_memory_bytes: 0,
  passage_memory_bytes: 0,
  question_vector_seconds: 3600,
};

/** A site whose index has four segments, which are merged when that is asked for. */
async function fourSegments() {
  const pages: Record<string, string> = {};
  let catchUp: ReturnType<typeof createIndexKeeper>["catchUp"] | undefined;
  const index = {
    catchUp: async (...given: Parameters<NonNullable<typeof catchUp>>) => catchUp?.(...given),
    tidy: async () => {},
  };
  const it = await openIngestSite({ index });
  const { segments, search: store } = it.storage;
  const keeper = createIndexKeeper({ store: segments, log: quietLog() });
  catchUp = keeper.catchUp;
  for (const name of ["zebra", "lion", "hay", "stripes"]) {
    for (let number = 0; number < 5; number++)
      pages[`${name}${number}`] = `# ${name}\n\nThe zebra has stripes and hay ${number}. A ${name} has more.`;
    await it.run(pages);
  }
  const searchOf = (rows: SegmentStore["rows"]) =>
    createSearch({
      store,
      segments: { rows },
      calibrations: noCalibrations,
      embedder: wordEmbedder(),
      isWord: async () => false,
      settings,
      clock: () => TEST_TIME,
      log: quietLog(),
    });
  return {
    it,
    searchOf,
    segmentIds: async () => (await segments.list(it.site.id)).map(({ id }) => id),
    tidy: () => keeper.tidy(it.site.id, signal),
    query: {
      audience: "everything" as const,
      siteId: it.site.id,
      text: 'zebra "stripes and hay" lion',
      pageSize: 5,
    },
  };
}

/** Asks while the segments are merged before a read: the first, or the last ones. Returns what was said of both. */
async function askMeanwhile(
  ask: "find" | "explain",
  { text, fromLast }: { text?: string; fromLast: number | undefined },
) {
  const its = await fourSegments();
  using it = its.it;
  const { segments } = it.storage;
  const asked = (await it.storage.inventory.at(it.site.id, "hay1")).map(({ id, hidden, content }) => ({
    id,
    hidden,
    passageIds: content.map((passage) => passage.id),
  }));
  const query = { ...its.query, text: text ?? its.query.text };
  const askOf = (search: ReturnType<typeof its.searchOf>) =>
    ask === "find" ? search.find(query) : search.explain(query, asked);
  let reads = 0;
  const wanted = await askOf(
    its.searchOf((...read) => {
      reads++;
      return segments.rows(...read);
    }),
  );
  expect(await its.segmentIds()).toHaveLength(4);
  const at = fromLast === undefined ? 1 : reads - fromLast;
  let calls = 0;
  let tidied: Promise<unknown> | undefined;
  const given = await askOf(
    its.searchOf(async (...read) => {
      // Reads that are under way at once all come too late.
      if (++calls >= at) {
        tidied ??= its.tidy();
        await tidied;
      }
      return segments.rows(...read);
    }),
  );
  expect(await its.segmentIds()).toHaveLength(1);
  return { given, wanted, reads };
}

describe("search while segments are replaced", () => {
  for (const ask of ["find", "explain"] as const) {
    test(`${ask} says the same, whenever that happens`, async () => {
      for (const fromLast of [undefined, 8, 2, 0]) {
        const { given, wanted } = await askMeanwhile(ask, { fromLast });
        expect(given).toEqual(wanted);
      }
    });
  }

  // A read that fails and that nobody waits for would end the process.
  test("while words are looked for that a misspelled one may mean, in all segments at once", async () => {
    const text = "strypes of a zebra";
    const { reads } = await askMeanwhile("find", { text, fromLast: 0 });
    for (let fromLast = 1; fromLast < reads; fromLast++) {
      const { given, wanted } = await askMeanwhile("find", { text, fromLast });
      expect(given).toEqual(wanted);
    }
  });
});
