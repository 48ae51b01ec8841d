import { join } from "node:path";
import { seededRandom } from "../../src/measuring/eval/seeded-random.ts";
import { createEmbeddedReader } from "../../src/sites/ingest/embedded-reader.ts";
import type { Audience } from "../../src/sites/pages/audience.ts";
import { now } from "./clock.ts";
import { type Figure, type Measure, median, percentile } from "./figures.ts";
import { openBench } from "./retrieval/docent.ts";
import { generatePages } from "./retrieval/generated-pages.ts";

const PAGES = 2_000;
/** Every so many pages are for a group that nobody who asks is in, and the ones behind them for one that some are in. */
const HIDDEN_EVERY = 4;
const HIDDEN = PAGES / HIDDEN_EVERY;
const WORDS = 600;
/** On how many hidden pages a frequent one of these words is. */
const FREQUENT_PAGES = 50;
const SEED = 8181;
const RESULTS = 10;
const WARM_UPS = 200;
/** How many times the words are drawn anew to tell how sure a ratio is. */
const DRAWS = 1_000;
/** By how much a search for a hidden word may surely take longer. */
const SURE_RATIO_MAX = 1.01;

/** A word that no other page has, on the hidden pages of one of two sites. */
interface HiddenWord {
  word: string;
  site: "one" | "other";
  isFrequent: boolean;
}

interface Question {
  name: string;
  isFrequent: boolean;
  textOf(word: string): string;
}

const QUESTIONS: readonly Question[] = [
  { name: "A word of one hidden page", isFrequent: false, textOf: (word) => word },
  { name: "A word of fifty hidden pages", isFrequent: true, textOf: (word) => word },
  { name: "A word two letters of which changed places", isFrequent: false, textOf: misspelled },
  {
    name: "Such a word in a question",
    isFrequent: false,
    textOf: (word) => `How do I configure the ${word} of the server?`,
  },
];

const READERS: readonly { name: string; audience: Audience }[] = [
  { name: "a reader who is not known", audience: [] },
  { name: "a reader in a group of other pages", audience: ["others"] },
];

type Ask = (text: string, audience: Audience) => Promise<number>;

/**
 * Measures whether the time of a search tells that a word is on pages that are not for whoever asks. Two sites have the same
 * open pages and as many hidden ones, with other words; each word is asked at both. What differs between the sites, and
 * between the words, is in both sums.
 */
export async function measureHiddenWords(_: unknown, directory: string): Promise<Measure> {
  const parts = await openBench(join(directory, "hidden-words"));
  try {
    const words = makeWords();
    const open = async (domain: HiddenWord["site"]): Promise<Ask> => {
      await parts.people.sites.add({ domain });
      const { id: siteId, generation } = await parts.people.sites.get(domain);
      await parts.sources.ingest.run({
        source: { siteId, kind: "demo", location: domain, version: "", language: "" },
        reader: createEmbeddedReader(pagesOf(words.filter(({ site }) => site === domain))),
        generation,
        signal: new AbortController().signal,
      });
      return async (text, audience) => {
        const startedAt = now();
        await parts.content.search.find({ siteId, audience, text, pageSize: RESULTS });
        return now() - startedAt;
      };
    };
    const sites = { one: await open("one"), other: await open("other") };
    const figures: Figure[] = [];
    for (const { name: reader, audience } of READERS)
      for (const { name, isFrequent, textOf } of QUESTIONS) {
        const asked = words.filter((each) => each.isFrequent === isFrequent);
        const pairs = await askAll(sites, asked, (site, word) => site(textOf(word), audience));
        figures.push(toFigure(`${name}, ${reader}`, pairs));
      }
    return {
      title: "Whether the time of a search tells of pages that are not for the reader",
      how: `${PAGES} generated pages on each of two sites, of which ${HIDDEN} are for a group that nobody who asks is in, and ${HIDDEN} for another. ${WORDS} made-up words, each on hidden pages of one site, asked once at both in turns. Shown is the ratio of the medians, where the word is hidden to where it is nowhere, with what 95 of 100 draws of the words are within. The aim is for the least of these: nothing is sure to take a hundredth longer.`,
      figures,
    };
  } finally {
    await parts.close();
  }
}

