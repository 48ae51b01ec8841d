import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { databaseOf } from "../../helpers/database-of.ts";
import { startDocent } from "../../helpers/docent.ts";
import { startFakeOllama } from "../../helpers/fake-ollama.ts";
import { embedReply, FAKE_DIMENSIONS, fakeVector } from "../../helpers/fake-ollama-embed.ts";
import { temporaryDirectory } from "../../helpers/temporary-directory.ts";

const MODEL = { name: "minilm:latest", capabilities: ["embedding"], family: "bert", contextLength: 512 };

/** A server whose docs have good vectors, and whose Ollama tells lies from then on. */
async function openWithLies(values: (text: string) => unknown) {
  const ollama = startFakeOllama({ models: [MODEL] });
  const docent = await startDocent({
    ollama: ollama.url,
    logLevel: "info" as const,
    settings: { embedding_model: "minilm" },
  });
  const { people, content, storage, sources } = docent.app.parts;
  const folder = temporaryDirectory();
  for (let page = 0; page < 20; page++)
    writeFileSync(join(folder.path, `${page}.md`), `# Page ${page}\n\nIt says how part ${page} is set up.\n`);
  const site = await people.sites.get("acme");
  ollama.embedWith(({ body }) => embedReply(body.model, body.input.map(values)));
  return {
    ingest: () =>
      sources.ingest.run({
        source: { siteId: site.id, kind: "folder", location: folder.path, version: "", language: "" },
        reader: sources.readFolder(folder.path),
        generation: site.generation,
        signal: new AbortController().signal,
      }),
    find: () =>
      content.search.find({
        audience: "everything",
        siteId: site.id,
        text: "How do I install it?",
        pageSize: 5,
      }),
    vectors: () =>
      databaseOf({ parts: { storage } })
        .query(
          "SELECT embedder_id, count(*) AS count, count(vector) AS whole FROM passage_vectors GROUP BY 1",
        )
        .all(),
    warnings: () => docent.logged.filter((line) => line.includes('"warn"')),
    async [Symbol.asyncDispose]() {
      await docent.close();
      await ollama.stop();
      folder[Symbol.dispose]();
    },
  };
}

describe("while the embedding server lies", () => {
  const LIES: [name: string, values: (text: string) => unknown][] = [
    ["with nothing", () => Array(FAKE_DIMENSIONS).fill(null)],
    ["with zeros", () => Array(FAKE_DIMENSIONS).fill(0)],
    ["with vectors of another length", (text) => fakeVector(text, 8)],
  ];
  test.each(LIES)(
    "%s, questions are answered by keywords with one line in the log, and an ingest ends and keeps the vectors that are there",
    async (_, values) => {
      await using it = await openWithLies(values);
      const before = it.vectors();
      expect(before).not.toEqual([]);
      await expect(it.ingest()).rejects.toMatchObject({ code: "unavailable" });
      expect(it.vectors()).toEqual(before);
      for (let asked = 0; asked < 5; asked++) expect((await it.find()).hits.length).toBeGreaterThan(0);
      expect(it.warnings().length).toBeLessThanOrEqual(1);
    },
  );
});
