import { describe, expect, test } from "bun:test";
import {
  type Calibration,
  typicalCalibration,
} from "../../../../src/finding/search/relevance/calibration.ts";
import { evidenceOf, ownWordsEvidenceOf } from "../../../../src/finding/search/relevance/evidence.ts";
import { areDocsEnglish, isMostlyEnglish } from "../../../../src/finding/search/relevance/language.ts";
import { readOrdinaryWords } from "../../../../src/finding/search/relevance/ordinary-words.ts";
import {
  relevanceByOwnWords,
  relevanceInSmallSite,
  relevanceOf,
  relevanceOfTranslated,
} from "../../../../src/finding/search/relevance/weigh-evidence.ts";
import { TEST_TIME } from "../../../helpers/fake-clock.ts";
import { openSearch } from "../../../helpers/open-search.ts";
import { publishPages, sourceSpec, stagedPage } from "../../../helpers/page-data.ts";
import { addSite } from "../../../helpers/site-data.ts";
import { openTestStorage } from "../../../helpers/test-storage.ts";

const { signal } = new AbortController();
const SITE: Calibration = {
  covered: { mean: 0.3, deviation: 0.2 },
  near: { mean: 0.2, deviation: 0.1 },
  familiar: { mean: 4, deviation: 1 },
};

describe("relevance", () => {
  test("what foreign questions reach is not relevant, and what is far above it is", () => {
    const ordinary = { covered: 0.3, near: 0.2, familiar: 4 };
    const clear = { covered: 1, near: 0.6, familiar: 6 };
    expect(relevanceOf(ordinary, SITE)).toBeLessThan(0.05);
    expect(relevanceOf(clear, SITE)).toBeGreaterThan(0.95);
    expect(relevanceOf({ ...ordinary, near: undefined }, SITE)).toBeLessThan(0.05);
    expect(relevanceOf({ ...clear, near: undefined }, SITE)).toBeGreaterThan(0.9);
  });

  test("the same evidence says less on a site where foreign questions reach more", () => {
    const evidence = { covered: 0.6, near: 0.4, familiar: 5 };
    const large = { ...SITE, covered: { mean: 0.6, deviation: 0.2 }, near: { mean: 0.4, deviation: 0.1 } };
    expect(relevanceOf(evidence, SITE)).toBeGreaterThan(0.5);
    expect(relevanceOf(evidence, large)).toBeLessThan(0.2);
  });

  test("more of any evidence never makes less of a passage, and nothing leaves 0 to 1", () => {
    const steps = [-1e9, -1, 0, 0.3, 0.9, 5, 1e9];
    for (const calibration of [SITE, typicalCalibration(100, 0), typicalCalibration(1e6, 0.5)]) {
      for (const name of ["covered", "near", "familiar"] as const) {
        const values = steps.map((value) =>
          relevanceOf({ covered: 0.5, near: 0.3, familiar: 4, [name]: value }, calibration),
        );
        expect(values).toEqual(values.toSorted((a, b) => a - b));
        for (const value of values) expect(value).toBeWithin(0, 1.0001);
      }
    }
  });
});

describe("relevance in a site that is too small to be calibrated", () => {
  const relevance = (passages: number, similarity: number | undefined) =>
    relevanceInSmallSite(0.25, similarity, { passages, typicalSimilarity: 0.1 });

  test("is more for the same evidence the fewer passages there are: the best of few is not found by chance", () => {
    for (const similarity of [0.25, undefined]) {
      const values = [1, 5, 20, 90].map((passages) => relevance(passages, similarity));
      expect(values).toEqual(values.toSorted((a, b) => b - a));
      expect(new Set(values).size).toBe(4);
    }
    expect(relevance(5, 0.25)).toBeGreaterThan(0.5);
    expect(relevance(90, 0.25)).toBeLessThan(0.5);
  });

  test("is none where a passage has nothing of the question and is no nearer than any", () => {
    for (const similarity of [0.1, 0, undefined])
      expect(relevanceInSmallSite(0, similarity, { passages: 1, typicalSimilarity: 0.1 })).toBe(0);
  });
});

