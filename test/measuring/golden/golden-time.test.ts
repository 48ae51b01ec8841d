import { expect, test } from "bun:test";
import { SECOND_MS } from "../../../src/kernel/lib/clock.ts";
import { createSwitchWatch } from "../../../src/measuring/golden/watch.ts";
import { openGoldenSite } from "../../helpers/golden-site.ts";

/** Watches a run that has lost every page, with a clock that goes on as something is asked. */
async function watchSlowly(tookMs: { site: number; find: number }) {
  const it = await openGoldenSite();
  await it.keep("How do I install Acme on Linux?", "install");
  await it.keep("How is a backup of the database written?", "backup");
  let nowMs = 0;
  const { search } = it.parts.content;
  type Find = typeof search.find;
  const slowly = (find: Find): Find => {
    return (query) => {
      nowMs += tookMs.find;
      return find(query);
    };
  };
  let id = 0;
  const { golden, generationReports } = it.parts.storage.reports;
  const { evaluation, turns } = it.parts.reports.analytics;
  const watch = createSwitchWatch({
    settings: { relevance_min: 0.3, answer_when: "balanced" },
    stores: { golden, generationReports },
    search: {
      find: slowly(search.find),
      // Another generation: readers were shown something else meanwhile.
      at: () => ({
        find: slowly(async () => ({
          generation: 7,
          hits: [],
          corrected: undefined,
          spelled: undefined,
          isAgreed: false,
        })),
      }),
    },
    pages: it.parts.content.pages,
    analytics: { evaluation, turns },
    curated: it.parts.answers.curated,
    siteOf: async () => {
      nowMs += tookMs.site;
      return it.site();
    },
    clock: () => nowMs,
    ids: { ulid: () => `check-${++id}` },
  });
  const { signal } = new AbortController();
  return {
    check: () =>
      watch.beforeSwitch({
        source: { ...it.source },
        runId: 0,
        generation: 1,
        redirects: [],
        isRequired: true,
        signal,
      }),
    [Symbol.asyncDispose]: () => it[Symbol.asyncDispose](),
  };
}

test("what all questions said counts where there is no time to ask them again", async () => {
  await using watched = await watchSlowly({ site: 0, find: 30 * SECOND_MS });
  expect(await watched.check()).toMatchObject({ asked: 2, unasked: 0, worse: [{}, {}], isRefused: true });
});

test("a run that needs their consent fails where there was no time for any of them", async () => {
  await using watched = await watchSlowly({ site: 60 * SECOND_MS, find: 0 });
  await expect(watched.check()).rejects.toMatchObject({ code: "unavailable" });
});
