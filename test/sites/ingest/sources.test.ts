import { describe, expect, test } from "bun:test";
import { AppError } from "../../../src/kernel/errors.ts";
import type { Skipped } from "../../../src/reading/source-reader.ts";
import { openIngestSite } from "../../helpers/ingest-site.ts";
import { appErrorOf } from "../../helpers/rejection.ts";
import { type TrackedPages, trackedReader, validated } from "../../helpers/tracked-reader.ts";

const death = () => new AppError("unavailable", "the server does not answer any more");

/** That many pages of one word. */
function pages(count: number, word: string): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`page${index}`, `${word} number ${index}`]),
  );
}

describe("an item whose validator is remembered", () => {
  async function readBy(it: Awaited<ReturnType<typeof openIngestSite>>, given: TrackedPages) {
    const reader = trackedReader(given);
    const report = await it.run(reader);
    return { reads: reader.reads, report };
  }

  test("is not read, and is unchanged", async () => {
    using it = await openIngestSite();
    expect((await readBy(it, validated({ a: "zebra", b: "lion" }))).reads).toEqual(["a", "b"]);
    const { reads, report } = await readBy(it, validated({ a: "zebra", b: "tiger" }));
    expect(reads).toEqual(["b"]);
    expect(report).toMatchObject({ unchanged: 1, changed: 1 });
    expect((await readBy(it, validated({ a: "zebra", b: "tiger" }))).reads).toEqual([]);
  });

  test("is read where the validator is another one, though the content is the same", async () => {
    using it = await openIngestSite();
    await readBy(it, { a: { text: "zebra", validator: "1" } });
    const { reads, report } = await readBy(it, { a: { text: "zebra", validator: "2" } });
    expect([reads, report.unchanged]).toEqual([["a"], 1]);
    expect((await readBy(it, { a: { text: "zebra", validator: "2" } })).reads).toEqual([]);
  });

  test("is read where there is none", async () => {
    using it = await openIngestSite();
    await readBy(it, { a: "zebra" });
    expect((await readBy(it, { a: "zebra" })).reads).toEqual(["a"]);
  });

  test("is read after the site went back to a generation that has another revision", async () => {
    using it = await openIngestSite();
    await readBy(it, validated({ a: "zebra", b: "lion" }));
    await readBy(it, validated({ a: "wolf", b: "lion" }));
    await it.generations.rollBack(it.site.id);
    const { reads, report } = await readBy(it, validated({ a: "wolf", b: "lion" }));
    expect(reads).toEqual(["a"]);
    expect(report).toMatchObject({ changed: 1, unchanged: 1, generation: 3 });
    expect(await it.page("a")).toEqual(["wolf"]);
  });

  test("is read after the site went back to where it had no such page", async () => {
    using it = await openIngestSite();
    await readBy(it, validated({ a: "zebra" }));
    await readBy(it, validated({ a: "zebra", b: "lion" }));
    await it.generations.rollBack(it.site.id);
    expect((await readBy(it, validated({ a: "zebra", b: "lion" }))).reads).toEqual(["b"]);
    expect(await it.page("b")).toEqual(["lion"]);
  });

  test("is read when another parser read it before", async () => {
    using it = await openIngestSite();
    await readBy(it, validated({ a: "zebra" }));
    for (const table of ["ledger", "pages"])
      it.storage.database.run(
        `UPDATE ${table} SET content_hash = '1:' || substr(content_hash, instr(content_hash, ':') + 1)`,
      );
    const { reads, report } = await readBy(it, validated({ a: "zebra" }));
    expect([reads, report.changed]).toEqual([["a"], 1]);
  });

  test("is not read again by the run that takes up an interrupted one", async () => {
    using it = await openIngestSite();
    const given = validated(pages(45, "zebra"));
    await expect(
      it.run(trackedReader(given, { death: new Error("the cable was pulled") })),
    ).rejects.toThrow();
    const { reads, report } = await readBy(it, given);
    expect(reads).toEqual(Array.from({ length: 5 }, (_, index) => `page${40 + index}`));
    expect(report).toMatchObject({ added: 45, resumed: true });
  });

  test("is read when what an interrupted run had read was thrown away", async () => {
    using it = await openIngestSite();
    await readBy(it, validated({ a: "zebra" }));
    await readBy(it, validated({ a: "lion" }));
    const given = validated(pages(20, "zebra"));
    await expect(
      it.run(trackedReader(given, { death: new Error("the cable was pulled") })),
    ).rejects.toThrow();
    await it.generations.rollBack(it.site.id);
    const { reads, report } = await readBy(it, given);
    expect(reads).toHaveLength(20);
    expect(report).toMatchObject({ added: 20, removed: 1, resumed: false });
    expect(await it.page("page7")).toEqual(["zebra number 7"]);
  });

  test("is read when its file is another page now", async () => {
    using it = await openIngestSite();
    const at = { text: "zebra", validator: "1", location: "file.md" };
    await readBy(it, { old: at, b: "lion" });
    expect((await readBy(it, { new: at, b: "lion" })).report).toMatchObject({ added: 1, removed: 1 });
    expect([await it.page("old"), await it.page("new")]).toEqual([[], ["zebra"]]);
  });

  test("is read when it is read as another format now", async () => {
    using it = await openIngestSite();
    const text = "<h1>Zebra</h1><p>It <b>runs</b>.</p>";
    const as = (format: "html" | "md", validator?: string) => ({
      a: { text, format, location: "/a", ...(validator === undefined ? {} : { validator }) },
    });
    await readBy(it, as("md", "1"));
    expect((await readBy(it, as("html", "1"))).report).toMatchObject({ changed: 1 });
    expect((await readBy(it, as("md"))).report).toMatchObject({ changed: 1 });
  });

  test("is read after it was gone", async () => {
    using it = await openIngestSite();
    await readBy(it, validated({ a: "zebra", b: "lion" }));
    await readBy(it, validated({ b: "lion" }));
    expect((await readBy(it, validated({ a: "zebra", b: "lion" }))).reads).toEqual(["a"]);
    expect(await it.page("a")).toEqual(["zebra"]);
  });
});

