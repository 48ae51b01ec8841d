import { describe, expect, test } from "bun:test";
import { AppError } from "../../../src/kernel/errors.ts";
import type { SqliteStorage } from "../../../src/storage/sqlite/sqlite.ts";
import { openIngestSite } from "../../helpers/ingest-site.ts";
import { appErrorOf } from "../../helpers/rejection.ts";

/** That many pages of some kilobytes each. */
function largePages(count: number, word: string): Record<string, string> {
  const body = `Some ${word} is said here, and more of it. `.repeat(120);
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`page${index}`, `# ${word} ${index}\n\n${body}`]),
  );
}

/** Lets the database's file grow by so many kilobytes, and by no more: SQLite then says that the disk is full. */
function leaveRoom({ database }: Pick<SqliteStorage, "database">, kilobytes: number): void {
  const count = database.query<{ page_count: number }, []>("PRAGMA page_count").get()?.page_count ?? 0;
  const size = database.query<{ page_size: number }, []>("PRAGMA page_size").get()?.page_size ?? 1024;
  database.run(`PRAGMA max_page_count = ${count + Math.floor((kilobytes * 1024) / size)}`);
}

const free = ({ database }: Pick<SqliteStorage, "database">) =>
  database.run("PRAGMA max_page_count = 1000000");

describe("a full disk", () => {
  test("in a run says what to do and changes nothing; with space again the run goes on where it ended", async () => {
    using it = await openIngestSite();
    await it.run(largePages(30, "zebra"));
    const before = it.content();
    // Room for the first pages, and not for all.
    leaveRoom(it.storage, 640);
    const error = await appErrorOf(() => it.run(largePages(60, "lion")));
    expect([error.code, error.hint]).toEqual(["unavailable", expect.stringContaining("disk is full")]);
    expect([it.content(), await it.generation()]).toEqual([before, 1]);
    expect(it.storage.database.query("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });

    free(it.storage);
    expect(await it.run(largePages(60, "lion"))).toMatchObject({
      changed: 30,
      added: 30,
      removed: 0,
      resumed: true,
      generation: 2,
    });
    expect(await it.storage.pages.countPages(it.site.id)).toMatchObject({ pages: 60 });
  });

  test("at any moment of a run leaves readers with what they had, and every page there is whole", async () => {
    const after = await contentOf(largePages(25, "lion"));
    using it = await openIngestSite();
    await it.run(largePages(25, "zebra"));
    const before = it.content();
    const failures = new Set<string>();
    for (let room = 0; ; room += 48) {
      leaveRoom(it.storage, room);
      const failure = await it.run(largePages(25, "lion")).then(
        () => undefined,
        (error: unknown) => error,
      );
      free(it.storage);
      if (failure === undefined) break;
      failures.add(failure instanceof AppError ? `${failure.hint}` : `${failure}`);
      expect(it.content()).toEqual(before);
      expect(room, "it never ends").toBeLessThan(8000);
    }
    expect([...failures]).toEqual([expect.stringContaining("disk is full")]);
    expect(it.content()).toEqual(after);
  });

  test("when a run begins gives the source back", async () => {
    using it = await openIngestSite();
    await it.run({ a: "zebra" });
    const source = await it.sourceOf();
    it.storage.database.run(
      "CREATE TRIGGER full BEFORE INSERT ON source_runs BEGIN SELECT RAISE(ABORT, 'no room'); END",
    );
    await expect(it.run({ a: "lion" })).rejects.toThrow("no room");
    await (await it.storage.ingest.lock(source)).release();
    it.storage.database.run("DROP TRIGGER full");
    expect(await it.run({ a: "lion" })).toMatchObject({ changed: 1 });
  });
});

/** What readers of a new site see after this one run. */
async function contentOf(pages: Record<string, string>): Promise<unknown[]> {
  using it = await openIngestSite();
  await it.run(pages);
  return it.content();
}
