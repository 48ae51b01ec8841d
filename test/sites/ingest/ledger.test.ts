import { describe, expect, test } from "bun:test";
import { createIndexKeeper } from "../../../src/finding/search/keyword-index/index-keeper.ts";
import { AppError } from "../../../src/kernel/errors.ts";
import type { Remembered, Skipped } from "../../../src/reading/source-reader.ts";
import { failingEmbedder } from "../../helpers/failing-embedder.ts";
import { openIngestSite } from "../../helpers/ingest-site.ts";
import { openIngest } from "../../helpers/open-ingest.ts";
import { sourceSpec } from "../../helpers/page-data.ts";
import { quietLog } from "../../helpers/test-log.ts";
import { trackedReader, validated } from "../../helpers/tracked-reader.ts";

const skippedAs = (location: string, change: Partial<Skipped> = {}): Skipped => ({
  location,
  found: "sitemap",
  reason: "robots",
  detail: "is closed by robots.txt",
  ...change,
});

const unreadable = (text = "the server answered 503") => new AppError("unavailable", text);

describe("the ledger says of every page what was decided, and why", () => {
  test("added, changed, unchanged and removed", async () => {
    using it = await openIngestSite();
    await it.run({ a: "zebra", b: "lion", c: "horse" });
    expect(await it.decisions()).toEqual({ "a.md": "added", "b.md": "added", "c.md": "added" });
    await it.run({ a: "zebra", b: "tiger", d: "wolf" });
    expect(await it.decisions()).toEqual({
      "a.md": "unchanged",
      "b.md": "changed",
      "c.md": "removed",
      "d.md": "added",
    });
    // What is gone for good is struck out by the next whole run.
    await it.run({ a: "zebra", b: "tiger", d: "wolf" });
    expect(await it.decisions()).toEqual({ "a.md": "unchanged", "b.md": "unchanged", "d.md": "unchanged" });
  });

  test("with how it was found, its passages, and when", async () => {
    using it = await openIngestSite();
    await it.run({ a: "# One\n\nzebra" });
    const { id } = await it.sourceOf();
    const [first] = await it.storage.ledger.entries(id);
    expect(first).toMatchObject({ path: "a", format: "md", found: "test", passages: 1, tookMs: 0 });
    expect(first?.decidedAt).toBe(it.clock());
    await it.run({ a: "# One\n\nzebra" });
    // It was not parsed again: what was counted stands.
    expect(await it.storage.ledger.entries(id)).toMatchObject([{ decision: "unchanged", passages: 1 }]);
  });

  test("a page whose words were lost on the way from its author, and which words these are", async () => {
    using it = await openIngestSite();
    const text = "# Options\n\nYou must delete the options.\n\nKeep the rest.";
    const authored = { text: text.replace("must delete", "must not delete"), format: "md" } as const;
    await it.run(trackedReader({ a: { text, authored }, b: "# Options\n\nKeep them all." }));
    expect(await it.decisions()).toEqual({ "a.md": "added parse_fault", "b.md": "added" });
    const [entry] = await it.storage.ledger.entries((await it.sourceOf()).id);
    expect(entry?.detail).toBe(
      'words are missing where it is shown: "not" in "you must not delete the options"',
    );
  });

  test("what a source does not give, with its reason", async () => {
    using it = await openIngestSite();
    const skipped = [
      skippedAs("/secret"),
      skippedAs("/big", { reason: "too_large", detail: "has 50 MB" }),
      skippedAs("/out", { reason: "outside" }),
    ];
    await it.run(trackedReader({ a: "zebra" }, { skipped }));
    expect(await it.decisions()).toEqual({
      "/secret": "skipped robots",
      "/big": "skipped too_large",
      "/out": "skipped outside",
      "a.md": "added",
    });
  });

  test("hidden and empty pages are taken, and the ledger says why nobody finds them, after the next run too", async () => {
    using it = await openIngestSite();
    const pages = { hidden: "---\nhidden: true\n---\n\nzebra", empty: "<!-- nothing -->", a: "lion" };
    await it.run(pages);
    expect(await it.decisions()).toEqual({
      "hidden.md": "added hidden",
      "empty.md": "added empty",
      "a.md": "added",
    });
    await it.run(pages);
    expect(await it.decisions()).toEqual({
      "hidden.md": "unchanged hidden",
      "empty.md": "unchanged empty",
      "a.md": "unchanged",
    });
  });

  test("two pages with one path: the first is taken, the second is a duplicate", async () => {
    using it = await openIngestSite();
    const reader = trackedReader({ a: "zebra" });
    await it.run({
      async *list(context) {
        yield* reader.list(context);
        for await (const item of reader.list(context)) yield { ...item, location: "a/index.md" };
      },
    });
    expect(await it.decisions()).toEqual({ "a.md": "added", "a/index.md": "skipped duplicate" });
    expect(await it.page("a")).toEqual(["zebra"]);
  });

  test("a page that the source gives up keeps its reason, and is out of the index", async () => {
    using it = await openIngestSite();
    await it.run({ a: "zebra", b: "lion" });
    const skipped = [
      skippedAs("b.md", { reason: "noindex", detail: "asks not to be indexed", validator: "v2" }),
    ];
    expect(await it.run(trackedReader({ a: "zebra" }, { skipped }))).toMatchObject({ removed: 1 });
    expect(await it.page("b")).toEqual([]);
    const [, b] = await it.storage.ledger.entries((await it.sourceOf()).id);
    // Not "is no longer listed"; and the next run can ask whether it has changed.
    expect(b).toMatchObject({ decision: "skipped", reason: "noindex", validator: "v2", passages: 0 });
  });

  test("a file whose path has changed is in the ledger as what it is now", async () => {
    using it = await openIngestSite();
    await it.run({ old: { text: "zebra", location: "file.md" }, a: "lion" });
    expect(await it.run({ new: { text: "zebra", location: "file.md" }, a: "lion" })).toMatchObject({
      added: 1,
      removed: 1,
    });
    expect(await it.decisions()).toEqual({ "file.md": "added", "a.md": "unchanged" });
    expect([await it.page("old"), await it.page("new")]).toEqual([[], ["zebra"]]);
  });
});

