import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { NearWord } from "../../../src/finding/search/keyword-index/keyword-index.ts";
import { readOrdinaryWords } from "../../../src/finding/search/relevance/relevance.ts";
import type { SearchQuery } from "../../../src/finding/search/search.ts";
import { readLexicon } from "../../../src/finding/search/translate/lexicon.ts";
import { lettersKnown, wordsIn } from "../../../src/finding/search/translate/read-words.ts";
import { createTranslate, readLexiconAsset } from "../../../src/finding/search/translate/translate.ts";
import { createBuiltinEmbedder, readBuiltinAsset } from "../../../src/models/builtin/builtin.ts";
import { TEST_TIME } from "../../helpers/fake-clock.ts";
import { publishPages, sourceSpec, stagedPage } from "../../helpers/page-data.ts";
import { ownSections, publishedDocs } from "../../helpers/published-docs.ts";

const EMBEDDER = createBuiltinEmbedder(readBuiltinAsset);
async function opened(pages: ReturnType<typeof stagedPage>[], language = "") {
  const docs = await publishedDocs(pages, { embedder: EMBEDDER, isWord: EMBEDDER.isWord }, language);
  const find = async (text: string, change: Partial<SearchQuery> = {}) =>
    (await docs.find(text, { pageSize: 5, ...change })).hits;
  return { ...docs, find };
}

describe("a question in another language than the docs", () => {
  for (const [question, page] of [
    ["Wie ändere ich mein Kennwort?", "members.md"],
    ["Wie viele Nachrichten sind in einer Stunde erlaubt?", "keys-and-limits.md"],
    ["¿Cómo restablezco la contraseña?", "members.md"],
    ["Как восстановить резервную копию?", "storage.md"],
    ["如何备份数据库", "storage.md"],
  ] as const)
    test(`"${question}" finds the English page, and is answered`, async () => {
      using it = await opened(await ownSections());
      const hits = await it.find(question);
      expect(hits.map(({ path }) => path.split("/")[0])).toContain(page);
      expect(hits[0]?.relevance).toBeGreaterThan(0.5);
    });

  for (const question of ["Wie backe ich einen Apfelkuchen?", "¿Cuál es la capital de Francia?"])
    test(`"${question}" is not answered by docs about something else`, async () => {
      using it = await opened(await ownSections());
      for (const { relevance } of await it.find(question)) expect(relevance).toBeLessThan(0.5);
    });

  const GERMAN = stagedPage("datenbank", "Die Datenbank wird jede Nacht in ein Archiv gesichert.");
  const ENGLISH = stagedPage("database", "The database is backed up into the archive every night.");

  test("docs in its own language are searched in that", async () => {
    using it = await opened([GERMAN]);
    expect((await it.find("Wann wird die Datenbank gesichert?"))[0]?.path).toBe("datenbank");
    expect(await it.find("Wann entsteht das Backup?")).toEqual([]);
  });

  test("docs in English with a few pages in its own language are searched in that where one of these says it", async () => {
    using it = await opened([
      ...(await ownSections()),
      stagedPage("zh/moderation", "## 域名屏蔽\n\n屏蔽来自特定服务器的所有用户，即所谓的域名屏蔽。"),
      stagedPage("zh/backup", "如何备份：请把数据目录复制到其他磁盘。"),
      stagedPage("ja/run", "自分のサーバーを動かしてサポートし、アップデートとチェックをする。"),
      stagedPage("de/sichern", GERMAN.markdown),
    ]);
    expect((await it.find("怎么屏蔽域名"))[0]?.path).toBe("zh/moderation");
    expect((await it.find("Wann wird die Datenbank gesichert?"))[0]?.path).toBe("de/sichern");
    const inJapanese = await it.find("サーバーのバックアップ");
    expect(inJapanese.map(({ path }) => path.split("/")[0])).toContain("storage.md");
    const hits = await it.find("Wie viele Nachrichten sind in einer Stunde erlaubt?");
    expect(hits.map(({ path }) => path.split("/")[0])).toContain("keys-and-limits.md");
  });

  test("where only English pages are searched, it is translated even if others are beside them", async () => {
    using it = await opened([GERMAN]);
    const source = await it.storage.sources.open(
      sourceSpec(it.site.id, { location: "/english", language: "en" }),
      TEST_TIME,
    );
    await publishPages(it.storage.ingest, source, [ENGLISH]);
    const hits = await it.find("Wann wird die Datenbank gesichert?", { filter: { language: "en" } });
    expect(hits.map(({ path }) => path)).toContain("database");
  });
});

