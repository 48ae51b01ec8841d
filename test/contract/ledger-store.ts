import { describe, expect, test } from "bun:test";
import type { LedgerEntry, LedgerPart, RunOutcome } from "../../src/sites/ingest/stores.ts";
import { TEST_TIME } from "../helpers/fake-clock.ts";
import { NO_COUNTS, sourceSpec } from "../helpers/page-data.ts";
import { addSite } from "../helpers/site-data.ts";
import type { OpenStores } from "./stores.ts";

const entry = (location: string, change: Partial<LedgerEntry> = {}): LedgerEntry => ({
  location,
  path: location,
  format: "md",
  found: "folder",
  decision: "added",
  reason: undefined,
  detail: undefined,
  passages: 3,
  contentHash: "1:abc",
  validator: "v1",
  links: ["/a"],
  tookMs: 2,
  decidedAt: TEST_TIME,
  ...change,
});

/** What every LedgerStore guarantees. */
export function describeLedgerStore(
  name: string,
  open: OpenStores<"ledger" | "ingest" | "sources" | "sites">,
): void {
  describe(`ledger store: ${name}`, () => {
    async function opened() {
      const stores = await open();
      const { ledger, ingest, sources, sites } = stores;
      const site = await addSite(sites, "docs");
      const source = await sources.open(sourceSpec(site.id), TEST_TIME);
      const other = await sources.open(sourceSpec(site.id, { location: "/other" }), TEST_TIME);
      const begin = (of = source) => ledger.beginRun(of, TEST_TIME);
      const end = (runId: number, outcome: RunOutcome, of = source) =>
        ledger.endRun(of, runId, { outcome, counts: {}, at: TEST_TIME });
      const locations = async (of = source) => (await ledger.entries(of.id)).map(({ location }) => location);
      /** Publishes in the name of a run, as it does before it notes its end. */
      const publish = async (runId: number, incomplete?: string) => {
        const { runId: staged } = await ingest.openRun(source, TEST_TIME);
        const counts = { ...NO_COUNTS, changed: 1325 };
        const ledgerRun = { id: runId, incomplete };
        return ingest.publish(source, staged, { counts, ledgerRun, at: TEST_TIME });
      };
      return {
        ledger,
        sites,
        site,
        source,
        other,
        publish,
        begin,
        end,
        locations,
        [Symbol.dispose]: () => stores[Symbol.dispose](),
      };
    }

    test("entries come back as they were recorded, by location", async () => {
      using it = await opened();
      const runId = await it.begin();
      const bare = entry("a", {
        path: undefined,
        format: undefined,
        decision: "skipped",
        reason: "robots",
        detail: "is closed",
        passages: undefined,
        contentHash: undefined,
        validator: undefined,
        links: [],
      });
      await it.ledger.record(it.source, runId, [entry("b", { path: "" }), bare]);
      expect(await it.ledger.entries(it.source.id)).toEqual([bare, entry("b", { path: "" })]);
      expect(await it.ledger.entries(it.other.id)).toEqual([]);
    });

    test("entries come a part at a time, behind a location, and of some decisions alone", async () => {
      using it = await opened();
      const decided = ["added", "skipped", "added", "kept"] as const;
      const all = ["a", "b", "c", "d"].map((location, index) =>
        entry(location, { decision: decided[index] ?? "added" }),
      );
      await it.ledger.record(it.source, await it.begin(), all);
      await it.ledger.record(it.other, await it.begin(it.other), [entry("e")]);
      const part = async (change: Partial<LedgerPart>) =>
        (await it.ledger.part(it.source.id, { limit: 10, ...change })).map(({ location }) => location);
      expect(await it.ledger.part(it.source.id, { limit: 10 })).toEqual(all);
      expect(await part({ limit: 2 })).toEqual(["a", "b"]);
      expect(await part({ limit: 2, after: "b" })).toEqual(["c", "d"]);
      expect(await part({ after: "d" })).toEqual([]);
      expect(await part({ decisions: ["added", "kept"], after: "a" })).toEqual(["c", "d"]);
      expect(await part({ decisions: [] })).toEqual([]);
    });

    test("a later decision of a location takes the earlier one's place; the passages of what was not read stand", async () => {
      using it = await opened();
      await it.ledger.record(it.source, await it.begin(), [entry("a"), entry("b")]);
      const unchanged = entry("a", {
        decision: "unchanged",
        passages: undefined,
        links: [],
        validator: "v2",
      });
      const removed = entry("b", { decision: "removed", passages: 0, contentHash: undefined });
      await it.ledger.record(it.source, await it.begin(), [unchanged, removed]);
      expect(await it.ledger.entries(it.source.id)).toEqual([{ ...unchanged, passages: 3 }, removed]);
    });

    test("what a whole run did not meet is struck out; any other run leaves it", async () => {
      using it = await opened();
      const first = await it.begin();
      await it.ledger.record(it.source, first, [entry("a"), entry("b")]);
      await it.ledger.record(it.other, await it.begin(it.other), [entry("c")]);
      await it.end(first, "published");
      for (const outcome of ["failed", "incomplete"] as const) {
        const runId = await it.begin();
        await it.ledger.record(it.source, runId, [entry("a")]);
        await it.end(runId, outcome);
        expect(await it.locations()).toEqual(["a", "b"]);
      }
      const last = await it.begin();
      await it.ledger.record(it.source, last, [entry("b")]);
      await it.end(last, "unchanged");
      expect([await it.locations(), await it.locations(it.other)]).toEqual([["b"], ["c"]]);
    });

    test("runs are listed with how they ended, the newest first, as many as are asked for", async () => {
      using it = await opened();
      const first = await it.ledger.beginRun(it.source, TEST_TIME);
      await it.ledger.endRun(it.source, first, {
        outcome: "failed",
        message: "the server is gone",
        counts: { added: 1 },
        at: TEST_TIME + 9,
      });
      await it.ledger.beginRun(it.source, TEST_TIME + 10);
      await it.begin(it.other);
      expect(await it.ledger.runs(it.source.id, 10)).toEqual([
        {
          startedAt: TEST_TIME + 10,
          finishedAt: undefined,
          outcome: undefined,
          message: undefined,
          generation: undefined,
          generator: undefined,
          docs: undefined,
          addresses: undefined,
          counts: {},
        },
        {
          startedAt: TEST_TIME,
          finishedAt: TEST_TIME + 9,
          outcome: "failed",
          message: "the server is gone",
          generation: undefined,
          generator: undefined,
          docs: undefined,
          addresses: undefined,
          counts: { added: 1 },
        },
      ]);
      expect(await it.ledger.runs(it.source.id, 1)).toHaveLength(1);
    });

    test("runs of all sources that ended since a time are given, the first to end first", async () => {
      using it = await opened();
      const end = (source: typeof it.source, runId: number, outcome: "failed" | "unchanged", at: number) =>
        it.ledger.endRun(source, runId, { outcome, message: "why", counts: {}, at: TEST_TIME + at });
      const [first, second, third] = [
        await it.ledger.beginRun(it.source, TEST_TIME),
        await it.ledger.beginRun(it.other, TEST_TIME),
        await it.ledger.beginRun(it.source, TEST_TIME),
      ];
      await it.ledger.beginRun(it.source, TEST_TIME);
      await end(it.source, third, "unchanged", 1);
      await end(it.other, second, "failed", 3);
      await end(it.source, first, "failed", 2);
      expect(await it.ledger.endedRuns(TEST_TIME + 2)).toEqual([
        { id: first, outcome: "failed", finishedAt: TEST_TIME + 2 },
        { id: second, outcome: "failed", finishedAt: TEST_TIME + 3 },
      ]);
      expect(await it.ledger.endedRuns(TEST_TIME)).toHaveLength(3);
      expect(await it.ledger.endedRuns(TEST_TIME + 4)).toEqual([]);
    });

    test("a source that runs for years keeps its latest runs, and no other's go", async () => {
      using it = await opened();
      const kept = await it.begin(it.other);
      for (let run = 0; run < 60; run++)
        await it.end(await it.ledger.beginRun(it.source, TEST_TIME + run), "unchanged");
      const runs = await it.ledger.runs(it.source.id, 100);
      expect([runs.length, runs[0]?.startedAt, runs.at(-1)?.startedAt]).toEqual([
        50,
        TEST_TIME + 59,
        TEST_TIME + 10,
      ]);
      expect(await it.ledger.runs(it.other.id, 10)).toHaveLength(1);
      await it.end(kept, "failed", it.other);
    });

    test("how far a run is stands with it until it ends, and nothing is noted of one that has", async () => {
      using it = await opened();
      const runId = await it.begin();
      await it.ledger.noteProgress(runId, { added: 2, embedded: 7 });
      expect((await it.ledger.runs(it.source.id, 1))[0]?.counts).toEqual({ added: 2, embedded: 7 });
      await it.end(runId, "published");
      await it.ledger.noteProgress(runId, { added: 9 });
      expect((await it.ledger.runs(it.source.id, 1))[0]?.counts).toEqual({});
    });

    test("what was noted of a path is found: as a page, or by the place that gave none", async () => {
      using it = await opened();
      const skipped = { decision: "skipped", reason: "hidden", path: undefined } as const;
      await it.ledger.record(it.source, await it.begin(), [
        entry("guide/install.md", { path: "guide/install" }),
        entry("_part.md", skipped),
        entry("https://docs.example.com/guide/install/", skipped),
        entry("guide/installation.md", skipped),
      ]);
      await it.ledger.record(it.other, await it.begin(it.other), [entry("x", { path: "guide/install" })]);
      const about = async (path: string) =>
        (await it.ledger.about(it.site.id, path, 10)).map(({ source, location }) => [source, location]);
      expect(await about("guide/install")).toEqual([
        [it.other.id, "x"],
        [it.source.id, "guide/install.md"],
        [it.source.id, "https://docs.example.com/guide/install/"],
      ]);
      expect(await about("_part")).toEqual([[it.source.id, "_part.md"]]);
      for (const path of ["", "nowhere", "%", "install.m"]) expect(await about(path)).toEqual([]);
      expect(await it.ledger.about(it.site.id + 1, "guide/install", 10)).toEqual([]);
    });

    test("a run that was cut off before it published is settled as failed, and says what is said of it", async () => {
      using it = await opened();
      const ended = await it.begin();
      await it.end(ended, "unchanged");
      const cut = await it.begin();
      const others = await it.begin(it.other);
      const at = { siteId: it.site.id };
      expect(await it.ledger.unended()).toEqual([
        { id: cut, sourceId: it.source.id, ...at },
        { id: others, sourceId: it.other.id, ...at },
      ]);
      await it.ledger.noteProgress(cut, { listed: 7 });
      await it.ledger.settle(it.source, { message: "It was cut off.", at: TEST_TIME + 9 });
      expect(await it.ledger.unended()).toEqual([{ id: others, sourceId: it.other.id, ...at }]);
      expect(await it.ledger.runs(it.source.id, 2)).toMatchObject([
        { outcome: "failed", message: "It was cut off.", finishedAt: TEST_TIME + 9, counts: { listed: 7 } },
        { outcome: "unchanged", message: undefined, finishedAt: TEST_TIME },
      ]);
    });

    test("one that was cut off behind the switch is settled as what readers see of it, with its counts", async () => {
      using it = await opened();
      await it.ledger.record(it.source, await it.begin(), [entry("gone")]);
      const cut = await it.begin();
      await it.ledger.record(it.source, cut, [entry("met")]);
      expect(await it.publish(cut)).toBe(1);
      expect((await it.ledger.runs(it.source.id, 1))[0]).toMatchObject({ outcome: undefined, generation: 1 });
      await it.ledger.settle(it.source, { message: "It was cut off.", at: TEST_TIME });
      expect((await it.ledger.runs(it.source.id, 1))[0]).toMatchObject({
        outcome: "published",
        message: undefined,
        generation: 1,
        counts: { changed: 1325 },
      });
      expect(await it.locations()).toEqual(["met"]);
    });

    test("one that had not read all of its source is settled as that, and what it did not meet stands", async () => {
      using it = await opened();
      await it.ledger.record(it.source, await it.begin(), [entry("not met")]);
      const cut = await it.begin();
      await it.publish(cut, "The server is gone.");
      await it.ledger.settle(it.source, { message: "It was cut off.", at: TEST_TIME });
      expect((await it.ledger.runs(it.source.id, 1))[0]).toMatchObject({
        outcome: "incomplete",
        message: "The server is gone.",
        generation: 1,
      });
      expect(await it.locations()).toEqual(["not met"]);
    });

    test("what a later run noted is not struck out for an earlier one that is settled", async () => {
      using it = await opened();
      const cut = await it.begin();
      await it.publish(cut);
      const later = await it.begin();
      await it.ledger.record(it.source, later, [entry("met later")]);
      await it.ledger.settle(it.source, { message: "It was cut off.", at: TEST_TIME });
      expect((await it.ledger.runs(it.source.id, 2)).map(({ outcome }) => outcome)).toEqual([
        "failed",
        "published",
      ]);
      expect(await it.locations()).toEqual(["met later"]);
    });

    test("the runs that came after one are told, the oldest first", async () => {
      using it = await opened();
      expect(await it.ledger.lastEnded(it.source.id)).toBe(0);
      const first = await it.begin();
      await it.end(first, "published");
      await it.end(await it.begin(it.other), "published", it.other);
      await it.begin();
      await it.end(await it.begin(), "unchanged");
      expect((await it.ledger.runsAfter(it.source.id, first)).map(({ outcome }) => outcome)).toEqual([
        undefined,
        "unchanged",
      ]);
      const last = await it.ledger.lastEnded(it.source.id);
      expect(last).toBeGreaterThan(first);
      expect(await it.ledger.runsAfter(it.source.id, last)).toEqual([]);
    });

    test("the ledger goes with the site", async () => {
      using it = await opened();
      await it.ledger.record(it.source, await it.begin(), [entry("a")]);
      await it.sites.removeSite(it.site.id);
      expect([await it.locations(), await it.ledger.runs(it.source.id, 9)]).toEqual([[], []]);
    });
  });
}
