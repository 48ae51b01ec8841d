import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { question, startDocent, type TestDocent } from "../helpers/docent.ts";
import { registerDom } from "../helpers/dom.ts";
import { type FakeOllama, startFakeOllama } from "../helpers/fake-ollama.ts";
import { until } from "../helpers/until.ts";
import {
  fileOf,
  loadRelease,
  type MountedChat,
  mountChat,
  RELEASES,
  type Release,
  textOfMessage,
} from "../helpers/use-chat.ts";

// The real `useChat` of AI SDK v5, v6 and v7 against servers that are busy, away, blind or over a limit.

const QUESTION = "How do I install Acme on Linux?";

let unregister: () => Promise<void>;
let ollama: FakeOllama;
/** One slot, so that one reader can hold up the next. */
let plain: TestDocent;
let limited: TestDocent;
let away: TestDocent;
/** Gives an answer again to whoever asks in the same words. */
let caching: TestDocent;
const mounted: MountedChat[] = [];

beforeAll(async () => {
  unregister = registerDom();
  ollama = startFakeOllama();
  plain = await startDocent({
    ollama: ollama.url,
    settings: { model_slots: "1", answer_cache_answers: "0" },
  });
  limited = await startDocent({ settings: { address_messages_per_day: "1" } });
  await (await limited.post(question(QUESTION))).text();
  away = await startDocent({ settings: { fallback: "error" } });
  caching = await startDocent({ ollama: ollama.url, settings: { answer_cache_answers: "100" } });
});
afterEach(() => {
  for (const chat of mounted.splice(0)) chat.unmount();
});
afterAll(async () => {
  for (const docent of [plain, limited, away, caching]) await docent.close();
  await ollama.stop();
  await unregister();
});

async function mount(release: Release, { url, key }: TestDocent, body = {}): Promise<MountedChat> {
  const chat = await mountChat(release, { api: `${url}/v2/assistant/acme/message`, key, body });
  mounted.push(chat);
  return chat;
}

async function errorOf(page: MountedChat): Promise<unknown> {
  await page.chat().sendMessage({ text: QUESTION });
  await until(() => page.chat().status === "error");
  expect(page.chat().error).toBe(page.errors[0]);
  return JSON.parse(page.errors[0]?.message ?? "");
}

describe.each(RELEASES)("useChat of %s", (react) => {
  let release: Release;
  beforeAll(async () => {
    release = await loadRelease(react);
  });

  test("over a limit, the error says so", async () => {
    const error = await errorOf(await mount(release, limited));
    expect(error).toMatchObject({
      code: "rate_limited",
      error: expect.stringContaining("Too many"),
    });
  });

  test("where no model answers and nothing may take its place, the error says so", async () => {
    const error = await errorOf(await mount(release, away));
    expect(error).toMatchObject({
      code: "unavailable",
      error: expect.stringContaining("No model can answer"),
    });
  });

  test("an image is left out of what a blind model gets, and the question is answered", async () => {
    ollama.replyWith({ text: "Run it [1]." });
    const page = await mount(release, plain);
    await page.chat().sendMessage({
      text: QUESTION,
      files: [fileOf("image/png", "data:image/png;base64,iVBORw0KGgo=", "a.png")],
    });
    expect(textOfMessage(await page.answered(2))).toStartWith("Run it");
    expect(ollama.chats.at(-1)?.body.messages.at(-1)?.images).toBeUndefined();
  });

  test("an answer that was given before is said to be one, and regenerate() asks for another", async () => {
    ollama.replyWith({ text: "The first answer [1]." }, { text: "Another answer [1]." });
    // An answer is given again on the same page alone.
    const body = { currentPath: `/${react}` };
    const [one, other] = [await mount(release, caching, body), await mount(release, caching, body)];
    await one.chat().sendMessage({ text: QUESTION });
    expect((await one.answered(2)).metadata).not.toHaveProperty("cached");
    await other.chat().sendMessage({ text: QUESTION });
    const cached = await other.answered(2);
    expect(textOfMessage(cached)).toStartWith("The first answer");
    expect(cached.metadata).toMatchObject({ outcome: "answered", cached: true });
    await other.chat().regenerate();
    await until(() => textOfMessage(other.chat().messages[1]).startsWith("Another"));
    expect((await other.answered(2)).metadata).not.toHaveProperty("cached");
  });

  test("while others are answered, its place in the line reaches onData and no message", async () => {
    ollama.replyWith({ text: "First ", end: "hang" }, { text: "Run it [1]." });
    const begun = ollama.chats.length;
    const other = new AbortController();
    const holding = plain.post(question(QUESTION), { signal: other.signal });
    const held = await holding;
    await ollama.until(() => ollama.chats.length > begun);
    const page = await mount(release, plain);
    const sending = page.chat().sendMessage({ text: QUESTION });
    await until(() => page.data.length > 0);
    other.abort();
    await held.text().catch(() => {});
    await sending;
    const answer = await page.answered(2);
    expect(page.data).toMatchObject([{ type: "data-status", data: { status: "waiting", position: 1 } }]);
    expect(answer.parts.map(({ type }) => type)).toEqual([
      "step-start",
      "tool-search",
      "step-start",
      "text",
      "source-url",
    ]);
  });
});