describe("a page that cannot be read", () => {
  test("keeps its revision, with the reason, and is read when it can be", async () => {
    using it = await openIngestSite();
    await it.run(validated({ a: "zebra", b: "lion" }));
    const broken = { ...validated({ a: "zebra" }), b: { text: unreadable(), validator: "v:tiger" } };
    const report = await it.run(broken);
    expect(report).toMatchObject({ unchanged: 1, changed: 0, removed: 0, incomplete: undefined });
    expect(report.skipped).toMatchObject([
      { location: "b.md", reason: "failed", detail: "the server answered 503" },
    ]);
    expect(await it.decisions()).toEqual({ "a.md": "unchanged", "b.md": "kept failed" });
    expect(await it.page("b")).toEqual(["lion"]);

    // Twice in a row is the same.
    expect(await it.run(broken)).toMatchObject({ unchanged: 1, removed: 0 });
    expect(await it.page("b")).toEqual(["lion"]);
    expect(await it.run(validated({ a: "zebra", b: "tiger" }))).toMatchObject({ changed: 1 });
    expect(await it.decisions()).toEqual({ "a.md": "unchanged", "b.md": "changed" });
  });

  test("is not said to have failed once it was read again, unchanged", async () => {
    using it = await openIngestSite();
    await it.run({ a: "zebra", b: "---\nhidden: true\n---\n\nlion" });
    await it.run({ a: "zebra", b: { text: unreadable() } });
    await it.run({ a: "zebra", b: "---\nhidden: true\n---\n\nlion" });
    expect(await it.decisions()).toEqual({ "a.md": "unchanged", "b.md": "unchanged hidden" });
  });

  test("stays as readers see it, whatever an interrupted run had read of it", async () => {
    using it = await openIngestSite();
    await it.run({ a: "zebra", b: "lion" });
    await expect(it.run({ a: "zebra", b: "tiger" }, {}, {}, failingEmbedder())).rejects.toThrow();
    expect(await it.run({ a: "horse", b: { text: unreadable() } })).toMatchObject({ changed: 1, removed: 0 });
    expect([await it.page("a"), await it.page("b")]).toEqual([["horse"], ["lion"]]);
  });

  test("that nobody has read before is skipped, not kept", async () => {
    using it = await openIngestSite();
    await it.run({ a: "zebra", b: { text: unreadable() } });
    expect(await it.decisions()).toEqual({ "a.md": "added", "b.md": "skipped failed" });
    expect(await it.page("b")).toEqual([]);
  });

  test("keeps what is remembered of it: its links still lead on, however often it fails", async () => {
    using it = await openIngestSite();
    const hub = { path: "hub", location: "/hub", found: "start", format: "md" as const };
    await it.run({
      async *list() {
        yield { ...hub, links: ["/a"], validator: "v1", read: async () => new TextEncoder().encode("zebra") };
      },
    });
    const remembered: (Remembered | undefined)[] = [];
    const failing = {
      async *list(context: { remembered(location: string): Remembered | undefined }) {
        remembered.push(context.remembered("/hub"));
        // What it says of the page that it could not read is not of the one that is kept.
        const keeps = { path: "hub" };
        yield skippedAs("/hub", { reason: "failed", detail: "answered 503", validator: "v2", keeps });
      },
    };
    for (let time = 0; time < 3; time++) await it.run(failing);
    expect(remembered).toEqual(
      Array.from({ length: 3 }, () => ({
        path: "hub",
        format: "md",
        validator: "v1",
        links: ["/a"],
        skipped: undefined,
      })),
    );
  });

  test("that is no text any more keeps its revision, and the ledger says so", async () => {
    using it = await openIngestSite();
    await it.run({ a: "zebra", b: "lion" });
    const picture = new Uint8Array([137, 80, 78, 71, 13, 10, 26, 10, 0, 0]);
    const reader = trackedReader({ a: "zebra", b: "lion" });
    const report = await it.run({
      async *list(context) {
        for await (const item of reader.list(context))
          yield "read" in item && item.path === "b" ? { ...item, read: async () => picture } : item;
      },
    });
    expect(report).toMatchObject({ removed: 0, skipped: [{ location: "b.md", reason: "parse_fault" }] });
    expect(await it.page("b")).toEqual(["lion"]);
    expect(await it.decisions()).toEqual({ "a.md": "unchanged", "b.md": "kept parse_fault" });
  });

  test("that only an interrupted run has read comes with the next run, and is counted", async () => {
    using it = await openIngestSite();
    const many = Object.fromEntries(
      Array.from({ length: 20 }, (_, index) => [`page${index}`, `zebra ${index}`]),
    );
    await it.run({ a: "lion" });
    const cut = trackedReader({ a: "lion", ...many }, { death: new Error("the cable was pulled") });
    await expect(it.run(cut)).rejects.toThrow("the cable was pulled");
    const unread = Object.fromEntries(Object.keys(many).map((path) => [path, { text: unreadable() }]));
    expect(await it.run({ a: "lion", ...unread })).toMatchObject({ added: 20, unchanged: 1, generation: 2 });
    expect(await it.page("page7")).toEqual(["zebra 7"]);
  });
});

