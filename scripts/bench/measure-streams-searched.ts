import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Figure, type Measure, percentile, show } from "./figures.ts";
import type { StreamResult } from "./load-spec.ts";
import { loadSchedule, loadStreams, type Program, startModel, using } from "./processes.ts";
import { generatePages, generateQuestions } from "./retrieval/generated-pages.ts";
import { post, question, UNHINDERED } from "./site.ts";

/** Make about a hundred thousand passages. */
const PAGES = 10_000;
const DOMAIN = "searched";
const STREAMS = 20;
const PACE_MS = 100;
const PER_SECOND = 50;
const SECONDS = 10;
/** The streams run alone before the searches begin and after they have ended. */
const ALONE_SECONDS = 3;
const TOKENS = ((SECONDS + 2 * ALONE_SECONDS) * 1000) / PACE_MS;
const LAG_AIM_MS = 20;
const SEARCH_AIM_MS = 40;

const SETTINGS = {
  ...UNHINDERED,
  organization_searches_per_hour: "0",
  address_lookups_per_minute: "0",
  model_slots: String(STREAMS),
};

/** Measures what readers of answers feel of others who search, on a large site. */
export async function measureStreamsSearched(program: Program, directory: string): Promise<Measure> {
  const data = join(directory, "streams-searched");
  const key = await prepare(program, data);
  return using(startModel(TOKENS, PACE_MS), (model) =>
    using(program.serve(data, SETTINGS, model.url), async ({ url }) => {
      const [first = ""] = generateQuestions(1);
      const asked = post(url, key, question(first), DOMAIN);
      const searches = generateQuestions(PER_SECOND * 4).map((query) => searchFor(url, key, query));
      await loadSchedule({ asked: searches, perSecond: 10, seconds: 4 });
      const running = loadStreams({ asked, streams: STREAMS });
      await Bun.sleep(ALONE_SECONDS * 1000);
      const searched = await loadSchedule({ asked: searches, perSecond: PER_SECOND, seconds: SECONDS });
      const { streams } = await running;
      const failed = Object.entries(searched.statuses).filter(([status]) => status !== "200");
      if (failed.length > 0)
        throw new Error(`searches were answered with ${JSON.stringify(searched.statuses)}`);
      return {
        title: "Streams while others search",
        how: `${PAGES.toLocaleString("en-US")} generated pages, about a hundred thousand passages. ${STREAMS} answers stream, a token every ${PACE_MS} ms from a fake model. After ${ALONE_SECONDS} seconds, searches come over HTTP at ${PER_SECOND} a second for ${SECONDS} seconds, each timed from the moment at which it was due. Model, server, readers and searchers share the machine's processor.`,
        figures: figures(streams, searched.latenciesMs),
      };
    }),
  );
}

async function prepare(program: Program, data: string): Promise<string> {
  const docs = `${data}-docs`;
  for (const { path, markdown } of generatePages(PAGES)) {
    const file = join(docs, `${path}.md`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, markdown);
  }
  await program.run("sites", "add", DOMAIN, "--data", data);
  await program.run("ingest", DOMAIN, docs, "--data", data);
  return program.run("keys", "create", "--site", DOMAIN, "--data", data);
}

const searchFor = (url: string, key: string, query: string) => ({
  url: `${url}/v1/search/${DOMAIN}`,
  method: "POST" as const,
  headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
  body: JSON.stringify({ query }),
});

function figures(streams: StreamResult[], searchesMs: number[]): Figure[] {
  const whole = streams.filter(({ status, lagsMs }) => status === 200 && lagsMs.length === TOKENS);
  const from = (ALONE_SECONDS * 1000) / PACE_MS;
  const until = from + (SECONDS * 1000) / PACE_MS;
  const during = whole.flatMap(({ lagsMs }) => lagsMs.slice(from, until));
  const after = whole.flatMap(({ lagsMs }) => lagsMs.slice(until + 10));
  const p99 = percentile(during, 99);
  return [
    {
      name: "Streams not whole",
      unit: "",
      values: [STREAMS - whole.length],
      shown: `${STREAMS - whole.length} of ${STREAMS}`,
      aim: { below: 1 },
    },
    { ...spread("Lag of a token, from model to reader", during), aim: { below: LAG_AIM_MS, measured: p99 } },
    spread("Lag of a token when nobody searches", after),
    {
      ...spread(`Searches over HTTP, ${PER_SECOND} a second`, searchesMs),
      aim: { below: SEARCH_AIM_MS, measured: percentile(searchesMs, 99) },
    },
  ];
}

const spread = (name: string, values: number[]): Figure => ({
  name,
  unit: "ms",
  values,
  shown: `p50 ${show(percentile(values, 50))}, p99 ${show(percentile(values, 99))}`,
});
