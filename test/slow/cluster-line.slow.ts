import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { question } from "../helpers/docent.ts";
import { type FakeOllama, startFakeOllama } from "../helpers/fake-ollama.ts";
import { hasPostgres } from "../helpers/postgres.ts";
import { type Cluster, makeKey, openCluster, until, writePages } from "./cluster/cluster.ts";
import { post } from "./cluster/readers.ts";

// Three servers before one Ollama. Its own record says whose questions it was asked, and how many at once.

setDefaultTimeout(300_000);

const SLOTS = 2;
/** How many readers each site has. Of each, more wait than are served: no site ever has nobody in the line. */
const READERS = { "many.example": 16, "some.example": 9, "few.example": 6 };
const SITES = Object.keys(READERS);
const SERVICES = 45;
/** A server looks every tenth of a second whether it has a place: an answer takes longer than it may take to see that. */
const ANSWER = { firstTokenMs: 300, tokenMs: 20 };

let cluster: Cluster;
let ollama: FakeOllama;
let key: string;
/** The sites, in the order in which the model was asked. */
const served: string[] = [];

beforeAll(async () => {
  if (!hasPostgres) return;
  ollama = startFakeOllama();
  ollama.script(({ body }) => {
    const site = SITES.find((domain) => body.messages.at(-1)?.content.includes(`a reader of ${domain}`));
    if (site !== undefined) served.push(site);
    return ANSWER;
  });
  cluster = await openCluster({
    servers: 3,
    ollama: ollama.url,
    settings: {
      model_slots: String(SLOTS),
      queue_length: "100",
      relevance_min: "0",
      rewrite_seconds: "0",
      search_rounds: "0",
      trusted_proxies: "127.0.0.1",
      address_streams: "0",
      organization_messages_per_hour: "0",
    },
  });
  writePages(cluster.place, "docs", 1);
  for (const domain of SITES) {
    await cluster.place.run("sites", "add", domain);
    await cluster.place.run("ingest", domain, "docs");
  }
  key = await makeKey(cluster.place, "keys", "create", "readers");
});
afterAll(async () => {
  await cluster?.close();
  await ollama?.stop();
});

/** A reader who asks one question after the other, on one server after the other. */
async function askOn(domain: string, reader: number, stop: AbortSignal): Promise<void> {
  for (let turn = reader; !stop.aborted; turn++) {
    const { url = "" } = cluster.servers[turn % cluster.servers.length] ?? {};
    const asked = question(
      `What does the zirconium pump release do for a reader of ${domain}? ${reader} ${turn}`,
    );
    const address = `10.0.${SITES.indexOf(domain)}.${reader}`;
    const reply = await post(`${url}/v1/assistant/${domain}/message`, key, asked, {
      address,
      signal: stop,
    }).catch(() => undefined);
    await reply?.text().catch(() => undefined);
  }
}

/** How often each other site was served between two services of one, at most. */
function mostBetween(site: string): number {
  const at = served.flatMap((each, index) => (each === site ? [index] : []));
  const gaps = at.slice(1).map((to, index) => served.slice((at[index] ?? 0) + 1, to));
  return Math.max(
    ...gaps.flatMap((gap) => SITES.map((other) => gap.filter((each) => each === other).length)),
  );
}

test.if(hasPostgres)(
  "sites take turns before the model, however many readers each has, and on whichever server",
  async () => {
    const stop = new AbortController();
    const readers = Object.entries(READERS).flatMap(([domain, count]) =>
      Array.from({ length: count }, (_, reader) => askOn(domain, reader, stop.signal)),
    );
    // All are in the line before turns are counted.
    await until(() => served.length > SITES.length * SLOTS);
    served.length = 0;
    await until(() => served.length >= SERVICES);
    const counted = served.splice(0, SERVICES);
    stop.abort();
    await Promise.all(readers);
    served.splice(0, served.length, ...counted);

    const shares = SITES.map((site) => counted.filter((each) => each === site).length);
    // In its turn each other site is served once between two services of one: twice is the most that it waits.
    const waits = SITES.map(mostBetween);
    process.stderr.write(`${JSON.stringify({ shares, waits, most: ollama.mostAtOnce })}\n`);
    for (const wait of waits) expect(wait).toBeLessThanOrEqual(2);
    for (const share of shares) expect(Math.abs(share - SERVICES / SITES.length)).toBeLessThanOrEqual(2);
  },
);

test.if(hasPostgres)(
  "no more answers are written at once than the model has slots, and as many as it has",
  () => {
    expect(ollama.mostAtOnce).toBe(SLOTS);
  },
);
