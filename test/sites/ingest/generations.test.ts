import { describe, expect, test } from "bun:test";
import { failingEmbedder } from "../../helpers/failing-embedder.ts";
import { openIngestSite } from "../../helpers/ingest-site.ts";
import { appErrorOf } from "../../helpers/rejection.ts";
import { addSite } from "../../helpers/site-data.ts";
import { openStorageAt } from "../../helpers/test-storage.ts";
import { trackedReader } from "../../helpers/tracked-reader.ts";

type IngestSite = Awaited<ReturnType<typeof openIngestSite>>;

const ONE = { location: "/one" };
const TWO = { location: "/two" };

/** Runs these states of a source one after the other, and keeps what readers saw after each. */
async function runAll(it: IngestSite, ...states: Record<string, string>[]): Promise<unknown[][]> {
  const seen: unknown[][] = [];
  for (const state of states) {
    await it.run(state, ONE);
    seen.push(it.content());
  }
  return seen;
}

const numbers = async (it: IngestSite) =>
  (await it.generations.list(it.site.id)).map(
    ({ number, isVisible }) => `${number}${isVisible ? " now" : ""}`,
  );

const STATES = [
  { a: "# Zebra\n\none", b: "lion", c: "horse" },
  { a: "# Zebra\n\ntwo", b: "lion" },
  { a: "# Zebra\n\nthree", b: "tiger", d: "wolf" },
] as const;

describe("generations", () => {
  test("are listed with what they changed and when, the newest first", async () => {
    using it = await openIngestSite();
    expect(await it.generations.list(it.site.id)).toEqual([]);
    await runAll(it, ...STATES);
    const list = await it.generations.list(it.site.id);
    expect(list).toMatchObject([
      { number: 3, isVisible: true, counts: { added: 1, changed: 2, removed: 0 }, finishedAt: it.clock() },
      { number: 2, isVisible: false, counts: { changed: 1, removed: 1 } },
      { number: 1, isVisible: false, source: { kind: "folder", location: "/one" }, counts: { added: 3 } },
    ]);
  });

  test("three are kept, across sources", async () => {
    using it = await openIngestSite();
    await runAll(it, ...STATES);
    await it.run({ x: "cat" }, TWO);
    await it.run({ x: "dog" }, TWO);
    expect(await numbers(it)).toEqual(["5 now", "4", "3"]);
    const error = await appErrorOf(() => it.generations.rollBack(it.site.id, 2));
    expect([error.code, error.hint]).toEqual(["not_found", "Kept besides the visible one: 4, 3."]);
  });
});

