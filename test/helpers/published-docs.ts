import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { SearchQuery } from "../../src/finding/search/search.ts";
import type { StagedPage } from "../../src/sites/ingest/stores.ts";
import { TEST_TIME } from "./fake-clock.ts";
import { openSearch } from "./open-search.ts";
import { publishPages, sourceSpec, stagedPage } from "./page-data.ts";
import { addSite } from "./site-data.ts";
import { openTestStorage } from "./test-storage.ts";

type SearchOptions = Parameters<typeof openSearch>[1];

/** A site whose one source has published these pages, and the search of it. */
export async function publishedDocs(pages: StagedPage[], options: SearchOptions = {}, language = "") {
  const storage = await openTestStorage();
  const site = await addSite(storage.sites, "docs");
  const source = await storage.sources.open(sourceSpec(site.id, { language }), TEST_TIME);
  if (pages.length > 0) await publishPages(storage.ingest, source, pages);
  const search = openSearch(storage, options);
  const find = (text: string, change: Partial<SearchQuery> = {}) =>
    search.find({ audience: "everything", siteId: site.id, text, pageSize: 10, ...change });
  /** Of the best hit. */
  const relevanceOf = async (text: string) => (await find(text)).hits[0]?.relevance ?? 0;
  return { storage, site, source, search, find, relevanceOf, [Symbol.dispose]: storage[Symbol.dispose] };
}

/** The same for pages `p0`, `p1` and so on that have nothing but these texts. */
export const publishedTexts = (texts: readonly string[]) =>
  publishedDocs(texts.map((text, at) => stagedPage(`p${at}`, text)));

const OWN_DOCS = join(import.meta.dir, "../../docs");

/** The sections of Docent's own pages, each as a page. */
export async function ownSections() {
  const names = readdirSync(OWN_DOCS).filter((name) => name.endsWith(".md") && !name.includes("quality"));
  const texts = await Promise.all(names.map((name) => Bun.file(join(OWN_DOCS, name)).text()));
  return texts.flatMap((text, index) =>
    text.split(/^## /m).map((section, number) => {
      const path = `${names[index]}/${number}`;
      return stagedPage(path, section, { title: section.slice(0, section.indexOf("\n")) });
    }),
  );
}
