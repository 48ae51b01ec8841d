import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { analyze } from "../../../../src/finding/search/analyze.ts";
import { FIELD_WEIGHTS, FIELDS, fieldTexts } from "../../../../src/finding/search/keyword-index/fields.ts";
import type { WordQuery } from "../../../../src/finding/search/keyword-index/keyword-index.ts";
import type { IndexablePassage } from "../../../../src/finding/search/keyword-index/segment-store.ts";
import { readQuery } from "../../../../src/finding/search/read-query.ts";
import { seededRandom } from "../../../../src/measuring/eval/seeded-random.ts";
import { parsePage } from "../../../../src/reading/markdown/page.ts";
import { below, byId, openIndex, pagesOf, type Random, SITE, signal } from "./random-passages.ts";

const LIMIT = 20;
const DOCS = new URL("../../../../docs/", import.meta.url).pathname;

/** Docent's own documentation, in passages. */
async function docsPassages(): Promise<IndexablePassage[]> {
  const files = [...new Bun.Glob("*.md").scanSync(DOCS)].sort();
  const pages = await Promise.all(files.map((file) => Bun.file(`${DOCS}${file}`).text()));
  const passages = pages.flatMap((text, pageId) => {
    const page = parsePage(text, { fallbackTitle: files[pageId] ?? "", format: "md" });
    return page.passages.map(({ headingPath, text: own, identifiers }) => ({
      pageId,
      title: page.title,
      keywords: [],
      headings: headingPath,
      text: own,
      identifiers,
    }));
  });
  return passages.map((passage, index) => ({ id: index + 1, ...passage }));
}

/** The same passages in a table of SQLite's own full-text search: its terms are ours. */
function fullTextTable(passages: Iterable<IndexablePassage>) {
  const database = new Database(":memory:");
  database.run(`CREATE VIRTUAL TABLE entries USING fts5 (${FIELDS.join(", ")}, content = '',
    tokenize = "unicode61 remove_diacritics 0 categories 'L* M* N* S* P* Co'")`);
  const insert = database.query(
    "INSERT INTO entries (rowid, title, headings, body, identifiers) VALUES (?, ?, ?, ?, ?)",
  );
  database.transaction(() => {
    for (const passage of passages)
      insert.run(
        passage.id,
        ...fieldTexts(passage)
          .map(analyze)
          .map((terms) => terms.join(" ")),
      );
  })();
  const ranked = database.query<{ id: number; score: number }, [string]>(`
    SELECT rowid AS id, -bm25(entries, ${FIELD_WEIGHTS.join(", ")}) AS score FROM entries
    WHERE entries MATCH ? ORDER BY score DESC, rowid`);
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
  return {
    match: ({ terms, phrases, prefix }: WordQuery) =>
      ranked.all(
        [
          ...terms.map(quoted),
          ...phrases.map((phrase) => quoted(phrase.join(" "))),
          ...(prefix === undefined ? [] : [`${quoted(prefix)}*`]),
        ].join(" OR "),
      ),
    [Symbol.dispose]: () => database.close(),
  };
}

/** Questions as people ask: headings, their beginnings as they are typed, and phrases of the text. */
function questions(passages: Map<number, IndexablePassage>, random: Random): WordQuery[] {
  const headings = [...new Set(passages.values().flatMap(({ headings }) => headings))];
  const asked = headings.filter(() => random() < 0.25);
  const texts = [...passages.values()].map(({ text }) => analyze(text)).filter(({ length }) => length > 4);
  const phrases = Array.from({ length: 100 }, () => {
    const terms = texts[below(random, texts.length)] ?? [];
    const at = below(random, terms.length - 4);
    return terms.slice(at, at + 2 + below(random, 3));
  });
  const typed = asked.map((text) => text.slice(0, 2 + below(random, text.length)));
  return [
    ...asked.map((text) => readQuery(text)),
    ...typed.map((text) => readQuery(text, { asYouType: true })),
    ...phrases.map((phrase) => ({ terms: [], phrases: [phrase], prefix: undefined })),
    ...phrases.map((phrase, index) => ({
      terms: [...new Set(phrases[(index * 7) % phrases.length])],
      phrases: [phrase],
      prefix: index % 3 === 0 ? phrase[0]?.slice(0, 2) : undefined,
    })),
  ].filter(({ terms, phrases: own, prefix }) => terms.length + own.length > 0 || prefix !== undefined);
}

/** Both find the same first passages; of those that are equally good to the last digits, either may come first. */
async function expectSame(
  it: ReturnType<typeof openIndex>,
  passages: Map<number, IndexablePassage>,
  random: Random,
) {
  using table = fullTextTable(passages.values());
  const view = await it.view();
  expect(view.passages).toBe(passages.size);
  const asked = questions(passages, random);
  expect(asked.length).toBeGreaterThan(300);
  for (const query of asked) {
    const found = await view.match(query, LIMIT);
    const all = table.match(query);
    const scores = new Map(all.map(({ id, score }) => [id, score]));
    expect(found.length).toBe(Math.min(LIMIT, all.length));
    const furthest = found.reduce((most, { passageId, score }, place) => {
      const gaps = [all[place]?.score, scores.get(passageId)].map((theirs = Infinity) =>
        Math.abs(theirs - score),
      );
      return Math.max(most, ...gaps);
    }, 0);
    expect(furthest).toBeLessThan(1e-9);
  }
}

describe("the keyword index and SQLite's full-text search", () => {
  test("find the same passages with the same scores: anew, after merging, and after deletes", async () => {
    const random = seededRandom(20_261_122);
    const all = await docsPassages();
    const passages = byId([]);
    const it = openIndex(passages, () => pagesOf(passages));
    for (const [index, passage] of all.entries()) {
      passages.set(passage.id, passage);
      if (index % 150 === 149 || index === all.length - 1) await it.keeper.catchUp(SITE, { signal });
    }
    await expectSame(it, passages, random);
    await it.keeper.tidy(SITE, signal);
    await expectSame(it, passages, random);
    const gone = new Set([...pagesOf(passages)].filter(() => random() < 0.2));
    for (const [id, { pageId }] of passages) if (gone.has(pageId)) passages.delete(id);
    await expectSame(it, passages, random);
    await it.keeper.tidy(SITE, signal);
    await expectSame(it, passages, random);
  });
});
