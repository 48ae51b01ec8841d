import { afterEach, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { databaseOf } from "../../helpers/database-of.ts";
import { startDocent, type TestDocent } from "../../helpers/docent.ts";
import { type FakeOllama, startFakeOllama } from "../../helpers/fake-ollama.ts";
import { runInProcess } from "../../helpers/run-in-process.ts";
import { isShared } from "../../helpers/shared-database.ts";
import { temporaryDirectory } from "../../helpers/temporary-directory.ts";
import { until } from "../../helpers/until.ts";

let ollama: FakeOllama | undefined;
afterEach(() => ollama?.stop());

/** Questions with words of the passage, as a model writes them. */
const writing = (text: string) => {
  const words = (text.split("Passage:")[1] ?? "").match(/[a-z]{5,}/gi) ?? [];
  const questions = words.slice(0, 3).map((word, index) => `How does the ${word} work in case ${index}?`);
  return { text: JSON.stringify({ questions, words: ["lantern"] }) };
};

const textOf = (name: string) =>
  `The ${name} switch is turned before anything else happens, and whoever turns it should wait until the lamp is green.`;

async function pendingOf({ app }: TestDocent): Promise<number> {
  const { people, storage } = app.parts;
  const { id } = await people.sites.get("acme");
  const { passages } = await storage.content.enrichments.pending(id, { after: 0, charactersMin: 80 });
  return passages.length;
}

test("a server writes for the sites that want it, goes on after it was stopped, and asks for no passage twice", async () => {
  const fake = startFakeOllama();
  ollama = fake;
  using directory = temporaryDirectory();
  const docs = join(directory.path, "docs");
  mkdirSync(docs);
  for (const name of ["alpha", "bravo", "charlie", "delta", "echo"])
    writeFileSync(join(docs, `${name}.md`), `# ${name}\n\n${textOf(name)}`);
  const data = join(directory.path, "data");
  const open = () => startDocent({ data, docs, ollama: fake.url });
  const asked = () => fake.chats.map(({ body }) => body.messages.at(-1)?.content ?? "");
  const told = () => runInProcess(["enrichment", "show", "acme", "--json", "--data", data]);

  const first = await open();
  await first.app.parts.people.sites.set("acme", { settings: { enrichment: "prepare" } });
  const all = await pendingOf(first);
  expect(all).toBe(5);
  await first.close();
  expect(fake.chats).toHaveLength(0);

  // Stopped while the model writes for the third passage.
  fake.script((chat, index) =>
    index < 2 ? writing(chat.body.messages.at(-1)?.content ?? "") : { text: ["{"], end: "hang" },
  );
  const second = await open();
  await fake.until(() => fake.chats.length === 3);
  await second.close();
  const [, , interrupted] = asked();
  expect(JSON.parse((await told()).out)).toMatchObject({ written: 2, measure: null });

  fake.script((chat) => writing(chat.body.messages.at(-1)?.content ?? ""));
  const third = await open();
  await fake.until(() => fake.chats.length === all + 1);
  const { storage, people } = third.app.parts;
  const { id } = await people.sites.get("acme");
  await until(async () => (await storage.content.enrichments.measure(id)) !== undefined);
  expect((await storage.content.enrichmentSegments.list(id)).length).toBeGreaterThan(0);
  await third.close();
  const read = asked();
  expect(read[3]).toBe(interrupted ?? "");
  expect(new Set(read).size).toBe(all);
  const { written, refused, measure } = JSON.parse((await told()).out);
  expect([written + refused, measure.questions]).toEqual([all, 0]);
  const shown = await runInProcess(["enrichment", "show", "acme", "--data", data]);
  expect(shown.out).toContain("No questions are kept for evaluation");

  const file = join(directory.path, "questions.jsonl");
  writeFileSync(file, JSON.stringify({ question: "where is the alpha switch", expected: ["alpha"] }));
  const { out } = await runInProcess(["eval", file, "--site", "acme", "--data", data]);
  expect(out).toContain("without enrichment");
  expect(out).toContain("with enrichment");
});

test.skipIf(isShared)(
  "a damaged part of what was written is found with the index of passages, and made anew with it",
  async () => {
    using directory = temporaryDirectory();
    const docent = await startDocent({ data: join(directory.path, "data") });
    const { people, storage, content, enrichments } = docent.app.parts;
    const { signal } = new AbortController();
    const site = await people.sites.get("acme");
    const { passages } = await storage.content.enrichments.pending(site.id, { after: 0, charactersMin: 1 });
    const made = { words: [], refused: undefined, model: "tiny", madeAt: 0 };
    for (const each of passages)
      await storage.content.enrichments.put(site.id, each, { questions: ["What is zirconium?"], ...made });
    await enrichments.enricher.settle(site, signal, true);
    const [segment] = await storage.content.enrichmentSegments.list(site.id);
    if (segment === undefined) throw new Error("what was written is indexed");
    databaseOf(docent.app).run(
      "UPDATE segment_rows SET bytes = zeroblob(length(bytes)) WHERE id / 16777216 = ?",
      [segment.id],
    );
    expect(await content.index.findDamaged(site.id, signal)).toEqual([segment.id]);
    await content.index.repair(site.id, signal);
    expect(await content.index.findDamaged(site.id, signal)).toEqual([]);
    const parts = { enrichment: true, corrections: false };
    const { hits } = await content.search.find({
      audience: "everything",
      siteId: site.id,
      text: "zirconium",
      pageSize: 5,
      parts,
    });
    expect(hits.length).toBeGreaterThan(0);
    await docent.close();
  },
);
