import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { SearchQuery } from "../../../src/finding/search/search.ts";
import { seededRandom } from "../../../src/measuring/eval/seeded-random.ts";
import { withTypos } from "../../../src/measuring/eval/typos/seed-typos.ts";
import { isSkipped, type SourceReader } from "../../../src/reading/source-reader.ts";
import type { Parts } from "../../../src/running/app/parts.ts";
import { openParts } from "../../../src/running/app.ts";
import type { PageFilter } from "../../../src/sites/pages/pages.ts";
import { testSurroundings } from "../../helpers/docent.ts";
import { TEST_TIME } from "../../helpers/fake-clock.ts";
import { hasPostgres, newDatabase } from "../../helpers/postgres.ts";
import { temporaryDirectory } from "../../helpers/temporary-directory.ts";
import { trackedReader } from "../../helpers/tracked-reader.ts";

const ROOT = join(import.meta.dir, "../../..");
const DOMAIN = "docs";
const HITS = 20;
const SEED = 20;

const labelled = (title: string, labels: string, text: string) =>
  `---\ntitle: ${title}\n${labels}\n---\n\n${text}\n`;

/** What Docent's own docs have none of: other languages, labels, groups, and one thing said twice. */
const MORE: Record<string, string> = {
  "de/einrichten":
    "# Den Server einrichten\n\nDer Schlüssel gehört in die Umgebung. Dann startet der Server.",
  "de/sichern": "# Sicherungen\n\nEine Sicherung ist eine Datei. Sie wird jede Nacht geschrieben.",
  "zh/install": "# 安装服务器\n\n下载一个文件，然后启动服务器。密钥放在环境变量里。",
  "ja/backup": "# バックアップ\n\nバックアップは一つのファイルです。毎晩書き込まれます。",
  "ru/keys": "# Ключи\n\nКлюч создаётся командой. Его можно отозвать в любое время.",
  team: labelled(
    "For the team",
    "groups: [team]\ntags: [internal]",
    "The server keys of the team are rotated.",
  ),
  public: labelled("For everyone", "tags: [internal, keys]", "Keys of the server are shown once."),
  twin: "# The same\n\nA backup of the server is one file, and restore puts it back.",
  "twin-again": "# The same\n\nA backup of the server is one file, and restore puts it back.",
};

interface Opened {
  parts: Parts;
  ask(query: Omit<SearchQuery, "siteId" | "pageSize" | "audience">): Promise<unknown[]>;
}

/** Opens what is there, in a directory or in a database; `url` is empty where everything is in the directory. */
async function open(data: string, url: string, settings: Record<string, string> = {}): Promise<Opened> {
  // Calibrating ends when a time is over: here it never is, on however slow a machine.
  const options = { clock: () => TEST_TIME, settings: { database_url: url, ...settings } };
  const parts = await openParts(testSurroundings(data, options));
  return {
    parts,
    async ask(query) {
      const { id: siteId } = await parts.people.sites.get(DOMAIN);
      const { hits, corrected } = await parts.content.search.find({
        siteId,
        audience: "everything",
        pageSize: HITS,
        ...query,
      });
      const found = hits.map(({ path, version, language, anchor, position, relevance, score }) => ({
        hit: `${path}#${anchor} ${version} ${language} ${position}`,
        relevance,
        score,
      }));
      return corrected === undefined ? found : [corrected, ...found];
    },
  };
}

/** Docent's own shorter pages, which are enough to be calibrated. */
const CHARACTERS_MAX = 9_000;

/** Pages in several languages, of which each run has others; in the last one, Docent's own. */
function readerOf(parts: Parts, run: 1 | 2 | 3): SourceReader {
  const more = trackedReader(Object.fromEntries(Object.entries(MORE).slice(run === 1 ? 0 : 1)));
  const own = parts.sources.readFolder(join(ROOT, "docs"));
  return {
    async *list(context) {
      for await (const item of more.list(context)) {
        const [folder = "", page] = isSkipped(item) ? [] : item.path.split("/");
        // A page in no folder is of every language, and those of one thing said twice of every version.
        const marks = {
          language: page === undefined ? "" : folder,
          version: folder.startsWith("twin") ? "" : "1.0",
        };
        yield { ...item, marks };
      }
      for await (const item of run === 3 ? own.list(context) : []) {
        const isShort = !isSkipped(item) && (await item.read()).length < CHARACTERS_MAX;
        if (isShort) yield { ...item, marks: { language: "en", version: "2.0" } };
      }
    },
  };
}

/** Reads pages in three runs, so that there are several segments, with passages that readers see no more. */
async function readDocs(parts: Parts): Promise<void> {
  const { people, sources } = parts;
  await people.sites.add({ domain: DOMAIN });
  for (const run of [1, 2, 3] as const) {
    const { id: siteId, generation } = await people.sites.get(DOMAIN);
    const source = { siteId, kind: "folder" as const, location: "docs", version: "", language: "" };
    const { signal } = new AbortController();
    await sources.ingest.run({ source, reader: readerOf(parts, run), generation, signal });
    expect((await people.sites.get(DOMAIN)).generation).toBe(run);
  }
}

const NATURAL = [
  "How do I install the server?",
  "what is a generation",
  "can several servers share one database?",
  "how many messages per hour are allowed",
  "DOCENT_DATABASE_URL",
  "docent serve --demo",
  "error 401 unknown key",
  "zebra",
  "the",
  "",
  "?!",
  "does it need a graphics card and how much memory does a model take on a small machine",
];
const FOREIGN = [
  "Wie richte ich den Server ein?",
  "Comment installer le serveur ?",
  "¿Cómo hago una copia de seguridad?",
  "如何安装服务器",
  "バックアップはどこにありますか",
  "Как отозвать ключ?",
];
const FILTERS: PageFilter[] = [
  { version: "1.0" },
  { version: "2.0" },
  { language: "de" },
  { language: "fr-CA" },
  { language: "zh" },
  { tag: "internal" },
  { groups: ["team"] },
  { groups: ["others"], version: "1.0" },
  { version: "3.0" },
];

