import { describe, expect, test } from "bun:test";
import { startDocent } from "../../helpers/docent.ts";
import { fakeClock } from "../../helpers/fake-clock.ts";
import { startFakeOllama } from "../../helpers/fake-ollama.ts";

const MODEL = { name: "minilm:latest", capabilities: ["embedding"], family: "bert", contextLength: 512 };

/** A server whose embedding model goes away once the docs are in. */
async function openWithoutModel() {
  const ollama = startFakeOllama({ models: [MODEL] });
  const { clock, advance } = fakeClock();
  const docent = await startDocent({
    ollama: ollama.url,
    clock,
    settings: { embedding_model: "minilm" },
  });
  await ollama.stop();
  const { people, content } = docent.app.parts;
  const { id: siteId } = await people.sites.get("acme");
  return {
    advance,
    ask: () =>
      content.search.find({ audience: "everything", siteId, text: "How do I install it?", pageSize: 5 }),
    warnings: () =>
      docent.logged
        .map((line): Record<string, unknown> => JSON.parse(line))
        .filter(({ event }) => String(event).includes("no vector")),
    [Symbol.asyncDispose]: () => docent.close(),
  };
}

describe("questions while the embedding model is away", () => {
  test("are answered by keywords, and the log names the model and the remedy, without a stack", async () => {
    await using it = await openWithoutModel();
    expect((await it.ask()).hits.length).toBeGreaterThan(0);
    expect(it.warnings()).toMatchObject([
      {
        level: "warn",
        reason: "The embedding model minilm is not available now.",
        hint: expect.stringContaining("ollama pull minilm"),
      },
    ]);
    expect(it.warnings()[0]).not.toHaveProperty("error");
  });

  test("are logged once a minute, not each", async () => {
    await using it = await openWithoutModel();
    for (let each = 0; each < 5; each++) await it.ask();
    expect(it.warnings()).toHaveLength(1);
    it.advance(60_000);
    await it.ask();
    expect(it.warnings()).toHaveLength(2);
  });
});
