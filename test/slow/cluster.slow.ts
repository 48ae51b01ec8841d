import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SQL } from "bun";
import { question } from "../helpers/docent.ts";
import { hasPostgres, startPostgres } from "../helpers/postgres.ts";
import { createWorkplace, type Workplace } from "../helpers/program.ts";

// Three servers on one PostgreSQL. While readers ask and search, a folder is published again and again, a server and a run
// are killed, and PostgreSQL crashes. What is counted is what came, never how long it took.

setDefaultTimeout(180_000);

const PAGES = 30;
const READERS = 24;
const GENERATIONS = 6;
type Postgres = Awaited<ReturnType<typeof startPostgres>>;
type Served = Awaited<ReturnType<Workplace["serve"]>>;

let postgres: Postgres;
let place: Workplace;
let servers: Served[] = [];
let key: string;
let database: SQL;

/** All pages say the same number, so that two of different generations can be told apart. */
function writePages(number: number): void {
  mkdirSync(join(place.folder, "docs"), { recursive: true });
  for (let page = 0; page < PAGES; page++)
    writeFileSync(
      join(place.folder, `docs/page-${page}.md`),
      `# Page ${page}\n\nRelease ${number} of the zirconium pump is described here.`,
    );
}

beforeAll(async () => {
  if (!hasPostgres) return;
  postgres = await startPostgres({ kept: true });
  const admin = new SQL(postgres.urlOf("postgres"), { max: 1 });
  await admin`CREATE DATABASE cluster`;
  await admin.close();
  database = new SQL(postgres.urlOf("cluster"), { max: 2 });
  place = createWorkplace({
    DOCENT_DATABASE_URL: postgres.urlOf("cluster"),
    DOCENT_DATABASE_CONNECTIONS: "6",
    DOCENT_ADDRESS_MESSAGES_PER_MINUTE: "0",
    DOCENT_ADDRESS_STREAMS: "0",
    DOCENT_ADDRESS_LOOKUPS_PER_MINUTE: "0",
    DOCENT_ORGANIZATION_MESSAGES_PER_HOUR: "0",
    DOCENT_ORGANIZATION_SEARCHES_PER_HOUR: "0",
    DOCENT_PRELOAD: "off",
  });
  writePages(1);
  servers = await Promise.all(["one", "two", "three"].map((data) => place.serve("--data", data)));
  await place.run("sites", "add", "acme");
  await place.run("ingest", "acme", "docs");
  const created = await place.run("keys", "create", "readers");
  key = /docent_dsc_\w+/.exec(created.out)?.[0] ?? "";
});
afterAll(async () => {
  await place?.dispose();
  await database?.close();
});

const headers = () => ({ authorization: `Bearer ${key}`, "content-type": "application/json" });

interface Seen {
  /** Ids of answers that came whole. */
  answered: string[];
  /** What each search found: the numbers of the pages. */
  searches: string[][];
  refused: number;
}

/** A reader asks and searches, on one server after the other, until told to stop. One who gets no answer asks again. */
async function read(seen: Seen, reader: number, stop: AbortSignal): Promise<void> {
  for (let turn = 0; !stop.aborted; turn++) {
    const url = servers[(reader + turn) % servers.length]?.url ?? "";
    try {
      if (turn % 3 === 0) await ask(url, seen, `q${reader}-${turn}`);
      else await search(url, seen);
    } catch {
      seen.refused += 1;
      await Bun.sleep(20);
    }
  }
}

async function ask(url: string, seen: Seen, id: string): Promise<void> {
  const body = question(`What does the zirconium pump do? ${id}`);
  const reply = await fetch(`${url}/v1/assistant/acme/message`, {
    method: "POST",
    headers: headers(),
    body: JSON.stringify(body),
  });
  const text = await reply.text();
  const messageId = reply.headers.get("x-message-id");
  if (reply.status !== 200 || messageId === null || !/^d:/m.test(text)) throw new Error("no whole answer");
  seen.answered.push(messageId);
}

async function search(url: string, seen: Seen): Promise<void> {
  const reply = await fetch(`${url}/v1/search/acme`, {
    method: "POST",
    headers: headers(),
    body: JSON.stringify({ query: "zirconium pump release", pageSize: 10 }),
  });
  if (reply.status !== 200) throw new Error("no results");
  const numbers = [...(await reply.text()).matchAll(/Release (\d+) of/g)].map(([, number = ""]) => number);
  if (numbers.length > 0) seen.searches.push([...new Set(numbers)]);
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await Bun.sleep(20);
}

/** Publishes a number, however often it has to be tried. */
async function publish(number: number): Promise<void> {
  writePages(number);
  for (let tries = 0; tries < 20; tries++) if ((await place.run("ingest", "acme", "docs")).code === 0) return;
  throw new Error(`number ${number} could not be published`);
}

test.if(hasPostgres)(
  "three servers lose no answer and mix no generations while one, a run and PostgreSQL are killed",
  async () => {
    const seen: Seen = { answered: [], searches: [], refused: 0 };
    const stop = new AbortController();
    const readers = Array.from({ length: READERS }, (_, reader) => read(seen, reader, stop.signal));
    await until(() => seen.answered.length > READERS);

    await publish(2);
    // A run that is killed in the middle leaves its source free, and what readers see as it was.
    writePages(3);
    const killed = place.spawn("ingest", "acme", "docs");
    await until(async () => killed.exitCode !== null || (await staged()) > 0);
    killed.kill("SIGKILL");
    await killed.exited;
    await publish(3);

    const before = seen.answered.length;
    servers[2]?.child.kill("SIGKILL");
    await servers[2]?.child.exited;
    servers = servers.slice(0, 2);
    await publish(4);
    await until(() => seen.answered.length > before + READERS);

    await postgres.restart();
    const restarted = seen.answered.length;
    await until(() => seen.answered.length > restarted + READERS);
    for (let number = 5; number <= GENERATIONS; number++) await publish(number);
    const last = seen.searches.length;
    await until(() => seen.searches.length > last + READERS);
    stop.abort();
    await Promise.all(readers);

    for (const { child } of servers) expect(child.exitCode).toBeNull();
    const stored = await database`SELECT id FROM turns WHERE outcome IS NOT NULL`;
    const ids = new Set(stored.map(({ id }: { id: string }) => id));
    expect(seen.answered.filter((id) => !ids.has(id))).toEqual([]);
    expect(seen.searches.filter((numbers) => numbers.length > 1)).toEqual([]);
    expect(seen.searches.at(-1)).toEqual([String(GENERATIONS)]);
  },
);

const staged = async () => (await database`SELECT id FROM generations WHERE number IS NULL`).length;

test.if(hasPostgres)("what a killed server had not finished is ended", async () => {
  const left = () => database`
    SELECT turns.id FROM turns WHERE outcome IS NULL AND NOT EXISTS (
      SELECT 1 FROM servers WHERE servers.id = turns.server_id AND seen_at > now() - interval '30 seconds')`;
  await until(async () => (await left()).length === 0);
});