describe("a source that dies half way", () => {
  test("keeps what was read, leaves what was not reached, says so, and the next whole run puts it right", async () => {
    using it = await openIngestSite();
    await it.run({ a: "zebra", b: "lion", c: "horse" });
    const report = await it.run(trackedReader({ a: "tiger", d: "wolf" }, { death: death() }));
    expect(report).toMatchObject({
      added: 1,
      changed: 1,
      removed: 0,
      generation: 2,
      incomplete: "the server does not answer any more",
    });
    const all = async () => (await Promise.all(["a", "b", "c", "d"].map((path) => it.page(path)))).flat();
    expect(await all()).toEqual(["tiger", "lion", "horse", "wolf"]);
    expect(await it.decisions()).toEqual({
      "a.md": "changed",
      "b.md": "added",
      "c.md": "added",
      "d.md": "added",
    });
    expect(await it.lastRun()).toMatchObject({ outcome: "incomplete", generation: 2 });
    expect(await it.run({ a: "tiger", b: "lion", d: "wolf" })).toMatchObject({
      added: 0,
      changed: 0,
      removed: 1,
      unchanged: 3,
      incomplete: undefined,
    });
    expect(await all()).toEqual(["tiger", "lion", "wolf"]);
  });

  test("before its first page changes nothing, and fails", async () => {
    using it = await openIngestSite();
    await it.run({ a: "zebra" });
    const error = await appErrorOf(() => it.run(trackedReader({}, { death: death() })));
    expect(error.code).toBe("unavailable");
    expect([await it.generation(), await it.page("a")]).toEqual([1, ["zebra"]]);
    expect(await it.lastRun()).toMatchObject({ outcome: "failed" });
  });

  test("of a fault of ours is a failure, and nothing of it is shown", async () => {
    using it = await openIngestSite();
    await it.run({ a: "zebra" });
    await expect(
      it.run(trackedReader({ a: "lion" }, { death: new TypeError("x is undefined") })),
    ).rejects.toThrow();
    expect(await it.page("a")).toEqual(["zebra"]);
    expect(await it.lastRun()).toMatchObject({ outcome: "failed", message: "Internal error" });
  });

  test("comes with what an interrupted run had read before", async () => {
    using it = await openIngestSite();
    await it.run({ same: "horse", page3: "lion" });
    const cut = trackedReader(
      { same: "horse", ...pages(20, "zebra") },
      { death: new Error("the cable was pulled") },
    );
    await expect(it.run(cut)).rejects.toThrow();
    const report = await it.run(trackedReader({ same: "horse" }, { death: death() }));
    expect(report).toMatchObject({ added: 19, changed: 1, unchanged: 1, removed: 0, generation: 2 });
    expect(await it.page("page3")).toEqual(["zebra number 3"]);
  });

  test("takes nothing away that an interrupted run was about to", async () => {
    using it = await openIngestSite();
    const all = pages(30, "zebra");
    await it.run(all);
    // As it is when the power goes between the marks and the switch.
    const source = await it.sourceOf();
    const { runId } = await it.storage.ingest.openRun(source, it.clock());
    await it.storage.ingest.drop(source, runId, Object.keys(all));
    const report = await it.run(trackedReader({ page0: "lion" }, { death: death() }));
    expect(report).toMatchObject({ changed: 1, removed: 0 });
    expect(await it.storage.pages.countPages(it.site.id)).toMatchObject({ pages: 30 });
  });
});