describe("the runs of a source", () => {
  test("are noted with how they ended and what they counted, the newest first", async () => {
    using it = await openIngestSite();
    await it.run({ a: "zebra" });
    await it.run({ a: "zebra" });
    await expect(it.run({})).rejects.toThrow("no pages");
    await it.run(trackedReader({ a: "zebra" }, { death: unreadable("the server is gone") }));
    const runs = await it.storage.ledger.runs((await it.sourceOf()).id, 10);
    expect(runs).toMatchObject([
      { outcome: "incomplete", message: "the server is gone", generation: undefined },
      { outcome: "failed", message: expect.stringContaining("/docs"), counts: {} },
      { outcome: "unchanged", generation: undefined, counts: { unchanged: 1 } },
      { outcome: "published", generation: 1, counts: { added: 1, skipped: 0 } },
    ]);
    expect(
      runs.every(({ finishedAt, startedAt }) => finishedAt !== undefined && finishedAt >= startedAt),
    ).toBe(true);
  });

  test("one that was stopped is not ended, and the next one is whole", async () => {
    using it = await openIngestSite();
    const abort = new AbortController();
    const stopped = it.run({ a: "zebra" }, {}, { signal: abort.signal, onProgress: () => abort.abort() });
    await stopped.catch(() => {});
    const reader = trackedReader({ a: "zebra", b: "lion" }, { death: unreadable("aborted") });
    const died = it.run(
      {
        async *list(context) {
          abort.abort();
          yield* reader.list(context);
        },
      },
      {},
      { signal: abort.signal },
    );
    await expect(died).rejects.toThrow();
    expect(await it.lastRun()).toMatchObject({ outcome: undefined, finishedAt: undefined });
    expect(await it.run({ a: "zebra", b: "lion" })).toMatchObject({ incomplete: undefined });
    const runs = await it.storage.ledger.runs((await it.sourceOf()).id, 3);
    expect(runs).toMatchObject([
      { outcome: "published", counts: { added: 2 } },
      { outcome: "failed", message: expect.stringContaining("cut off before its end") },
      { outcome: "failed", message: expect.stringContaining("cut off before its end") },
    ]);
  });

  test("one that was cut off behind the switch is told as what it published, and the next reads all", async () => {
    using it = await openIngestSite();
    await it.run({ a: "zebra", b: "lion" });
    const abort = new AbortController();
    const index = {
      ...createIndexKeeper({ store: it.storage.segments, log: quietLog() }),
      // As a process that is killed while it tidies: what it published stays, and nothing more is noted.
      async tidy() {
        abort.abort();
        abort.signal.throwIfAborted();
      },
    };
    const tidied = openIngest(it.storage, it.clock, { index }).run({
      source: sourceSpec(it.site.id),
      reader: trackedReader({ a: "tiger" }),
      generation: await it.generation(),
      force: true,
      checkAddresses: () => Promise.reject(abort.signal.reason),
      signal: abort.signal,
    });
    await expect(tidied).rejects.toThrow();
    expect(await it.lastRun()).toMatchObject({ outcome: undefined, generation: 2 });
    await it.run({ a: "tiger" });
    const runs = await it.storage.ledger.runs((await it.sourceOf()).id, 2);
    expect(runs).toMatchObject([
      { outcome: "unchanged", generation: undefined, counts: { unchanged: 1 } },
      { outcome: "published", generation: 2, counts: { changed: 1, removed: 1 } },
    ]);
  });

  test("a source that fails because it is told to stop has not died: nothing is published", async () => {
    using it = await openIngestSite();
    const abort = new AbortController();
    const stopped = it.run(
      {
        async *list(context) {
          yield* trackedReader({ a: "zebra" }).list(context);
          abort.abort();
          throw unreadable("the request was aborted");
        },
      },
      {},
      { signal: abort.signal },
    );
    await expect(stopped).rejects.toThrow();
    expect([await it.generation(), await it.page("a")]).toEqual([0, []]);
  });
});
