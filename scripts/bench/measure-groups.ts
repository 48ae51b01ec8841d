import { join } from "node:path";
import { createEmbeddedReader } from "../../src/sites/ingest/embedded-reader.ts";
import type { Audience } from "../../src/sites/pages/audience.ts";
import { now } from "./clock.ts";
import { type Measure, percentile, show } from "./figures.ts";
import { openBench } from "./retrieval/docent.ts";
import { generatePages, generateQuestions } from "./retrieval/generated-pages.ts";

const PAGES = 10_000;
const GROUPS = 200;
/** Every so many pages are for everyone. */
const OPEN_EVERY = 5;
const READERS = 20;
const OWN_GROUPS = 5;
const QUESTIONS = 100;
const RESULTS = 10;
/** How much longer a search may take where pages are for groups. */
const RATIO_MAX = 1.1;

const groupOf = (number: number) => `group-${number % GROUPS}`;

/** Pages of which most are for one or two of many groups. */
function groupsOf(page: number): string[] {
  if (page % OPEN_EVERY === 0) return [];
  return page % 3 === 0 ? [groupOf(page), groupOf(page * 7)] : [groupOf(page)];
}

/** Readers in a few groups each, and one who is in all but one: nearly every page is for them. */
const READERS_ASKING: Audience[] = [
  ...Array.from({ length: READERS }, (_, reader) =>
    Array.from({ length: OWN_GROUPS }, (__, own) => groupOf(reader * 11 + own * 37)),
  ),
  Array.from({ length: GROUPS - 1 }, (_, number) => groupOf(number)),
];

/** Measures a search in pages that are for groups, beside one in the same pages that are for everyone. */
export async function measureGroups(_: unknown, directory: string): Promise<Measure> {
  const parts = await openBench(join(directory, "groups"));
  try {
    const ask = async (domain: string, pages: Record<string, string>) => {
      await parts.people.sites.add({ domain });
      const { id: siteId, generation } = await parts.people.sites.get(domain);
      await parts.sources.ingest.run({
        source: { siteId, kind: "demo", location: domain, version: "", language: "" },
        reader: createEmbeddedReader(pages),
        generation,
        signal: new AbortController().signal,
      });
      return async (text: string, audience: Audience) => {
        const startedAt = now();
        await parts.content.search.find({ siteId, audience, text, pageSize: RESULTS });
        return now() - startedAt;
      };
    };
    const pages = [...generatePages(PAGES)];
    const plain = await ask(
      "plain",
      Object.fromEntries(pages.map(({ path, markdown }) => [`${path}.md`, markdown])),
    );
    const grouped = await ask(
      "grouped",
      Object.fromEntries(
        pages.map(({ path, markdown }, number) => [
          `${path}.md`,
          `---\ngroups: ${JSON.stringify(groupsOf(number))}\n---\n${markdown}`,
        ]),
      ),
    );
    return toMeasure(await askAll(plain, grouped));
  } finally {
    await parts.close();
  }
}

type Ask = (text: string, audience: Audience) => Promise<number>;

interface Times {
  plain: number[];
  few: number[];
  nearlyAll: number[];
  first: number[];
}

/** Each question once for each kind of reader, in turns, so that the machine's pauses meet all alike. */
async function askAll(plain: Ask, grouped: Ask): Promise<Times> {
  const times: Times = { plain: [], few: [], nearlyAll: [], first: [] };
  const [warm = "", ...questions] = generateQuestions(QUESTIONS + 1);
  await plain(warm, []);
  for (const reader of READERS_ASKING) times.first.push(await grouped(warm, reader));
  const few = READERS_ASKING.slice(0, READERS);
  const most = READERS_ASKING.at(-1) ?? [];
  for (const [at, question] of questions.entries()) {
    times.plain.push(await plain(question, []));
    times.few.push(await grouped(question, few[at % few.length] ?? []));
    times.nearlyAll.push(await grouped(question, most));
  }
  return times;
}

function toMeasure({ plain, few, nearlyAll, first }: Times): Measure {
  const shown = (values: number[]) =>
    `p50 ${show(percentile(values, 50))}, p99 ${show(percentile(values, 99))}`;
  const ratio = (values: number[]) => percentile(values, 50) / percentile(plain, 50);
  return {
    title: "Search where pages are for groups",
    how: `${PAGES} generated pages, of which four of five are for one or two of ${GROUPS} groups, beside the same pages for everyone. ${READERS} readers in ${OWN_GROUPS} groups each, and one in all groups but one; ${QUESTIONS} questions, asked of each in turns.`,
    figures: [
      { name: "Search, pages for everyone", unit: "ms", values: plain, shown: shown(plain) },
      { name: "Search, a reader in a few groups", unit: "ms", values: few, shown: shown(few) },
      { name: "Search, a reader in nearly all", unit: "ms", values: nearlyAll, shown: shown(nearlyAll) },
      {
        name: "A few groups to everyone, medians",
        unit: "",
        values: [ratio(few)],
        aim: { below: RATIO_MAX },
      },
      {
        name: "Nearly all groups to everyone, medians",
        unit: "",
        values: [ratio(nearlyAll)],
        aim: { below: RATIO_MAX },
      },
      { name: "First search of an audience", unit: "ms", values: first, shown: shown(first) },
    ],
  };
}