describe("a source that lists far fewer pages", () => {
  test("changes nothing and asks; --force goes on with what was read", async () => {
    using it = await openIngestSite();
    await it.run(pages(30, "zebra"));
    const before = it.content();
    const few = validated({ ...pages(10, "zebra"), ...pages(3, "lion") });
    const error = await appErrorOf(() => it.run(few));
    expect([error.code, error.message, error.hint]).toEqual([
      "conflict",
      expect.stringContaining("20 of the 30 pages"),
      expect.stringContaining("--force"),
    ]);
    expect(it.content()).toEqual(before);
    expect(await it.lastRun()).toMatchObject({ outcome: "failed", message: error.message });

    const reader = trackedReader(few);
    expect(await it.run(reader, {}, { force: true })).toMatchObject({
      changed: 3,
      removed: 20,
      unchanged: 7,
      resumed: true,
      generation: 2,
    });
    expect(reader.reads).toEqual([]);
  });

  test("that are all there again the next time changes nothing", async () => {
    using it = await openIngestSite();
    const all = pages(30, "zebra");
    await it.run(all);
    await appErrorOf(() => it.run({ page0: "lion" }));
    expect(await it.run(all)).toMatchObject({ unchanged: 30, changed: 0, resumed: true, generation: 1 });
    expect(await it.page("page0")).toEqual(["zebra number 0"]);
  });

  test("is believed up to a half, and while they are few", async () => {
    using it = await openIngestSite();
    await it.run(pages(40, "zebra"));
    expect(await it.run(pages(20, "zebra"))).toMatchObject({ removed: 20 });
    expect((await appErrorOf(() => it.run(pages(9, "zebra")))).code).toBe("conflict");
    expect(await it.run(pages(11, "zebra"))).toMatchObject({ removed: 9 });
    expect(await it.run(pages(2, "zebra"))).toMatchObject({ removed: 9 });
  });

  test("because they are not for everyone any more loses them at once, be they all", async () => {
    using it = await openIngestSite();
    await it.run(pages(30, "zebra"));
    const closed = (from: number) =>
      Object.keys(pages(30, "zebra"))
        .slice(from)
        .map((path): Skipped => {
          const detail = "is not for everyone";
          return { location: `${path}.md`, found: "wiki", reason: "restricted", detail };
        });
    const some = trackedReader(pages(4, "zebra"), { skipped: closed(4) });
    expect(await it.run(some)).toMatchObject({ removed: 26, unchanged: 4 });
    expect(await it.run(trackedReader({}, { skipped: closed(0) }))).toMatchObject({ removed: 4 });
    expect(it.content()).toEqual([]);
  });

  test("another source's pages are no part of that", async () => {
    using it = await openIngestSite();
    await it.run(pages(100, "zebra"), { location: "/one" });
    await it.run(pages(20, "lion"), { location: "/two" });
    expect((await appErrorOf(() => it.run(pages(5, "lion"), { location: "/two" }))).code).toBe("conflict");
  });

  test("none at all is refused, and --force takes them away", async () => {
    using it = await openIngestSite();
    await it.run({ a: "zebra" });
    expect((await appErrorOf(() => it.run({}))).hint).toContain("--force");
    expect(await it.run({}, {}, { force: true })).toMatchObject({ removed: 1, generation: 2 });
  });
});