const QUOTED = 40;
const MISSPELLED = 25;

/** Phrases of two to five words as the docs have them, and as they have not. */
function phrasesOf(texts: readonly string[]): string[] {
  const random = seededRandom(SEED);
  return Array.from({ length: QUOTED }, (_, number) => {
    const words = (texts[Math.floor(random() * texts.length)] ?? "").match(/\S+/g) ?? [];
    const at = Math.floor(random() * words.length);
    const phrase = words.slice(at, at + 2 + (number % 4));
    const quoted = `"${(number % 8 === 0 ? phrase.toReversed() : phrase).join(" ").replaceAll('"', "")}"`;
    return number % 3 === 0 ? `how do I use ${quoted} here` : quoted;
  });
}

/** Every beginning of a question, as it is typed letter by letter. */
const beginningsOf = (question: string) =>
  Array.from({ length: question.length }, (_, index) => question.slice(0, index + 1));

describe.if(hasPostgres)("search on SQLite and on PostgreSQL", () => {
  const directories = [temporaryDirectory(), temporaryDirectory()] as const;
  const opened: Opened[] = [];
  let url = "";
  let texts: string[] = [];

  beforeAll(async () => {
    url = await newDatabase();
    opened.push(await open(directories[0].path, ""), await open(directories[1].path, url));
    for (const { parts } of opened) await readDocs(parts);
    texts = await passageTexts(opened[0]);
  });

  afterAll(async () => {
    for (const { parts } of opened) await parts.close();
    for (const each of directories) each[Symbol.dispose]();
  });

  /** Asks both, one after the other, and returns how many hits there were in all. */
  async function same(queries: Parameters<Opened["ask"]>[0][], asked = opened): Promise<number> {
    let hits = 0;
    for (const query of queries) {
      const [sqlite, postgres] = [await asked[0]?.ask(query), await asked[1]?.ask(query)];
      expect(postgres, JSON.stringify(query)).toEqual(sqlite);
      hits += sqlite?.length ?? 0;
    }
    return hits;
  }

  const plain = (questions: readonly string[]) => questions.map((text) => ({ text }));

  test("questions find the same, in the same order, and as relevant", async () => {
    expect(await same(plain(NATURAL))).toBeGreaterThan(HITS);
    expect(await same(plain(FOREIGN))).toBeGreaterThan(0);
  });

  test("so do words that are typed wrongly", async () => {
    const random = seededRandom(SEED);
    const questions = texts.flatMap((text) => withTypos(text.slice(0, 60), 1, random) ?? []);
    expect(await same(plain(questions.slice(0, MISSPELLED)))).toBeGreaterThan(MISSPELLED);
  });

  test("so do quoted phrases, whether the docs have them or not", async () => {
    expect(await same(plain(phrasesOf(texts)))).toBeGreaterThan(QUOTED);
  });

  test("so does every letter of a question that is typed", async () => {
    const typed = ["configure the gene", '"keyword index', "docent_data", "安装服"].flatMap(beginningsOf);
    expect(await same(typed.map((text) => ({ text, asYouType: true })))).toBeGreaterThan(typed.length);
  });

  test("so does every letter of a name that is typed to get there", async () => {
    const typed = ["getting started", "keyword-index", "docent_data", "--data", "安装服", "instal"];
    const queries = typed.flatMap(beginningsOf).map((text) => ({ text, asYouType: true }));
    expect(await same(queries.map((each) => ({ ...each, order: "navigation" as const })))).toBeGreaterThan(
      queries.length,
    );
  });

  test("so does a question with any filter", async () => {
    const queries = FILTERS.flatMap((filter) =>
      ["server keys", "Sicherung", '"one file"'].map((text) => ({ text, filter })),
    );
    expect(await same(queries)).toBeGreaterThan(queries.length);
  });

  test("so does one whose reader is on a page", async () => {
    const queries = ["keys", "backup"].map((text) => ({ text, currentPath: "configuration" }));
    expect(await same(queries)).toBeGreaterThan(HITS);
  });

  test("so does everything where nothing is in memory: rows and vectors come from the database", async () => {
    const bare = { vector_memory_bytes: "0", keyword_memory_bytes: "1" };
    const cold = [await open(directories[0].path, "", bare), await open(directories[1].path, url, bare)];
    try {
      const phrases = phrasesOf(texts).slice(0, HITS);
      expect(await same(plain([...NATURAL, ...FOREIGN, ...phrases]), cold)).toBeGreaterThan(HITS);
      for (const { text } of plain(NATURAL))
        expect(await cold[1]?.ask({ text })).toEqual((await opened[1]?.ask({ text })) ?? []);
    } finally {
      for (const { parts } of cold) await parts.close();
    }
  });
});

/** Texts of passages from all over the docs. */
async function passageTexts(opened: Opened | undefined): Promise<string[]> {
  if (opened === undefined) return [];
  const { search } = opened.parts.content;
  const { id: siteId } = await opened.parts.people.sites.get(DOMAIN);
  const { hits } = await search.find({
    siteId,
    audience: "everything",
    text: "server docs page question model",
    pageSize: 100,
  });
  return hits.map(({ text }) => text);
}
