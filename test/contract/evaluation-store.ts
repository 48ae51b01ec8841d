import { describe, expect, test } from "bun:test";
import type { EvaluationQuestion } from "../../src/measuring/analytics/stores.ts";
import { TEST_TIME } from "../helpers/fake-clock.ts";
import { addSite } from "../helpers/site-data.ts";
import { addTurn } from "../helpers/turn-data.ts";
import type { OpenStores } from "./stores.ts";

const QUESTION: EvaluationQuestion = {
  id: "E1",
  turnId: "1",
  question: "How?",
  expected: ["guide/a#b", "c"],
  subset: "install",
  version: "2",
  language: "de",
  at: TEST_TIME,
};

/** What every EvaluationStore guarantees. */
export function describeEvaluationStore(
  name: string,
  open: OpenStores<"evaluation" | "threads" | "sites" | "retention">,
): void {
  describe(`evaluation store: ${name}`, () => {
    async function opened() {
      const stores = await open();
      const site = await addSite(stores.sites, "docs");
      const other = await addSite(stores.sites, "other");
      await addTurn(stores.threads, { siteId: site.id, id: "1", threadId: "T", asked: { fp: "ann" } });
      return { ...stores, site, other, [Symbol.dispose]: () => stores[Symbol.dispose]() };
    }

    test("a question is kept as it was given, oldest first, and counted", async () => {
      using it = await opened();
      await it.evaluation.add(it.site.id, { ...QUESTION, id: "E2", turnId: undefined, at: TEST_TIME + 1 });
      await it.evaluation.add(it.site.id, QUESTION);
      expect(await it.evaluation.list(it.site.id, 10)).toEqual([
        QUESTION,
        { ...QUESTION, id: "E2", turnId: undefined, at: TEST_TIME + 1 },
      ]);
      expect(await it.evaluation.list(it.site.id, 1)).toHaveLength(1);
      expect(await it.evaluation.count(it.site.id)).toBe(2);
    });

    test("another site does not see it, and cannot remove it", async () => {
      using it = await opened();
      await it.evaluation.add(it.site.id, QUESTION);
      expect(await it.evaluation.list(it.other.id, 10)).toEqual([]);
      expect(await it.evaluation.remove(it.other.id, "E1")).toBe(false);
      expect(await it.evaluation.remove(it.site.id, "E1")).toBe(true);
      expect(await it.evaluation.remove(it.site.id, "E1")).toBe(false);
    });

    test("a turn that is gone, or another site's, is not named", async () => {
      using it = await opened();
      await it.evaluation.add(it.site.id, { ...QUESTION, turnId: "gone" });
      await it.evaluation.add(it.other.id, { ...QUESTION, id: "E2" });
      expect((await it.evaluation.list(it.site.id, 10))[0]?.turnId).toBeUndefined();
      expect((await it.evaluation.list(it.other.id, 10))[0]?.turnId).toBeUndefined();
    });

    test("it outlives a turn that grows old", async () => {
      using it = await opened();
      await it.evaluation.add(it.site.id, QUESTION);
      await it.retention.removeTurns(it.site.id, { before: TEST_TIME + 1 }, 10);
      expect(await it.evaluation.list(it.site.id, 10)).toEqual([{ ...QUESTION, turnId: undefined }]);
    });

    test.each([{ threadId: "T" }, { fp: "ann" }])(
      "it goes with what is deleted on purpose: %j",
      async (doomed) => {
        using it = await opened();
        await it.evaluation.add(it.site.id, QUESTION);
        await it.retention.removeTurns(it.site.id, doomed, 10);
        expect(await it.evaluation.list(it.site.id, 10)).toEqual([]);
      },
    );
  });
}
