import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { MIGRATIONS } from "../../src/storage/postgres/migrate.ts";
import { NO_OLLAMA, question } from "../helpers/docent.ts";
import { hasPostgres } from "../helpers/postgres.ts";
import { type Cluster, makeKey, openCluster } from "./cluster/cluster.ts";
import { readiness } from "./cluster/faults.ts";
import { post } from "./cluster/readers.ts";

// Six servers that come to an empty database at the same time, and count together. The clock of one is 90 seconds ahead.

setDefaultTimeout(300_000);

const SERVERS = 6;
const EVENTS = 500;
/** How many more may pass, of those that come at the same moment. */
const OVER_MAX = 10;
const MESSAGES = 20;
const AT_ONCE = 60;

let cluster: Cluster;
let key: string;

beforeAll(async () => {
  if (!hasPostgres) return;
  cluster = await openCluster({
    servers: SERVERS,
    ollama: NO_OLLAMA,
    settings: {
      organization_events_per_hour: String(EVENTS),
      address_lookups_per_minute: "0",
      reader_messages_per_minute: String(MESSAGES),
      address_streams: "0",
    },
  });
  await cluster.place.run("sites", "add", "acme");
  key = await makeKey(cluster.place, "keys", "create", "readers");
});
afterAll(() => cluster?.close());

test.if(hasPostgres)(
  "servers that find an empty database bring it up to date once, and all are ready",
  async () => {
    const applied = await cluster.database`SELECT name FROM docent_migrations ORDER BY name`;
    expect(applied.map(({ name }: { name: string }) => name)).toEqual(MIGRATIONS.map(({ name }) => name));
    expect(await Promise.all(cluster.servers.map(readiness))).toEqual(
      cluster.servers.map(() => [200, '{"status":"ok"}']),
    );
    const [{ organizations }] =
      await cluster.database`SELECT count(*)::int AS organizations FROM organizations`;
    expect(organizations).toBe(1);
    expect(cluster.servers.map(({ said }) => said()).join("")).not.toMatch(/"level":"(?:warn|error)"/);
  },
);

/** Sends so many requests through all servers, many at once. Returns how many were let pass, and what else was said. */
async function passed(requests: number, path: string, body: (index: number) => unknown) {
  const statuses: number[] = [];
  let sent = 0;
  async function sendOn(): Promise<void> {
    while (sent < requests) {
      const index = sent++;
      const reply = await post(`${cluster.servers[index % SERVERS]?.url}${path}`, key, body(index));
      await reply.text();
      statuses.push(reply.status);
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, sendOn));
  return {
    count: statuses.filter((status) => status < 300).length,
    others: [...new Set(statuses)].filter((status) => status >= 300),
  };
}

test.if(hasPostgres)(
  "a limit of all servers together lets as many pass as it says, and hardly any more",
  async () => {
    const { count, others } = await passed(EVENTS + 6 * AT_ONCE, "/v1/events/acme", (index) => ({
      type: "search_click",
      query: `question ${index}`,
      path: "install",
    }));
    process.stderr.write(`${JSON.stringify({ events: count })}\n`);
    expect(others).toEqual([429]);
    expect(count).toBeGreaterThanOrEqual(EVENTS);
    expect(count).toBeLessThanOrEqual(EVENTS + OVER_MAX);
  },
);

test.if(hasPostgres)("a minute is the same one for all, also for a server whose clock is ahead", async () => {
  const { count, others } = await passed(MESSAGES + 2 * AT_ONCE, "/v1/assistant/acme/message", (index) =>
    question(`How do I install it? ${index}`),
  );
  process.stderr.write(`${JSON.stringify({ messages: count })}\n`);
  expect(others).toEqual([429]);
  expect(count).toBeGreaterThanOrEqual(MESSAGES);
  expect(count).toBeLessThanOrEqual(MESSAGES + OVER_MAX / 2);
});