function makeWords(): HiddenWord[] {
  const random = seededRandom(SEED);
  const letter = (letters: string) => letters[Math.floor(random() * letters.length)] ?? "a";
  const word = () => Array.from({ length: 5 }, () => letter("bdfgklmnprstvz") + letter("aeiou")).join("");
  return Array.from({ length: WORDS }, (_, at) => ({
    word: word(),
    site: at % 2 === 0 ? "one" : "other",
    isFrequent: at % 4 >= 2,
  }));
}

function pagesOf(words: readonly HiddenWord[]): Record<string, string> {
  const added = Array.from({ length: HIDDEN }, (): string[] => []);
  for (const [at, { word, isFrequent }] of words.entries())
    for (let page = 0; page < (isFrequent ? FREQUENT_PAGES : 1); page++)
      added[(at * 7 + page) % HIDDEN]?.push(word);
  const pages = [...generatePages(PAGES)].map(({ path, markdown }, number): [string, string] => {
    const kind = number % HIDDEN_EVERY;
    if (kind === 0) {
      const own = added[number / HIDDEN_EVERY]?.join(" ") ?? "";
      return [`${path}.md`, `---\ngroups: [hidden]\n---\n${markdown}\n\n${own}.\n`];
    }
    return [`${path}.md`, kind === 1 ? `---\ngroups: [others]\n---\n${markdown}` : markdown];
  });
  return Object.fromEntries(pages);
}

function misspelled(word: string): string {
  return `${word.slice(0, 4)}${word[5]}${word[4]}${word.slice(6)}`;
}

/** How long a word took where it is hidden, and where it is nowhere. */
interface Pair {
  site: HiddenWord["site"];
  hiddenMs: number;
  absentMs: number;
}

async function askAll(
  sites: Record<HiddenWord["site"], Ask>,
  words: readonly HiddenWord[],
  ask: (site: Ask, word: string) => Promise<number>,
): Promise<Pair[]> {
  const random = seededRandom(SEED + 1);
  for (let warmUp = 0; warmUp < WARM_UPS; warmUp++)
    for (const site of [sites.one, sites.other]) await ask(site, `xyqwojh${warmUp % 10}`);
  const pairs: Pair[] = [];
  for (const { word, site } of words) {
    const other = site === "one" ? "other" : "one";
    if (random() < 0.5) {
      const hiddenMs = await ask(sites[site], word);
      pairs.push({ site, hiddenMs, absentMs: await ask(sites[other], word) });
    } else {
      const absentMs = await ask(sites[other], word);
      pairs.push({ site, absentMs, hiddenMs: await ask(sites[site], word) });
    }
  }
  return pairs;
}

function toFigure(name: string, pairs: readonly Pair[]): Figure {
  const random = seededRandom(SEED + 2);
  const drawn = Array.from({ length: DRAWS }, () =>
    ratioOf(pairs.flatMap(() => pairs[Math.floor(random() * pairs.length)] ?? [])),
  );
  const [least, most] = [percentile(drawn, 2.5), percentile(drawn, 97.5)];
  const ratio = ratioOf(pairs);
  return {
    name,
    unit: "",
    values: [ratio],
    shown: `${ratio.toFixed(3)} (${least.toFixed(3)} to ${most.toFixed(3)})`,
    aim: { below: SURE_RATIO_MAX, measured: least },
  };
}

function ratioOf(pairs: readonly Pair[]): number {
  const sum = (which: "hiddenMs" | "absentMs") =>
    (["one", "other"] as const)
      .map((site) => median(pairs.filter((each) => each.site === site).map((each) => each[which])))
      .reduce((all, own) => all + own, 0);
  return sum("hiddenMs") / sum("absentMs");
}
