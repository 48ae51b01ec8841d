import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type AdminDoorUnderTest, type KeyName, startAdminDoor } from "../helpers/admin-door.ts";
import { databaseOf } from "../helpers/database-of.ts";
import { type FakeOllama, startFakeOllama } from "../helpers/fake-ollama.ts";
import { isShared } from "../helpers/shared-database.ts";
import { chunksOf, chunksOfType, questionV2, textOfChunks, userMessage } from "../helpers/ui-message.ts";

let ollama: FakeOllama;
let door: AdminDoorUnderTest;
beforeAll(async () => {
  ollama = startFakeOllama({
    models: [{ name: "tiny:latest" }, { name: "large:7b" }],
    reply: { text: "Run the installer [1]." },
  });
  door = await startAdminDoor({ ollama: ollama.url });
});
afterAll(async () => {
  await door.close();
  await ollama.stop();
});

const BODY = questionV2("How do I install Acme on Linux?");
const ask = (body: unknown = BODY, as: KeyName = "ownRead") =>
  door.ask("POST", "/sites/acme/try", { as, body });
const count = (table: string) =>
  databaseOf(door.app).query<{ count: number }, []>(`SELECT count(*) AS count FROM ${table}`).get()?.count;

describe("asking as a reader would", () => {
  test("gives the stream of the v2 operation, with its headers", async () => {
    const reply = await ask();
    expect([reply.status, reply.headers.get("content-type")]).toEqual([
      200,
      "text/event-stream; charset=utf-8",
    ]);
    expect(reply.headers.get("x-request-id")).toHaveLength(26);
    const chunks = chunksOf(reply.text);
    expect(chunks.map(({ type }) => type)).toContain("tool-output-available");
    expect(textOfChunks(chunks)).toContain(
      "Run the installer [[1]](https://docs.acme.example/guide/install#linux)",
    );
  });

  test("keeps nothing: no turn, no thread, no cached answer, and none that was kept is given", async () => {
    const before = [count("turns"), count("threads"), count("cached_answers"), ollama.chats.length];
    await ask();
    await ask();
    const after = [count("turns"), count("threads"), count("cached_answers"), ollama.chats.length];
    expect(after).toEqual([...before.slice(0, 3), (before[3] ?? 0) + 2]);
  });

  test("the conversation is what is posted: a thread that is named is not looked up", async () => {
    const messages = [
      userMessage("Which systems does Acme run on?"),
      { id: "a1", role: "assistant", parts: [{ type: "text", text: "Linux and Windows." }] },
      userMessage("How do I install Acme on Windows?", { id: "q2" }),
    ];
    const reply = await ask({ fp: "f", messages, threadId: "01KT0000000000000000000002" });
    expect(reply.status).toBe(200);
    expect(JSON.stringify(ollama.chats.at(-1)?.body.messages)).toContain("Linux and Windows.");
    expect(await (await ask({ ...BODY, threadId: "01KT0000000000000000000002" })).status).toBe(200);
  });

  test("another model, filter and page size can be tried", async () => {
    const reply = await ask({ ...BODY, model: "large:7b", retrievalPageSize: 1 });
    const chunks = chunksOf(reply.text);
    expect(chunksOfType(chunks, "tool-output-available")[0]?.output.results).toHaveLength(1);
    expect(chunksOfType(chunks, "finish")[0]?.messageMetadata).toMatchObject({ model: "large:7b" });
    const { details } = await door.expectStatus(400, "POST", "/sites/acme/try", {
      body: { ...BODY, model: "none" },
    });
    expect(details).toMatchObject([{ path: "model" }]);
  });

  test("what is asked counts to the organization's messages and to the site's, and is bounded for each who asks", async () => {
    const own = await startAdminDoor({ settings: { organization_messages_per_hour: "2" } });
    const status = async () => (await own.ask("POST", "/sites/acme/try", { body: BODY })).status;
    expect([await status(), await status(), await status()]).toEqual([200, 200, 429]);
    await own.close();
    const bounded = await startAdminDoor({ settings: { address_messages_per_minute: "1" } });
    const as = async (key: KeyName) =>
      (await bounded.ask("POST", "/sites/acme/try", { as: key, body: BODY })).status;
    expect([await as("own"), await as("own"), await as("ownRead")]).toEqual([200, 429, 200]);
    await bounded.close();
  });

  test("whoever goes away ends the answer", async () => {
    ollama.replyWith({ text: ["word "], endless: true, tokenMs: 20 });
    const abort = new AbortController();
    const before = ollama.chats.length;
    const reply = await fetch(`${door.url}/v1/admin/sites/acme/try`, {
      method: "POST",
      headers: { authorization: `Bearer ${door.keys.own}`, "content-type": "application/json" },
      body: JSON.stringify(BODY),
      signal: abort.signal,
    });
    const reader = reply.body?.getReader();
    await reader?.read();
    // The first words of the reply come before the model is asked.
    await ollama.until(() => ollama.chats.length > before);
    abort.abort();
    await ollama.until(() => ollama.chats.at(-1)?.aborted === true);
    ollama.replyWith({ text: "Run the installer [1]." });
  });
});

