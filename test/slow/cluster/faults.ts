import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { question } from "../../helpers/docent.ts";
import { type Cluster, type ClusterServer, until } from "./cluster.ts";
import { post } from "./readers.ts";

/** An answer that the model does not end until it is let. */
export interface Held {
  id: string;
  /** The rest of the reply: undefined where the connection ended before it. */
  rest: Promise<string | undefined>;
}

/** What makes the model hold an answer, and how that begins. */
export const HOLD = "Hold this one.";
export const HELD = "Held";

/** It waits as long as the test lets it. */
const never = new AbortController().signal;

/** Asks a server until the model holds the answer: a question for which there is no place is answered by quoting. */
export async function askHeld(server: ClusterServer, key: string): Promise<Held> {
  for (;;) {
    const held = await tryHeld(server, key);
    if (held !== undefined) return held;
  }
}

async function tryHeld({ url }: ClusterServer, key: string): Promise<Held | undefined> {
  const body = question(`What does the zirconium pump release do? ${HOLD}`);
  const reply = await post(`${url}/v1/assistant/acme/message`, key, body, { signal: never });
  const id = reply.headers.get("x-message-id");
  if (id === null || reply.body === null) return undefined;
  const pieces = reply.body.pipeThrough(new TextDecoderStream())[Symbol.asyncIterator]();
  let text = "";
  for (;;) {
    const { done, value } = await pieces.next();
    if (done === true) return undefined;
    text += value;
    if (text.includes(`0:"${HELD}`)) return { id, rest: restOf(pieces, text) };
  }
}

async function restOf(pieces: AsyncIterator<string>, begun: string): Promise<string | undefined> {
  let text = begun;
  try {
    for (;;) {
      const { done, value } = await pieces.next();
      if (done === true) return text;
      text += value;
    }
  } catch {
    return undefined;
  }
}

const LOCKS = `
  SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND classid = 1685021541 AND objid = (
    SELECT sources.id FROM sources JOIN sites ON sites.id = site_id WHERE domain = 'other')`;
const STAGED = `
  SELECT 1 FROM generations JOIN sites ON sites.id = site_id WHERE domain = 'other' AND number IS NULL`;
const PAGES = 200;

/** Kills a run in the middle. Returns how many milliseconds later its lock was free. */
export async function killRun({ place, database }: Cluster): Promise<number> {
  mkdirSync(join(place.folder, "other"), { recursive: true });
  for (let page = 0; page < PAGES; page++)
    writeFileSync(join(place.folder, `other/page-${page}.md`), `# Page ${page}\n\nThe number is ${page}.`);
  const run = place.spawn("ingest", "other", "other");
  await until(async () => run.exitCode !== null || (await database.unsafe(STAGED)).length > 0, 1);
  if (run.exitCode !== null) throw new Error("the run ended before it could be killed");
  const wasLocked = (await database.unsafe(LOCKS)).length > 0;
  if (!wasLocked) throw new Error("the run had no lock");
  run.kill("SIGKILL");
  const killedAt = performance.now();
  await until(async () => (await database.unsafe(LOCKS)).length === 0, 1);
  const freeAfterMs = performance.now() - killedAt;
  const again = await place.run("ingest", "other", "other");
  if (again.code !== 0) throw new Error(`the source could not be read afterwards: ${again.err}`);
  return freeAfterMs;
}

/** What a server says of its health: the status, and the word. 0 where it says nothing. */
export async function readiness({ url }: ClusterServer): Promise<[number, string]> {
  try {
    const reply = await fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(5000) });
    return [reply.status, await reply.text()];
  } catch {
    return [0, ""];
  }
}

const isReady = async (server: ClusterServer) => (await readiness(server))[0] === 200;
const isDisconnected = async (server: ClusterServer) => {
  const [status, text] = await readiness(server);
  return status === 503 && text === '{"status":"disconnected"}';
};
const isLive = async ({ url }: ClusterServer) => (await fetch(`${url}/health/live`)).status === 200;

/** Waits until all say that they cannot reach PostgreSQL. Returns whether they run all the same. */
async function untilDisconnected(servers: readonly ClusterServer[]): Promise<boolean> {
  await Promise.all(servers.map((server) => until(() => isDisconnected(server))));
  return (await Promise.all(servers.map(isLive))).every((each) => each);
}

/** How many milliseconds it takes until each is ready. */
const readyAfterMs = (servers: readonly ClusterServer[]): Promise<number[]> => {
  const since = performance.now();
  return Promise.all(
    servers.map(async (server) => {
      await until(() => isReady(server));
      return performance.now() - since;
    }),
  );
};

/** Ends PostgreSQL as a crash does. Returns how long after it accepted connections again each server was ready. */
export async function restartPostgres({ postgres, servers }: Cluster): Promise<number[]> {
  const meanwhile = async () => {
    if (!(await untilDisconnected(servers))) throw new Error("a server does not run without PostgreSQL");
  };
  await postgres.restart({ meanwhile });
  return readyAfterMs(servers);
}

/** Cuts a server off from PostgreSQL for a while. Returns how long after that it was ready. */
export async function cutOff({ way }: Cluster, server: ClusterServer, ms: number): Promise<number> {
  way.cut({ stays: true });
  const [isRunning] = await Promise.all([untilDisconnected([server]), Bun.sleep(ms)]);
  if (!isRunning) throw new Error("the server does not run without PostgreSQL");
  way.mend();
  const [after = 0] = await readyAfterMs([server]);
  return after;
}

/** Kills a server. Returns its id, by which PostgreSQL knows it, and when that was, by PostgreSQL's clock. */
export async function killServer(
  { database }: Cluster,
  server: ClusterServer,
  { id }: Held,
): Promise<{ serverId: string; at: number }> {
  const [row] = await database`
    SELECT server_id, extract(epoch FROM now())::float8 * 1000 AS at FROM turns WHERE id = ${id}`;
  await server.kill();
  return { serverId: row.server_id, at: row.at };
}

/** Waits until no turn of that server is unfinished. Returns when the last was ended, by PostgreSQL's clock. */
export async function untilEnded({ database }: Cluster, serverId: string): Promise<number> {
  const turns = () => database`
    SELECT outcome, finished_at::float8 AS at FROM turns WHERE server_id = ${serverId} ORDER BY finished_at DESC`;
  await until(
    async () => (await turns()).every(({ outcome }: { outcome: string | null }) => outcome !== null),
    200,
  );
  return (await turns())[0].at;
}
