import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Parts } from "../../../src/app/parts.ts";
import { sampleOf } from "../../../src/eval/question.ts";
import { type Figure, type Measure, percentile, show } from "../figures.ts";
import type { Program } from "../processes.ts";
import { DOMAIN } from "../retrieval/docent.ts";
import { type Asked, type AskedDocent, openAsked } from "./asked.ts";
import { type BenchPostgres, withPostgres } from "./postgres.ts";
import { type AskedSet, findSets } from "./sets.ts";
import { waysToAsk } from "./ways-to-ask.ts";

const TITLE = "Search on PostgreSQL compared with SQLite";
const RATIO_AIM = 1.5;
const TIMED_MAX = 300;
const TIMED_MIN = 200;
/** No other set is begun later. */
const SECONDS_MAX = 1200;
/** Shown of the questions that are answered differently. */
const SHOWN_MAX = 5;

/** Asks both databases the questions of every set on this machine, and compares hits, relevance and times. */
export function measureRanking(_: Program, directory: string): Promise<Measure> {
  return withPostgres(TITLE, async (postgres) => {
    const figures: Figure[] = [];
    const sets = findSets();
    const late: string[] = [];
    const until = performance.now() + SECONDS_MAX * 1000;
    for (const { name, read } of sets) {
      if (performance.now() > until) {
        late.push(name);
        continue;
      }
      const measured = await measureSet(await read(), join(directory, `both-${name}`), postgres).catch(
        (error): Figure[] => [{ name, unit: "", values: [Number.NaN], shown: `failed: ${error}` }],
      );
      process.stderr.write(`${name}: ${measured.map(({ shown }) => shown).join(", ")}\n`);
      figures.push(...measured);
    }
    const missing = [
      sets.length === 0 ? "No set is on this machine." : "",
      late.length === 0 ? "" : `Not begun within ${SECONDS_MAX} s, and so missing: ${late.join(", ")}.`,
    ].join(" ");
    return {
      title: TITLE,
      how: `Each set is read into a SQLite file and into a PostgreSQL database, by one process. Each question, of 3,000 at most, is asked of both as it is; 200 of them also with a typo, with a phrase in quotes, and while they are typed (of some, every letter). Differently means that the first 20 hits, their order or their relevance are not the same. Then questions are timed, in turns and each of both, when all that they need has been read once. The aim is for PostgreSQL's time over SQLite's, both of which are in brackets. ${postgres.about} ${missing}`.trim(),
      figures,
    };
  });
}

async function measureSet(set: AskedSet, place: string, postgres: BenchPostgres): Promise<Figure[]> {
  const { name, questions } = set;
  const url = await postgres.newDatabase(`both_${name.replace(/\W/g, "_")}`);
  const [sqlite, shared] = [
    await openAsked(join(place, "sqlite")),
    await openAsked(join(place, "shared"), url),
  ];
  try {
    const seconds = {
      sqlite: await readSet(set, sqlite.parts),
      shared: await readSet(set, shared.parts),
    };
    const { asked, different } = await compare(set, sqlite, shared);
    const { ofSqlite, ofShared } = await time(questions, sqlite, shared);
    const over = (what: string, unit: "ms" | "s", [one, other]: [number, number]): Figure => ({
      name: `${name}: ${what}, over SQLite's`,
      unit: "",
      values: [one / other],
      shown: `${show(one / other)} (${show(one)} over ${show(other)} ${unit})`,
    });
    const at = (percent: number): [number, number] => [
      percentile(ofShared, percent),
      percentile(ofSqlite, percent),
    ];
    return [
      {
        name: `${name}: answered differently`,
        unit: "",
        values: [different],
        shown: `${different} of ${asked.toLocaleString("en-US")}`,
        aim: { below: 1 },
      },
      { ...over("a search, p50", "ms", at(50)), aim: { below: RATIO_AIM } },
      over("a search, p99", "ms", at(99)),
      over("reading it in", "s", [seconds.shared, seconds.sqlite]),
    ];
  } finally {
    await sqlite.close();
    await shared.close();
    // The next set may need the room.
    rmSync(place, { recursive: true, force: true });
  }
}

/** Reads a set's pages in, as `docent ingest` does. Returns how many seconds it took. */
async function readSet(set: AskedSet, { people, sources }: Parts): Promise<number> {
  const startedAt = performance.now();
  await people.sites.add({ domain: DOMAIN });
  for (const { location, language, reader } of set.readers(sources.readFolder)) {
    const { id: siteId, generation } = await people.sites.get(DOMAIN);
    const source = { siteId, kind: "folder" as const, location, version: "", language };
    await sources.ingest.run({ source, reader, generation, signal: new AbortController().signal });
  }
  return (performance.now() - startedAt) / 1000;
}

async function compare({ name, questions }: AskedSet, sqlite: AskedDocent, shared: AskedDocent) {
  let asked = 0;
  let different = 0;
  for await (const each of waysToAsk(questions, sqlite.firstText)) {
    asked += 1;
    const [here, there] = [await sqlite.hits(each), await shared.hits(each)];
    if (Bun.deepEquals(here, there)) continue;
    different += 1;
    if (different <= SHOWN_MAX)
      process.stderr.write(`${name}: ${JSON.stringify({ ...each, here, there }, undefined, 1)}\n`);
  }
  return { asked, different };
}

/** Asks questions of both in turns; neither is always the first. */
async function time(questions: readonly Asked[], sqlite: AskedDocent, shared: AskedDocent) {
  const chosen = sampleOf(questions, TIMED_MAX);
  const rounds = Math.max(1, Math.ceil(TIMED_MIN / Math.max(1, chosen.length)));
  const times = new Map([sqlite, shared].map((each): [AskedDocent, number[]] => [each, []]));
  // The first round only warms up.
  for (let round = 0; round <= rounds; round++) {
    for (const [index, asked] of chosen.entries()) {
      const order = (index + round) % 2 === 0 ? [sqlite, shared] : [shared, sqlite];
      for (const each of order) {
        const startedAt = performance.now();
        await each.hits(asked);
        if (round > 0) times.get(each)?.push(performance.now() - startedAt);
      }
    }
  }
  return { ofSqlite: times.get(sqlite) ?? [], ofShared: times.get(shared) ?? [] };
}
