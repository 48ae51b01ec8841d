import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { databaseOf } from "../helpers/database-of.ts";
import { question, startDocent, type TestDocent } from "../helpers/docent.ts";
import { letReadersSignIn, type SignedInSite } from "../helpers/signed-in-site.ts";
import { chunksOf, chunksOfType, questionV2, userMessage } from "../helpers/ui-message.ts";

// Whose a conversation is: with a known reader, everybody else's is unknown.

const QUESTION = "How do I install Acme on Linux?";
const NOWHERE = "01KT0000000000000000000002";

let docent: TestDocent;
let site: SignedInSite;
let hook: ReturnType<typeof Bun.serve>;
let handedOver = 0;
beforeAll(async () => {
  hook = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch() {
      handedOver++;
      return new Response("");
    },
  });
  docent = await startDocent({ settings: { hand_over_hosts: `127.0.0.1:${hook.port}` } });
  const handOver = `http://127.0.0.1:${hook.port}/hook`;
  await docent.app.parts.people.sites.set("acme", { settings: { handOver } });
});
afterAll(async () => {
  await docent.close();
  await hook.stop(true);
});

async function ask(body: unknown, headers: Record<string, string>) {
  const reply = await docent.post(body, { version: "v2", headers });
  const wire = await reply.text();
  return { reply, chunks: reply.ok ? chunksOf(wire) : [] };
}

/** Begins a conversation, and gives its id and that of its answer. */
async function begin(headers: Record<string, string> = {}) {
  const { reply } = await ask(questionV2(QUESTION), headers);
  const [threadId, messageId] = [
    reply.headers.get("x-thread-id") ?? "",
    reply.headers.get("x-message-id") ?? "",
  ];
  return { threadId, messageId };
}

/** Asks on in a conversation with nothing but the newest question, and says what it was taken for. */
async function askOn(threadId: string, headers: Record<string, string> = {}) {
  const messages = [userMessage("And on Windows?", { id: crypto.randomUUID() })];
  const { reply, chunks } = await ask({ fp: "x", threadId, messages }, headers);
  const query = chunksOfType(chunks, "tool-input-available")[0]?.input.query;
  return { status: reply.status, query, threadId: reply.headers.get("x-thread-id") };
}

async function post(path: string, body: unknown, headers: Record<string, string>) {
  const reply = await fetch(`${docent.url}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${docent.key}`, ...headers },
    body: JSON.stringify(body),
  });
  return { status: reply.status, text: (await reply.text()).replace(/"requestId":"[^"]*"/, "") };
}

const setReaders = async (readers: "public" | "signed-in") => {
  site = await letReadersSignInOnce(readers);
};
async function letReadersSignInOnce(readers: "public" | "signed-in") {
  const { people } = docent.app.parts;
  const { id } = await people.sites.get("acme");
  for (const secret of await people.siteSecrets.list(id)) await people.siteSecrets.end(id, secret.id);
  return letReadersSignIn(docent, "acme", { readers });
}

describe.each(["public", "signed-in"] as const)(
  "on a site that is %s, a known reader's conversation",
  (readers) => {
    beforeAll(() => setReaders(readers));
    const strangers = async () => [await site.as("eve"), ...(readers === "public" ? [{}] : [])];

    test("goes on for them", async () => {
      const { threadId } = await begin(await site.as());
      expect(await askOn(threadId, await site.as("ada", { groups: ["other"], name: "A." }))).toEqual({
        status: 200,
        query: "How do I install Acme on Windows?",
        threadId,
      });
    });

    test("is for everyone else as one that there never was", async () => {
      const { threadId, messageId } = await begin(await site.as());
      const before = handedOver;
      for (const headers of await strangers()) {
        expect(await askOn(threadId, headers)).toEqual(await askOn(NOWHERE, headers));
        const refused = async (path: string, body: (threadId: string, messageId: string) => unknown) => {
          const its = await post(path, body(threadId, messageId), headers);
          expect(its).toEqual(await post(path, body(NOWHERE, NOWHERE), headers));
          return its.status;
        };
        expect(
          await refused("/v1/feedback/acme", (threadId, messageId) => ({
            threadId,
            messageId,
            helpful: false,
          })),
        ).toBe(404);
        expect(
          await refused("/v1/hand-over/acme", (threadId) => ({ threadId, email: "e@example.com" })),
        ).toBe(404);
        const responses = (previous_response_id: string) => ({
          model: "acme",
          input: "And?",
          previous_response_id,
        });
        expect(await refused("/v1/responses", (_, messageId) => responses(messageId))).toBe(404);
        expect(
          await refused("/v1/events/acme", (threadId, messageId) => ({
            type: "source_click",
            path: "guide/install",
            threadId,
            messageId,
          })),
        ).toBe(204);
      }
      expect(handedOver).toBe(before);
      const seen = databaseOf(docent.app)
        .query("SELECT count(*) AS n FROM events WHERE turn_id = ?")
        .get(messageId);
      expect(seen).toEqual({ n: 0 });
    });

    test("is theirs to speak of", async () => {
      const { threadId, messageId } = await begin(await site.as());
      const said = await post("/v1/feedback/acme", { threadId, messageId, helpful: true }, await site.as());
      expect(said.status).toBe(204);
      const before = handedOver;
      const handed = await post("/v1/hand-over/acme", { threadId, email: "a@example.com" }, await site.as());
      expect([handed.status, handedOver - before]).toEqual([204, 1]);
    });

    test("that is posted whole by somebody else begins another, without what is stored", async () => {
      const { threadId } = await begin(await site.as());
      const own = question("And on Windows?", { threadId, messages: undefined });
      const messages = [
        { id: "a", role: "user", content: "Where is the log?" },
        { id: "b", role: "assistant", content: "There." },
        { id: "c", role: "user", content: "And on Windows?" },
      ];
      const reply = await docent.post({ ...own, messages }, { headers: await site.as("eve") });
      await reply.text();
      expect(reply.headers.get("x-thread-id")).not.toBe(threadId);
    });

    test("has no name in the database by which somebody could be found", async () => {
      const { threadId } = await begin(await site.as("ada-lovelace"));
      const row = databaseOf(docent.app).query("SELECT reader FROM threads WHERE id = ?").get(threadId);
      expect(row).toEqual({ reader: expect.stringMatching(/^[0-9a-f]{64}$/) });
    });
  },
);

describe("a conversation of somebody who was not known", () => {
  test("goes on for whoever has its id, and for nobody who is known, while the site is public", async () => {
    await setReaders("public");
    const { threadId } = await begin();
    expect((await askOn(threadId, await site.as())).status).toBe(404);
    expect(await askOn(threadId)).toMatchObject({ status: 200, threadId });
  });

  test("is lost to nobody when the site's readers sign in: who goes on with it has it", async () => {
    await setReaders("public");
    const { threadId } = await begin();
    await setReaders("signed-in");
    expect(await askOn(threadId, await site.as())).toEqual({
      status: 200,
      query: "How do I install Acme on Windows?",
      threadId,
    });
    expect((await askOn(threadId, await site.as("eve"))).status).toBe(404);
    await setReaders("public");
    expect((await askOn(threadId)).status).toBe(404);
    expect(await askOn(threadId, await site.as())).toMatchObject({ status: 200, threadId });
  });
});