describe("the relevance of a question that was translated", () => {
  const half = { covered: 0.6, near: 0.4, familiar: 4 };

  test("less is asked of it than of one in English, with vectors and without", () => {
    const less = { ...half, covered: 0.5, near: 0.35 };
    expect(relevanceOf(less, SITE)).toBeLessThan(0.5);
    expect(relevanceOfTranslated(less, SITE)).toBeGreaterThan(0.5);
    const byWords = { ...half, near: undefined };
    expect(relevanceOfTranslated(byWords, SITE)).toBeGreaterThan(relevanceOf(byWords, SITE));
  });

  test("what foreign questions reach is not relevant, nor are more words far from it in meaning", () => {
    expect(relevanceOfTranslated({ covered: 0.3, near: 0.2, familiar: 4 }, SITE)).toBeLessThan(0.5);
    expect(relevanceOfTranslated({ covered: 0.5, near: 0.15, familiar: 5 }, SITE)).toBeLessThan(0.5);
  });

  test("words say less of it than nearness in meaning", () => {
    const byWords = relevanceOfTranslated({ ...half, covered: 0.8 }, SITE);
    const byMeaning = relevanceOfTranslated({ ...half, near: 0.5 }, SITE);
    expect(byMeaning).toBeGreaterThan(byWords);
  });
});

describe("evidence", () => {
  const taken = async (terms: string[], of: [string, number][], identifiers: string[] = []) =>
    evidenceOf(
      {
        query: { terms, identifiers },
        frequencies: { passages: 1000, of: new Map(of) },
        similarities: [0.1, 0.9, 0.2, 0.2],
      },
      await readOrdinaryWords(),
    );

  test("words of the site are familiar, ordinary words less, and unknown ones least", async () => {
    const familiar = async (term: string, passages: number) =>
      (await taken([term], [[term, passages]]))(new Set([term]), undefined).familiar;
    const own = await familiar("kubelet", 50);
    const ordinary = await familiar("water", 50);
    expect(own).toBeGreaterThan(ordinary);
    expect(ordinary).toBeGreaterThan((await taken(["water"], []))(new Set(), undefined).familiar);
  });

  test("a name that a single passage has is as familiar as a word of many", async () => {
    const name = "max_open_files";
    const word = await taken([name], [[name, 1]]);
    const known = await taken([name], [[name, 1]], [name]);
    const none = new Set<string>();
    expect(known(none, undefined).familiar).toBeGreaterThan(word(none, undefined).familiar + 5);
  });

  test("a word counts by how rare it is in English", async () => {
    const take = await taken(["file", "kubelet"], []);
    expect(take(new Set(["kubelet"]), undefined).covered).toBeGreaterThan(0.55);
    expect(take(new Set(["file", "kubelet"]), undefined).covered).toBeCloseTo(1);
    expect((await taken([], []))(new Set(), undefined)).toEqual({ covered: 0, near: undefined, familiar: 0 });
  });

  test("a passage is no nearer than the nearest ones are on average", async () => {
    const take = await taken(["zebra"], []);
    expect(take(new Set(), 0.9).near).toBeCloseTo(0.35);
    expect(take(new Set(), 0.1).near).toBeCloseTo(0.1);
  });
});

