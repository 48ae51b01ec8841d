import { afterEach, describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gradeOf, relevanceMinOf } from "../../src/finding/search/search.ts";
import { databaseOf } from "../helpers/database-of.ts";
import { type DocentOptions, question, startDocent, type TestDocent } from "../helpers/docent.ts";
import { temporaryDirectory } from "../helpers/temporary-directory.ts";
import { askV2, chunksOfType, questionV2 } from "../helpers/ui-message.ts";

const ASKED = "How do I install Acme on Linux?";
const open: TestDocent[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

async function start(options: DocentOptions = {}) {
  const docent = await startDocent(options);
  open.push(docent);
  return docent;
}
const set = (docent: TestDocent, settings: object, domain = "acme") =>
  docent.app.parts.people.sites.set(domain, { settings });
const outcome = async (docent: TestDocent, text = ASKED) => {
  const { chunks } = await askV2(docent, questionV2(text));
  return chunksOfType(chunks, "finish")[0]?.messageMetadata["outcome"];
};
const written = async (docent: TestDocent, text = ASKED) => {
  const { chunks } = await askV2(docent, questionV2(text));
  return chunksOfType(chunks, "text-delta")
    .map(({ delta }) => delta)
    .join("");
};
const found = async (docent: TestDocent, more: object = {}) => {
  const { chunks } = await askV2(docent, questionV2("install Acme page", { ...more }));
  return chunksOfType(chunks, "tool-output-available")[0]?.output.results.length;
};

describe("a site's own measure of relevance", () => {
  test("decides whether its docs cover a question, and without one the server's does", async () => {
    const docent = await start();
    expect(await written(docent)).toStartWith("This is what the documentation says");
    await set(docent, { relevanceMin: 1 });
    expect(await written(docent)).toStartWith("The documentation doesn't say this outright.");
    expect(await outcome(docent, "Where does it snow today?")).toBe("unanswered");
    await set(docent, { relevanceMin: null });
    expect(await written(docent)).toStartWith("This is what the documentation says");
  });

  test("gives each question one of three grades: from it on, from a third of it on, and below", () => {
    const grades = [1, 0.5, 0.49, 0.17, 0.16, 0].map((relevance) => gradeOf(relevance, 0.5));
    expect(grades).toEqual(["answers", "answers", "touches", "touches", "none", "none"]);
    expect([gradeOf(0, 0), gradeOf(0.1, 0)]).toEqual(["answers", "answers"]);
  });

  test("can be said in words: the site's own before the server's, and an exact number before both", () => {
    const needed = (
      answerWhen: "cautious" | "eager" | null,
      relevanceMin: number | null,
      exact: number | null,
    ) =>
      relevanceMinOf(
        { settings: { answerWhen, relevanceMin } },
        { answer_when: "balanced", relevance_min: exact },
      );
    expect([needed(null, null, null), needed("cautious", null, null), needed("eager", null, null)]).toEqual([
      0.5, 0.7, 0.3,
    ]);
    expect([needed(null, null, 0.2), needed("cautious", null, 0.2), needed("cautious", 0, 0.2)]).toEqual([
      0.2, 0.7, 0,
    ]);
  });

  test("0 is a measure, and not the lack of one", async () => {
    const far = "does linux deliver a cheese sandwich tonight";
    const docent = await start({ settings: { relevance_min: "1" } });
    expect(await outcome(docent, far)).toBe("unanswered");
    await set(docent, { relevanceMin: 0 });
    expect(await outcome(docent, far)).toBe("touched");
  });

  test("decides too which pages an unanswered question is pointed to", async () => {
    const far =
      "penguins, herring, glaciers, seals, auroras, aunts, painters, poems, violins, candles, sandwiches, hotels, or linux?";
    const lenient = await start({ settings: { relevance_min: "0.5" } });
    expect(await outcome(lenient, far)).toBe("unanswered");
    expect(await written(lenient, far)).toContain("guide/install");
    await set(lenient, { relevanceMin: 1 });
    expect(await written(lenient, far)).not.toContain("guide/install");

    const strict = await start({ settings: { relevance_min: "1" } });
    expect(await written(strict, far)).not.toContain("guide/install");
    await set(strict, { relevanceMin: 0.5 });
    expect(await written(strict, far)).toContain("guide/install");
  });
});

test("a site's own measure of nearness decides which questions get a curated answer", async () => {
  using directory = temporaryDirectory();
  const folder = directory.path;
  mkdirSync(join(folder, "answers"));
  writeFileSync(
    join(folder, "answers/reset.md"),
    "---\nquestion: How do I reset my password?\n---\n\nPress Reset.\n",
  );
  const docent = await start({ docs: folder });
  const near = "how can I reset the password";
  await set(docent, { curatedMin: 1 });
  expect(await outcome(docent, near)).not.toBe("curated");
  expect(await outcome(docent, "How do I reset my password?")).toBe("curated");
  await set(docent, { curatedMin: 0.5 });
  expect(await outcome(docent, near)).toBe("curated");
});

test("a site's page size is used where its asker does not say, through every door, and twice as much is read", async () => {
  const docent = await start();
  await set(docent, { pageSize: 1 });
  expect([await found(docent), await found(docent, { retrievalPageSize: 2 })]).toEqual([1, 2]);
  const retrieved = () => {
    const [turn] = databaseOf(docent.app)
      .query<{ json: string }, []>(
        "SELECT retrieved_json AS json FROM turns ORDER BY created_at DESC, id DESC LIMIT 1",
      )
      .all();
    return JSON.parse(turn?.json ?? "[]").length;
  };
  await (await docent.post(question("install Acme page"))).text();
  expect(retrieved()).toBe(2);
  const openai = await fetch(`${docent.url}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${docent.key}` },
    body: JSON.stringify({ model: "acme", messages: [{ role: "user", content: "install Acme page" }] }),
  });
  expect([openai.status, retrieved()]).toEqual([200, 2]);
});

