import { expect, test } from "bun:test";
import { describeAnswerCacheStore } from "../contract/answer-cache-store.ts";
import { TEST_TIME } from "../helpers/fake-clock.ts";
import { hasPostgres } from "../helpers/postgres.ts";
import { addSite } from "../helpers/site-data.ts";
import { openTestPostgres } from "../helpers/test-postgres.ts";
import { openTestStorage } from "../helpers/test-storage.ts";
import { addTurn } from "../helpers/turn-data.ts";

describeAnswerCacheStore("SQLite", openTestStorage);
if (hasPostgres) describeAnswerCacheStore("PostgreSQL", openTestPostgres);

for (const [what, json] of [
  ["no JSON", '{"generation":0,"mod'],
  ["an answer of another shape", '{"generation":0,"text":"So."}'],
]) {
  test(`an entry that is ${what} is none, and is removed`, async () => {
    using storage = await openTestStorage();
    const { database, answerCache } = storage;
    const site = await addSite(storage.sites);
    await addTurn(storage.threads, { siteId: site.id, id: "turn" });
    const given = {
      generation: 0,
      model: "tiny",
      query: "How?",
      rewritten: [],
      looks: [],
      found: [],
      written: [],
    };
    const answer = { ...given, retrieved: [], cited: [] };
    await answerCache.put({ siteId: site.id, turnId: "turn", key: "key", answer, at: TEST_TIME });
    database.query("UPDATE cached_answers SET answer_json = ?").run(json ?? "");
    expect(await answerCache.find(site.id, "key")).toBeUndefined();
    expect(database.query("SELECT * FROM cached_answers").all()).toEqual([]);
  });
}

test("an answer that is found is read and nothing is written", async () => {
  using storage = await openTestStorage();
  const { database, answerCache } = storage;
  const site = await addSite(storage.sites);
  await addTurn(storage.threads, { siteId: site.id, id: "turn" });
  const answer = {
    generation: 0,
    model: "tiny",
    query: "How?",
    rewritten: [],
    looks: [],
    found: [],
    written: ["So."],
  };
  await answerCache.put({
    siteId: site.id,
    turnId: "turn",
    key: "key",
    at: TEST_TIME,
    answer: { ...answer, retrieved: [], cited: [] },
  });
  database.run("PRAGMA query_only = ON");
  expect((await answerCache.find(site.id, "key"))?.written).toEqual(["So."]);
  database.run("PRAGMA query_only = OFF");
});
