import { describe, expect, test } from "bun:test";
import { type ChatOfApp, createAppChats } from "../../../src/answering/threads/threads.ts";

const DRAWN = "aB3dE6gH9jK2mN5p";
const WRITTEN = "docs-assistant-chat";
const { nameOf } = createAppChats("secret");

const chat = (change: Partial<ChatOfApp> = {}): ChatOfApp => ({
  chatId: DRAWN,
  siteId: 1,
  keyId: "key",
  readerId: undefined,
  fp: "reader-7",
  address: "192.0.2.7",
  ...change,
});

describe("the name of a chat", () => {
  test("is the same as long as the secret is, and tells nothing", () => {
    expect(nameOf(chat())).toBe(nameOf(chat()) ?? "none");
    expect(nameOf(chat())).toMatch(/^[0-9a-f]{64}$/);
    expect(createAppChats("another").nameOf(chat())).not.toBe(nameOf(chat()));
  });

  test.each<[string, Partial<ChatOfApp>]>([
    ["chat", { chatId: `${DRAWN}x` }],
    ["site", { siteId: 2 }],
    ["key", { keyId: "another" }],
    ["key, where none is asked for", { keyId: undefined }],
    ["reader", { fp: "reader-8" }],
    ["reader without a name", { fp: "anonymous" }],
    ["reader whom somebody vouches for", { readerId: "ada" }],
  ])("is another one for another %s", (_, change) => {
    expect(nameOf(chat(change))).toBeDefined();
    expect(nameOf(chat(change))).not.toBe(nameOf(chat()));
  });

  test("is a named reader's wherever they are, where nobody can guess the chat's id, and otherwise at one address", () => {
    const elsewhere = { address: "198.51.100.9" };
    expect(nameOf(chat(elsewhere))).toBe(nameOf(chat()) ?? "none");
    const written = { chatId: WRITTEN };
    expect(nameOf(chat({ ...written, ...elsewhere }))).not.toBe(nameOf(chat(written)));
    expect(nameOf(chat(written))).toBeDefined();
  });

  test("is a known reader's wherever they are, whatever the app calls them", () => {
    const ada = { readerId: "ada", chatId: WRITTEN };
    const elsewhere = { ...ada, fp: "anonymous", address: "198.51.100.9" };
    expect(nameOf(chat(elsewhere))).toBe(nameOf(chat(ada)) ?? "none");
  });

  test("is that of one address where the reader has no name, and none where the app may call all chats so", () => {
    const nameless = { fp: "anonymous" };
    expect(nameOf(chat(nameless))).toBeDefined();
    expect(nameOf(chat({ ...nameless, address: "198.51.100.9" }))).not.toBe(nameOf(chat(nameless)));
    for (const chatId of [WRITTEN, "chat", "1", ":r1:", "DOCUMENTATION-CHAT"])
      expect(nameOf(chat({ ...nameless, chatId }))).toBeUndefined();
    const drawn = ["2b1c9c5e-7a0f-4f0e-8b8d-3f5b2f6c1d2e", "01JD8Z6T9Q3V5X7B2N4M6K8H0G"];
    for (const chatId of drawn) expect(nameOf(chat({ ...nameless, chatId }))).toBeDefined();
  });
});