describe("a site's own limit", () => {
  const openai = (docent: TestDocent, model = "acme") =>
    fetch(`${docent.url}/v1/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${docent.key}` },
      body: JSON.stringify({ model, messages: [{ role: "user", content: ASKED }] }),
    });
  const post = async (docent: TestDocent, domain = "acme") => {
    const reply = await docent.post(question(ASKED), { domain });
    await reply.text();
    return reply;
  };

  test("counts its messages through every door, and says when there is room again", async () => {
    let now = Date.now();
    const docent = await start({ clock: () => now });
    await set(docent, { hourlyMessages: 2 });
    const first = await post(docent);
    expect([
      first.status,
      first.headers.get("ratelimit-limit"),
      first.headers.get("ratelimit-remaining"),
    ]).toEqual([200, "2", "1"]);
    expect((await openai(docent)).status).toBe(200);
    const refused = [await post(docent), await openai(docent)];
    expect(refused.map(({ status }) => status)).toEqual([429, 429]);
    expect(Number(refused[0]?.headers.get("retry-after"))).toBeGreaterThan(3600 - 60);
    now += 3_660_000;
    expect((await post(docent)).status).toBe(200);
  });

  test("leaves the organization's other sites alone, and a new limit holds at once", async () => {
    const docent = await start();
    await docent.app.parts.people.sites.add({ domain: "handbook" });
    await set(docent, { hourlyMessages: 1 });
    await post(docent);
    expect([(await post(docent)).status, (await post(docent, "handbook")).status]).toEqual([429, 200]);
    await set(docent, { hourlyMessages: 3 });
    expect((await post(docent)).status).toBe(200);
    await set(docent, { hourlyMessages: 0 });
    for (let message = 0; message < 3; message++) expect((await post(docent)).status).toBe(200);
  });

  test("counts messages alone: searches are not refused for it", async () => {
    const docent = await start();
    await set(docent, { hourlyMessages: 1 });
    const headers = { authorization: `Bearer ${docent.key}`, "content-type": "application/json" };
    const body = JSON.stringify({ query: "install" });
    for (let search = 0; search < 3; search++)
      expect((await fetch(`${docent.url}/v1/search/acme`, { method: "POST", headers, body })).status).toBe(
        200,
      );
    expect((await post(docent)).status).toBe(200);
  });

  test("cannot widen the organization's", async () => {
    const docent = await start({ settings: { organization_messages_per_hour: "1" } });
    await set(docent, { hourlyMessages: 100 });
    expect([(await post(docent)).status, (await post(docent)).status]).toEqual([200, 429]);
  });
});
