import { describe, expect, test } from "bun:test";
import { AppError } from "../../../src/kernel/errors.ts";
import { UNSEALED } from "../../../src/kernel/lib/seal/seal.ts";
import type { SourceReader } from "../../../src/reading/source-reader.ts";
import { createFindCited } from "../../../src/sites/ingest/cited-page.ts";
import { createLinkCheck } from "../../../src/sites/ingest/link-check.ts";
import { createSiteSources } from "../../../src/sites/ingest/site-sources.ts";
import { openIngestSite } from "../../helpers/ingest-site.ts";
import { openIngest } from "../../helpers/open-ingest.ts";
import { sourceSpec } from "../../helpers/page-data.ts";
import { appErrorOf } from "../../helpers/rejection.ts";
import { trackedReader } from "../../helpers/tracked-reader.ts";

const HOUR_MS = 3_600_000;
const signal = new AbortController().signal;

/** The sources of a site as the command line and the schedule use them. */
async function opened() {
  const it = await openIngestSite();
  let reader: SourceReader = trackedReader({ a: "zebra", b: "lion" });
  const runs = createSiteSources({
    seal: UNSEALED,
    sources: it.storage.sources,
    ingest: openIngest(it.storage, it.clock),
    openSourceReader: async () => reader,
    openSiteFetch: () => () => Promise.reject(new Error("nothing asks for addresses")),
    openPublishedSite: () => Promise.reject(new Error("nothing asks for published pages")),
    published: it.storage.published,
    permissions: { of: async () => ({ folders: [], privateHosts: [] }) },
    uploads: { fileOf: async () => undefined, remove: async () => {} },
    checkLinks: createLinkCheck(it.storage.pages),
    findCited: createFindCited(it.storage.pages),
    isShared: false,
    clock: it.clock,
  });
  const state = async () => ({ ...it.site, generation: await it.generation() });
  return {
    it,
    runs,
    add: (location: string, change = {}) => runs.add(sourceSpec(it.site.id, { location }), change),
    async run(id: number, next: SourceReader = reader, until = signal) {
      reader = next;
      return runs.run(await state(), await runs.get(it.site.id, id), { signal: until });
    },
    remove: async (id: number) => runs.remove(await state(), await runs.get(it.site.id, id), signal),
    listed: async () => (await runs.list(it.site.id)).map(({ location }) => location),
    [Symbol.dispose]: it[Symbol.dispose],
  };
}

