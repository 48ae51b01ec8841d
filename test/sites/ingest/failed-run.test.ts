import { describe, expect, test } from "bun:test";
import { AppError } from "../../../src/kernel/errors.ts";
import type { Embedder } from "../../../src/kernel/vectors/embedder.ts";
import type { SourceReader } from "../../../src/reading/source-reader.ts";
import { failingEmbedder } from "../../helpers/failing-embedder.ts";
import { openIngestSite } from "../../helpers/ingest-site.ts";
import { appErrorOf } from "../../helpers/rejection.ts";
import { testLog } from "../../helpers/test-log.ts";

/** An embedder whose model server is away from the beginning. */
function absentEmbedder(): Embedder {
  const away = async () => {
    throw new AppError("unavailable", "The embedding model is away.", { hint: "start it" });
  };
  return { isInstant: false, describe: away, embed: away };
}

const failing = (error: unknown): SourceReader => ({
  list: () => ({
    [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(error) }),
  }),
});

describe("the run after one that failed", () => {
  test("takes nothing up where nothing had been staged: no page could be read", async () => {
    using it = await openIngestSite();
    await appErrorOf(() => it.run(failing(new AppError("unavailable", "robots.txt cannot be read"))));
    expect(await it.run({ a: "zebra" })).toMatchObject({ added: 1, resumed: false });
  });

  test("takes nothing up where nothing had been staged: too many pages were gone", async () => {
    using it = await openIngestSite();
    const pages = Object.fromEntries(
      Array.from({ length: 30 }, (_, index) => [`p${index}`, `zebra ${index}`]),
    );
    await it.run(pages);
    expect((await appErrorOf(() => it.run({ p1: "zebra 1" }))).code).toBe("conflict");
    expect(await it.run({ ...pages, more: "lion" })).toMatchObject({ added: 1, resumed: false });
  });

  test("takes up what had been staged", async () => {
    using it = await openIngestSite();
    await appErrorOf(() => it.run({ a: "zebra" }, {}, {}, failingEmbedder()));
    expect(await it.run({ a: "zebra" })).toMatchObject({ added: 1, resumed: true });
  });
});

describe("a source of more pages than are allowed", () => {
  test("changes nothing, and says so", async () => {
    using it = await openIngestSite({ pagesMax: 2 });
    await it.run({ a: "zebra", b: "lion" });
    const before = it.content();
    const error = await appErrorOf(() => it.run({ a: "tiger", b: "lion", c: "wolf" }));
    expect([error.code, error.hint]).toEqual(["too_large", expect.stringContaining("Nothing was changed")]);
    expect([it.content(), await it.generation()]).toEqual([before, 1]);
    expect(await it.lastRun()).toMatchObject({ outcome: "failed", generation: undefined });
  });
});

describe("while what makes vectors is away", () => {
  async function opened() {
    const { log, lines } = testLog();
    return { it: await openIngestSite({ log }), lines };
  }

  test("a run that finds nothing changed succeeds, and the log says what could not be done", async () => {
    const { it, lines } = await opened();
    using _ = it;
    await it.run({ a: "zebra" });
    const report = await it.run({ a: "zebra" }, {}, {}, absentEmbedder());
    expect(report).toMatchObject({ unchanged: 1, generation: 1, incomplete: undefined });
    expect(lines).toMatchObject([
      { level: "warn", source: "/docs", reason: "The embedding model is away.", hint: "start it" },
    ]);
    expect(await it.lastRun()).toMatchObject({ outcome: "unchanged" });
  });

  test("a run that changes something fails, nothing of it is visible, and what it staged is taken up", async () => {
    const { it, lines } = await opened();
    using _ = it;
    await it.run({ a: "zebra" });
    const before = it.content();
    const error = await appErrorOf(() => it.run({ a: "zebra", b: "lion" }, {}, {}, absentEmbedder()));
    expect([error.message, it.content(), lines]).toEqual(["The embedding model is away.", before, []]);
    expect(await it.run({ a: "zebra", b: "lion" })).toMatchObject({ added: 1, resumed: true, generation: 2 });
  });

  test("a run that is told to stop then is stopped", async () => {
    using it = await openIngestSite();
    await it.run({ a: "zebra" });
    const stop = new AbortController();
    const embedder: Embedder = {
      ...absentEmbedder(),
      describe: async () => {
        stop.abort(new Error("stop"));
        throw new AppError("unavailable", "The embedding model is away.");
      },
    };
    const run = it.run({ a: "zebra" }, {}, { signal: stop.signal }, embedder);
    await expect(run).rejects.toThrow("stop");
  });
});
