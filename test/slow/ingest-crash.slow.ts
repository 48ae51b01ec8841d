import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expectWhole, visibleContent } from "../helpers/ingest-site.ts";
import { createWorkplace, type Workplace } from "../helpers/program.ts";

setDefaultTimeout(300_000);

const KILLS = 50;
const WHOLE_EVERY = 7;
const PAGES = 60;
const SECTIONS = 6;
const SEED = 20_261_121;

/** The revision of each page that is in the folder. */
type Tree = Map<string, number>;

describe(`an ingest that is killed with -9 at ${KILLS} moments, of a folder that changes in between`, () => {
  const random = seeded(SEED);
  const tree: Tree = new Map();
  /** Every state that the folder has had at the start of a run, as text. */
  const states = new Set<string>();
  let place: Workplace;
  let wholeRunMs = 0;

  beforeAll(async () => {
    place = createWorkplace();
    mkdirSync(join(place.folder, "docs"));
    for (let index = 0; index < PAGES; index++) writePage(place, tree, `page-${index}`, 0);
    states.add(textOf(tree));
    await place.run("sites", "add", "acme");
    const startedAt = performance.now();
    const first = await place.run("ingest", "acme", "docs");
    wholeRunMs = performance.now() - startedAt;
    expect(first.code, first.err).toBe(0);
  });
  afterAll(() => place.dispose());

  test("shows readers one whole state at any time, and at last what a fresh ingest shows", async () => {
    let killed = 0;
    const generations = new Set<number>();
    for (let round = 1; killed < KILLS; round++) {
      changeSome(place, tree, round, random);
      states.add(textOf(tree));
      const child = place.spawn("ingest", "acme", "docs", "--force");
      const startedAt = performance.now();
      const killAfterMs = random() * wholeRunMs * 1.2;
      // Some come to their end also where the machine has become slower meanwhile.
      await (round % WHOLE_EVERY === 0 ? child.exited : Promise.race([Bun.sleep(killAfterMs), child.exited]));
      child.kill("SIGKILL");
      if ((await child.exited) !== 0) killed++;
      // How long a run takes is learned from each that came to its end: the first had the machine's caches to fill.
      else wholeRunMs = Math.min(wholeRunMs, performance.now() - startedAt);
      generations.add(inspect(place, "docent-data", (database) => check(database, states)));
      if (round % 10 === 0) await place.run("generations", "rollback", "acme");
    }
    // Some came to their end between the kills.
    expect(generations.size).toBeGreaterThan(1);

    const last = await place.run("ingest", "acme", "docs", "--force");
    expect(last.code, last.err).toBe(0);
    await place.run("sites", "add", "acme", "--data", "fresh-data");
    const fresh = await place.run("ingest", "acme", "docs", "--data", "fresh-data");
    expect(fresh.code, fresh.err).toBe(0);
    expect(inspect(place, "docent-data", everything)).toEqual(inspect(place, "fresh-data", everything));
    await checkLedger(place, tree);
  }, 600_000);
});

/** What holds of a database after any kill. Returns the generation that readers see. */
function check(database: Database, states: ReadonlySet<string>): number {
  expectWhole({ database });
  const visible = new Map<string, Set<string>>();
  for (const row of visibleContent({ database }, 1)) {
    const { path, text, embedded } = row as { path: string; text: string; embedded: number };
    expect(embedded).toBe(1);
    const marks = visible.get(path) ?? new Set();
    for (const [mark] of text.matchAll(/revision \d+ part \d+/g)) marks.add(mark);
    visible.set(path, marks);
  }
  const seen: Tree = new Map();
  for (const [path, marks] of visible) {
    const name = /\d+/.exec([...marks][0] ?? "")?.[0] ?? "";
    const whole = Array.from({ length: SECTIONS }, (_, part) => `revision ${name} part ${part}`);
    expect([...marks].sort(), path).toEqual(whole);
    seen.set(path, Number(name));
  }
  expect(states.has(textOf(seen)), "readers see a state that the folder has had").toBe(true);
  expect(
    database.query("SELECT passage_id FROM passage_vectors EXCEPT SELECT id FROM passages").all(),
  ).toEqual([]);
  const [site] = database.query<{ generation: number }, []>("SELECT generation FROM sites").all();
  return site?.generation ?? 0;
}

/** All that readers see, with the vectors that search uses. */
function everything(database: Database): unknown[] {
  const vectors = database
    .query(
      `SELECT path, position, hex(bits) AS bits, hex(vector) AS vector
       FROM pages JOIN passages ON passages.page_id = pages.id
       JOIN passage_vectors ON passage_id = passages.id
       WHERE pages.died IS NULL ORDER BY path, position`,
    )
    .all();
  expect(vectors.length).toBeGreaterThan(PAGES / 2);
  return [...visibleContent({ database }, 1), ...vectors];
}

/** The ledger of the last run has every file of the folder, with what the index has of it. */
async function checkLedger(place: Workplace, tree: Tree): Promise<void> {
  const { out } = await place.run("sources", "ledger", "acme", "1", "--json");
  const { entries }: { entries: { location: string; decision: string; passages: number | null }[] } =
    JSON.parse(out);
  const taken = entries.filter(({ decision }) => decision !== "removed");
  expect(taken.map(({ location }) => location).sort()).toEqual(
    [...tree.keys()].map((path) => `${path}.md`).sort(),
  );
  const passages = inspect(place, "docent-data", (database) =>
    database
      .query<{ location: string; count: number }, []>(
        `SELECT location, count(*) AS count FROM pages JOIN passages ON passages.page_id = pages.id
         WHERE pages.died IS NULL GROUP BY 1`,
      )
      .all(),
  );
  const counts = new Map(passages.map(({ location, count }) => [location, count]));
  expect(taken.filter((entry) => entry.passages !== counts.get(entry.location))).toEqual([]);
  const [source] = JSON.parse((await place.run("sources", "list", "acme", "--json")).out);
  expect(["published", "unchanged"]).toContain(source.lastRun.outcome);
}

/** Changes a few pages or many, adds some, and removes some. */
function changeSome(place: Workplace, tree: Tree, round: number, random: () => number): void {
  const share = random() < 0.3 ? 0.02 : 0.4;
  for (let index = 0; index < PAGES; index++) {
    if (random() >= share) continue;
    const path = `page-${index}`;
    if (tree.has(path) && random() < 0.2) {
      tree.delete(path);
      rmSync(join(place.folder, `docs/${path}.md`));
    } else {
      writePage(place, tree, path, round);
    }
  }
}

/** Every revision of a page is of the same length: its size says nothing of whether it has changed. */
function writePage(place: Workplace, tree: Tree, path: string, revision: number): void {
  const name = String(revision).padStart(3, "0");
  const sections = Array.from(
    { length: SECTIONS },
    (_, part) => `## Part ${part}\n\nrevision ${name} part ${part}. ${"What is in this page. ".repeat(30)}\n`,
  );
  writeFileSync(join(place.folder, `docs/${path}.md`), `# ${path}\n\n${sections.join("\n")}`);
  tree.set(path, revision);
}

const textOf = (tree: Tree) => JSON.stringify([...tree].sort(([a], [b]) => (a < b ? -1 : 1)));

/** Reads the database as the next process finds it: the write-ahead log is taken up first. */
function inspect<T>(place: Workplace, data: string, look: (database: Database) => T): T {
  const database = new Database(join(place.folder, data, "docent.db"));
  try {
    expect(database.query("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
    return look(database);
  } finally {
    database.close();
  }
}

/** Numbers between 0 and 1 that are the same in every run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