describe("sources on a schedule", () => {
  test("one is due an interval after it was noted, and again an interval after each run", async () => {
    using its = await opened();
    const { id } = await its.add("/one", { everyMs: HOUR_MS });
    await its.add("/two");
    expect(await its.runs.due()).toEqual([]);
    its.it.advance(HOUR_MS);
    expect(await its.runs.due()).toMatchObject([{ id }]);
    await its.run(id);
    expect(await its.runs.due()).toEqual([]);
    its.it.advance(HOUR_MS);
    expect(await its.runs.due()).toMatchObject([{ id, lastRun: { outcome: "published" } }]);
  });

  test("a run that fails is not tried again before its time", async () => {
    using its = await opened();
    const { id } = await its.add("/one", { everyMs: HOUR_MS });
    its.it.advance(HOUR_MS);
    const down = trackedReader({}, { death: new AppError("unavailable", "the server is gone") });
    expect((await appErrorOf(() => its.run(id, down))).message).toBe("the server is gone");
    expect(await its.runs.due()).toEqual([]);
    expect(await its.runs.list(its.it.site.id)).toMatchObject([
      { lastRun: { outcome: "failed", message: "the server is gone" } },
    ]);
  });

  test("a run that is told to stop stays due", async () => {
    using its = await opened();
    const { id } = await its.add("/one", { everyMs: HOUR_MS });
    its.it.advance(HOUR_MS);
    const stop = new AbortController();
    const stopped: SourceReader = {
      async *list(context) {
        yield* trackedReader({ a: "zebra" }).list(context);
        stop.abort(new DOMException("The server stops", "AbortError"));
      },
    };
    await expect(its.run(id, stopped, stop.signal)).rejects.toThrow("The server stops");
    expect(await its.runs.due()).toMatchObject([{ id, lastRun: { outcome: undefined } }]);
  });

  test("one whose schedule ends during a run is not due again", async () => {
    using its = await opened();
    const { id } = await its.add("/one", { everyMs: HOUR_MS });
    await its.run(id, {
      async *list(context) {
        await its.add("/one", { everyMs: null });
        yield* trackedReader({ a: "zebra" }).list(context);
      },
    });
    its.it.advance(10 * HOUR_MS);
    expect(await its.runs.due()).toEqual([]);
  });

  test("what is not named when it is noted again stays as it was", async () => {
    using its = await opened();
    const website = sourceSpec(its.it.site.id, { kind: "website", location: "https://docs.acme.example/" });
    await its.runs.add(website, { everyMs: HOUR_MS, options: { authorizationVariable: "TOKEN" } });
    expect(await its.runs.add(website)).toMatchObject({
      everyMs: HOUR_MS,
      nextRunAt: its.it.clock() + HOUR_MS,
      options: { authorizationVariable: "TOKEN" },
    });
    expect(await its.runs.add(website, { everyMs: null })).toMatchObject({
      everyMs: undefined,
      nextRunAt: undefined,
    });
  });

  test("what no run could do anything with is refused, whatever door it comes through", async () => {
    using its = await opened();
    const siteId = its.it.site.id;
    const site = { kind: "website", location: "https://docs.acme.example/" } as const;
    const options = { authorizationVariable: "TOKEN" };
    const cases = [
      [{ ...site, version: " 2.0" }],
      [{ ...site, version: "2.0\n" }],
      [{ ...site, language: "de\u2028" }],
      [{ ...site, language: "d".repeat(101) }],
      ...["", "A=B", "A B", "1A", "A\n", "$A"].map(
        (name) => [site, { authorizationVariable: name }] as const,
      ),
      [{ kind: "folder", location: "/docs" }, options],
      [{ kind: "archive", location: "/docs.zip" }, options],
      [{ kind: "llms-txt", location: "/docs/llms.txt" }, options],
      [{ kind: "openapi", location: "/openapi.json" }, options],
      [{ kind: "git", location: "/docs" }, options],
      [{ kind: "git", location: "git@acme.example:docs.git" }, options],
      [{ kind: "git", location: "ssh://git@acme.example/docs.git#main" }, options],
    ] as const;
    for (const [spec, given = {}] of cases) {
      const error = await appErrorOf(() => its.runs.add(sourceSpec(siteId, spec), { options: given }));
      expect([spec, error.code]).toEqual([spec, "invalid_request"]);
    }
    expect(await its.listed()).toEqual([]);
  });

  test("a number that is no source of the site is said, another site's as well", async () => {
    using its = await opened();
    const { id } = await its.add("/one");
    for (const [siteId, sourceId] of [
      [its.it.site.id, id + 1],
      [its.it.site.id + 1, id],
    ] as const) {
      const error = await appErrorOf(() => its.runs.get(siteId, sourceId));
      expect([error.code, error.hint]).toEqual(["not_found", expect.stringContaining("sources list")]);
    }
  });
});

