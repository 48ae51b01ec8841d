import { describe, expect, test } from "bun:test";
import type { Comparison } from "../../src/measuring/golden/comparison.ts";
import type { GoldenQuestion } from "../../src/measuring/golden/stores.ts";
import { TEST_TIME } from "../helpers/fake-clock.ts";
import { sourceSpec } from "../helpers/page-data.ts";
import { addSite } from "../helpers/site-data.ts";
import { addTurn } from "../helpers/turn-data.ts";
import type { OpenStores } from "./stores.ts";

const QUESTION: GoldenQuestion = {
  id: "G1",
  turnId: "1",
  origin: "liked",
  question: "How?",
  expected: ["guide/a#b", ""],
  version: "2",
  language: "de",
  groups: ["staff"],
  at: TEST_TIME,
};

const COMPARISON: Comparison = {
  asked: 2,
  unasked: 1,
  worse: [
    {
      id: "G1",
      before: { rank: 1, page: "a", first: "a", relevance: 0.9, isAnswered: true },
      after: { relevance: 0.1, isAnswered: false },
      why: { reason: "gone", page: "a" },
    },
  ],
  better: [],
};

/** What every GoldenStore guarantees. */
export function describeGoldenStore(
  name: string,
  open: OpenStores<"golden" | "threads" | "feedback" | "sites" | "sources" | "retention">,
): void {
  describe(`golden store: ${name}`, () => {
    async function opened() {
      const stores = await open();
      const site = await addSite(stores.sites, "docs");
      const other = await addSite(stores.sites, "other");
      const source = await stores.sources.open(sourceSpec(site.id), TEST_TIME);
      await addTurn(stores.threads, { siteId: site.id, id: "1", threadId: "T", asked: { fp: "ann" } });
      const check = { sourceId: source.id, before: 1, generation: undefined, comparison: COMPARISON };
      return { ...stores, site, other, source, check, [Symbol.dispose]: () => stores[Symbol.dispose]() };
    }

    test("questions are kept as they were given, oldest first", async () => {
      using it = await opened();
      const later = { ...QUESTION, id: "G2", turnId: undefined, groups: undefined, at: TEST_TIME + 1 };
      await it.golden.add(it.site.id, [later, QUESTION]);
      expect(await it.golden.list(it.site.id, 10)).toEqual([QUESTION, later]);
      expect(await it.golden.list(it.site.id, 1)).toEqual([QUESTION]);
    });

    test("of several questions, all are added or none", async () => {
      using it = await opened();
      await it.golden.add(it.site.id, [QUESTION]);
      const adding = it.golden.add(it.site.id, [{ ...QUESTION, id: "G0" }, QUESTION]);
      expect(
        await adding.then(
          () => "added",
          () => "refused",
        ),
      ).toBe("refused");
      expect(await it.golden.list(it.site.id, 10)).toEqual([QUESTION]);
    });

    test("another site does not see them, cannot remove them, and names none of their turns", async () => {
      using it = await opened();
      await it.golden.add(it.site.id, [QUESTION]);
      expect(await it.golden.list(it.other.id, 10)).toEqual([]);
      expect(await it.golden.remove(it.other.id, "G1")).toBe(false);
      await it.golden.add(it.other.id, [{ ...QUESTION, id: "G2" }]);
      expect((await it.golden.list(it.other.id, 10))[0]?.turnId).toBeUndefined();
      expect(await it.golden.remove(it.site.id, "G1")).toBe(true);
      expect(await it.golden.remove(it.site.id, "G1")).toBe(false);
    });

    test("they outlive a turn that grows old", async () => {
      using it = await opened();
      await it.golden.add(it.site.id, [QUESTION]);
      await it.retention.removeTurns(it.site.id, { before: TEST_TIME + 1 }, 10);
      expect(await it.golden.list(it.site.id, 10)).toEqual([{ ...QUESTION, turnId: undefined }]);
    });

    test.each([{ threadId: "T" }, { fp: "ann" }])(
      "they go with what is deleted on purpose: %j",
      async (doomed) => {
        using it = await opened();
        await it.golden.add(it.site.id, [QUESTION]);
        await it.retention.removeTurns(it.site.id, doomed, 10);
        expect(await it.golden.list(it.site.id, 10)).toEqual([]);
      },
    );

    test("turns whose answers were liked are told, the newest opinion first", async () => {
      using it = await opened();
      for (const [index, helpful] of [true, false, true].entries()) {
        const messageId = `m${index}`;
        await addTurn(it.threads, { siteId: it.site.id, id: messageId, threadId: messageId });
        const said = { messageId, threadId: messageId, helpful, comment: undefined };
        await it.feedback.put(it.site.id, said, TEST_TIME + index);
      }
      expect(await it.golden.liked(it.site.id, 10)).toEqual(["m2", "m0"]);
      expect(await it.golden.liked(it.site.id, 1)).toEqual(["m2"]);
      expect(await it.golden.liked(it.other.id, 10)).toEqual([]);
    });

    test("a check is kept whole, the newest first, with what its run became", async () => {
      using it = await opened();
      const { site, other, source, check } = it;
      await it.golden.addCheck(site.id, { ...check, id: "C1", at: TEST_TIME, refused: true });
      await it.golden.addCheck(site.id, { ...check, id: "C2", at: TEST_TIME + 1, refused: false });
      await it.golden.settleCheck(other.id, "C1", 9);
      await it.golden.settleCheck(site.id, "C2", 2);
      const { sourceId: _, ...kept } = { ...check, source: { id: source.id, location: source.location } };
      expect(await it.golden.checks(site.id, 10)).toEqual([
        { ...kept, id: "C2", at: TEST_TIME + 1, refused: false, generation: 2 },
        { ...kept, id: "C1", at: TEST_TIME, refused: true },
      ]);
      expect(await it.golden.checks(other.id, 10)).toEqual([]);
    });

    test("no more than fifty checks of a site are kept, and those of another stay", async () => {
      using it = await opened();
      await it.golden.addCheck(it.other.id, { ...it.check, id: "O", at: 0, refused: false });
      for (let at = 1; at <= 52; at++)
        await it.golden.addCheck(it.site.id, { ...it.check, id: `C${at}`, at, refused: false });
      const kept = await it.golden.checks(it.site.id, 100);
      expect([kept.length, kept[0]?.id, kept.at(-1)?.id]).toEqual([50, "C52", "C3"]);
      expect(await it.golden.checks(it.other.id, 100)).toHaveLength(1);
    });
  });
}
