import { describe, expect, test } from "bun:test";
import { explanationJson } from "../../../src/finding/search/explain.ts";
import { openIngestSite } from "../../helpers/ingest-site.ts";
import { openSearch } from "../../helpers/open-search.ts";

import { addSite } from "../../helpers/site-data.ts";

const WORDS = ["zebra", "lion", "install", "backup", "restore", "linux", "hay", "stripes", "upgrade", "key"];

async function opened(pages = 60) {
  const it = await openIngestSite();
  const text = (index: number) =>
    `# Page ${index}\n\n${WORDS.filter((_, at) => (index * 7 + at * 3) % 4 === 0).join(" ")} ${index}`;
  await it.run(Object.fromEntries(Array.from({ length: pages }, (_, index) => [`p${index}`, text(index)])));
  const search = openSearch(it.storage);
  const asked = async (path: string) =>
    (await it.storage.inventory.at(it.site.id, path)).map(({ id, hidden, content }) => ({
      id,
      hidden,
      passageIds: content.map((passage) => passage.id),
    }));
  const query = (text: string, more: object = {}) => ({
    audience: "everything" as const,
    siteId: it.site.id,
    text,
    pageSize: 5,
    ...more,
  });
  return { it, search, asked, query, [Symbol.dispose]: it[Symbol.dispose] };
}

interface Found {
  path: string;
  relevance: number;
}
const relevanceOf = (found: Found[]) =>
  found
    .map(({ path, relevance }) => ({ path, relevance }))
    .sort((a, b) => b.relevance - a.relevance || a.path.localeCompare(b.path));

/** All figures that are made of words. */
const weighed = ({ terms, names, passages }: ReturnType<typeof explanationJson>) => ({
  terms,
  names,
  passages: relevanceOf(passages),
});

describe("an explanation", () => {
  test("is of the search that readers have: the same passages, order and relevance", async () => {
    using its = await opened();
    for (const text of [
      ...WORDS,
      "install zebra linux",
      "restore a backup key",
      '"lion hay"',
      "nothing here",
    ]) {
      const { hits, generation } = await its.search.find(its.query(text));
      const told = await its.search.explain(its.query(text), []);
      const listed = told.passages.filter(({ standing }) => standing === "listed");
      expect(listed.map(({ passageId, relevance }) => [passageId, relevance])).toEqual(
        hits.map(({ passageId, relevance }) => [passageId, relevance]),
      );
      expect(told.generation).toBe(generation);
      expect(listed.map(({ rank }) => rank)).toEqual(listed.map((_, index) => index + 1));
    }
  });

  test("says of every page where it stands, the worst ones too", async () => {
    using its = await opened(250);
    const standings = new Set<string>();
    for (let index = 0; index < 250; index += 10) {
      const told = await its.search.explain(its.query("zebra stripes"), await its.asked(`p${index}`));
      const [page] = told.pages;
      standings.add(page?.standing ?? "");
      const [best] = page?.passages ?? [];
      expect([...(best?.has ?? []), ...(best?.lacks ?? [])].toSorted()).toEqual(["stripes", "zebra"]);
      if (page?.standing === "not_proposed") expect(best?.fusedRank).toBeUndefined();
    }
    expect(standings.size).toBeGreaterThan(2);
    expect(standings).not.toContain("");
  });

  test("of words that nobody wrote, and of none, is an explanation as well", async () => {
    using its = await opened(3);
    const unknown = await its.search.explain(its.query("quantum"), await its.asked("p1"));
    expect(unknown.terms).toMatchObject([{ word: "quantum" }]);
    const none = await its.search.explain(its.query("?! ..."), await its.asked("p1"));
    expect(none).toMatchObject({ terms: [], passages: [], proposed: 0 });
    expect(none.pages[0]?.standing).toBe("not_proposed");
  });

  test("tells how many of the site's passages have each word", async () => {
    using its = await opened(20);
    await its.it.run(
      { more: "A quantum leap.", other: "Another quantum of leaps." },
      { kind: "website", location: "x" },
    );
    const told = await its.search.explain(its.query("the quantum zebra nobody"), []);
    expect(told.sitePassages).toBe(22);
    expect(told.terms.map(({ word, passages }) => [word, passages])).toEqual([
      ["quantum", 2],
      ["zebra", 5],
      ["nobody", 0],
    ]);
  });

  test("weighs words alike whatever other sites' docs say", async () => {
    const questions = [
      "zebra",
      "quantum zebra",
      "restore maxBytes",
      "restore max_bytes",
      "quantum",
      "hay lion",
    ];
    const everything = async (others: string[]) => {
      using its = await opened();
      const other = await addSite(its.it.storage.sites, "other");
      const pages = Object.fromEntries(others.map((text, index) => [`o${index}`, text]));
      if (others.length > 0) await its.it.run(pages, { siteId: other.id });
      return await Promise.all(
        questions.map(async (text) => ({
          relevance: relevanceOf((await its.search.find(its.query(text))).hits),
          told: weighed(explanationJson(await its.search.explain(its.query(text), await its.asked("p3")))),
        })),
      );
    };
    const secret = ["A quantum zebra.", "max_bytes", "The quantum zebra has maxBytes and hay."];
    expect(await everything(secret)).toEqual(await everything([]));
  });

  test("names a hidden page and one without words before anything is measured", async () => {
    using its = await opened(3);
    const told = await its.search.explain(its.query("zebra"), [
      { id: 1, hidden: true, passageIds: [1] },
      { id: 2, hidden: false, passageIds: [] },
    ]);
    expect(told.pages.map(({ standing }) => standing)).toEqual(["hidden", "no_passages"]);
  });
});
