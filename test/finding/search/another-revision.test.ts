import { expect, test } from "bun:test";
import { createIndexKeeper } from "../../../src/finding/search/keyword-index/index-keeper.ts";
import { SEGMENT_REVISION } from "../../../src/finding/search/keyword-index/keyword-index.ts";
import { createSearch } from "../../../src/finding/search/search.ts";
import { TEST_TIME } from "../../helpers/fake-clock.ts";
import { openIngestSite } from "../../helpers/ingest-site.ts";
import { noCalibrations } from "../../helpers/open-search.ts";
import { appErrorOf } from "../../helpers/rejection.ts";
import { quietLog } from "../../helpers/test-log.ts";
import { wordEmbedder } from "../../helpers/word-embedder.ts";

const [ANALYZER = 0, FORMAT = 0] = SEGMENT_REVISION.split(".").map(Number);
const settings = {
  vectors_in_memory: 1000,
  vector_memory_bytes: 0,
  keyword_memory_bytes: 0,
  passage_memory_bytes: 0,
  question_vector_seconds: 3600,
};

async function opened() {
  const it = await openIngestSite();
  await it.run({ zebra: "# Zebra\n\nThe zebra has stripes.", lion: "# Lion\n\nThe lion sleeps." });
  const { segments, search: store, database } = it.storage;
  const search = createSearch({
    store,
    segments,
    calibrations: noCalibrations,
    embedder: wordEmbedder(),
    isWord: async () => false,
    settings,
    clock: () => TEST_TIME,
    log: quietLog(),
  });
  return {
    ...it,
    keeper: createIndexKeeper({ store: segments, log: quietLog() }),
    find: async () =>
      (await search.find({ audience: "everything", siteId: it.site.id, text: "zebra", pageSize: 5 })).hits[0]
        ?.path,
    setRevision: (revision: string) => void database.run("UPDATE segments SET revision = ?", [revision]),
  };
}

test("an index of another analyzer is searched until it is made anew", async () => {
  using it = await opened();
  for (const analyzer of [ANALYZER - 1, ANALYZER + 1]) {
    it.setRevision(`${analyzer}.${FORMAT}`);
    expect(await it.find()).toBe("zebra");
  }
});

test("of an index of another format nothing is read: readers are told to come again, until it is made anew", async () => {
  using it = await opened();
  it.setRevision(`${ANALYZER}.${FORMAT - 1}`);
  expect(await appErrorOf(it.find)).toMatchObject({ code: "unavailable", retryAfterSeconds: 10 });
  await it.keeper.complete(it.site.id, new AbortController().signal);
  expect(await it.find()).toBe("zebra");
});
