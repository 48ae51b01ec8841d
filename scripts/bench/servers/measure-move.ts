import { copyFileSync, mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Figure, Measure } from "../figures.ts";
import type { Program } from "../processes.ts";
import { DOMAIN } from "../retrieval/docent.ts";
import { findSet, questionsOfHeadings } from "../retrieval/real-sets.ts";
import { type Asked, countDifferent, openAsked } from "./asked.ts";
import { type BenchPostgres, query, withPostgres } from "./postgres.ts";
import { timed, watchPeak } from "./timed.ts";

const TITLE = "Moving to PostgreSQL";
const SETS = ["ray", "cpp-docs"] as const;
const QUESTIONS = 200;
/** The time of a move, over that of copying the file and of reading the docs in. */
const TIMES_AIM = 2;
/** Printed when the pages have arrived, and what they are made into has not. */
const KILLED_AFTER = /^pages: \d+$/m;

/** `docent move` of real docs: how long it takes, and whether all is there, also when it was killed on its way. */
export function measureMove(program: Program, directory: string): Promise<Measure> {
  return withPostgres(TITLE, async (postgres) => {
    const figures: Figure[] = [];
    const missing: string[] = [];
    for (const name of SETS) {
      const folder = findSet(name);
      if (folder === undefined) missing.push(`The set ${name} is not on this machine.`);
      else figures.push(...(await moveSet(program, join(directory, name), { name, folder, postgres })));
    }
    const how = `Documentation that \`docent ingest\` has read is moved by \`docent move\`, which reads again what it has written and compares its hashes. The first move is killed (SIGKILL) when the pages have arrived; then there must be no row. The second one counts, beside a copy of the database file and the ingest together. ${QUESTIONS} questions, made of headings, are asked of both afterwards: the first 20 hits and their relevance must be the same. Memory is the most of the process that moves. ${postgres.about} ${missing.join(" ")}`;
    return { title: TITLE, how: how.trim(), figures };
  });
}

interface MovedSet {
  name: string;
  folder: string;
  postgres: BenchPostgres;
}

async function moveSet(
  program: Program,
  place: string,
  { name, folder, postgres }: MovedSet,
): Promise<Figure[]> {
  mkdirSync(place, { recursive: true });
  const data = join(place, "data");
  const url = await postgres.newDatabase(`moved_${name.replace(/\W/g, "_")}`);
  await program.run("sites", "add", DOMAIN, "--data", data);
  const indexed = await timed(() => program.run("ingest", DOMAIN, join(folder, "docs"), "--data", data));
  const file = join(data, "docent.db");
  const copied = await timed(async () => copyFileSync(file, join(place, "copy.db")));
  const left = await killMove(program, data, url);
  const { seconds: moved, value: output } = await timed(() => move(program, data, url));
  const different = await askBoth(data, url, questionsOfHeadings(folder, QUESTIONS));
  const back = await timed(() => moveBack(program, url, join(place, "back")));
  const seconds = (what: string, value: number): Figure => ({
    name: `${name}: ${what}`,
    unit: "s",
    values: [value],
  });
  const both = indexed.seconds + copied.seconds;
  return [
    { ...seconds("moving it", moved), aim: { below: Math.round(TIMES_AIM * both * 10) / 10 } },
    seconds("reading the docs in, to SQLite", indexed.seconds),
    seconds("copying its file", copied.seconds),
    seconds("moving it back", back.seconds),
    { name: `${name}: rows`, unit: "", values: [output.rows] },
    { name: `${name}: database file`, unit: "MB", values: [statSync(file).size / 1_000_000] },
    { name: `${name}: memory`, unit: "MB", values: [output.peakMb] },
    none(`${name}: rows that are left of a move that was killed`, left, ""),
    none(`${name}: questions answered differently`, different, ` of ${QUESTIONS}`),
  ];
}

const none = (name: string, count: number, of: string): Figure => ({
  name,
  unit: "",
  values: [count],
  shown: `${count}${of}`,
  aim: { below: 1 },
});

/** Moves to the end. Returns how many rows it says, and the most memory that it took. */
async function move(program: Program, data: string, url: string) {
  let rows = Number.NaN;
  const child = program.begin("move", "--data", data, "--to", url, "--json");
  const peakMb = await watchPeak(child, (printed) => {
    rows = rowsIn(printed);
  });
  return { rows, peakMb };
}

const rowsIn = (out: string): number => Number(/"rows": ?(\d+)/.exec(out)?.[1] ?? Number.NaN);

const ENDED_MAX_MS = 30_000;
const LOOK_MS = 50;

/** Kills a move on its way. Returns how many pages and sites are in the database when PostgreSQL has noticed. */
async function killMove(program: Program, data: string, url: string): Promise<number> {
  const child = program.begin("move", "--data", data, "--to", url);
  const decoder = new TextDecoder();
  let out = "";
  for await (const piece of child.stdout) {
    out += decoder.decode(piece, { stream: true });
    if (KILLED_AFTER.test(out)) break;
  }
  child.kill("SIGKILL");
  await child.exited;
  if (child.signalCode !== "SIGKILL") throw new Error("the move had ended before it was killed");
  await untilNobodyIsThere(url);
  const [row] = await query<{ count: string }>(
    url,
    "SELECT (SELECT count(*) FROM pages) + (SELECT count(*) FROM sites) AS count",
  );
  return Number(row?.count ?? Number.NaN);
}

async function untilNobodyIsThere(url: string): Promise<void> {
  const until = performance.now() + ENDED_MAX_MS;
  const others =
    "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()";
  while ((await query(url, others)).length > 0) {
    if (performance.now() > until) throw new Error("PostgreSQL still has the connection of a killed move");
    await Bun.sleep(LOOK_MS);
  }
}

const moveBack = (program: Program, url: string, data: string) =>
  program.run("move", "--database-url", url, "--to", data);

async function askBoth(data: string, url: string, questions: readonly string[]): Promise<number> {
  const here = await openAsked(data);
  const there = await openAsked(`${data}-shared`, url);
  try {
    return await countDifferent(
      [here, there],
      questions.map((text): Asked => ({ audience: "everything", text })),
    );
  } finally {
    await here.close();
    await there.close();
  }
}
