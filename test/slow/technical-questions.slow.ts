import { expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { RELEVANCE_OF } from "../../src/finding/search/search.ts";
import { createBuiltinEmbedder, readBuiltinAsset } from "../../src/models/builtin/builtin.ts";
import { openIngestSite } from "../helpers/ingest-site.ts";
import { openSearch } from "../helpers/open-search.ts";

setDefaultTimeout(300_000);

const ROOT = join(import.meta.dir, "../..");
const embedder = createBuiltinEmbedder(readBuiltinAsset);
/** What people ask of other software, much of which these docs name: git, nginx, Docker, PostgreSQL, Prometheus. */
const TECHNICAL = (await Bun.file(join(ROOT, "test/fixtures/questions/technical.txt")).text())
  .trim()
  .split("\n");
const OWN = [
  "How do I install Docent on Linux?",
  "how can I add a git repository as a source",
  "How do I set the base path in nginx?",
  "How do I put Docent behind nginx?",
  "How do I move from SQLite to PostgreSQL?",
  "which metrics can Prometheus scrape",
  "How do I sign readers in with single sign-on?",
  "how long are conversations kept",
  "How do I restore a backup?",
  "When is a question declined?",
  "How do I add the widget to a page?",
  "can I run it in Kubernetes",
];

test("docs of one product answer their own questions, and a quarter at most of those about software that they name", async () => {
  using it = await openIngestSite({ embedder });
  const pages: Record<string, string> = {};
  for await (const file of new Bun.Glob("*.md").scan(join(ROOT, "docs")))
    pages[file.replace(/\.md$/, "")] = await Bun.file(join(ROOT, "docs", file)).text();
  await it.run(pages);
  const search = openSearch(it.storage, { embedder, isWord: embedder.isWord });
  await search.calibrate(it.site.id, new AbortController().signal);
  const isAnswered = async (text: string) => {
    const { hits } = await search.find({ audience: "everything", siteId: it.site.id, text, pageSize: 5 });
    return hits.some(({ relevance }) => relevance >= RELEVANCE_OF.balanced);
  };
  const declined: string[] = [];
  for (const question of OWN) if (!(await isAnswered(question))) declined.push(question);
  expect(declined).toEqual([]);
  let answered = 0;
  for (const question of TECHNICAL) if (await isAnswered(question)) answered++;
  expect(answered).toBeLessThan(TECHNICAL.length / 4);
});