describe("who may ask", () => {
  test("those who see the site; to others it does not exist", async () => {
    expect((await ask(BODY, "own")).status).toBe(200);
    expect((await ask(BODY, "serverRead")).status).toBe(200);
    expect((await ask(BODY, "other")).status).toBe(404);
    expect((await ask(BODY, "assistant")).status).toBe(401);
    expect((await ask(BODY, "none")).status).toBe(401);
  });

  test.each([
    [{}, "fp"],
    [{ fp: "f", messages: [] }, "messages"],
    [{ ...BODY, retrievalPageSize: "9" }, "retrievalPageSize"],
    [{ ...BODY, model: 7 }, "model"],
  ])("%j is refused with what is wrong", async (body, path) => {
    const { details } = await door.expectStatus(400, "POST", "/sites/acme/try", { body });
    expect(JSON.stringify(details)).toContain(`"${path}"`);
  });
});

describe("the server", () => {
  test("is described to those whom it belongs to", async () => {
    const state = await door.expectStatus(200, "GET", "/server", { as: "serverRead" });
    expect(state).toMatchObject({
      version: expect.stringMatching(/^\d+\.\d+/),
      publicUrl: door.url,
      metricsUrl: null,
      backups: null,
      load: { running: 0, waiting: 0 },
      data: {
        directory: door.data,
        engine: expect.stringMatching(isShared ? /^PostgreSQL \d/ : /^SQLite \d/),
        servers: isShared ? 1 : null,
        backupsBytes: 0,
        freeBytes: expect.any(Number),
      },
    });
    expect(JSON.parse(JSON.stringify(state["data"])).databaseBytes).toBeGreaterThan(10_000);
    for (const as of ["own", "ownRead"] as const)
      expect((await door.ask("GET", "/server", { as })).status).toBe(403);
  });

  test("tells where its metrics are, where it measures", async () => {
    const measured = await startAdminDoor({ docs: null, settings: { metrics: "on" } });
    const url = (await measured.expectStatus(200, "GET", "/server", { as: "server" }))["metricsUrl"];
    expect(url).toBe(`${measured.url}/metrics`);
    expect((await fetch(String(url))).status).toBe(200);
    await measured.close();
  });

  test("its measures and sentences are told to every admin", async () => {
    const defaults = await door.expectStatus(200, "GET", "/defaults", { as: "ownRead" });
    expect(defaults).toMatchObject({
      answerWhen: "balanced",
      relevanceMin: 0.5,
      curatedMin: 0.85,
      hourlyMessages: 10_000,
      phrases: { de: { sources: "Quellen:" }, en: { sources: "Sources:" } },
    });
  });
});
