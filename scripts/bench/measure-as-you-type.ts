import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { now } from "./clock.ts";
import { type Measure, percentile, show } from "./figures.ts";
import { type Program, using } from "./processes.ts";
import { generatePages, generateQuestions } from "./retrieval/generated-pages.ts";
import { UNHINDERED } from "./site.ts";

/** Make about ten thousand passages. */
const PAGES = 1000;
const QUESTIONS = 24;
const WARM_UP = 4;
const DOMAIN = "typed";
const AIM_MS = 20;
const AT_ONCE = 4;
const AIM_PER_SECOND = 300;

/** Measures a search box that asks at every letter: `POST /v1/search/{domain}` over HTTP. */
export async function measureAsYouType(program: Program, directory: string): Promise<Measure> {
  const data = join(directory, "as-you-type");
  const docs = join(directory, "as-you-type-docs");
  for (const { path, markdown } of generatePages(PAGES)) {
    const file = join(docs, `${path}.md`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, markdown);
  }
  await program.run("sites", "add", DOMAIN, "--data", data);
  await program.run("ingest", DOMAIN, docs, "--data", data);
  const key = await program.run("keys", "create", "--site", DOMAIN, "--data", data);
  const settings = { ...UNHINDERED, organization_searches_per_hour: "0", address_lookups_per_minute: "0" };
  return using(program.serve(data, settings), async ({ url }) => {
    const ask = (query: string) => search(`${url}/v1/search/${DOMAIN}`, key, query);
    const questions = generateQuestions(QUESTIONS);
    for (const question of questions.slice(0, WARM_UP)) await type(ask, question);
    const asked = questions.slice(WARM_UP);
    const alone: number[] = [];
    for (const question of asked) alone.push(...(await type(ask, question)));
    const startedAt = now();
    const shared = await Promise.all(
      Array.from({ length: AT_ONCE }, async (_, reader) => {
        const own = asked.filter((_, index) => index % AT_ONCE === reader);
        const waits: number[] = [];
        for (const question of own) waits.push(...(await type(ask, question)));
        return waits;
      }),
    );
    const seconds = (now() - startedAt) / 1000;
    const waits = shared.flat();
    return {
      title: "Search as you type",
      how: `${PAGES} generated pages, about ten thousand passages; ${asked.length} questions, each typed letter by letter, every letter a request over HTTP that waits for its reply. First one reader alone, then ${AT_ONCE} at once. The aim is compared with the median.`,
      figures: [
        {
          name: "Reply to a letter, one reader",
          unit: "ms",
          values: alone,
          aim: { below: AIM_MS },
          shown: `p50 ${show(percentile(alone, 50))}, p99 ${show(percentile(alone, 99))}`,
        },
        {
          name: `Reply to a letter, ${AT_ONCE} readers`,
          unit: "ms",
          values: waits,
          shown: `p50 ${show(percentile(waits, 50))}, p99 ${show(percentile(waits, 99))}`,
        },
        {
          name: `Requests, ${AT_ONCE} readers`,
          unit: "per second",
          values: [waits.length / seconds],
          aim: { atLeast: AIM_PER_SECOND },
        },
      ],
    };
  });
}

/** The time of each letter's reply. */
async function type(ask: (query: string) => Promise<void>, question: string): Promise<number[]> {
  const waits: number[] = [];
  for (let length = 2; length <= question.length; length++) {
    const startedAt = now();
    await ask(question.slice(0, length));
    waits.push(now() - startedAt);
  }
  return waits;
}

async function search(url: string, key: string, query: string): Promise<void> {
  const reply = await fetch(url, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ query, asYouType: true }),
  });
  const results: unknown = await reply.json();
  if (!Array.isArray(results)) throw new Error(`a search was answered with ${reply.status}`);
}
