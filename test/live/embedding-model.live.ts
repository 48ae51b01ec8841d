import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { databaseOf } from "../helpers/database-of.ts";
import { startDocent, type TestDocent } from "../helpers/docent.ts";
import { until } from "../helpers/real-ollama-chat.ts";
import { EMBED, realOllama } from "../helpers/real-ollama-here.ts";
import { temporaryDirectory } from "../helpers/temporary-directory.ts";

const { url } = realOllama();
const PATIENT = { connect_seconds: "30", question_vector_seconds: "60" };
const WITH_MINILM = { ollama: url, settings: { ...PATIENT, embedding_model: EMBED } };

/** Pages of which only one answers the question below, in none of its words. */
const PAGES = {
  "goodbye.md":
    "# Leaving us\n\nErase your profile permanently under Preferences. All personal data vanishes.\n",
  "deliveries.md": "# Shipping\n\nParcels leave the warehouse on weekdays and arrive after two days.\n",
  "colours.md": "# Themes\n\nChoose a dark or a light appearance, or follow the system.\n",
  "backups.md": "# Backups\n\nEvery night the database is copied to another disk and kept for a month.\n",
};
const MEANT = "How can someone delete their account?";

function writePages(folder: string): string {
  mkdirSync(folder);
  for (const [name, text] of Object.entries(PAGES)) writeFileSync(join(folder, name), text);
  return folder;
}

async function siteOf({ app }: TestDocent) {
  const site = await app.parts.people.sites.get("acme");
  const { embedder } = await app.parts.storage.content.search.state(site.id);
  return { siteId: site.id, identity: embedder?.identity ?? "none" };
}

async function find(docent: TestDocent, parts: { keyword?: boolean; nearest?: boolean }) {
  const { siteId } = await siteOf(docent);
  const { hits } = await docent.app.parts.content.search.find({
    audience: "everything",
    siteId,
    text: MEANT,
    pageSize: 3,
    parts,
  });
  return hits.map(({ path }) => path);
}

test("docs whose vectors MiniLM makes are found by what a question means", async () => {
  using directory = temporaryDirectory();
  const docent = await startDocent({ ...WITH_MINILM, docs: writePages(join(directory.path, "docs")) });
  expect((await siteOf(docent)).identity).toStartWith("ollama:all-minilm:latest:");
  expect(await find(docent, { nearest: false })).not.toContain("goodbye");
  expect((await find(docent, { keyword: false }))[0]).toBe("goodbye");
  expect(await find(docent, {})).toContain("goodbye");
  await docent.close();
});

test("another embedder makes all vectors anew beside the old ones, then takes their place, and back", async () => {
  using directory = temporaryDirectory();
  const data = join(directory.path, "data");
  const docs = writePages(join(directory.path, "docs"));
  const builtin = await startDocent({ data, docs });
  const { identity } = await siteOf(builtin);
  await builtin.close();

  const changed = await startDocent({ ...WITH_MINILM, data, docs: null });
  await until(async () => (await siteOf(changed)).identity !== identity);
  expect((await siteOf(changed)).identity).toStartWith("ollama:all-minilm:latest:");
  expect(vectorsIn(changed)).toEqual({ passages: 4, vectors: 4, bytes: 384, embedders: 1 });
  expect((await find(changed, { keyword: false }))[0]).toBe("goodbye");
  await changed.close();

  const back = await startDocent({ data, docs: null });
  await until(async () => (await siteOf(back)).identity === identity);
  expect(vectorsIn(back)).toMatchObject({ passages: 4, vectors: 4, embedders: 1 });
  await back.close();
});

test("a page that changes is embedded again, and the others keep their vectors", async () => {
  using directory = temporaryDirectory();
  const data = join(directory.path, "data");
  const docs = writePages(join(directory.path, "docs"));
  await (await startDocent({ ...WITH_MINILM, data, docs })).close();
  writeFileSync(
    join(docs, "colours.md"),
    "# Themes\n\nErasing an account is described elsewhere; here are colours.\n",
  );
  const docent = await startDocent({ ...WITH_MINILM, data, docs });
  expect((await find(docent, { keyword: false })).slice(0, 2).sort()).toEqual(["colours", "goodbye"]);
  await docent.close();
});

/** What search uses now: as many vectors as there are passages, all of one embedder. */
function vectorsIn({ app }: TestDocent) {
  return databaseOf(app)
    .query(
      `SELECT (SELECT count(*) FROM passages) AS passages, count(*) AS vectors, max(length(vector)) AS bytes,
              count(DISTINCT embedder_id) AS embedders FROM passage_vectors`,
    )
    .get();
}