describe("going back", () => {
  test("shows what readers saw then, whole; forward again too", async () => {
    using it = await openIngestSite();
    const [one, two, three] = await runAll(it, ...STATES);
    expect(await it.generations.rollBack(it.site.id)).toEqual({ from: 3, to: 2 });
    expect(it.content()).toEqual(two ?? []);
    expect(await it.generations.rollBack(it.site.id)).toEqual({ from: 2, to: 1 });
    expect(it.content()).toEqual(one ?? []);
    expect(await numbers(it)).toEqual(["3", "2", "1 now"]);
    expect(await it.generations.rollBack(it.site.id, 3)).toEqual({ from: 1, to: 3 });
    expect(it.content()).toEqual(three ?? []);
    expect(await it.generations.rollBack(it.site.id, 1)).toEqual({ from: 3, to: 1 });
    expect(it.content()).toEqual(one ?? []);
  });

  test("is refused where there is nothing to go back to, with what there is", async () => {
    using it = await openIngestSite();
    const refused = async (number?: number) => {
      const { code, message, hint } = await appErrorOf(() => it.generations.rollBack(it.site.id, number));
      return `${code}: ${message} ${hint ?? ""}`.trim();
    };
    expect(await refused()).toBe("not_found: This site has nothing to go back from.");
    await runAll(it, STATES[0]);
    expect(await refused()).toBe(
      "not_found: There is no earlier generation to go back to. Only the visible one is kept: the docs have not changed since.",
    );
    await runAll(it, STATES[1]);
    expect(await refused(7)).toBe(
      "not_found: There is no generation 7 to go back to. Kept besides the visible one: 1.",
    );
    expect(await refused(2)).toContain("There is no generation 2");
  });

  test("and on: the next run builds on what is visible, and its number is a new one", async () => {
    using it = await openIngestSite();
    const [, two, three] = await runAll(it, ...STATES);
    await it.generations.rollBack(it.site.id);
    expect(await it.run(STATES[2], ONE)).toMatchObject({ changed: 2, added: 1, generation: 4 });
    expect(it.content()).toEqual(three ?? []);
    expect(await numbers(it)).toEqual(["4 now", "2", "1"]);
    expect(await it.generations.rollBack(it.site.id)).toEqual({ from: 4, to: 2 });
    expect(it.content()).toEqual(two ?? []);
    // Nothing is left of the generation that was undone.
    expect((await appErrorOf(() => it.generations.rollBack(it.site.id, 3))).code).toBe("not_found");
  });

  test("a run that finds nothing to change leaves readers with what was gone back to", async () => {
    using it = await openIngestSite();
    const [, two] = await runAll(it, ...STATES);
    await it.generations.rollBack(it.site.id);
    expect(await it.run(STATES[1], ONE)).toMatchObject({ unchanged: 2, generation: 2 });
    expect(it.content()).toEqual(two ?? []);
    expect(await numbers(it)).toEqual(["2 now", "1"]);
    expect(await it.run(STATES[2], ONE)).toMatchObject({ generation: 4 });
  });

  test("with pages of two sources brings both back as they were", async () => {
    using it = await openIngestSite();
    await it.run({ a: "zebra" }, ONE);
    await it.run({ x: "cat", y: "dog" }, TWO);
    const before = it.content();
    await it.run({ a: "lion" }, ONE);
    await it.run({ x: "cow" }, TWO);
    await it.generations.rollBack(it.site.id, 2);
    expect(it.content()).toEqual(before);
    await it.run({ a: "tiger" }, ONE);
    expect([await it.page("a"), await it.page("x"), await it.page("y")]).toEqual([
      ["tiger"],
      ["cat"],
      ["dog"],
    ]);
  });

  test("throws away what an interrupted run of any source had staged", async () => {
    using it = await openIngestSite();
    const [one] = await runAll(it, STATES[0], STATES[1]);
    const many = Object.fromEntries(
      Array.from({ length: 20 }, (_, index) => [`page${index}`, `cat ${index}`]),
    );
    for (const spec of [ONE, TWO]) {
      const cut = trackedReader({ ...many, a: "cow" }, { death: new Error("the cable was pulled") });
      await expect(it.run(cut, spec)).rejects.toThrow();
    }
    await it.generations.rollBack(it.site.id);
    expect(it.content()).toEqual(one ?? []);
    expect(await it.run({ x: "dog" }, TWO)).toMatchObject({ resumed: false, added: 1, generation: 3 });
    expect(await it.storage.pages.countPages(it.site.id)).toMatchObject({ pages: 4 });
  });

  test("is refused while a source of the site is read, from another process as well", async () => {
    using it = await openIngestSite();
    await runAll(it, STATES[0], STATES[1]);
    const before = it.content();
    const other = await openStorageAt(it.storage.directory);
    await it.run(
      {
        async *list(context) {
          const error = await appErrorOf(() => it.generations.rollBack(it.site.id));
          expect([error.code, error.message]).toEqual(["conflict", expect.stringContaining("/two")]);
          expect((await appErrorOf(() => other.generations.show(it.site.id, 1))).code).toBe("conflict");
          expect(it.content()).toEqual(before);
          yield* trackedReader({ x: "cat" }).list(context);
        },
      },
      TWO,
    );
    other.close();
    expect(await it.generations.rollBack(it.site.id)).toEqual({ from: 3, to: 2 });
  });

  test("undoing can be cut short anywhere: nothing half taken back can be gone to, and it is done again", async () => {
    using it = await openIngestSite();
    const [, two] = await runAll(it, ...STATES);
    await it.generations.rollBack(it.site.id);
    it.storage.database.run(
      "CREATE TRIGGER cut BEFORE DELETE ON pages BEGIN SELECT RAISE(ABORT, 'the power is gone'); END",
    );
    await expect(it.run(STATES[2], ONE)).rejects.toThrow("the power is gone");
    it.storage.database.run("DROP TRIGGER cut");
    expect(it.content()).toEqual(two ?? []);
    expect(await numbers(it)).toEqual(["2 now", "1"]);
    expect((await appErrorOf(() => it.generations.rollBack(it.site.id, 3))).code).toBe("not_found");
    expect(await it.run(STATES[0], ONE)).toMatchObject({ changed: 1, added: 1, generation: 4 });
    expect(await it.page("d")).toEqual([]);
  });

  test("numbers are never used twice", async () => {
    using it = await openIngestSite();
    const seen: number[] = [];
    for (let round = 0; round < 6; round++) {
      seen.push((await it.run({ a: `zebra ${round}` }, ONE)).generation);
      if (round % 2 === 1) await it.generations.rollBack(it.site.id);
    }
    expect(seen).toEqual([1, 2, 3, 4, 5, 6]);
  });

  test("another site stays as it is", async () => {
    using it = await openIngestSite();
    await runAll(it, STATES[0], STATES[1]);
    const other = await addSite(it.storage.sites, "other");
    for (const text of ["cat", "dog"]) await it.run({ a: text }, { siteId: other.id });
    await it.generations.rollBack(it.site.id);
    expect(
      (await it.storage.pages.findPages(other.id, "a", "everything")).map(({ markdown }) => markdown),
    ).toEqual(["dog"]);
    expect((await it.generations.list(other.id)).map(({ number }) => number)).toEqual([2, 1]);
    expect(await it.run(STATES[2], ONE)).toMatchObject({ generation: 3 });
  });
});

describe("any order of runs, of going back and forward, and of interruptions", () => {
  test("shows each generation as it was when it was made", async () => {
    using it = await openIngestSite();
    const made = new Map<number, unknown[]>();
    const random = seeded(7);
    const failing = failingEmbedder();
    const spec = () => (random() < 0.5 ? ONE : TWO);
    for (let step = 0; step < 60; step++) {
      const dice = random();
      const pages = Object.fromEntries(
        Array.from({ length: 6 }, (_, index) => [`page${index}`, `word${Math.floor(random() * 3)}`]).filter(
          () => random() < 0.7,
        ),
      );
      if (dice < 0.6) {
        const report = await it.run(pages, spec(), { force: true });
        made.set(report.generation, it.content());
      } else if (dice < 0.75) {
        // Everything is staged by then.
        await it.run(pages, spec(), { force: true }, failing).catch(() => {});
      } else {
        const list = await it.generations.list(it.site.id);
        const target = list[Math.floor(random() * list.length)];
        if (target && !target.isVisible) await it.generations.rollBack(it.site.id, target.number);
      }
      expect(it.content(), `step ${step}`).toEqual(made.get(await it.generation()) ?? []);
    }
    expect(made.size).toBeGreaterThan(15);
  });
});

/** Numbers between 0 and 1 that are the same in every run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}
