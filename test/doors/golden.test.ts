import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { type AdminDoorUnderTest, startAdminDoor } from "../helpers/admin-door.ts";
import { question, textOf } from "../helpers/docent.ts";
import { GOLDEN_DOCS, writeDocs } from "../helpers/golden-site.ts";
import { temporaryDirectory } from "../helpers/temporary-directory.ts";
import { addTurn } from "../helpers/turn-data.ts";

const GOLDEN = "/sites/acme/golden";
const QUESTIONS = `${GOLDEN}/questions`;
const INSTALL = "How do I install Acme on Linux?";
const ONE = { question: INSTALL, expected: ["install"] };

let folder: ReturnType<typeof temporaryDirectory>;
let docs: string;
let door: AdminDoorUnderTest;
let source: number;
beforeAll(async () => {
  folder = temporaryDirectory();
  docs = join(folder.path, "docs");
  writeDocs(docs, GOLDEN_DOCS);
  door = await startAdminDoor({ docs, settings: { source_roots: `default=${docs}` } });
  const { body } = await door.ask("GET", "/sites/acme/sources");
  source = Number(Array.isArray(body) ? body[0].number : 0);
});
afterAll(async () => {
  await door.close();
  folder[Symbol.dispose]();
});

/** Asks for a run, and polls it until it has ended. */
async function run(body?: object): Promise<Record<string, unknown>> {
  const accepted = await door.ask("POST", `/sites/acme/sources/${source}/runs`, { body });
  expect(accepted.status).toBe(202);
  const path = (accepted.headers.get("location") ?? "").replace(/^.*\/v1\/admin/, "");
  for (;;) {
    const job = await door.expectStatus(200, "GET", path);
    if (job["state"] === "ended") return job;
    await Bun.sleep(5);
  }
}

const answer = async () => textOf(await (await door.post(question(INSTALL))).text());
const questions = async () => (await door.ask("GET", QUESTIONS)).body;

describe("golden questions", () => {
  test("one is added, listed, asked, and removed", async () => {
    const added = await door.expectStatus(201, "POST", QUESTIONS, {
      body: { ...ONE, expected: ["https://docs.acme.example/install#linux"], groups: ["staff"] },
    });
    expect(added).toMatchObject({ origin: "hand", expected: ["install#linux"], groups: ["staff"] });
    expect(await questions()).toEqual([added]);
    const { body } = await door.ask("POST", `${GOLDEN}/run`);
    expect(body).toMatchObject([{ ...added, standing: { rank: 1, page: "install", isAnswered: true } }]);
    await door.expectStatus(204, "DELETE", `${QUESTIONS}/${added["id"]}`);
    await door.expectStatus(404, "DELETE", `${QUESTIONS}/${added["id"]}`);
    expect(await questions()).toEqual([]);
  });

  test("what the site keeps already becomes golden questions, and many at once", async () => {
    const { body } = await door.ask("POST", `${GOLDEN}/import`, {
      body: { questions: [ONE, ONE, { question: "Where?", expected: ["nowhere"] }] },
    });
    expect(body).toMatchObject({ added: 1, known: 1, unusable: 1, named: [{ question: "Where?" }] });
    for (const from of ["evaluation", "liked", "curated"])
      expect((await door.ask("POST", `${GOLDEN}/import`, { body: { from } })).body).toMatchObject({
        added: 0,
      });
    const [kept] = Object.values(Object(await questions()));
    await door.expectStatus(204, "DELETE", `${QUESTIONS}/${Object(kept).id}`);
  });

  test.each([
    {},
    { question: "", expected: ["install"] },
    { question: "x", expected: [] },
    { question: "x", expected: ["nowhere"] },
    { question: "x".repeat(1001), expected: ["install"] },
    { ...ONE, more: 1 },
    7,
  ])("%j is none", async (body) => {
    await door.expectStatus(400, "POST", QUESTIONS, { body });
    expect(await questions()).toEqual([]);
  });

  test("who may only read changes nothing, and another organization learns nothing", async () => {
    for (const [method, path, body] of [
      ["POST", QUESTIONS, ONE],
      ["POST", `${GOLDEN}/import`, { from: "liked" }],
      ["POST", `${GOLDEN}/run`, undefined],
      ["DELETE", `${QUESTIONS}/none`, undefined],
    ] as const) {
      await door.expectStatus(403, method, path, { as: "ownRead", body });
      await door.expectStatus(404, method, path, { as: "other", body });
      await door.expectStatus(401, method, path, { as: "assistant", body });
    }
    for (const path of [QUESTIONS, `${GOLDEN}/checks`, "/sites/acme/generations/1/report"]) {
      await door.expectStatus(200, "GET", path, { as: "ownRead" });
      await door.expectStatus(404, "GET", path, { as: "other" });
    }
  });

  test("a run that loses a page of them is refused where the site requires them, readers ask what they did, and it is published once that is accepted", async () => {
    await addTurn(door.app.parts.storage.conversations.threads, {
      siteId: (await door.app.parts.people.sites.get("acme")).id,
      id: "asked",
      asked: { text: "What do giraffes eat?" },
      end: { outcome: "unanswered" },
    });
    const kept = await door.expectStatus(201, "POST", QUESTIONS, { body: ONE });
    await door.expectStatus(200, "PATCH", "/sites/acme", {
      body: { settings: { goldenQuestions: "require" } },
    });
    expect(await answer()).toContain("acme-install");
    writeDocs(docs, { "install.md": undefined, "giraffe.md": "# Giraffes\n\nGiraffes eat acacia." });

    expect(await run()).toMatchObject({
      outcome: "refused",
      generation: null,
      message: "The golden question would get worse: readers still see generation 1.",
      counts: { goldenAsked: 1, goldenWorse: 1, removed: 1 },
    });
    expect(await answer()).toContain("acme-install");
    const [refused] = Object.values(Object((await door.ask("GET", `${GOLDEN}/checks`)).body));
    expect(refused).toMatchObject({
      before: 1,
      generation: null,
      refused: true,
      worse: [
        {
          id: kept["id"],
          question: INSTALL,
          before: { rank: 1, page: "install" },
          after: { rank: null },
          why: { reason: "gone", page: "install" },
        },
      ],
    });
    await door.expectStatus(404, "GET", "/sites/acme/generations/2/report");

    expect(await run({ acceptWorse: true })).toMatchObject({ outcome: "published", generation: 2 });
    expect(await answer()).not.toContain("acme-install");
    const report = await door.expectStatus(200, "GET", "/sites/acme/generations/2/report");
    expect(report).toMatchObject({
      before: 1,
      pages: { counts: { added: 1, removed: 1 }, removed: [{ path: "install" }] },
      golden: { worse: [{ question: INSTALL }] },
      questions: {
        gained: [{ question: "What do giraffes eat?", isGap: true, page: "giraffe" }],
        lost: [{ question: INSTALL, page: "install" }],
      },
    });
  });

  test("where the requirement is taken back, the next run is published", async () => {
    await door.expectStatus(201, "POST", QUESTIONS, {
      body: { question: "What do giraffes eat?", expected: ["giraffe"] },
    });
    writeDocs(docs, { "giraffe.md": undefined });
    expect(await run()).toMatchObject({ outcome: "refused" });
    await door.expectStatus(200, "PATCH", "/sites/acme", { body: { settings: { goldenQuestions: "show" } } });
    expect(await run()).toMatchObject({ outcome: "published", generation: 3 });
  });
});