describe("the language of a question", () => {
  test("is told by the letters of its ordinary words, not by names", async () => {
    const ordinary = await readOrdinaryWords();
    const isEnglish = (text: string) => isMostlyEnglish(text, ordinary);
    for (const text of [
      "How do I set the number of workers in kubelet?",
      "Is there a way to turn off the cache?",
      "open a file",
      "404 --",
    ])
      expect([text, isEnglish(text)]).toEqual([text, true]);
    for (const text of [
      "Wie installiere ich ein neues Modell?",
      "¿Cómo puedo cambiar la contraseña de mi cuenta?",
      "Какой порт используется по умолчанию?",
      "指定したポート番号を問い合わせる",
    ])
      expect([text, isEnglish(text)]).toEqual([text, false]);
  });

  test("is that of the docs where these are English, whatever its words are", async () => {
    const english = (withThe: number) => areDocsEnglish(100, async () => withThe);
    expect([await english(66), await english(30)]).toEqual([true, false]);
  });
});

describe("docs in another language", () => {
  const frequencies = { passages: 1000, of: new Map(Object.entries({ das: 900, gehege: 300, zebra: 12 })) };
  const weights = new Map(Object.entries({ das: 0.1, gehege: 1.2, zebra: 4.4, klavier: 7.6 }));
  const taken = (...terms: string[]) =>
    ownWordsEvidenceOf({ query: { terms, identifiers: [] }, frequencies }, weights);

  test("a word counts by how rare it is in them, so that words of any sentence prove nothing", () => {
    const take = taken("das", "gehege", "zebra", "klavier");
    const relevance = (...present: string[]) => relevanceByOwnWords(take(new Set(present)), undefined, SITE);
    expect(relevance()).toBeLessThan(0.05);
    expect(relevance("das", "gehege")).toBeLessThan(0.1);
    expect(relevance("das", "gehege", "zebra")).toBeGreaterThan(relevance("das", "gehege"));
    const all = taken("das", "gehege", "zebra")(new Set(["das", "gehege", "zebra"]));
    expect(relevanceByOwnWords(all, undefined, SITE)).toBeGreaterThan(0.95);
  });

  test("nearness in meaning counts beside the words", () => {
    const half = taken("zebra", "klavier")(new Set(["zebra"]));
    const [far = 0, near = 0] = [0.2, 0.6].map((each) => relevanceByOwnWords(half, each, SITE));
    expect(far).toBeLessThan(0.5);
    expect(near).toBeGreaterThan(0.9);
  });
});

