import { afterEach, describe, expect, test } from "bun:test";
import { type AdminDoorUnderTest, startAdminDoor } from "../helpers/admin-door.ts";
import { databaseOf } from "../helpers/database-of.ts";
import { startDocent } from "../helpers/docent.ts";
import { type FakeOllama, type FakeOllamaOptions, startFakeOllama } from "../helpers/fake-ollama.ts";
import { askV2, chunksOfType, questionV2 } from "../helpers/ui-message.ts";

const MODELS = [
  { name: "tiny:latest" },
  { name: "large:7b", capabilities: ["completion", "vision", "thinking"] },
  { name: "vectors:latest", capabilities: ["embedding"] },
  { name: "cloud:latest", remoteHost: "https://ollama.example" },
];
const ASKED = questionV2("How do I install Acme on Linux?");
const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

async function start(settings: Record<string, string> = {}, options: FakeOllamaOptions = {}) {
  const ollama = startFakeOllama({
    models: [...MODELS],
    reply: { text: "Run the installer [1]." },
    ...options,
  });
  let now = Date.now();
  const door = await startAdminDoor({ ollama: ollama.url, settings, clock: () => now });
  open.push(door, { close: () => ollama.stop() });
  return {
    ollama,
    door,
    /** What was found out about Ollama is no longer believed. */
    later: () => {
      now += 120_000;
    },
  };
}

const give = (door: AdminDoorUnderTest, model: string) =>
  door.app.parts.people.sites.set("acme", { settings: { model } });
const models = ({ chats }: FakeOllama) => chats.map(({ body }) => body.model);

async function ask(door: AdminDoorUnderTest) {
  const { chunks } = await askV2(door, ASKED);
  const finish = chunksOfType(chunks, "finish")[0]?.messageMetadata;
  return { model: finish?.["model"], cached: finish?.["cached"] === true };
}

describe("a site's own model", () => {
  test("answers in place of the server's, and the turn says so", async () => {
    const { ollama, door } = await start();
    await give(door, "large:7b");
    expect(await ask(door)).toMatchObject({ model: "large:7b" });
    expect(models(ollama)).toEqual(["large:7b"]);
    const turn = databaseOf(door.app).query("SELECT model FROM turns").get();
    expect(turn).toEqual({ model: "large:7b" });
  });

  test("the tag `latest` may be left out, and other sites keep the server's", async () => {
    const { ollama, door } = await start({ model: "large:7b" });
    await give(door, "tiny");
    await ask(door);
    await give(door, "");
    await ask(door);
    expect(models(ollama)).toEqual(["tiny:latest", "large:7b"]);
  });

  test("where it is gone the server's answers, it is warned of once, and it is taken again when it is back", async () => {
    const { ollama, door, later } = await start({ answer_cache_answers: "0" });
    await give(door, "large:7b");
    ollama.models = [{ name: "tiny:latest" }];
    await ask(door);
    await ask(door);
    expect(models(ollama)).toEqual(["tiny:latest", "tiny:latest"]);
    expect(door.logged.filter((line) => line.includes("a site's model is not there"))).toHaveLength(1);
    ollama.models = [...MODELS];
    later();
    expect(await ask(door)).toMatchObject({ model: "large:7b" });
  });

  test("an answer that one model wrote is not given for another, nor for a new version of it", async () => {
    const { ollama, door, later } = await start();
    await ask(door);
    expect(await ask(door)).toMatchObject({ model: "tiny:latest", cached: true });
    await give(door, "large:7b");
    expect(await ask(door)).toMatchObject({ model: "large:7b", cached: false });
    expect(await ask(door)).toMatchObject({ model: "large:7b", cached: true });
    ollama.models = [{ name: "tiny:latest" }, { name: "large:7b", digest: "pulled anew" }];
    later();
    expect(await ask(door)).toMatchObject({ model: "large:7b", cached: false });
    expect(ollama.chats).toHaveLength(3);
  });

  test("a model that another machine would run is not a site's to choose", async () => {
    const { ollama, door } = await start();
    await door.expectStatus(400, "PATCH", "/sites/acme", { body: { settings: { model: "cloud" } } });
    await give(door, "cloud");
    await ask(door);
    expect(models(ollama)).toEqual(["tiny:latest"]);
  });

  test("the operator bounds which may be chosen, also those that were chosen before", async () => {
    const { ollama, door } = await start({ site_models: "tiny" });
    const { details } = await door.expectStatus(400, "PATCH", "/sites/acme", {
      body: { settings: { model: "large:7b" } },
    });
    expect(details).toMatchObject([{ path: "settings.model" }]);
    await door.expectStatus(200, "PATCH", "/sites/acme", { body: { settings: { model: "tiny:latest" } } });
    await give(door, "large:7b");
    await ask(door);
    expect(models(ollama)).toEqual(["tiny:latest"]);
  });

  test("what is chosen while no server answers is taken as it was named", async () => {
    const docent = await startAdminDoor();
    open.push(docent);
    await docent.expectStatus(200, "PATCH", "/sites/acme", { body: { settings: { model: "large:7b" } } });
  });

  test.each(["a b", "x;y", "../etc\u0000", "<b>"])("%j is no name of a model", async (model) => {
    const docent = await startAdminDoor({ docs: null });
    open.push(docent);
    await docent.expectStatus(400, "PATCH", "/sites/acme", { body: { settings: { model } } });
  });
});

describe("the models that may be chosen", () => {
  test("are those that can chat and run here, told to every admin by name and without an address", async () => {
    const { ollama, door } = await start();
    for (const as of ["ownRead", "server", "other"] as const) {
      const reply = await door.ask("GET", "/models", { as });
      expect(reply.body).toEqual({
        own: "tiny:latest",
        models: [
          { name: "large:7b", contextTokens: 8192, seesPictures: true, canThink: true },
          { name: "tiny:latest", contextTokens: 8192, seesPictures: false, canThink: false },
        ],
        isWhole: true,
      });
      expect(reply.text).not.toContain(String(ollama.port));
    }
    expect((await door.ask("GET", "/models", { as: "none" })).status).toBe(401);
  });

  test("are not there while no server answers, and it is said that more may come", async () => {
    const docent = await startDocent({ docs: null });
    open.push(docent);
    const { signal } = new AbortController();
    expect(await docent.app.parts.answers.ollama.listModels(signal)).toEqual({
      own: undefined,
      models: [],
      isWhole: false,
    });
  });
});
