import { rmSync } from "node:fs";
import { join } from "node:path";
import { sampleOf } from "../../../src/measuring/eval/question.ts";
import type { Parts } from "../../../src/running/app/parts.ts";
import { type ComparedRow, type Figure, type Measure, percentile, show } from "../figures.ts";
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
    const measured: MeasuredSet[] = [];
    const sets = findSets();
    const late: string[] = [];
    const failed: string[] = [];
    const until = performance.now() + SECONDS_MAX * 1000;
    for (const { name, read } of sets) {
      if (performance.now() > until) {
        late.push(name);
        continue;
      }
      const own = await measureSet(await read(), join(directory, `both-${name}`), postgres).catch(String);
      if (typeof own === "string") {
        failed.push(`${name} failed: ${own}.`);
        continue;
      }
      process.stderr.write(`${name}: ${own.row.values.join(", ")}\n`);
      measured.push(own);
    }
    const missing = [
      sets.length === 0 ? "No set is on this machine." : "",
      late.length === 0 ? "" : `Not begun within ${SECONDS_MAX} s, and so missing: ${late.join(", ")}.`,
      ...failed,
    ]
      .filter((said) => said !== "")
      .join(" ");
    return {
      title: TITLE,
      how: `Each set is read into a SQLite file and into a PostgreSQL database, by one process. Each question, of 3,000 at most, is asked of both as it is; 200 of them also with a typo, with a phrase in quotes, and while they are typed (of some, every letter). Differently means that the first 20 hits, their order or their relevance are not the same. Then questions are timed, in turns and each of both, when all that they need has been read once. Figures are PostgreSQL's time over SQLite's, both of which are in brackets; the aim is for the first column. ${postgres.about} ${missing}`.trim(),
      figures: [differently(measured)],
      compared: { columns: COLUMNS, rows: measured.map(({ row }) => row) },
    };
  });
}

const COLUMNS = ["a search, p50", "a search, p99", "reading it in", "answered differently"];

interface MeasuredSet {
  row: ComparedRow;
  asked: number;
  different: number;
}

function differently(sets: readonly MeasuredSet[]): Figure {
  const sum = (of: (set: MeasuredSet) => number) => sets.reduce((total, set) => total + of(set), 0);
  const different = sum((set) => set.different);
  return {
    name: "Answered differently, all sets",
    unit: "",
    values: [different],
    shown: `${different} of ${sum(({ asked }) => asked).toLocaleString("en-US")}`,
    aim: { below: 1 },
  };
}

async function measureSet(set: AskedSet, place: string, postgres: BenchPostgres): Promise<MeasuredSet> {
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
    const at = (percent: number): [number, number] => [
      percentile(ofShared, percent),
      percentile(ofSqlite, percent),
    ];
    const [p50, p50OfSqlite] = at(50);
    const row: ComparedRow = {
      name,
      unit: "",
      values: [
        over(at(50), "ms"),
        over(at(99), "ms"),
        over([seconds.shared, seconds.sqlite], "s"),
        `${different} of ${asked.toLocaleString("en-US")}`,
      ],
      aim: { below: RATIO_AIM, measured: p50 / p50OfSqlite },
    };
    return { row, asked, different };
  } finally {
    await sqlite.close();
    await shared.close();
    // The next set may need the room.
    rmSync(place, { recursive: true, force: true });
  }
}

const over = ([one, other]: [number, number], unit: "ms" | "s"): string =>
  `${show(one / other)} (${show(one)} over ${show(other)} ${unit})`;

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
