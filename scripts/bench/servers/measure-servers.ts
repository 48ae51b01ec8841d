import { mkdirSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import type { Asked } from "../connection.ts";
import { type ComparedRow, type Measure, median, percentile } from "../figures.ts";
import { readCpuSeconds } from "../process-stats.ts";
import { loadSpread, type Program, type Server } from "../processes.ts";
import { questionsOfPages } from "../retrieval/real-sets.ts";
import { post, prepareSite, question } from "../site.ts";
import { type BenchPostgres, withPostgres } from "./postgres.ts";
import { processesOf } from "./processes-of.ts";
import { COUNTED, searchFor } from "./searches.ts";

const TITLE = "One, two and three servers on one PostgreSQL";
const DOCS = join(import.meta.dir, "../../../docs");
const QUESTIONS = 100;
const SERVERS_MAX = 3;
const CONNECTIONS = 12;
const SECONDS = 5;
const RUNS = 3;
/** These only warm up: a server's code is compiled while it runs. */
const ROUNDS_BEFORE = 2;

/** What is asked for, of a server at an address. */
const KINDS: Record<string, (url: string, key: string, text: string) => Asked> = {
  search: searchFor,
  message: (url, key, text) => post(url, key, question(text)),
};

/** The servers that share the load; those of PostgreSQL beside the one of SQLite. */
interface Side {
  name: string;
  servers: Server[];
  /** The processes of its PostgreSQL. */
  database: () => number[];
}

interface Taken {
  rates: number[];
  latencies: number[];
  /** Processor seconds of a request. */
  ofServers: number[];
  ofDatabase: number[];
}

/** Requests a second, with one server and with several that share a database. */
export function measureServers(program: Program, directory: string): Promise<Measure> {
  return withPostgres(TITLE, async (postgres) => {
    const data = join(directory, "servers");
    const key = await prepareSite(program, data);
    const url = await postgres.newDatabase("servers");
    await program.run("move", "--data", data, "--to", url);
    return measureStarted(await startSides(program, { data, url, postgres }), key, postgres);
  });
}

interface Place {
  data: string;
  url: string;
  postgres: BenchPostgres;
}

async function startSides(program: Program, { data, url, postgres }: Place): Promise<Side[]> {
  const alone = await program.serve(data, COUNTED);
  const shared: Server[] = [];
  for (let number = 1; number <= SERVERS_MAX; number++) {
    const own = `${data}-${number}`;
    mkdirSync(own);
    shared.push(await program.serve(own, { ...COUNTED, database_url: url }));
  }
  const database = () => processesOf(postgres.pid);
  return [
    { name: "SQLite, one server", servers: [alone], database: () => [] },
    ...["one server", "two servers", "three servers"].map((name, index) => ({
      name: `PostgreSQL, ${name}`,
      servers: shared.slice(0, index + 1),
      database,
    })),
  ];
}

async function measureStarted(sides: Side[], key: string, { about }: BenchPostgres): Promise<Measure> {
  const questions = questionsOfPages(DOCS, QUESTIONS);
  const rows: ComparedRow[] = [];
  try {
    for (const [kind, toRequest] of Object.entries(KINDS)) {
      const taken = await inTurns(sides, (url) => questions.map((text) => toRequest(url, key, text)));
      rows.push(...rowsOf(kind, taken));
    }
  } finally {
    for (const server of new Set(sides.flatMap(({ servers }) => servers))) await server.stop();
  }
  return {
    title: TITLE,
    how: `Docent's own documentation, moved to PostgreSQL, and ${QUESTIONS} questions made of its headings. ${CONNECTIONS} open connections, divided among the servers, each send one request after the other; ${RUNS} runs of ${SECONDS} seconds for each column, in turns, after two that do not count. A search is \`/v1/search\`; a message is a whole answer, of quotes, as there is no model. Every request is counted for limits. The rates are medians. Processor time is that of all servers together, and of all processes of PostgreSQL. Servers, PostgreSQL and who asks share ${cpus().length} cores: a server takes one of them alone, so more servers cannot answer more here than these cores allow, and wait for each other instead. What such a machine can show is what a request costs on either database, and that several servers answer as one does; how far they carry on machines of their own, it cannot. ${about}`,
    figures: [],
    compared: { columns: sides.map(({ name }) => name), rows },
  };
}

async function inTurns(sides: readonly Side[], requests: (url: string) => Asked[]): Promise<Taken[]> {
  const all = sides.map((): Taken => ({ rates: [], latencies: [], ofServers: [], ofDatabase: [] }));
  for (let round = 0; round < ROUNDS_BEFORE + RUNS; round++) {
    for (const [index, side] of sides.entries())
      await run(side, requests, round < ROUNDS_BEFORE ? undefined : all[index]);
  }
  return all;
}

async function run(
  { servers, database }: Side,
  requests: (url: string) => Asked[],
  taken: Taken | undefined,
): Promise<void> {
  const before = [cpuSeconds(servers.map(({ pid }) => pid)), cpuSeconds(database())] as const;
  const { seconds, statuses, latenciesMs } = await loadSpread({
    servers: servers.map(({ url }) => requests(url)),
    connections: CONNECTIONS,
    seconds: SECONDS,
  });
  const count = statuses["200"] ?? 0;
  if (count !== latenciesMs.length) throw new Error(`the replies were ${JSON.stringify(statuses)}, not 200`);
  if (taken === undefined) return;
  taken.rates.push(count / seconds);
  // Not spread into one call, because there are more values than a call may have arguments.
  for (const latency of latenciesMs) taken.latencies.push(latency);
  taken.ofServers.push((cpuSeconds(servers.map(({ pid }) => pid)) - before[0]) / count);
  taken.ofDatabase.push((cpuSeconds(database()) - before[1]) / count);
}

const cpuSeconds = (pids: readonly number[]) => pids.reduce((sum, pid) => sum + cpuOf(pid), 0);

/** 0 for a process that has just ended. */
function cpuOf(pid: number): number {
  try {
    return readCpuSeconds(pid);
  } catch {
    return 0;
  }
}

function rowsOf(kind: string, taken: readonly Taken[]): ComparedRow[] {
  const row = (
    name: string,
    unit: ComparedRow["unit"],
    of: (each: Taken) => number | string,
  ): ComparedRow => ({
    name,
    unit,
    values: taken.map(of),
  });
  return [
    row(kind === "search" ? "searches" : "messages", "per second", ({ rates }) => median(rates)),
    row(`a ${kind}, p50`, "ms", ({ latencies }) => percentile(latencies, 50)),
    row(`a ${kind}, p99`, "ms", ({ latencies }) => percentile(latencies, 99)),
    row(`processor time of a ${kind}, servers`, "ms", ({ ofServers }) => median(ofServers) * 1000),
    row(`processor time of a ${kind}, PostgreSQL`, "ms", ({ ofDatabase }) =>
      median(ofDatabase) === 0 ? "–" : median(ofDatabase) * 1000,
    ),
  ];
}
