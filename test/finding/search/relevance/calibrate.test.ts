import { describe, expect, test } from "bun:test";
import { createCalibrator } from "../../../../src/finding/search/relevance/calibrate.ts";
import foreignQuestions from "../../../../src/finding/search/relevance/foreign-questions.txt" with {
  type: "text",
};
import type {
  Calibration,
  CalibrationKey,
  CalibrationStore,
  Evidence,
  KeptCalibration,
} from "../../../../src/finding/search/relevance/relevance.ts";
import type { IndexState } from "../../../../src/finding/search/search-store.ts";
import { ANYBODY, type Audience, audienceKey } from "../../../../src/sites/pages/audience.ts";
import { TEST_TIME } from "../../../helpers/fake-clock.ts";

const { signal } = new AbortController();
const QUESTIONS = foreignQuestions.trim().split("\n");
const STATE: IndexState = {
  generation: 3,
  segments: [],
  isReadable: true,
  embedder: { id: 7, identity: "words", dimensions: 8 },
  enrichment: { segments: [], counts: false },
};

/** A calibrator of a site that finds this for each question; what it stored is in `stored`. */
function opened({
  evidence = [{ covered: 0.25, near: 0.5, familiar: 2 }] as [Evidence, ...Evidence[]],
  byMeaning = (_asked: number): boolean => true,
  passages = 1000,
  state = () => STATE,
  known = undefined as KeptCalibration | undefined,
  changes = { changed: 101, pages: 1000 } as { changed: number; pages: number } | undefined,
  /** Whoever reads sees all pages unless given. */
  audience = (_asked: Audience): Audience => "everything",
  pagesFor = (_audience: Audience): number => 1000,
  clock = () => TEST_TIME,
  meanwhile = (_asked: number): void => {},
} = {}) {
  const asked: string[] = [];
  const surveyed: Audience[] = [];
  const stored: [CalibrationKey, Calibration, number | undefined][] = [];
  const store: CalibrationStore = {
    async nearest(key) {
      const own = stored.findLast(([each]) => audienceKey(each.audience) === audienceKey(key.audience));
      if (own === undefined) return known;
      const [{ generation }, calibration, pagesChanged = 0] = own;
      return { generation, calibration, pagesChanged };
    },
    askedBy: async () => [],
    async put(key, calibration, pagesChanged) {
      stored.push([key, calibration, pagesChanged]);
    },
    changes: async () => changes,
  };
  const calibrator = createCalibrator({
    store,
    state: async () => state(),
    audience: async (_, asked) => audience(asked),
    pages: async (scope) => pagesFor(scope.audience),
    async survey(_, of) {
      surveyed.push(of);
      return {
        passages,
        async ask(question) {
          asked.push(question);
          meanwhile(asked.length);
          return { evidence, byMeaning: byMeaning(asked.length) };
        },
      };
    },
    clock,
  });
  return { calibrator, asked, stored, surveyed };
}

const known = (generation: number, pagesChanged = 0) => ({
  generation,
  pagesChanged,
  calibration: { covered: { mean: 0, deviation: 1 }, familiar: { mean: 0, deviation: 1 } },
});

const ENRICHED: IndexState = { ...STATE, enrichment: { segments: [1], counts: true } };

