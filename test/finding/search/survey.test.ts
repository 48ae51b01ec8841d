import { describe, expect, test } from "bun:test";
import { withoutAsking, withoutOwnThings } from "../../../src/finding/search/asking/asking.ts";
import { createIndexKeeper } from "../../../src/finding/search/keyword-index/index-keeper.ts";
import type { SegmentStore } from "../../../src/finding/search/keyword-index/segment-store.ts";
import foreignQuestions from "../../../src/finding/search/relevance/foreign-questions.txt" with {
  type: "text",
};
import type { Evidence } from "../../../src/finding/search/relevance/relevance.ts";
import { readOrdinaryWords } from "../../../src/finding/search/relevance/relevance.ts";
import { createRetrieval, type Retrieval } from "../../../src/finding/search/retrieve.ts";
import { readStory } from "../../../src/finding/search/story/story.ts";
import { createTranslate, readLexiconAsset } from "../../../src/finding/search/translate/translate.ts";
import { createBuiltinEmbedder, readBuiltinAsset } from "../../../src/models/builtin/builtin.ts";
import { createVectors } from "../../../src/sites/ingest/vectors.ts";
import { noCalibrations, openKeywords } from "../../helpers/open-search.ts";
import { publishPages } from "../../helpers/page-data.ts";
import { ownSections, publishedDocs } from "../../helpers/published-docs.ts";
import { quietLog } from "../../helpers/test-log.ts";

const QUESTIONS = foreignQuestions.trim().split("\n");
const EMBEDDER = createBuiltinEmbedder(readBuiltinAsset);
const { signal } = new AbortController();
const settings = {
  vectors_in_memory: 10_000,
  vector_memory_bytes: 1_000_000,
  keyword_memory_bytes: 1_000_000,
  passage_memory_bytes: 0,
  question_vector_seconds: 3600,
};

const SEGMENTS = 4;

/** The product's own docs in some segments, and the way to their passages. */
async function opened() {
  const pages = await ownSections();
  const docs = await publishedDocs([]);
  const { segments, search: store, passageVectors, ingest } = docs.storage;
  const keeper = createIndexKeeper({ store: segments, log: quietLog() });
  let generation = 0;
  for (let part = 0; part < SEGMENTS; part++) {
    const some = pages.filter((_, index) => index % SEGMENTS === part);
    generation = await publishPages(ingest, docs.source, some);
    await keeper.catchUp(docs.site.id, { signal });
  }
  await createVectors({ store: passageVectors, embedder: EMBEDDER }).complete(docs.site.id, { signal });
  const scope = { siteId: docs.site.id, generation, audience: "everything" as const, filter: {} };
  const view = await openKeywords(docs.storage).view(scope);
  const retrievalOf = (rows: SegmentStore["rows"]) =>
    createRetrieval({
      settings,
      store,
      segments: { rows },
      calibrations: noCalibrations,
      embedder: EMBEDDER,
      isWord: EMBEDDER.isWord,
      log: quietLog(),
    });
  const surveyBy = (rows: SegmentStore["rows"]) => retrievalOf(rows).survey(scope.siteId, "everything");
  return { ...docs, scope, view, segments, keeper, retrievalOf, surveyBy };
}

/** What the passages say that a search ranks. */
function evidenceOf({ takeEvidence, ranked, fused }: Retrieval): Evidence[] {
  const similarityOf = new Map(fused.map(({ passageId, similarity }) => [passageId, similarity]));
  if (ranked.length === 0) return [takeEvidence(new Set(), undefined)];
  return ranked.map(({ passageId, has }) => takeEvidence(has, similarityOf.get(passageId)));
}

const inOrder = (all: readonly Evidence[]) => all.map((each) => JSON.stringify(each)).toSorted();

describe("a survey", () => {
  test("says of foreign questions what the passages say that a search ranks for them", async () => {
    using it = await opened();
    const { retrieve, survey } = it.retrievalOf(it.segments.rows);
    const { ask, passages } = await survey(it.site.id, "everything");
    expect(passages).toBe(it.view.passages);
    // They stand by subject: every third is of all of them.
    for (const text of QUESTIONS.filter((_, index) => index % 3 === 0)) {
      const wanted = await retrieve({ ...it.scope, text, pageSize: 10 }, evidenceOf);
      expect(inOrder((await ask(text)).evidence), text).toEqual(inOrder(wanted));
    }
  });

  test("sees the index as it is by then where segments are replaced meanwhile", async () => {
    using it = await opened();
    const [first = "", second = ""] = QUESTIONS;
    const before = await it.surveyBy(it.segments.rows);
    const wanted = await before.ask(second);
    const { ask } = await it.surveyBy(it.segments.rows);
    await ask(first);
    expect(await it.segments.list(it.site.id)).toHaveLength(SEGMENTS);
    await it.keeper.tidy(it.site.id, signal);
    expect(await it.segments.list(it.site.id)).toHaveLength(1);
    expect(await ask(second)).toEqual(wanted);
  });
});

describe("foreign questions", () => {
  test("are plain: a sentence in English, which tells nothing of whoever asks, and asks nobody", async () => {
    using it = await opened();
    const translate = createTranslate({
      readAsset: readLexiconAsset,
      isWord: EMBEDDER.isWord,
      ordinaryWords: readOrdinaryWords,
    });
    for (const question of QUESTIONS) {
      expect(readStory(question), question).toBeUndefined();
      expect(withoutAsking(question)).toBe(question);
      expect(await withoutOwnThings([question], it.view)).toEqual([question]);
      expect(await translate(question, { view: it.view, language: undefined }), question).toBeUndefined();
    }
  });
});
