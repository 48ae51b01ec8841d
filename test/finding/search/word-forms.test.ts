import { describe, expect, test } from "bun:test";
import { createHighlighter } from "../../../src/finding/search/highlight.ts";
import { INFLECTED_LANGUAGES, stemIn } from "../../../src/finding/search/stems/stems.ts";
import { findForms } from "../../../src/finding/search/word-forms/word-forms.ts";
import type { StagedPage } from "../../../src/sites/ingest/stores.ts";
import { stagedPage } from "../../helpers/page-data.ts";
import { publishedDocs } from "../../helpers/published-docs.ts";

async function opened(pages: StagedPage[]) {
  const docs = await publishedDocs(pages);
  const query = { audience: "everything", siteId: docs.site.id, pageSize: 10 } as const;
  return { ...docs, explain: (text: string) => docs.search.explain({ ...query, text }, []) };
}

const GERMAN = [
  stagedPage(
    "stop",
    "Die Dienste werden mit einem Befehl gestoppt, und die Daten sind dann auf der Platte.",
    {
      title: "Dienste",
    },
  ),
  stagedPage(
    "copy",
    "Die Kopien der Daten sind auf einer Platte, und der Server ist nicht mit ihr verbunden.",
    {
      title: "Kopien",
    },
  ),
];
const TURKISH = [
  stagedPage("setup", "Sunucunun kurulumu için bir dosyadan okunur ve bu dosya çok küçük olarak gelir.", {
    title: "Sunucu",
  }),
  stagedPage("backup", "Yedekler bir kopya olarak alınır ve her gün için yeni bir yedek daha olur.", {
    title: "Yedekler",
  }),
];

describe("words in languages whose endings are known", () => {
  test.each([
    ["German", GERMAN, "Wie wird ein Dienst auf dem Server gestoppt?", "stop"],
    ["German, in so few words that they do not tell it", GERMAN, "Kopie", "copy"],
    ["Turkish", TURKISH, "dosyaları", "setup"],
  ])("are found in other forms: %s", async (_, pages, question, path) => {
    using it = await opened(pages);
    const { hits } = await it.find(question);
    expect(hits[0]?.path).toBe(path);
  });

  test("are shown to owners as they are written", async () => {
    using it = await opened(TURKISH);
    const { terms, passages } = await it.explain("yedeklerin");
    expect(terms).toEqual([{ word: "yedeklerin", term: "yedek", passages: 1 }]);
    expect(passages[0]).toMatchObject({ path: "backup", has: ["yedeklerin"], lacks: [] });
  });

  test("are marked in every form, where the question tells its language", () => {
    const mark = createHighlighter("Wie werden die Dienste mit einem Befehl gestoppt?", { asYouType: false });
    const text = "Ein Dienst und seine Befehle";
    expect(mark(text).map(([from, to]) => text.slice(from, to))).toEqual(["Dienst", "Befehle"]);
  });
});

describe("the forms of a question's words", () => {
  const counted = (counts: Record<string, number>) => async (terms: readonly string[]) =>
    new Map(terms.flatMap((term) => (counts[term] === undefined ? [] : [[term, counts[term]] as const])));

  test("are those that more passages have than have the word as it is written", async () => {
    const counts = { docker: 5, "~de dock": 4, kopi: 1, "~de kopi": 3 };
    expect(await findForms("Wie sind die Kopien mit Docker?", counted(counts))).toEqual(
      new Map([["kopien", "~de kopi"]]),
    );
  });

  test("are of the language in which the docs have most of the words, where the question does not tell its own", async () => {
    const counts = {
      "~es": 4,
      "~pt": 9,
      "~es instal": 2,
      "~pt instal": 9,
      "~es servidor": 2,
      "~en instal": 9,
    };
    expect([...(await findForms("instalando servidores", counted(counts))).values()]).toEqual([
      "~es instal",
      "~es servidor",
    ]);
  });

  test("are none of a question in English, of names, or where no passage has any", async () => {
    const all = async (terms: readonly string[]) => new Map(terms.map((term) => [term, 1] as const));
    expect((await findForms("How do I stop the services of this server?", all)).size).toBe(0);
    expect((await findForms("--force max_size", all)).size).toBe(0);
    expect((await findForms("Wie wird es gemacht?", counted({}))).size).toBe(0);
  });
});

test("each language whose forms are looked for has what cuts its endings", () => {
  const without = INFLECTED_LANGUAGES.filter((language) => stemIn(language, "internationale") === undefined);
  expect(without).toEqual([]);
  expect(stemIn("en", "internationale")).toBeUndefined();
});