describe("calibrating a site", () => {
  test("is done apart where what was written for passages counts, and anew when more of it was", async () => {
    const plain = opened();
    const enriched = opened({ state: () => ENRICHED, known: known(3) });
    await plain.calibrator.calibrate(1, signal);
    await enriched.calibrator.calibrate(1, signal);
    expect(enriched.stored).toEqual([]);
    await enriched.calibrator.calibrateAnew(1, signal);
    const revisionOf = ({ stored }: typeof plain) => stored[0]?.[0].revision;
    expect(revisionOf(enriched)).toBeNumber();
    expect(revisionOf(enriched)).not.toBe(revisionOf(plain));
  });

  test("keeps nothing where what was written began to count meanwhile", async () => {
    let state = STATE;
    const { calibrator, stored } = opened({
      state: () => state,
      meanwhile: () => {
        state = ENRICHED;
      },
    });
    await calibrator.calibrate(1, signal);
    expect(stored).toEqual([]);
  });

  test("asks each foreign question once, and keeps the mean and the deviation of the best evidence", async () => {
    const { calibrator, asked, stored } = opened({
      evidence: [
        { covered: 0.1, near: 0.1, familiar: 2 },
        { covered: 0.25, near: 0.5, familiar: 2 },
      ],
    });
    await calibrator.calibrate(1, signal);
    expect(asked.toSorted()).toEqual(QUESTIONS.toSorted());
    expect(stored).toEqual([
      [
        { audience: "everything", siteId: 1, generation: 3, embedderId: 7, revision: expect.any(Number) },
        {
          covered: { mean: expect.closeTo(0.25), deviation: 0.15 },
          near: { mean: expect.closeTo(0.5), deviation: 0.05 },
          familiar: { mean: expect.closeTo(2), deviation: 1 },
        },
        undefined,
      ],
    ]);
  });

  test("the first questions are of all subjects, for the case that there is no time for more", async () => {
    const { calibrator, asked } = opened();
    await calibrator.calibrate(1, signal);
    const places = asked.slice(0, 60).map((question) => QUESTIONS.indexOf(question) / QUESTIONS.length);
    for (const tenth of Array.from({ length: 10 }, (_, index) => index / 10)) {
      expect(places.filter((place) => place >= tenth && place < tenth + 0.1).length).toBeGreaterThan(3);
    }
  });

  test("is taken over from a generation before while a tenth of the pages at the most have changed since it was measured", async () => {
    const few = opened({ known: known(2, 40), changes: { changed: 60, pages: 1000 } });
    await few.calibrator.calibrate(1, signal);
    expect(few.asked).toEqual([]);
    expect(few.stored).toMatchObject([[{ generation: 3 }, known(2).calibration, 100]]);
    const many = opened({ known: known(2, 41), changes: { changed: 60, pages: 1000 } });
    await many.calibrator.calibrate(1, signal);
    expect([many.asked.length, many.stored.length]).toEqual([QUESTIONS.length, 1]);
  });

  describe("where pages are for groups", () => {
    const audience = (asked: Audience) => asked;

    test("is measured of what anybody sees, and taken over by those who see a tenth more at the most", async () => {
      const few = opened({ audience, pagesFor: (of) => (of === "everything" ? 1000 : 900) });
      await few.calibrator.calibrate(1, signal);
      expect(few.surveyed).toEqual([ANYBODY]);
      expect(few.stored.map(([{ audience }, , changed]) => [audience, changed])).toEqual([
        [ANYBODY, undefined],
        ["everything", 100],
      ]);
      const [ofAnybody, ofAll] = few.stored.map(([, calibration]) => calibration);
      expect(ofAll).toEqual(ofAnybody);
    });

    test("is measured anew for those who see more than that, and never taken over by those who see less", async () => {
      const many = opened({ audience, pagesFor: (of) => (of === "everything" ? 1000 : 899) });
      await many.calibrator.calibrate(1, signal);
      expect(many.surveyed).toEqual([ANYBODY, "everything"]);
    });

    test("when it is made anew, what anybody sees is measured once for all that see hardly more", async () => {
      const few = opened({ audience, pagesFor: (of) => (of === "everything" ? 1000 : 950), known: known(3) });
      await few.calibrator.calibrateAnew(1, signal);
      expect(few.surveyed).toEqual([ANYBODY]);
      expect(few.stored.length).toBe(2);
    });
  });

  test("is measured where the one before was of a generation that was taken back, or of a later one", async () => {
    const undone = opened({ known: known(2), changes: undefined });
    const later = opened({ known: known(4), changes: { changed: 0, pages: 1000 } });
    for (const { calibrator } of [undone, later]) await calibrator.calibrate(1, signal);
    expect([undone.asked.length, later.asked.length]).toEqual([QUESTIONS.length, QUESTIONS.length]);
  });

  test("a generation that has its calibration is not asked again, but one in which much has changed is", async () => {
    const same = opened({ known: known(3) });
    await same.calibrator.calibrate(1, signal);
    const next = opened({ known: known(2) });
    await next.calibrator.calibrate(1, signal);
    expect([same.asked.length, same.stored.length]).toEqual([0, 0]);
    expect([next.asked.length, next.stored.length]).toEqual([QUESTIONS.length, 1]);
  });

  test("a site without docs is asked nothing, and neither is a small one", async () => {
    const empty = opened({ state: () => ({ ...STATE, generation: 0 }) });
    await empty.calibrator.calibrate(1, signal);
    const small = opened({ passages: 99 });
    await small.calibrator.calibrate(1, signal);
    expect([empty.asked.length, small.asked.length]).toEqual([0, 0]);
    expect([...empty.stored, ...small.stored]).toEqual([]);
  });

  test("ends in time, with what it has learned by then if that is enough", async () => {
    const slow = (msEach: number) => {
      let now = TEST_TIME;
      return opened({ clock: () => now, meanwhile: () => (now += msEach) });
    };
    const enough = slow(800);
    await enough.calibrator.calibrate(1, signal);
    const tooFew = slow(20_000);
    await tooFew.calibrator.calibrate(1, signal);
    expect([enough.asked.length, enough.stored.length]).toEqual([75, 1]);
    expect([tooFew.asked.length, tooFew.stored.length]).toEqual([3, 0]);
  });

  test("stores nothing where a run is published meanwhile, or other vectors come into use", async () => {
    for (const later of [
      { ...STATE, generation: 4 },
      { ...STATE, embedder: { id: 8, identity: "other", dimensions: 8 } },
    ]) {
      let now = STATE;
      const { calibrator, stored } = opened({
        state: () => now,
        meanwhile: (asked) => {
          if (asked === 100) now = later;
        },
      });
      await calibrator.calibrate(1, signal);
      expect(stored).toEqual([]);
    }
  });

  test("stores nothing where the model of the vectors is away, and no nearness where a site has no vectors", async () => {
    const evidence: [Evidence] = [{ covered: 0.25, near: undefined, familiar: 2 }];
    const away = opened({ evidence, byMeaning: () => false });
    await away.calibrator.calibrate(1, signal);
    expect(away.stored).toEqual([]);
    const without = opened({
      evidence,
      byMeaning: () => false,
      state: () => ({ ...STATE, embedder: undefined }),
    });
    await without.calibrator.calibrate(1, signal);
    expect(without.stored[0]?.[1].near).toBeUndefined();
  });

  test("a question whose words the vectors do not know keeps no site from being calibrated", async () => {
    const { calibrator, stored } = opened({ byMeaning: (asked) => asked % 20 !== 0 });
    await calibrator.calibrate(1, signal);
    expect(stored.length).toBe(1);
  });

  test("stops when it is told to, and stores nothing", async () => {
    const stop = new AbortController();
    const { calibrator, asked, stored } = opened({
      meanwhile: (asked) => {
        if (asked === 10) stop.abort(new Error("stopped"));
      },
    });
    await expect(calibrator.calibrate(1, stop.signal)).rejects.toThrow("stopped");
    expect([asked.length, stored.length]).toEqual([10, 0]);
  });
});