describe("a source that is removed", () => {
  test("takes its own pages with it, and no other's", async () => {
    using its = await opened();
    const one = await its.add("/one", { everyMs: HOUR_MS });
    await its.run(one.id);
    const two = await its.add("/two");
    await its.run(two.id, trackedReader({ a: "wolf", c: "horse" }));
    expect(await its.remove(one.id)).toMatchObject({ removed: 2, generation: 3 });
    expect(await its.listed()).toEqual(["/two"]);
    expect([await its.it.page("a"), await its.it.page("b"), await its.it.page("c")]).toEqual([
      ["wolf"],
      [],
      ["horse"],
    ]);
    its.it.advance(10 * HOUR_MS);
    expect(await its.runs.due()).toEqual([]);
  });

  test("can be added again, and is read anew", async () => {
    using its = await opened();
    const one = await its.add("/one", { everyMs: HOUR_MS });
    await its.run(one.id);
    await its.remove(one.id);
    const again = await its.add("/one");
    // Nothing is left of the schedule that it had.
    expect(again).toMatchObject({ everyMs: undefined, nextRunAt: undefined });
    expect(await its.run(again.id)).toMatchObject({ added: 2, generation: 3 });
    expect(await its.it.page("a")).toEqual(["zebra"]);
  });

  test("is on the list again, without its schedule, when the site goes back to where it had pages", async () => {
    using its = await opened();
    const one = await its.add("/one", { everyMs: HOUR_MS });
    await its.run(one.id);
    await its.remove(one.id);
    await its.it.generations.rollBack(its.it.site.id);
    expect(await its.it.page("a")).toEqual(["zebra"]);
    expect(await its.runs.list(its.it.site.id)).toMatchObject([
      { id: one.id, location: "/one", everyMs: undefined },
    ]);
    its.it.advance(10 * HOUR_MS);
    expect(await its.runs.due()).toEqual([]);
    expect(await its.remove(one.id)).toMatchObject({ removed: 2 });
    expect(await its.listed()).toEqual([]);
  });

  test("is off the list again when the site goes forward, and stays on it when the next run is one of its own", async () => {
    using its = await opened();
    const one = await its.add("/one");
    await its.run(one.id);
    await its.remove(one.id);
    await its.it.generations.rollBack(its.it.site.id);
    await its.it.generations.rollBack(its.it.site.id, 2);
    expect(await its.listed()).toEqual([]);
    await its.it.generations.rollBack(its.it.site.id);
    await its.run(one.id, trackedReader({ a: "tiger" }));
    await its.run(one.id, trackedReader({ a: "lion" }));
    expect([await its.listed(), await its.it.page("a")]).toEqual([["/one"], ["lion"]]);
  });

  test("stays off the list when the site goes back to another state without it", async () => {
    using its = await opened();
    const one = await its.add("/one");
    await its.run(one.id);
    const two = await its.add("/two");
    await its.remove(one.id);
    await its.run(two.id, trackedReader({ c: "wolf" }));
    await its.run(two.id, trackedReader({ c: "horse" }));
    await its.it.generations.rollBack(its.it.site.id);
    expect(await its.listed()).toEqual(["/two"]);
  });

  test("is removed even if it was never read", async () => {
    using its = await opened();
    const one = await its.add("/one");
    expect(await its.remove(one.id)).toMatchObject({ removed: 0, generation: 0 });
    expect(await its.listed()).toEqual([]);
  });

  test("is forgotten with the last generation that shows its pages, ledger and all", async () => {
    using its = await opened();
    const one = await its.add("/one");
    await its.run(one.id);
    await its.remove(one.id);
    const two = await its.add("/two");
    const rows = () => its.it.storage.database.query("SELECT location FROM sources ORDER BY id").all();
    for (const text of ["one", "two"]) await its.run(two.id, trackedReader({ a: text }));
    expect(rows()).toEqual([{ location: "/one" }, { location: "/two" }]);
    for (const text of ["three", "four"]) await its.run(two.id, trackedReader({ a: text }));
    expect(rows()).toEqual([{ location: "/two" }]);
    expect(await its.it.storage.ledger.entries(one.id)).toEqual([]);
    expect((await its.it.generations.list(its.it.site.id)).map(({ number }) => number)).toEqual([6, 5, 4]);
    // Its number stays used.
    expect((await its.add("/one")).id).toBeGreaterThan(two.id);
  });

  test("is back on the list when the site goes on from a generation with its pages", async () => {
    using its = await opened();
    const one = await its.add("/one");
    await its.run(one.id);
    const two = await its.add("/two");
    await its.run(two.id, trackedReader({ c: "horse" }));
    await its.remove(one.id);
    await its.it.generations.rollBack(its.it.site.id);
    expect(await its.it.page("a")).toEqual(["zebra"]);
    await its.run(two.id, trackedReader({ c: "wolf" }));
    // Otherwise its pages would be there for good, and nothing could take them away.
    expect([await its.it.page("a"), await its.listed()]).toEqual([["zebra"], ["/one", "/two"]]);
    expect(await its.remove(one.id)).toMatchObject({ removed: 2 });
  });

  test("stays on the list when its pages could not be taken out", async () => {
    using its = await opened();
    const one = await its.add("/one");
    await its.run(one.id);
    const lease = await its.it.storage.ingest.lock(one);
    expect((await appErrorOf(() => its.remove(one.id))).code).toBe("conflict");
    await lease.release();
    expect([await its.listed(), await its.it.page("a")]).toEqual([["/one"], ["zebra"]]);
  });
});
