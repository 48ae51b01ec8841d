import { describe, expect, test } from "bun:test";
import type { Question, TurnEnd } from "../../src/answering/threads/threads.ts";
import { GAP_TEXT_CHARACTERS_MAX, type Placement } from "../../src/measuring/gaps/stores.ts";
import { TEST_TIME } from "../helpers/fake-clock.ts";
import { addSite } from "../helpers/site-data.ts";
import type { OpenStores } from "./stores.ts";
import { question, turnEnd } from "./thread-store.ts";

const ALL = 100;

/** What every GapStore guarantees. */
export function describeGapStore(name: string, open: OpenStores<"threads" | "sites" | "gaps">): void {
  describe(`gap store: ${name}`, () => {
    async function opened() {
      const stores = await open();
      const site = await addSite(stores.sites, "docs");
      const other = await addSite(stores.sites, "other");
      let number = 0;
      async function ask(end: Partial<TurnEnd> = {}, asked: Partial<Question> = {}, siteId = site.id) {
        const turnId = `turn ${++number}`;
        const at = TEST_TIME + number;
        await stores.threads.begin({
          turnId,
          siteId,
          at,
          pastTurns: 0,
          threadId: undefined,
          newThreadId: `thread ${number}`,
          question: question(turnId, asked),
        });
        await stores.threads.finish(turnId, turnEnd("", { outcome: "unanswered", ...end }), at);
        return turnId;
      }
      const unplaced = async (questionsMax = ALL) =>
        (await stores.gaps.unplaced(site.id, { questionsMax, most: ALL })).map(({ turnId }) => turnId);
      const placed = () => stores.gaps.placed(site.id, ALL);
      return { ...stores, site, other, ask, unplaced, placed };
    }

    const placement = (turnId: string, change: Partial<Placement> = {}): Placement => ({
      turnId,
      gapId: "gap",
      reason: "below_gate",
      nearest: undefined,
      ...change,
    });

    test("questions without an answer wait for their gap, oldest first, and no others do", async () => {
      using it = await opened();
      const first = await it.ask();
      await it.ask({ outcome: "answered" });
      await it.ask({ outcome: "failed" });
      await it.ask({}, {}, it.other.id);
      const last = await it.ask();
      expect(await it.unplaced()).toEqual([first, last]);
      expect(await it.gaps.countUnplaced(it.site.id, ALL)).toBe(2);
      expect(await it.unplaced(1)).toEqual([last]);
    });

    test("a question is given whole, with what was found for it", async () => {
      using it = await opened();
      const retrieved = [{ passageId: 7, path: "guide", anchor: "a", relevance: 0.3 }];
      const turnId = await it.ask({ searched: "SCIM for Azure", retrieved, responder: "ollama" });
      const bare = await it.ask({}, { text: "why?" });
      expect(await it.gaps.unplaced(it.site.id, { questionsMax: ALL, most: ALL })).toEqual([
        { turnId, text: "SCIM for Azure", outcome: "unanswered", responder: "ollama", retrieved },
        { turnId: bare, text: "why?", outcome: "unanswered", responder: undefined, retrieved: [] },
      ]);
      expect(await it.gaps.evidence(turnId)).toEqual({ passageIds: [7], curated: undefined });
      expect(await it.gaps.evidence("none")).toBeUndefined();
    });

    test("of a question that is as long as a pasted log its beginning is read", async () => {
      using it = await opened();
      const log = `${"\u{1F600}".repeat(GAP_TEXT_CHARACTERS_MAX - 1)}x${"y".repeat(50_000)}`;
      const turnId = await it.ask({}, { text: log });
      const [unplaced] = await it.gaps.unplaced(it.site.id, { questionsMax: ALL, most: ALL });
      await it.gaps.place(it.site.id, 0, [placement(turnId)], TEST_TIME);
      const [placed] = (await it.placed()).questions;
      for (const text of [unplaced?.text, placed?.text]) expect(text).toMatch(/^(\u{1F600})+x$/u);
    });

    test("what is placed is found in its gap, with who asked and its filter, and waits no longer", async () => {
      using it = await opened();
      const turnId = await it.ask(
        {},
        {
          text: "How?",
          audience: ["hr", "staff"],
          filter: { version: "2", groups: ["staff"] },
        },
      );
      const { mark } = await it.placed();
      const nearest = { path: "guide", relevance: 0.3 };
      expect(await it.gaps.place(it.site.id, mark, [placement(turnId, { nearest })], TEST_TIME)).toBe(true);
      expect(await it.unplaced()).toEqual([]);
      expect((await it.placed()).questions).toEqual([
        {
          audience: ["hr", "staff"],
          turnId,
          gapId: "gap",
          reason: "below_gate",
          nearest,
          text: "How?",
          askedAt: TEST_TIME + 1,
          filter: { version: "2", groups: ["staff"] },
        },
      ]);
      expect(await it.gaps.records(it.site.id)).toEqual([
        { id: "gap", state: "open", stateAt: TEST_TIME, stateGeneration: 0, askedAgain: undefined },
      ]);
      expect(await it.gaps.records(it.other.id)).toEqual([]);
    });

    test("where others were placed meanwhile nothing is, so that no meaning gets two gaps", async () => {
      using it = await opened();
      const [first, second] = [await it.ask(), await it.ask()];
      const { mark } = await it.placed();
      expect(await it.gaps.place(it.site.id, mark, [placement(first)], TEST_TIME)).toBe(true);
      expect(await it.gaps.place(it.site.id, mark, [placement(second)], TEST_TIME)).toBe(false);
      expect(await it.unplaced()).toEqual([second]);
    });

    test("a turn that is gone meanwhile is not placed", async () => {
      using it = await opened();
      expect(await it.gaps.place(it.site.id, 0, [placement("gone")], TEST_TIME)).toBe(true);
      expect((await it.placed()).questions).toEqual([]);
    });

    test("a state is set on the gaps of its site alone, and what was asked again is forgotten with it", async () => {
      using it = await opened();
      await it.gaps.place(it.site.id, 0, [placement(await it.ask())], TEST_TIME);
      const change = { state: "documented", stateAt: TEST_TIME + 5 } as const;
      expect(await it.gaps.setState(it.other.id, "gap", change)).toBe(false);
      expect(await it.gaps.setState(it.site.id, "none", change)).toBe(false);
      expect(await it.gaps.setState(it.site.id, "gap", change)).toBe(true);
      const asked = {
        at: TEST_TIME + 6,
        generation: 3,
        answered: true,
        relevance: 0.7,
        path: "guide",
        curated: undefined,
      };
      await it.gaps.setAskedAgain("gap", asked);
      expect(await it.gaps.records(it.site.id)).toMatchObject([{ ...change, askedAgain: asked }]);
      await it.gaps.setState(it.site.id, "gap", { state: "open", stateAt: TEST_TIME + 7 });
      await it.gaps.setAskedAgain("gap", asked);
      expect(await it.gaps.records(it.site.id)).toMatchObject([{ state: "open", askedAgain: undefined }]);
    });

    test("gaps go with their site", async () => {
      using it = await opened();
      await it.gaps.place(it.site.id, 0, [placement(await it.ask())], TEST_TIME);
      await it.sites.removeSite(it.site.id);
      expect(await it.gaps.records(it.site.id)).toEqual([]);
    });
  });
}
