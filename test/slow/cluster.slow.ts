import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { type FakeOllama, startFakeOllama } from "../helpers/fake-ollama.ts";
import { hasFaketime } from "../helpers/faketime.ts";
import { hasNginx } from "../helpers/nginx.ts";
import { hasPostgres } from "../helpers/postgres.ts";
import { untilFound } from "../helpers/until.ts";
import { type Cluster, makeKey, openCluster, until } from "./cluster/cluster.ts";
import {
  askHeld,
  cutOff,
  HELD,
  HOLD,
  killRun,
  killServer,
  restartPostgres,
  untilEnded,
} from "./cluster/faults.ts";
import { type Done, keepChanging, keepPublishing, nothingDone, publish } from "./cluster/owner.ts";
import { nothingSeen, readAll, type Seen } from "./cluster/readers.ts";

// Three servers of Docent on one PostgreSQL, of which one has a clock that is 90 seconds ahead, behind nginx. While 200
// readers search and ask, pages are published and a setting is changed again and again, what can be killed is killed, and
// what can be cut is cut. Where nginx or libfaketime is not installed, the servers are asked directly, and all clocks agree.

setDefaultTimeout(300_000);

const READERS = 200;
const READER_PAUSE_MS = 700;
const PUBLISH_PAUSE_MS = 2000;
const CHANGE_PAUSE_MS = 700;
const CUT_MS = 8000;
const SLOTS = 8;
/** Within how long each has to be so. */
const BOUNDS = { lockMs: 2000, readyMs: 5000, endedMs: 10_000, settingMs: 2000 };
/** What a machine with other work may take in the place of each of them: what waits for something else takes longer yet. */
const PATIENCE = 20;

let cluster: Cluster;
let ollama: FakeOllama;
let key: string;
let adminKey: string;
/** Whether the model ends the answers that it holds. */
let isLetGo = false;

beforeAll(async () => {
  if (!hasPostgres) return;
  ollama = startFakeOllama();
  ollama.script((chat) =>
    chat.body.messages.at(-1)?.content.includes(HOLD)
      ? { text: [HELD, " back."], beforeToken: () => until(() => isLetGo || chat.aborted) }
      : { firstTokenMs: 50, tokenMs: 10 },
  );
  cluster = await openCluster({
    servers: 3,
    ollama: ollama.url,
    settings: {
      model_slots: String(SLOTS),
      relevance_min: "0",
      rewrite_seconds: "0",
      search_rounds: "0",
      trusted_proxies: "127.0.0.1",
      address_messages_per_minute: "0",
      reader_messages_per_minute: "0",
      address_messages_per_day: "0",
      address_streams: "0",
      address_lookups_per_minute: "0",
      organization_messages_per_hour: "0",
      organization_searches_per_hour: "0",
      organization_pages_per_hour: "0",
    },
  });
  for (const domain of ["acme", "other"]) await cluster.place.run("sites", "add", domain);
  key = await makeKey(cluster.place, "keys", "create", "readers");
  adminKey = await makeKey(cluster.place, "admin-keys", "create", "owner", "--server", "--write");
});
afterAll(async () => {
  isLetGo = true;
  await cluster?.close();
  await ollama?.stop();
});

/** The outcomes of turns whose readers have the whole answer. */
const KEPT = new Set(["answered", "quoted", "touched", "unanswered", "curated"]);
const measured: Record<string, unknown> = {};

/** All that goes wrong, one after the other, while everything else goes on. */
async function storm(seen: Seen): Promise<void> {
  const [dying, cut, ahead] = cluster.servers;
  if (dying === undefined || cut === undefined || ahead === undefined) throw new Error("there are three");
  measured["ready after PostgreSQL, ms"] = await restartPostgres(cluster);
  const held = await Promise.all([dying, dying].map((server) => askHeld(server, key)));
  const spared = await Promise.all([cut, ahead].map((server) => askHeld(server, key)));
  measured["lock free, ms"] = await killRun(cluster);
  const [first] = held;
  if (first === undefined) throw new Error("one is held");
  const killed = await killServer(cluster, dying, first);
  measured["ready after the cut, ms"] = await cutOff(cluster, cut, CUT_MS);
  await dying.start();
  measured["ended, ms"] = (await untilEnded(cluster, killed.serverId)) - killed.at;

  // What the others were answering meanwhile comes whole.
  isLetGo = true;
  for (const { id, rest } of spared) {
    expect(await rest).toMatch(/^d:/m);
    seen.answered.push(id);
  }
  for (const { rest } of held) expect((await rest) ?? "").not.toMatch(/^d:/m);
  const outcomes =
    await cluster.database`SELECT outcome FROM turns WHERE id IN ${cluster.database(held.map(({ id }) => id))}`;
  expect(outcomes.map(({ outcome }: { outcome: string }) => outcome)).toEqual(["failed", "failed"]);
  await expectNoOthersEnded(killed.serverId);
}

