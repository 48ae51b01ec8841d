import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FIXTURE_DOCS, startDocent, type TestDocent } from "../helpers/docent.ts";
import { askV2, chunksOfType, questionV2, userMessage } from "../helpers/ui-message.ts";

// Clients that post the newest message with the id of their chat, and no thread: the AI SDK's way to store chats.

const CHAT = "aB3dE6gH9jK2mN5p";
const QUESTION = "How do I install Acme on Linux?";
const FOLLOW_UP = "And on Windows?";
const WHOLE_FOLLOW_UP = "How do I install Acme on Windows?";

let data: string;
let docent: TestDocent;
let chats = 0;
beforeAll(async () => {
  data = mkdtempSync(join(tmpdir(), "docent-chats-"));
  docent = await startDocent({ data, docs: FIXTURE_DOCS });
});
afterAll(async () => {
  await docent.close();
  rmSync(data, { recursive: true, force: true });
});
afterEach(() => chats++);

const newChat = () => `${CHAT}${chats}`;
const onlyMessage = (text: string, messageId: string, more: Record<string, unknown> = {}) => ({
  fp: "reader-7",
  id: newChat(),
  messages: [userMessage(text, { id: messageId })],
  ...more,
});

/** Asks a first question and a follow-up, and tells what the follow-up was taken for. */
async function followUp(first: Record<string, unknown>, second: Record<string, unknown>) {
  const begun = await askV2(docent, first);
  const followed = await askV2(docent, second);
  const [search] = chunksOfType(followed.chunks, "tool-input-available");
  const threadOf = ({ reply }: typeof begun) => reply.headers.get("x-thread-id");
  return { query: search?.input.query, isSameThread: threadOf(begun) === threadOf(followed) };
}

describe("a chat whose client posts the newest message alone goes on with its conversation", () => {
  test.each([
    ["as a list of one message", (text: string, id: string) => onlyMessage(text, id)],
    [
      "as `message`, as the AI SDK's guide has it",
      (text: string, id: string) => ({
        fp: "reader-7",
        id: newChat(),
        message: userMessage(text, { id }),
      }),
    ],
    [
      "of a reader without a name, by an id that its client drew",
      (text: string, id: string) => onlyMessage(text, id, { fp: "anonymous" }),
    ],
  ])("%s", async (_, body) => {
    expect(await followUp(body(QUESTION, "q1"), body(FOLLOW_UP, "q2"))).toEqual({
      query: WHOLE_FOLLOW_UP,
      isSameThread: true,
    });
  });

  test("on v1, with `message` too", async () => {
    const body = (content: string, id: string) => ({
      fp: "reader-7",
      id: newChat(),
      message: { id, role: "user", content, parts: [] },
    });
    const first = await docent.post(body(QUESTION, "q1"));
    await first.text();
    const second = await docent.post(body(FOLLOW_UP, "q2"));
    expect(await second.text()).toContain(WHOLE_FOLLOW_UP);
    expect(second.headers.get("x-thread-id")).toBe(first.headers.get("x-thread-id"));
  });

  test("after a restart of the server", async () => {
    await askV2(docent, onlyMessage(QUESTION, "q1"));
    await docent.close();
    docent = await startDocent({ data, docs: null });
    const { chunks } = await askV2(docent, onlyMessage(FOLLOW_UP, "q2"));
    expect(chunksOfType(chunks, "tool-input-available")[0]?.input.query).toBe(WHOLE_FOLLOW_UP);
  });

  test("and a question whose answer is wanted anew takes the place of the earlier one", async () => {
    const again = { ...onlyMessage(QUESTION, "q1"), trigger: "regenerate-message" };
    expect(await followUp(onlyMessage(QUESTION, "q1"), again)).toMatchObject({ isSameThread: true });
  });
});

describe("a chat's id reaches no conversation of", () => {
  const fresh = { query: FOLLOW_UP, isSameThread: false };

  test.each([
    ["another reader", {}, { fp: "reader-8" }],
    ["a reader without a name", {}, { fp: "anonymous" }],
    ["another chat", {}, { id: "another" }],
    [
      "others where all are called alike and nobody has a name",
      { fp: "anonymous", id: "docs-assistant-chat" },
      { fp: "anonymous", id: "docs-assistant-chat" },
    ],
  ])("%s", async (_, first, second) => {
    expect(await followUp(onlyMessage(QUESTION, "q1", first), onlyMessage(FOLLOW_UP, "q2", second))).toEqual(
      fresh,
    );
  });

  test("another key", async () => {
    const begun = await askV2(docent, onlyMessage(QUESTION, "q1"));
    const { sites, keys } = docent.app.parts.people;
    const site = (await sites.list()).find(({ domain }) => domain === "acme");
    if (!site) throw new Error("the site is not there");
    const { key } = await keys.create({ organizationId: site.organizationId, name: "another" });
    const reply = await docent.post(onlyMessage(FOLLOW_UP, "q2"), { version: "v2", key });
    await reply.text();
    expect(reply.headers.get("x-thread-id")).not.toBe(begun.reply.headers.get("x-thread-id"));
  });

  test("another site", async () => {
    const begun = await askV2(docent, onlyMessage(QUESTION, "q1"));
    await docent.app.parts.people.sites.add({ domain: "other", name: "Other" });
    const reply = await docent.post(onlyMessage(FOLLOW_UP, "q2"), { version: "v2", domain: "other" });
    await reply.text();
    expect(reply.headers.get("x-thread-id")).not.toBe(begun.reply.headers.get("x-thread-id"));
  });
});

describe("where the body holds the whole conversation", () => {
  test("the chat's id changes nothing: what was posted is the conversation", async () => {
    const id = newChat();
    await askV2(docent, onlyMessage("What does Acme cost?", "q0"));
    const messages = [
      userMessage(QUESTION),
      { id: "a1", role: "assistant", parts: [{ type: "text", text: "Run it." }] },
      userMessage(FOLLOW_UP, { id: "q2" }),
    ];
    const { chunks } = await askV2(docent, { fp: "reader-7", id, messages });
    expect(chunksOfType(chunks, "tool-input-available")[0]?.input.query).toBe(WHOLE_FOLLOW_UP);
    // And a chat under that id that is begun again is a new conversation.
    const begun = await askV2(docent, onlyMessage(FOLLOW_UP, "q9"));
    expect(chunksOfType(begun.chunks, "tool-input-available")[0]?.input.query).toBe(FOLLOW_UP);
  });

  test.each([7, null, "", { a: 1 }, ["x"]])("an id that is %p says nothing, and is no fault", async (id) => {
    const { reply } = await askV2(docent, questionV2(QUESTION, { id }));
    expect(reply.status).toBe(200);
  });
});