describe("a calibrated site", () => {
  const WORDS = ["zebra", "lion", "hay", "stripes", "savanna", "herd", "meadow", "paddock", "hoof", "mane"];
  const pages = Array.from({ length: 120 }, (_, index) => {
    const own = [0, 1, 3, 7].map((step) => WORDS[(index + step) % WORDS.length]);
    return stagedPage(`page-${index}`, `The ${own.join(" and the ")} of enclosure ${index}.`);
  });

  async function opened() {
    const storage = await openTestStorage();
    const search = openSearch(storage);
    async function addDocs(domain: string, docs = pages) {
      const site = await addSite(storage.sites, domain);
      const source = await storage.sources.open(sourceSpec(site.id), TEST_TIME);
      const publish = (more: typeof pages = []) => publishPages(storage.ingest, source, [...docs, ...more]);
      await publish();
      return { id: site.id, publish };
    }
    const of = async (siteId: number, text: string) =>
      (await search.find({ audience: "everything", siteId, text, pageSize: 5 })).hits.map(
        ({ relevance }) => relevance,
      );
    return { storage, search, addDocs, of, [Symbol.dispose]: storage[Symbol.dispose] };
  }

  test("declines questions that have nothing to do with it, and answers its own", async () => {
    using it = await opened();
    const { id } = await it.addDocs("docs");
    await it.search.calibrate(id, signal);
    const best = async (text: string) => Math.max(0, ...(await it.of(id, text)));
    expect(await best("Which enclosure has a zebra with stripes?")).toBeGreaterThan(0.5);
    expect(await best("Where do a lion and a herd graze on the savanna?")).toBeGreaterThan(0.5);
    expect(await best("What is the boiling point of ethanol?")).toBeLessThan(0.5);
    expect(await best("How do I descale the kettle of my grandmother?")).toBeLessThan(0.5);
  });

  test("declines foreign questions in the language of its docs, and answers its own", async () => {
    using it = await opened();
    const animals = [
      "Zebra",
      "Löwe",
      "Heu",
      "Streifen",
      "Savanne",
      "Herde",
      "Wiese",
      "Koppel",
      "Huf",
      "Mähne",
    ];
    const german = Array.from({ length: 120 }, (_, index) => {
      const [one, other] = [0, 3].map((step) => animals[(index + step) % animals.length]);
      return stagedPage(
        `seite-${index}`,
        `Wie das Gehege ${index} ist: es hat ein ${one} und auch ein ${other} in der Mitte.`,
      );
    });
    const { id } = await it.addDocs("docs", german);
    await it.search.calibrate(id, signal);
    const best = async (text: string) => Math.max(0, ...(await it.of(id, text)));
    expect(await best("Hat ein Gehege ein Zebra und auch Streifen?")).toBeGreaterThan(0.5);
    expect(await best("Ist Heu und auch Herde in der Mitte?")).toBeGreaterThan(0.5);
    expect(await best("Wie hoch ist der höchste Berg in Österreich und in der Schweiz?")).toBeLessThan(0.5);
    expect(await best("Wie ist das Wetter in der Hauptstadt von Spanien?")).toBeLessThan(0.5);
  });

  test("declines no question for how it is put", async () => {
    using it = await opened();
    const { id } = await it.addDocs("docs");
    const best = async (text: string) => Math.max(0, ...(await it.of(id, text)));
    const plain = await best("What is a hoof?");
    expect(await best("I would like to understand what a hoof is, in detail")).toBeCloseTo(plain, 3);
    expect(await best("Could you please explain what a hoof is?")).toBeCloseTo(plain, 3);
    await it.search.calibrate(id, signal);
    expect(await best("I would like to understand what a hoof is, in detail")).toBeCloseTo(plain, 3);
    expect(await best("Could you please explain what a hoof is?")).toBeCloseTo(plain, 3);
    expect(await best("Could you please explain the boiling point of ethanol?")).toBeLessThan(0.5);
  });

  test("does not change what other sites in the database say", async () => {
    using it = await opened();
    const [first, second] = [await it.addDocs("first"), await it.addDocs("second")];
    const question = "Which enclosure has a horse?";
    const before = await it.of(second.id, question);
    await it.search.calibrate(first.id, signal);
    expect(await it.of(second.id, question)).toEqual(before);
    expect(await it.of(first.id, question)).not.toEqual(before);
  });

  test("says the same of a generation that it went back to as before", async () => {
    using it = await opened();
    const { id, publish } = await it.addDocs("docs");
    await it.search.calibrate(id, signal);
    const question = "Which enclosure has a horse?";
    const before = await it.of(id, question);
    await publish([
      stagedPage("horses", "A horse and a pony live in the stable. A horse eats hay in its enclosure."),
    ]);
    await it.search.calibrate(id, signal);
    expect(await it.of(id, question)).not.toEqual(before);
    await it.storage.generations.show(id, 1);
    expect(await it.of(id, question)).toEqual(before);
  });

  test("goes by the generation before until the new one is calibrated, also where that was cut short", async () => {
    using it = await opened();
    const { id, publish } = await it.addDocs("docs");
    await it.search.calibrate(id, signal);
    await publish();
    const stop = new AbortController();
    const cut = it.search.calibrate(id, stop.signal);
    stop.abort(new Error("killed"));
    await expect(cut).rejects.toThrow("killed");
    const key = {
      siteId: id,
      generation: 2,
      audience: "everything" as const,
      embedderId: undefined,
      revision: 1,
    };
    expect((await it.storage.calibrations.nearest(key))?.generation).toBe(1);
    await it.search.calibrate(id, signal);
    expect((await it.storage.calibrations.nearest(key))?.generation).toBe(2);
  });
});
