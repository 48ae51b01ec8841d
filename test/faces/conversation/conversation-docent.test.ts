import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { sendEvent, sendFeedback } from "../../../src/faces/conversation/connection.ts";
import { createConversation } from "../../../src/faces/conversation/conversation.ts";
import { startDocent, type TestDocent } from "../../helpers/docent.ts";
import { lastTurn } from "./scripted-server.ts";

let docent: TestDocent;
beforeAll(async () => {
  docent = await startDocent();
});
afterAll(() => docent.close());

const connection = () => ({ fetch, endpoint: docent.url, domain: "acme", key: docent.key });

function converse(more: { key?: string; storage?: { get(): string | null; set(value: string): void } } = {}) {
  return createConversation({
    ...connection(),
    fp: "anonymous",
    now: Date.now,
    newId: () => crypto.randomUUID(),
    schedule: queueMicrotask,
    isOnline: () => true,
    ...more,
  });
}

describe("with a real server", () => {
  test("a question is answered with passages, citations and suggestions, and its thread goes on", async () => {
    const conversation = converse();
    await conversation.ask("How do I install Acme on Linux?");
    const first = lastTurn(conversation);
    expect(first).toMatchObject({ status: "done", outcome: "quoted", error: undefined });
    expect(first.answer).not.toContain("```suggestions");
    expect(first.results.length).toBeGreaterThan(0);
    expect(first.sources.length).toBeGreaterThan(0);
    for (const { url, snippet } of first.sources) {
      expect(url).toStartWith("https://docs.acme.example/");
      expect(first.answer).toContain(url);
      expect(snippet).not.toBe("");
    }
    await conversation.ask("And on Windows?");
    expect(lastTurn(conversation)).toMatchObject({ status: "done", threadId: first.threadId });
    expect(await conversation.rate(first.messageId ?? "", true, "Good.")).toBe(true);
  });

  test("a thread that is gone is begun anew; a key that is wrong is said", async () => {
    const saved = JSON.stringify({ version: 1, threadId: "0123456789ABCDEFGHJKMNPQRS", turns: [] });
    const conversation = converse({ storage: { get: () => saved, set: () => {} } });
    conversation.restore();
    await conversation.ask("How do I install Acme?");
    expect(lastTurn(conversation)).toMatchObject({ status: "done" });
    expect(lastTurn(conversation).threadId).not.toBe("0123456789ABCDEFGHJKMNPQRS");
    const stranger = converse({ key: "docent_dsc_no" });
    await stranger.ask("How do I install Acme?");
    expect(lastTurn(stranger).error).toMatchObject({ code: "unauthorized" });
  });

  test("clicks are told, and what cannot be sent is false", async () => {
    expect(await sendEvent(connection(), { type: "source_click", path: "guide/install" })).toBe(true);
    expect(await sendFeedback(connection(), { messageId: "no", threadId: "no", helpful: true })).toBe(false);
    expect(
      await sendEvent(
        { ...connection(), endpoint: "http://127.0.0.1:1" },
        { type: "source_click", path: "x" },
      ),
    ).toBe(false);
  });
});
