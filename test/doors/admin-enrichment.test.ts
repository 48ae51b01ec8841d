import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { enrichmentShape } from "../../src/doors/admin/shapes.ts";
import { type AdminDoorUnderTest, type KeyName, startAdminDoor } from "../helpers/admin-door.ts";
import { TEST_TIME } from "../helpers/fake-clock.ts";

const { signal } = new AbortController();
const PATH = "/sites/acme/enrichment";
let door: AdminDoorUnderTest;
beforeAll(async () => {
  door = await startAdminDoor();
  const { storage, people } = door.app.parts;
  const { id } = await people.sites.get("acme");
  const { passages } = await storage.content.enrichments.pending(id, { after: 0, charactersMin: 1 });
  for (const [index, passage] of passages.entries())
    await storage.content.enrichments.put(id, passage, {
      questions: [`How about xylophone ${index}?`],
      words: [],
      refused: index === 0 ? "no_json" : undefined,
      model: "tiny:latest",
      madeAt: TEST_TIME,
    });
});
afterAll(() => door.close());

const read = async (as: KeyName = "ownRead") =>
  enrichmentShape.parse(await door.expectStatus(200, "GET", PATH, { as }));

/** Keeps a question for evaluation, as if a reader had asked it. */
async function keep(question: string, expected: string[]): Promise<void> {
  const { people, storage, ids } = door.app.parts;
  const { id } = await people.sites.get("acme");
  const kept = {
    id: ids.ulid(),
    turnId: undefined,
    question,
    expected,
    subset: "",
    version: "",
    language: "",
  };
  await storage.reports.evaluation.add(id, { ...kept, at: TEST_TIME });
}

describe("what a model has written for a site", () => {
  test("is told with some of it, and that nothing was measured", async () => {
    const state = await read();
    expect(state).toMatchObject({ mode: "off", refused: 1, isCounted: false, measure: null });
    expect(state.written).toBe(2);
    expect(state.samples[0]).toMatchObject({
      model: "tiny:latest",
      questions: [expect.stringContaining("xylo")],
    });
  });

  test("is measured with the kept questions, with it and without it", async () => {
    const { people, enrichments, storage } = door.app.parts;
    const site = await people.sites.get("acme");
    // Brings what was written into the index, as work in the background does.
    await enrichments.enricher.settle(site, signal, true);
    const [sample] = await storage.content.enrichments.samples(site.id, 1);
    if (sample === undefined) throw new Error("something was written");
    const word = /xylophone \d+/.exec(sample.questions[0] ?? "")?.[0] ?? "";
    for (let number = 0; number < 20; number++) await keep(`${word} ${number}00`, [sample.path]);
    await door.expectStatus(200, "PATCH", "/sites/acme", { body: { settings: { enrichment: "on" } } });
    const { measure, isCounted } = enrichmentShape.parse(
      await door.expectStatus(200, "POST", `${PATH}/measure`, {}),
    );
    expect(measure).toMatchObject({ questions: 20, worse: 0 });
    expect(measure?.better).toBeGreaterThan(0);
    expect(measure?.ndcgWith).toBeGreaterThan(measure?.ndcgWithout ?? 1);
    expect(isCounted).toBe(true);
  });

  test("is in no page, no llms.txt and no search result, and in what finds a page alone", async () => {
    const { search } = door.app.parts.content;
    const { id } = await door.app.parts.people.sites.get("acme");
    const { hits } = await search.find({
      audience: "everything",
      siteId: id,
      text: "xylophone",
      pageSize: 5,
    });
    expect(hits.length).toBeGreaterThan(0);
    expect(JSON.stringify(hits)).not.toContain("xylophone");
  });

  test("is for those who may see the site, and changed by those who may write", async () => {
    for (const as of ["other", "assistant", "none"] as const)
      expect((await door.ask("GET", PATH, { as })).status).toBeGreaterThan(400);
    expect((await door.ask("GET", PATH, { as: "other" })).status).toBe(404);
    for (const [method, path] of [
      ["POST", `${PATH}/measure`],
      ["DELETE", PATH],
    ] as const)
      expect((await door.ask(method, path, { as: "ownRead" })).status).toBe(403);
  });

  test("is removed whole, and is searched no more", async () => {
    const { removed } = await door.expectStatus(200, "DELETE", PATH, {});
    expect(removed).toBe(3);
    expect(await read()).toMatchObject({
      written: 0,
      refused: 0,
      isCounted: false,
      measure: null,
      samples: [],
    });
    const { people, storage } = door.app.parts;
    const { id } = await people.sites.get("acme");
    expect(await storage.content.enrichmentSegments.list(id)).toEqual([]);
  });
});
