import { describe, expect, test } from "bun:test";
import { openDatabase } from "../../src/storage/postgres/database/database.ts";
import { TEST_TIME } from "../helpers/fake-clock.ts";
import { publishPages, sourceSpec, stagedPage } from "../helpers/page-data.ts";
import { hasPostgres, newDatabase, queryNow } from "../helpers/postgres.ts";
import { writeElsewhere } from "../helpers/postgres-other.ts";
import { addSite } from "../helpers/site-data.ts";
import { openTestPostgres } from "../helpers/test-postgres.ts";

const nameOf = (url: string) => new URL(url).pathname.slice(1);

async function openedSite() {
  const url = await newDatabase();
  const storage = await openTestPostgres({ url });
  const site = await addSite(storage.sites, "docs");
  const source = await storage.sources.open(sourceSpec(site.id), TEST_TIME);
  return { url, storage, site, source, [Symbol.dispose]: () => storage[Symbol.dispose]() };
}

describe.if(hasPostgres)("while another server", () => {
  test("takes away what a model wrote, pages of the same content are stored without it", async () => {
    using it = await openedSite();
    const { storage, source, site } = it;
    await publishPages(storage.ingest, source, [stagedPage("a", "text")]);
    const { passages } = await storage.enrichments.pending(site.id, { after: 0, charactersMin: 1 });
    const writing = { questions: ["what?"], words: ["w"], refused: undefined, model: "m", madeAt: 1 };
    for (const passage of passages) await storage.enrichments.put(site.id, passage, writing);
    const end = await writeElsewhere(it.url, "DELETE FROM enrichments");
    const published = publishPages(storage.ingest, source, [stagedPage("b", "text", { title: "a" })]);
    await end();
    expect(await published).toBe(2);
    expect(await storage.enrichments.counts(site.id)).toEqual({ written: 0, refused: 0 });
  });

  test("prunes a passage, it is given nothing that was written for the same content", async () => {
    using it = await openedSite();
    const { storage, source, site } = it;
    await publishPages(storage.ingest, source, [stagedPage("a", "text"), stagedPage("b", "text")]);
    const { passages } = await storage.enrichments.pending(site.id, { after: 0, charactersMin: 1 });
    const [first, second] = passages;
    if (first === undefined || second === undefined) throw new Error("there are two passages");
    const writing = { questions: ["what?"], words: ["w"], refused: undefined, model: "m", madeAt: 1 };
    await storage.enrichments.put(site.id, first, writing);
    const end = await writeElsewhere(it.url, "DELETE FROM pages WHERE path = 'b'");
    const adopted = storage.enrichments.adopt(site.id, { ...second, key: first.key });
    await end();
    expect(await adopted).toBe(false);
  });

  test("names images, others are pruned", async () => {
    using it = await openedSite();
    await publishPages(it.storage.ingest, it.source, [stagedPage("a", "text")]);
    const other = openDatabase({ url: it.url, connectionsMax: 4, connectSecondsMax: 5 });
    // Named between the moment at which they are looked for and that at which they are locked: now and then.
    for (let round = 0; round < ROUNDS; round++) {
      queryNow(
        nameOf(it.url),
        `INSERT INTO images (site_id, hash, type, content)
         SELECT ${it.site.id}, ${round} || ' ' || n, 'image/png', 'x' FROM generate_series(1, ${IMAGES}) AS n`,
        [],
      );
      const naming = Array.from({ length: IMAGES }, (_, index) =>
        other.run(NAME, { reference: `${round} ${index + 1}` }),
      );
      await Promise.all([it.storage.ingest.prune(it.site.id, 1), ...naming]);
      const left =
        "SELECT count(*) AS count FROM images WHERE id NOT IN (SELECT image_id FROM page_images WHERE image_id IS NOT NULL)";
      await it.storage.ingest.prune(it.site.id, 1);
      expect(queryNow(nameOf(it.url), left, [])).toEqual([{ count: 0 }]);
    }
    await other.close();
  });
});

const ROUNDS = 12;
const IMAGES = 100;
const NAME = `
  INSERT INTO page_images (page_id, reference, image_id)
  SELECT max(id), $reference, (SELECT id FROM images WHERE hash = $reference FOR KEY SHARE) FROM pages`;
