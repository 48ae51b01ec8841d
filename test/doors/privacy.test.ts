import { afterEach, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { databaseOf } from "../helpers/database-of.ts";
import { question, startDocent } from "../helpers/docent.ts";
import { fakeClock } from "../helpers/fake-clock.ts";
import { type GapDoor, startGapDoor } from "../helpers/gap-door.ts";
import { temporaryDirectory } from "../helpers/temporary-directory.ts";
import { openTestStorage } from "../helpers/test-storage.ts";
import { questionV2 } from "../helpers/ui-message.ts";

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

async function start(): Promise<GapDoor> {
  const door = await startGapDoor();
  open.push(door);
  return door;
}

const INSTALL = "How do I install Acme on Linux?";
const turnsOf = (door: GapDoor) =>
  databaseOf(door.app).query<{ fp: string }, []>("SELECT fp FROM turns ORDER BY id").all();

describe("deleting what readers said", () => {
  test("a thread is gone from every list, and its id leads nowhere", async () => {
    const door = await start();
    const { threadId } = await door.asked(INSTALL);
    await door.asked("How do I set up SCIM?", { threadId });
    expect((await door.list()).gaps).toHaveLength(1);
    const path = `/sites/acme/threads/${threadId}`;
    // The second was sent with the id of the first: both are stored, and both go.
    expect(await door.expectStatus(200, "DELETE", path)).toEqual({ threads: 1, turns: 2 });
    expect(turnsOf(door)).toEqual([]);
    expect((await door.list()).gaps).toEqual([]);
    await door.expectStatus(404, "DELETE", path);
    const followUp = { ...questionV2("And on Windows?"), threadId };
    expect((await door.post(followUp, { version: "v2" })).status).toBe(404);
  });

  test("all that one reader said goes, whatever characters name it", async () => {
    const door = await start();
    for (const fp of ["ann", "a/b c?d#e", "ünï💥", "%41", ".."]) await door.asked(INSTALL, { fp });
    await door.asked(INSTALL);
    for (const fp of ["a/b c?d#e", "ünï💥", "%41"])
      expect(await door.expectStatus(200, "DELETE", `/sites/acme/readers/${encodeURIComponent(fp)}`)).toEqual(
        {
          threads: 1,
          turns: 1,
        },
      );
    expect(turnsOf(door).map(({ fp }) => fp)).toEqual(["ann", "..", "anonymous"]);
    expect(await door.expectStatus(200, "DELETE", "/sites/acme/readers/nobody")).toEqual({
      threads: 0,
      turns: 0,
    });
  });

  test("anonymous is refused with the reason, and nothing is deleted", async () => {
    const door = await start();
    await door.asked(INSTALL);
    const { error } = await door.expectStatus(400, "DELETE", "/sites/acme/readers/anonymous");
    expect(error).toStartWith("anonymous is every reader");
    expect(turnsOf(door)).toHaveLength(1);
  });

  test("each key may do what it may, and what it may not see does not exist", async () => {
    const door = await start();
    const { threadId } = await door.asked(INSTALL, { fp: "ann" });
    for (const path of [`threads/${threadId}`, "readers/ann"])
      for (const [as, site, status] of [
        ["none", "acme", 401],
        ["assistant", "acme", 401],
        ["ownRead", "acme", 403],
        ["serverRead", "acme", 403],
        ["other", "acme", 404],
        ["own", "rival", 404],
      ] as const) {
        const reply = await door.ask("DELETE", `/sites/${site}/${path}`, { as });
        expect([as, path, reply.status]).toEqual([as, path, status]);
      }
    expect((await door.ask("DELETE", `/sites/rival/threads/${threadId}`, { as: "other" })).status).toBe(404);
    expect(await door.expectStatus(200, "DELETE", "/sites/rival/readers/ann", { as: "other" })).toEqual({
      threads: 0,
      turns: 0,
    });
    expect(turnsOf(door)).toHaveLength(1);
  });

  test("a reader's name opens nothing: not its threads, and not as a key", async () => {
    const door = await start();
    const { threadId } = await door.asked(INSTALL, { fp: "ann" });
    const mine = await door.asked(INSTALL, { fp: "ann" });
    expect(mine.threadId).not.toBe(threadId);
    expect((await door.post({}, { key: "ann" })).status).toBe(401);
  });

  test("an answer that is being written while its thread is deleted leaves nothing behind", async () => {
    const door = await start();
    const reply = await door.post({
      fp: "ann",
      messages: [{ id: "q", role: "user", content: INSTALL, parts: [{ type: "text", text: INSTALL }] }],
    });
    await door.expectStatus(200, "DELETE", "/sites/acme/readers/ann");
    await reply.text();
    expect(turnsOf(door)).toEqual([]);
  });
});

test("the log of a request that failed names neither a thread nor a reader", async () => {
  const door = await startGapDoor({ expectErrors: true });
  open.push(door);
  const { threadId } = await door.asked(INSTALL, { fp: "ann-4711" });
  databaseOf(door.app).run("ALTER TABLE turn_counts RENAME TO away");
  for (const path of [`threads/${threadId}`, "readers/ann-4711"])
    expect((await door.ask("DELETE", `/sites/acme/${path}`)).body).toMatchObject({ error: "Internal error" });
  expect(door.logged.join()).toInclude("/v1/admin/sites/:domain/threads/:id");
  for (const told of [threadId, "ann-4711"]) expect(door.logged.join()).not.toInclude(told);
});

describe("retention", () => {
  test("a server that starts deletes what the site keeps no longer, and counts of it stay", async () => {
    const directory = temporaryDirectory();
    const { clock, advance } = fakeClock();
    const options = { data: directory.path, clock };
    const before = await startDocent(options);
    await (await before.post(question(INSTALL))).text();
    await before.app.parts.people.sites.set("acme", { settings: { retentionDays: 30 } });
    await before.close();
    advance(31 * 24 * 3600 * 1000);
    const docent = await startDocent(options);
    open.push(docent, { close: async () => directory[Symbol.dispose]() });
    const database = databaseOf(docent.app);
    const counts = database.query("SELECT outcome, caller, count FROM turn_counts");
    while (counts.all().length === 0) await Bun.sleep(1);
    expect(database.query("SELECT * FROM turns").all()).toEqual([]);
    expect(counts.all()).toEqual([{ outcome: "quoted", caller: "api", count: 1 }]);
  });

  test("a site's days are set through the API within their bounds", async () => {
    const door = await start();
    const set = (retentionDays: unknown) =>
      door.ask("PATCH", "/sites/acme", { body: { settings: { retentionDays } } });
    expect((await set(30)).status).toBe(200);
    expect((await door.app.parts.people.sites.get("acme")).settings.retentionDays).toBe(30);
    for (const days of [-1, 1.5, "30", 36_501, null])
      expect([days, (await set(days)).status]).toEqual([days, 400]);
  });
});

describe("docs/privacy.md", () => {
  const page = readFileSync(join(import.meta.dir, "../../docs/privacy.md"), "utf8");
  /** Text in these is made by Docent, the operator or the docs: no reader wrote it, and nothing in it says who one is. */
  const IMPERSONAL = [
    "meta",
    "migrations",
    "organizations",
    "sites",
    "assistant_keys",
    "assistant_key_sites",
    "admin_keys",
    "sources",
    "source_runs",
    "ledger",
    "generations",
    "pages",
    "images",
    "page_images",
    "passages",
    "published_pages",
    "embedders",
    "passage_vectors",
    "calibrations",
    "segments",
    "segment_rows",
    "curated_answers",
    "enrichments",
    "enriched_passages",
    "enrichment_days",
    "enrichment_measures",
  ];

  test("names every table that may hold what readers say, or who they are", async () => {
    using storage = await openTestStorage();
    const tables = storage.database
      .query<{ name: string }, []>(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'passage_%'",
      )
      .all()
      .map(({ name }) => name)
      .filter((name) => !IMPERSONAL.includes(name));
    expect(tables).toContain("turns");
    expect(tables.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });

  test("names every column of a turn that a reader's words or name are in", async () => {
    const columns = [
      "question",
      "searched",
      "rewritten_json",
      "looks_json",
      "answer",
      "fp",
      "current_path",
      "filter_json",
      "retrieved_json",
      "cited_json",
    ];
    expect(columns.filter((column) => !page.includes(`\`${column}\``))).toEqual([]);
  });
});
