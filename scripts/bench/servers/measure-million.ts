import { mkdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { type Figure, type Measure, percentile, show } from "../figures.ts";
import { readMemory, readPeakMb } from "../process-stats.ts";
import { type Program, type Server, using } from "../processes.ts";
import { generatePages, generateQuestions } from "../retrieval/generated-pages.ts";
import { writeCorpus } from "../retrieval/write-corpus.ts";
import { watchStatements } from "./longest-statement.ts";
import { query, withPostgres } from "./postgres.ts";
import { COUNTED, searchFor } from "./searches.ts";
import { timed, watchPeak } from "./timed.ts";

const TITLE = "A million passages on PostgreSQL";
const PASSAGES = 1_000_000;
const QUESTIONS = 200;
const DOMAIN = "bench";
const SETTLE_MS = 4000;
/** A statement that takes longer would be ended where others wait for it. */
const STATEMENT_SECONDS_AIM = 10;

/** What a server costs over a very large index in PostgreSQL, and how fast it searches, beside SQLite. */
export const measureMillion = (program: Program, directory: string): Promise<Measure> =>
  measurePassages(program, directory, PASSAGES);

export function measurePassages(program: Program, directory: string, passagesMax: number): Promise<Measure> {
  return withPostgres(TITLE, async (postgres) => {
    const place = join(directory, "million");
    const corpus = await writeCorpus(place, generatePages(passagesMax), passagesMax);
    const url = await postgres.newDatabase("million");
    const watched = watchStatements(url);
    try {
      const figures = await measureCorpus(program, { place, pages: corpus.pages, url });
      const { seconds, query: text } = watched.longest();
      const counted = corpus.passageCount.toLocaleString("en-US");
      return {
        title: TITLE,
        how: `${counted} passages of ${corpus.pageCount.toLocaleString("en-US")} generated pages, the same as of the search of a million passages above, read into PostgreSQL by \`docent ingest\`, and moved from there to SQLite by \`docent move\`. Then one server on each; the first search makes them read what they keep in memory. ${QUESTIONS} questions go over HTTP, one after the other, to both in turns, after a round that does not count. Memory is RSS. The longest statement was ${JSON.stringify(text.slice(0, 80))}. ${postgres.about}`,
        figures: [
          ...figures,
          single("Longest statement of all", "s", seconds, { below: STATEMENT_SECONDS_AIM }),
        ],
      };
    } finally {
      await watched.close();
      rmSync(place, { recursive: true, force: true });
    }
  });
}

interface Million {
  place: string;
  pages: string;
  url: string;
}

async function measureCorpus(program: Program, { place, pages, url }: Million): Promise<Figure[]> {
  const shared = join(place, "shared");
  const data = join(place, "sqlite");
  mkdirSync(shared);
  const on = ["--data", shared, "--database-url", url];
  await program.run("sites", "add", DOMAIN, ...on);
  const key = await program.run("keys", "create", "--site", DOMAIN, ...on);
  const read = await timed(() => watchPeak(program.begin("ingest", DOMAIN, pages, ...on)));
  const moved = await timed(() => watchPeak(program.begin("move", ...on, "--to", data)));
  const [size] = await query<{ bytes: string }>(
    url,
    "SELECT pg_database_size(current_database())::text AS bytes",
  );
  const searched = await using(program.serve(data, COUNTED), (alone) =>
    using(program.serve(shared, { ...COUNTED, database_url: url }), (server) => search(key, server, alone)),
  );
  return [
    single("Reading the pages into PostgreSQL", "s", read.seconds),
    single("Memory of the reading process, the most", "MB", read.value),
    single("Moving all of it to SQLite", "s", moved.seconds),
    single("Memory of the moving process, the most", "MB", moved.value),
    single("On the disk, PostgreSQL", "MB", Number(size?.bytes) / 1_000_000),
    single("On the disk, SQLite", "MB", statSync(join(data, "docent.db")).size / 1_000_000),
    ...searched,
  ];
}

async function search(key: string, shared: Server, alone: Server): Promise<Figure[]> {
  const questions = generateQuestions(QUESTIONS);
  const sides = [
    { name: "PostgreSQL", server: shared, times: [] as number[], firstMs: 0 },
    { name: "SQLite", server: alone, times: [] as number[], firstMs: 0 },
  ];
  for (const side of sides) side.firstMs = await ask(side.server, key, questions[0] ?? "");
  for (const isCounted of [false, true]) {
    for (const [index, text] of questions.entries()) {
      for (const side of index % 2 === 0 ? sides : sides.toReversed()) {
        const took = await ask(side.server, key, text);
        if (isCounted) side.times.push(took);
      }
    }
  }
  await Bun.sleep(SETTLE_MS);
  return sides.flatMap(({ name, server, times, firstMs }) => [
    {
      name: `A search, ${name}`,
      unit: "ms" as const,
      values: times,
      shown: `p50 ${show(percentile(times, 50))}, p99 ${show(percentile(times, 99))}`,
    },
    single(`The first search of a server, ${name}`, "s", firstMs / 1000),
    single(`Memory of the server at rest, ${name}`, "MB", readMemory(server.pid).residentMb),
    single(`Memory of the server, the most, ${name}`, "MB", readPeakMb(server.pid)),
  ]);
}

async function ask({ url }: Server, key: string, text: string): Promise<number> {
  const { url: address, ...request } = searchFor(url, key, text);
  const startedAt = performance.now();
  const reply = await fetch(address, { ...request, proxy: false });
  const hits = z.array(z.unknown()).safeParse(await reply.json());
  if (!hits.success) throw new Error(`a search was answered with ${reply.status}`);
  return performance.now() - startedAt;
}

const single = (name: string, unit: Figure["unit"], value: number, aim?: Figure["aim"]): Figure => ({
  name,
  unit,
  values: [value],
  ...(aim === undefined ? {} : { aim }),
});
