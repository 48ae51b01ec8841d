import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { databaseOf } from "../helpers/database-of.ts";
import { question, startDocent, type TestDocent } from "../helpers/docent.ts";
import { askV2, type Chunk, chunksOfType, questionV2, userMessage } from "../helpers/ui-message.ts";

const QUESTION = "How do I install Acme on Linux?";

let docent: TestDocent;
beforeAll(async () => {
  docent = await startDocent();
});
afterAll(() => docent.close());

const queryIn = (chunks: Chunk[]) => chunksOfType(chunks, "tool-input-available")[0]?.input.query;
const turnsOf = (threadId: string | null) =>
  databaseOf(docent.app)
    .query<{ question: string; kept: number }, [string]>(
      `SELECT question, replaced_at IS NULL AS kept FROM turns WHERE thread_id = ? ORDER BY position, created_at, id`,
    )
    .all(threadId ?? "");

describe("threads", () => {
  const answer = (threadId: string | null, more: Record<string, unknown> = {}) => ({
    id: "a1",
    role: "assistant",
    parts: [{ type: "text", text: "Run it.", state: "done" }],
    metadata: { threadId },
    ...more,
  });
  const conversation = (threadId: string | null) => [
    userMessage(QUESTION),
    answer(threadId),
    userMessage("And on Windows?", { id: "q2" }),
  ];
  const begin = async () => (await askV2(docent, questionV2(QUESTION))).reply.headers.get("x-thread-id");

  test("continue by the metadata of the newest answer, with nothing in the body", async () => {
    const threadId = await begin();
    const { reply, chunks } = await askV2(docent, { fp: "x", messages: conversation(threadId) });
    expect(reply.headers.get("x-thread-id")).toBe(threadId);
    expect(queryIn(chunks)).toBe("How do I install Acme on Windows?");
    expect(turnsOf(threadId).map((each) => each.question)).toEqual([QUESTION, "And on Windows?"]);
  });

  test("continue by the body's threadId, which wins", async () => {
    const [named, other] = [await begin(), await begin()];
    const { reply } = await askV2(docent, { fp: "x", threadId: named, messages: conversation(other) });
    expect(reply.headers.get("x-thread-id")).toBe(named);
  });

  test("continue from what is stored where only the newest message is posted", async () => {
    const threadId = await begin();
    const messages = [userMessage("And on Windows?", { id: "q2" })];
    const { chunks } = await askV2(docent, { fp: "x", threadId, messages });
    expect(queryIn(chunks)).toBe("How do I install Acme on Windows?");
  });

  test("that begin on v1 continue on v2, and the other way round", async () => {
    const first = await docent.post(question(QUESTION));
    await first.text();
    const threadId = first.headers.get("x-thread-id");
    const { chunks } = await askV2(docent, { fp: "x", messages: conversation(threadId) });
    expect(queryIn(chunks)).toBe("How do I install Acme on Windows?");
    const third = { id: "q3", role: "user", content: "And on macOS?", parts: [] };
    const back = await docent.post({ fp: "x", threadId, messages: [third] });
    expect(await back.text()).toContain("How do I install Acme on macOS?");
    expect(turnsOf(threadId)).toHaveLength(3);
  });

  test("regenerate-message replaces the turn of the last question", async () => {
    const threadId = await begin();
    const messages = conversation(threadId);
    await askV2(docent, { fp: "x", messages, trigger: "submit-message" });
    await askV2(docent, { fp: "x", messages, trigger: "regenerate-message", messageId: "a2" });
    expect(turnsOf(threadId).map((each) => [each.question, each.kept])).toEqual([
      [QUESTION, 1],
      ["And on Windows?", 0],
      ["And on Windows?", 1],
    ]);
  });

  test("an id that only a user's message names counts for nothing", async () => {
    const threadId = await begin();
    const { reply } = await askV2(docent, {
      fp: "x",
      messages: [userMessage(QUESTION, { metadata: { threadId } })],
    });
    expect(reply.headers.get("x-thread-id")).not.toBe(threadId);
  });

  test.each([
    ["a number", { threadId: 7 }],
    ["a list", [1]],
    ["a text", "thread"],
    ["null", null],
  ])("metadata that is %s is no thread's", async (_, metadata) => {
    const messages = [userMessage("Hello"), answer(null, { metadata }), userMessage(QUESTION, { id: "q2" })];
    const { reply } = await askV2(docent, { fp: "x", messages });
    expect(reply.headers.get("x-thread-id")).toHaveLength(26);
  });
});