/** Turns were ended for a server by others, which do not know how long they took: of the dead one alone, each once. */
async function expectNoOthersEnded(serverId: string): Promise<void> {
  const left = await cluster.database`
    SELECT DISTINCT ON (id) server_id FROM turns WHERE outcome = 'failed' AND total_ms IS NULL`;
  expect(left.filter((turn: { server_id: string }) => turn.server_id !== serverId)).toEqual([]);
  const ended = [...saidByAll().matchAll(/"answers of a server that is gone were ended","failed":(\d+)/g)];
  expect(ended.reduce((sum, [, failed]) => sum + Number(failed), 0)).toBe(left.length);
}

/** Turns that have not ended. */
const openTurns = (): Promise<unknown[]> => cluster.database`SELECT id FROM turns WHERE outcome IS NULL`;
const GIVE_UP = "turns that nobody ends. The servers said: ";

const saidByAll = () => cluster.servers.map(({ said }) => said()).join("\n");

let seen: Seen;
let done: Done;

test.if(hasPostgres)("nothing is lost while servers, runs, PostgreSQL and networks fail", async () => {
  seen = nothingSeen();
  done = nothingDone();
  const stop = new AbortController();
  const owner = { cluster, key, adminKey, stop: stop.signal };
  await publish(done, owner);
  const all = [
    readAll(seen, { count: READERS, pauseMs: READER_PAUSE_MS, key, front: cluster.front, stop: stop.signal }),
    keepPublishing(done, { ...owner, pauseMs: PUBLISH_PAUSE_MS }),
    keepChanging(done, { ...owner, pauseMs: CHANGE_PAUSE_MS }),
  ];
  try {
    await until(() => seen.answered.length > READERS / 4);
    await storm(seen);
    const before = seen.answered.length;
    await until(() => seen.answered.length > before + READERS / 4);
  } finally {
    stop.abort();
    await Promise.all(all);
  }
  for (const { running } of cluster.servers) expect(running?.child.exitCode).toBeNull();

  // Readers who left in the middle are told of last: their turns end when the servers have heard that they are gone.
  await untilFound(
    async () => (await openTurns()).length === 0,
    () => `${GIVE_UP}${saidByAll().slice(-2000)}`,
  );
  const turns = await cluster.database`SELECT id, outcome FROM turns`;
  const outcomes = new Map<string, string | null>();
  for (const { id, outcome } of turns) outcomes.set(id, outcome);
  const isKept = (id: string) => KEPT.has(outcomes.get(id) ?? "");
  expect(seen.answered.filter((id) => !isKept(id))).toEqual([]);
  expect(seen.begun.filter((id) => !outcomes.has(id))).toEqual([]);
});

test.if(hasPostgres)("no reader sees two generations at once, or goes back to an older one", () => {
  expect([seen.mixed, seen.wentBack]).toEqual([[], []]);
  expect(seen.reads).toBeGreaterThan(READERS);
});

test.if(hasPostgres)(
  "each server shows a new generation, and a changed setting, with the next question",
  () => {
    expect([done.lateGenerations, done.lateSettings]).toEqual([[], []]);
    expect(Math.max(...done.seenAfterMs)).toBeLessThan(BOUNDS.settingMs * PATIENCE);
  },
);

test.if(hasPostgres)(
  "those who are refused are told when to come back, and never that Docent is at fault",
  () => {
    expect(seen.strange).toEqual([]);
  },
);

test.if(hasPostgres)("no more answers are written at once than there are slots", () => {
  expect(ollama.mostAtOnce).toBeLessThanOrEqual(SLOTS);
});

test.if(hasPostgres)("what is free again, ready again or ended is so in time", () => {
  const numbers = (name: string) => [measured[name]].flat().map(Number);
  expect(Math.max(...numbers("lock free, ms"))).toBeLessThan(BOUNDS.lockMs * PATIENCE);
  expect(Math.max(...numbers("ready after PostgreSQL, ms"))).toBeLessThan(BOUNDS.readyMs * PATIENCE);
  expect(Math.max(...numbers("ended, ms"))).toBeLessThan(BOUNDS.endedMs * PATIENCE);
});

test.if(hasPostgres)("servers complain of nothing but PostgreSQL", () => {
  Object.assign(measured, {
    nginx: hasNginx,
    faketime: hasFaketime,
    reads: seen.reads,
    answered: seen.answered.length,
    refused: [...seen.refused],
    generations: done.generation,
    changes: done.changes,
    settings: Math.max(...done.seenAfterMs),
    failures: done.failures.length,
    most: ollama.mostAtOnce,
  });
  process.stderr.write(`${JSON.stringify(measured)}\n`);
  const errors = saidByAll()
    .split("\n")
    .filter((line) => line.includes('"level":"error"'));
  expect(errors).toEqual([]);
});
