import { describe, expect, test } from "bun:test";
import type { SearchQuery } from "../../../src/finding/search/search.ts";
import { createBuiltinEmbedder, readBuiltinAsset } from "../../../src/models/builtin/builtin.ts";
import { TEST_TIME } from "../../helpers/fake-clock.ts";
import { publishPages, sourceSpec, stagedPage } from "../../helpers/page-data.ts";
import { publishedDocs } from "../../helpers/published-docs.ts";
import { addSite } from "../../helpers/site-data.ts";

const DOCS = [
  stagedPage("body", "To declare a request body, use pydantic models with all their power and benefits.", {
    title: "Request body",
  }),
  stagedPage("injection", "A very powerful but intuitive dependency injection system.", {
    title: "Dependencies",
  }),
  stagedPage("variables", "An environment variable lives outside of the code, in the operating system.", {
    title: "Environment variables",
  }),
  stagedPage("keys", "Use max_retries and `maxDelay` to retry. Release v1.12.3 has HTTPConnection.", {
    title: "Retries",
  }),
];

const EMBEDDER = createBuiltinEmbedder(readBuiltinAsset);

async function opened() {
  const docs = await publishedDocs(DOCS, { embedder: EMBEDDER, isWord: EMBEDDER.isWord });
  const corrected = async (text: string, change: Partial<SearchQuery> = {}) =>
    (await docs.find(text, change)).corrected?.text;
  return { ...docs, corrected };
}

describe("corrections", () => {
  for (const [typed, meant, path] of [
    ["how to declre a requst body", "how to declare a request body", "body"],
    ["depndency injecton", "dependency injection", "injection"],
    ["enviroment variables", "environment variables", "variables"],
    ["pydantc", "pydantic", "body"],
    ["hwo do I declare teh body", "how do I declare the body", "body"],
    ["waht is a Depndency", "what is a Dependency", "injection"],
    ["operating-sytem", "operating-system", "variables"],
    ["pydantic modelss", "pydantic models", "body"],
  ] as const)
    test(`"${typed}" is searched for as "${meant}", and is as relevant`, async () => {
      using it = await opened();
      const found = await it.find(typed);
      const right = await it.find(meant);
      expect(found.corrected?.text).toBe(meant);
      expect(found.hits[0]?.path).toBe(path);
      expect(found.hits).toEqual(right.hits);
      expect(right.corrected).toBeUndefined();
    });

  test("in another language only what can be nothing but a typo is corrected: no form of a word", async () => {
    using it = await opened();
    const text =
      "Die Konfiguration der Verbindung steht in den Einstellungen. Sie zeigte alle Abhängigkeiten.";
    const pages = ["g1", "g2", "g3"].map((path) => stagedPage(path, `${text} ${path}`));
    await publishPages(it.storage.ingest, it.source, pages);
    expect(await it.corrected("Wo finde ich die Konfigruation der Verbindung?")).toBe(
      "Wo finde ich die Konfiguration der Verbindung?",
    );
    expect(await it.corrected("Zeige mir die Verbindungen der Abhängigkeit")).toBeUndefined();
  });

  test("a typo that stands in the docs, too, is corrected where the right word is far more frequent", async () => {
    using it = await opened();
    const right = Array.from({ length: 320 }, (_, at) =>
      stagedPage(`e${at}`, `Environments of stage ${at}.`),
    );
    await publishPages(it.storage.ingest, it.source, [
      ...right,
      stagedPage("wrong", "Enviroments of stages."),
    ]);
    expect(await it.corrected("which enviroments are there")).toBe("which environments are there");
    // Of a word that is only a little rarer, nobody knows that it is a typo.
    expect(await it.corrected("which maxes are powerful")).toBeUndefined();
    const more = Array.from({ length: 3 }, (_, at) => stagedPage(`w${at}`, `Enviroments of stage ${at}.`));
    await publishPages(it.storage.ingest, it.source, more);
    expect(await it.corrected("which enviroments are there")).toBeUndefined();
  });

  test("a word that no passage has is corrected although it has the stem of another", async () => {
    using it = await opened();
    const caches = Array.from({ length: 30 }, (_, at) => stagedPage(`c${at}`, `The cache of stage ${at}.`));
    await publishPages(it.storage.ingest, it.source, [...caches, stagedPage("cash", "Pay in cash.")]);
    expect(await it.corrected("how to clear the cashe")).toBe("how to clear the cache");
    // The docs have the word itself, or another form of it.
    expect(await it.corrected("how to pay in cash")).toBeUndefined();
    const forms = Array.from({ length: 30 }, (_, at) => stagedPage(`s${at}`, `A subgraph of stage ${at}.`));
    await publishPages(it.storage.ingest, it.source, [...forms, stagedPage("path", "All subpaths.")]);
    expect(await it.corrected("how to name the subpath")).toBeUndefined();
  });

  test("a question is English although what it is about is two words as one, and misspelled", async () => {
    using it = await opened();
    await publishPages(it.storage.ingest, it.source, [
      stagedPage("keys", "Each keybinding and how to save."),
    ]);
    expect(await it.corrected("keybindnig for save")).toBe("keybinding for save");
  });

  test("what was replaced is said word by word", async () => {
    using it = await opened();
    expect((await it.find("Declre a requst body")).corrected?.words).toEqual([
      { written: "Declre", corrected: "Declare" },
      { written: "requst", corrected: "request" },
    ]);
  });

  for (const [what, typed] of [
    ["a name with marks", "max_retires"],
    ["a name in camel case", "maxDelya"],
    ["a version", "v1.12.4"],
    ["a number", "1234"],
    ["quoted text", 'what is "requst body"'],
    ["capitals", "is there a CODY"],
    ["a word of the language", "modals with powder"],
    ["a word of the language with a prefix", "reinjecting unpowered submodels"],
    ["a short word", "cde boy"],
    ["a word that nothing is near", "zygomorphic"],
    ["a question of another language", "Jak zadeklarovat tělo požadavku pomocí modelů systému"],
    ["what is empty", "   "],
  ] as const)
    test(`${what} is not corrected`, async () => {
      using it = await opened();
      expect(await it.corrected(typed)).toBeUndefined();
    });

  test("a word that is still being typed is not corrected while any word begins like it", async () => {
    using it = await opened();
    expect(await it.corrected("request depend", { asYouType: true })).toBeUndefined();
    expect(await it.corrected("request depnd", { asYouType: true })).toBeUndefined();
    expect(await it.corrected("request depndency", { asYouType: true })).toBe("request dependency");
    expect(await it.corrected("depndency inj", { asYouType: true })).toBe("dependency inj");
  });

  test("no word is offered of a page that is hidden, of another site, or of another generation", async () => {
    using it = await opened();
    const other = await addSite(it.storage.sites, "other");
    const elsewhere = await it.storage.sources.open(sourceSpec(other.id), TEST_TIME);
    await publishPages(it.storage.ingest, elsewhere, [stagedPage("a", "the zeppelin of another site")]);
    await publishPages(it.storage.ingest, it.source, [
      stagedPage("b", "a hidden dirigible", { hidden: true }),
      stagedPage("c", "an ornithopter"),
    ]);
    expect(await it.corrected("ornithoptr")).toBe("ornithopter");
    expect(await it.corrected("zeppelni")).toBeUndefined();
    expect(await it.corrected("dirigibel")).toBeUndefined();
    // The next generation does not show it any more.
    await publishPages(it.storage.ingest, it.source, [], ["c"]);
    expect((await it.find("ornithopter")).hits).toEqual([]);
    expect(await it.corrected("ornithoptr")).toBeUndefined();
  });
});