describe("translating word for word", () => {
  const DOCS = ["the", "install", "password", "file", "chang", "pragma", "protokoll", "protokol"];
  const view = {
    passages: 100,
    frequencies: async (terms: readonly string[]) =>
      new Map(terms.filter((term) => DOCS.includes(term)).map((term) => [term, term === "the" ? 90 : 3])),
    nearWords: async (word: string): Promise<NearWord[]> => NEAR[word] ?? [],
  };
  const NEAR: Record<string, NearWord[]> = {
    bundel: [{ word: "bundle", cost: 70, passages: 3 }],
    rebaes: [{ word: "rebase", cost: 70, passages: 9 }],
    paquet: [{ word: "packet", cost: 95, passages: 50 }],
    adresse: [{ word: "address", cost: 70, passages: 2 }],
  };
  const docs = { view, language: undefined };
  const translate = createTranslate({
    readAsset: readLexiconAsset,
    isWord: EMBEDDER.isWord,
    ordinaryWords: readOrdinaryWords,
  });

  for (const question of [
    "How do I change the timeout?",
    "ray tune pytorch lightning trainer",
    "logging with wandb",
    "How do I get kubectl rollout restart daemonset?",
    "List open IPv4 or IPv6 sockets",
    "How do I block somebody on WhatsApp?",
    "parse the current debug logging state",
    "How are ergänzungsschulen funded?",
    "max_retries",
    "",
  ])
    test(`a question in English stays as it is: "${question}"`, async () => {
      expect(await translate(question, docs)).toBeUndefined();
    });

  test.each([
    [
      "install the password on a new machine: wie lösche ich die Datei?",
      /^install the password on a new machine: .*\bfile\b/,
    ],
    [
      "leave some folders out of the archive: si le fichier contient des espaces ?",
      /^leave some folders out of the archive: .*\bfile\b/,
    ],
    ["Wie lösche ich die Datei: how do I change the password?", /\bfile ?: how do I change the password\?$/],
    [
      "install the password on a new machine: 如何删除文件？",
      /^install the password on a new machine: .*\bfile\b/,
    ],
    ["Passwort vergessen: wie lösche ich die Datei?", /password.*: .*\bfile\b/],
    [
      "install the password\nwie lösche ich die Datei?\nund das Kennwort?",
      /^install the password\n.*\bfile\b.*\n.*\bpassword\b/,
    ],
  ])(
    "the first line, or what stands before a colon, may be in another language: %s",
    async (question, meant) => {
      expect(await translate(question, docs)).toMatch(meant);
    },
  );

  test.each([
    "pragma: install the bundel",
    "change the file: max_retries",
    "logging: wandb",
    "https://a.example: the file",
  ])("where both are in English, neither is translated: %s", async (question) => {
    expect(await translate(question, docs)).toBeUndefined();
  });

  test.each([
    ["bundel", undefined],
    ["the rebaes", undefined],
    ["rebaes", undefined],
    // A letter is another one; hardly a passage has it; the other word is no slip; there is enough to tell a language.
    ["paquet", expect.any(String)],
    ["adresse", "address"],
    ["bundel Verzeichnis", "bundesliga index"],
    ["bundel das Verzeichnis", expect.stringContaining("index")],
  ])(
    "a word or two with a slip of the fingers in them are of no other language: %s",
    async (question, meant) => {
      expect(await translate(question, docs)).toEqual(meant);
    },
  );

  test("of a long question without a space the beginning is read, and each part of it looked up a few times", () => {
    let lookedUp = 0;
    const none = {
      has() {
        lookedUp++;
        return false;
      },
      nearest: () => undefined,
      meanings: () => [],
    };
    const [run] = wordsIn("数".repeat(50_000));
    expect(run?.written.length).toBe(2000);
    if (run) lettersKnown(run, none);
    expect(lookedUp).toBeWithin(2000, 20 * 2000);
  });

  test("the words are read with the first question that is not in English, once", async () => {
    let reads = 0;
    const counted = createTranslate({
      readAsset() {
        reads++;
        return readLexiconAsset();
      },
      isWord: EMBEDDER.isWord,
      ordinaryWords: readOrdinaryWords,
    });
    await counted("How do I change the password?", docs);
    expect(reads).toBe(0);
    await counted("Wie lösche ich das Verzeichnis?", docs);
    await counted("Wie lösche ich die Datei?", docs);
    expect(reads).toBe(1);
  });

  test("where the docs are not in English, a question stays as it is", async () => {
    const german = {
      view: { passages: 100, frequencies: async () => new Map<string, number>(), nearWords: async () => [] },
      language: undefined,
    };
    expect(await translate("Wie lösche ich das Verzeichnis?", german)).toBeUndefined();
    expect(await translate("Wie lösche ich das Verzeichnis?", { view, language: "de" })).toBeUndefined();
  });

  test("names, code and quoted text stay as they are", async () => {
    const text = await translate(
      'Wie ändere ich max_retries in config.json, `die Datei` und "der Server" für PostgreSQL?',
      docs,
    );
    for (const name of ["max_retries", "config.json", "`die Datei`", '"der Server"', "PostgreSQL"])
      expect(text).toContain(name);
    expect(text).toMatch(/change|modify/);
  });

  test("a word that the docs have stays as it is", async () => {
    expect(await translate("pragma", docs)).toBeUndefined();
    expect(await translate("F#", docs)).toBeUndefined();
    expect(await translate("Wie ändere ich das Protokoll?", docs)).toMatch(/(?:change|modify) .*Protokoll/);
  });

  test("a meaning that the docs have comes before a likelier one that they do not have", async () => {
    const [words] = readLexicon(await readLexiconAsset());
    const meanings = words?.meanings("ändern").map(({ english }) => english) ?? [];
    expect(meanings).toContain("modify");
    expect(meanings).toContain("change");
    expect(await translate("das Kennwort ändern", docs)).toBe("the password change");
  });

  test("text without spaces is cut into the longest words", async () => {
    expect(await translate("パスワードを変更する方法", docs)).toMatch(/\bpassword\b.*\bchange/);
    expect(await translate("怎样修改密码", docs)).toMatch(/\b(?:modify|change)\b.*\bpassword\b/);
  });

  test("inflected words and compounds are known by their parts", async () => {
    expect(await translate("Wie installiere ich die Kennwortdatei?", docs)).toMatch(
      /\binstall.*\bpassword file/,
    );
  });
});

describe("the words inside the binary", () => {
  const MEGABYTES_MAX = 10;

  test("they are those that the README of their scripts names", async () => {
    const asset = await readLexiconAsset();
    const hash = new Bun.CryptoHasher("sha256").update(asset).digest("hex");
    const readme = await Bun.file(join(import.meta.dir, "../../../scripts/lexicon/README.md")).text();
    expect(readme).toContain(hash);
    expect(asset.byteLength).toBeLessThanOrEqual(MEGABYTES_MAX * 1_000_000);
  });

  test("every language knows its most ordinary words", async () => {
    const languages = readLexicon(await readLexiconAsset());
    for (const word of ["kennwort", "contraseña", "passe", "пароль", "密码", "パスワード"])
      expect(
        languages.some((words) => words.meanings(word)[0]?.english === "password"),
        word,
      ).toBe(true);
  });

  test("what is no such file is refused", () => {
    expect(() => readLexicon(new Uint8Array(100))).toThrow();
  });
});
