import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SQL } from "bun";
import { clockAhead } from "../../helpers/faketime.ts";
import { hasNginx, startNginx } from "../../helpers/nginx.ts";
import { startPostgres } from "../../helpers/postgres.ts";
import { openWay, type Way } from "../../helpers/postgres-way.ts";
import { createWorkplace, type Workplace } from "../../helpers/program.ts";
import { freePort } from "../../proxies/programs.ts";

/** How far the clock of the last server is ahead. */
export const AHEAD_SECONDS = 90;

type Served = Awaited<ReturnType<Workplace["serveIn"]>>;

/** A server of Docent. It can be killed, and another one started in its place. */
export interface ClusterServer {
  readonly url: string;
  /** Undefined while it is not there. */
  running: Served | undefined;
  start(): Promise<void>;
  kill(): Promise<void>;
  /** What all who were started in this place have said, in JSON. */
  said(): string;
}

export interface ClusterOptions {
  servers: number;
  /** The address of the models' server. */
  ollama: string;
  /** By name, without DOCENT_. */
  settings: Record<string, string>;
}

/** Servers of Docent on one PostgreSQL: the second by a way that can be cut, the last with a clock that is ahead. */
export interface Cluster {
  postgres: Awaited<ReturnType<typeof startPostgres>>;
  database: SQL;
  place: Workplace;
  way: Way;
  servers: ClusterServer[];
  /** Where readers ask: nginx before all servers, or each in turn where it is not installed. */
  front(turn: number): string;
  close(): Promise<void>;
}

export async function openCluster({ servers: count, ollama, settings }: ClusterOptions): Promise<Cluster> {
  const postgres = await startPostgres({ kept: true });
  const admin = new SQL(postgres.urlOf("postgres"), { max: 1 });
  await admin`CREATE DATABASE cluster`;
  await admin.close();
  const url = postgres.urlOf("cluster");
  const way = await openWay(url);
  const place = createWorkplace({
    DOCENT_DATABASE_URL: url,
    DOCENT_DATABASE_CONNECTIONS: "6",
    DOCENT_PRELOAD: "off",
    OLLAMA_HOST: ollama,
    ...Object.fromEntries(
      Object.entries(settings).map(([name, value]) => [`DOCENT_${name.toUpperCase()}`, value]),
    ),
  });
  const environmentOf = (index: number) => ({
    ...(index === 1 ? { DOCENT_DATABASE_URL: way.url } : {}),
    ...(index === count - 1 ? clockAhead(AHEAD_SECONDS) : {}),
  });
  const servers = Array.from({ length: count }, (_, index) => serverAt(place, index, environmentOf(index)));
  await Promise.all(servers.map((server) => server.start()));
  const nginx = hasNginx ? await startNginx(servers.map((server) => new URL(server.url).host)) : undefined;
  // Time limits are the tests' own: a connection that ends is reported, and the query is not sent again.
  const database = new SQL(url, { max: 4 });
  return {
    postgres,
    database,
    place,
    way,
    servers,
    front: (turn) => nginx?.url ?? servers[turn % servers.length]?.url ?? "",
    async close() {
      await nginx?.close();
      await place.dispose();
      await database.close({ timeout: 0 });
      way.close();
    },
  };
}

function serverAt(place: Workplace, index: number, environment: Record<string, string>): ClusterServer {
  const port = String(freePort());
  const all: Served[] = [];
  const server: ClusterServer = {
    url: `http://127.0.0.1:${port}`,
    running: undefined,
    async start() {
      server.running = await place.serveIn(environment, "--port", port, "--data", `server-${index}`);
      all.push(server.running);
    },
    async kill() {
      const { running } = server;
      server.running = undefined;
      running?.child.kill("SIGKILL");
      await running?.child.exited;
    },
    said: () => all.map(({ err }) => err()).join(""),
  };
  return server;
}

/** Waits until something is so, as long as the test may run. */
export async function until(isSo: () => boolean | Promise<boolean>, lookMs = 20): Promise<void> {
  while (!(await isSo())) await Bun.sleep(lookMs);
}

export const PAGES = 20;

/** All pages of a folder say the same number, so that two generations can be told apart. */
export function writePages({ folder }: Workplace, name: string, number: number): void {
  mkdirSync(join(folder, name), { recursive: true });
  for (let page = 0; page < PAGES; page++)
    writeFileSync(
      join(folder, name, `page-${page}.md`),
      `# Page ${page}\n\nRelease ${number} of the zirconium pump is described here.`,
    );
}

/** The key that a command has made. */
export async function makeKey(place: Workplace, ...words: string[]): Promise<string> {
  const { out, err } = await place.run(...words);
  const key = /docent_(?:dsc|adm)_\w+/.exec(out)?.[0];
  if (key === undefined) throw new Error(`${words.join(" ")} made no key: ${out}${err}`);
  return key;
}
