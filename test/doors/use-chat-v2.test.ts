import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import type { UIMessage } from "ai";
import { databaseOf } from "../helpers/database-of.ts";
import { startDocent, type TestDocent } from "../helpers/docent.ts";
import { registerDom } from "../helpers/dom.ts";
import { type FakeOllama, startFakeOllama } from "../helpers/fake-ollama.ts";
import { until } from "../helpers/until.ts";
import {
  type ChatAddress,
  fileOf,
  loadRelease,
  type MountedChat,
  mountChat,
  RELEASES,
  type Release,
  textOfMessage,
} from "../helpers/use-chat.ts";

// The real `useChat` of AI SDK v5, v6 and v7 with its `DefaultChatTransport`, in a page, against a running Docent.

const THINKER = { name: "thinker:latest", capabilities: ["completion", "thinking", "vision", "tools"] };
const QUESTION = "How do I install Acme on Linux?";
const INSTALL_URL = "https://docs.acme.example/guide/install#linux";
const PIXEL = "iVBORw0KGgo=";

let unregister: () => Promise<void>;
let ollama: FakeOllama;
let docent: TestDocent;
const mounted: MountedChat[] = [];

beforeAll(async () => {
  unregister = registerDom();
  ollama = startFakeOllama({ models: [THINKER] });
  docent = await startDocent({
    ollama: ollama.url,
    settings: { thinking: "on", answer_cache_answers: "0", resume_seconds: "600" },
  });
  await docent.app.parts.people.sites.set("acme", { settings: { searchMode: "single" } });
});
afterEach(() => {
  for (const chat of mounted.splice(0)) chat.unmount();
});
afterAll(async () => {
  await docent.close();
  await ollama.stop();
  await unregister();
});

async function mount(release: Release, address: Partial<ChatAddress> = {}): Promise<MountedChat> {
  const chat = await mountChat(release, {
    api: `${docent.url}/v2/assistant/acme/message`,
    key: docent.key,
    ...address,
  });
  mounted.push(chat);
  return chat;
}

function threadOf(message: UIMessage | undefined): unknown {
  const { metadata } = message ?? {};
  return typeof metadata === "object" && metadata !== null && "threadId" in metadata ? metadata.threadId : "";
}

const turnsOf = (threadId: unknown) =>
  databaseOf(docent.app)
    .query<{ question: string; answer: string; outcome: string; replaced: number }, [string]>(
      `SELECT question, answer, outcome, replaced_at IS NOT NULL AS replaced FROM turns
       WHERE thread_id = ? ORDER BY position, created_at, id`,
    )
    .all(String(threadId));

describe.each(RELEASES)("useChat of %s", (react, version) => {
  let release: Release;
  beforeAll(async () => {
    release = await loadRelease(react);
  });

  test("is the release that it is said to be", () => {
    expect(release.version).toBe(version);
  });

  test("gets text, reasoning, the search tool part, sources, and metadata with the thread's id", async () => {
    ollama.replyWith({ thinking: ["Let me", " look."], text: "Run the installer [1]. Then stop [9]." });
    const page = await mount(release);
    await page.chat().sendMessage({ text: QUESTION });
    const answer = await page.answered(2);
    expect(answer).toMatchObject({
      id: expect.stringMatching(/^[0-9A-Z]{26}$/),
      role: "assistant",
      metadata: {
        threadId: expect.stringMatching(/^[0-9A-Z]{26}$/),
        outcome: "answered",
        responder: "ollama",
        model: "thinker:latest",
        finishReason: "stop",
        usage: { promptTokens: 123, completionTokens: 9 },
      },
      parts: [
        { type: "step-start" },
        {
          type: "tool-search",
          toolCallId: `search_${answer.id}`,
          state: "output-available",
          input: { query: QUESTION },
          output: { type: "search" },
        },
        { type: "step-start" },
        { type: "reasoning", text: "Let me look.", state: "done" },
        { type: "text", state: "done" },
        { type: "source-url", sourceId: "source_1", url: INSTALL_URL, title: "Install Acme › Linux" },
      ],
    });
    expect(textOfMessage(answer)).toStartWith(`Run the installer [[1]](${INSTALL_URL}). Then stop .`);
    expect(JSON.stringify(answer.parts[1])).toContain(
      '"path":"guide/install","metadata":{"title":"Install Acme","href":"/guide/install#linux"',
    );
    expect(page.errors).toEqual([]);
    expect(page.finished).toHaveLength(1);
  });

  test("continues its thread in a second turn with no code in the app, and the model sees what was said", async () => {
    ollama.replyWith(
      { thinking: ["A secret thought."], text: "Use the installer [1]." },
      { text: "Use the setup program [1]." },
    );
    const page = await mount(release);
    await page.chat().sendMessage({ text: QUESTION });
    const first = await page.answered(2);
    await page.chat().sendMessage({ text: "And on Windows?" });
    const second = await page.answered(4);
    expect(threadOf(second)).toBe(threadOf(first));
    expect(turnsOf(threadOf(first)).map(({ question }) => question)).toEqual([QUESTION, "And on Windows?"]);
    const asked = ollama.chats.at(-1)?.body.messages ?? [];
    expect(asked.map(({ role }) => role)).toEqual(["system", "user", "assistant", "user"]);
    expect(asked[2]?.content).toBe("Use the installer.");
    expect(JSON.stringify(asked)).not.toContain("secret thought");
    expect(asked[3]?.content).toContain("acme-setup.exe");
  });

  test("stop() reaches Ollama, keeps the text so far, and the thread goes on", async () => {
    ollama.replyWith({ text: ["word "], endless: true, tokenMs: 20 }, { text: "On Windows too [1]." });
    const page = await mount(release);
    const sending = page.chat().sendMessage({ text: QUESTION });
    await until(() => textOfMessage(page.chat().messages[1]).length > 20);
    const running = ollama.chats.at(-1);
    await page.chat().stop();
    await ollama.until(() => running?.aborted === true);
    await sending;
    const stopped = await page.answered(2);
    expect(textOfMessage(stopped)).toStartWith("word word");
    const threadId = threadOf(stopped);
    await until(() => turnsOf(threadId)[0]?.outcome === "stopped");
    expect(turnsOf(threadId)[0]?.answer).toStartWith("word word");
    await page.chat().sendMessage({ text: "And on Windows?" });
    expect(threadOf(await page.answered(4))).toBe(threadId);
    expect(turnsOf(threadId)).toHaveLength(2);
  });

  test("regenerate() replaces the turn", async () => {
    ollama.replyWith(
      { text: "Use the installer [1]." },
      { text: "First try [1]." },
      { text: "Second try [1]." },
    );
    const page = await mount(release);
    await page.chat().sendMessage({ text: QUESTION });
    await page.answered(2);
    await page.chat().sendMessage({ text: "And on Windows?" });
    await page.answered(4);
    await page.chat().regenerate();
    await until(() => textOfMessage(page.chat().messages[3]).startsWith("Second"));
    const again = await page.answered(4);
    expect(turnsOf(threadOf(again)).map(({ question, replaced }) => [question, replaced])).toEqual([
      [QUESTION, 0],
      ["And on Windows?", 1],
      ["And on Windows?", 0],
    ]);
  });

  test("regenerate() of the first answer gives one turn, and what follows continues it", async () => {
    ollama.replyWith({ text: "First try [1]." }, { text: "Second try [1]." }, { text: "On Windows [1]." });
    const page = await mount(release);
    await page.chat().sendMessage({ text: QUESTION });
    await page.answered(2);
    await page.chat().regenerate();
    await until(() => textOfMessage(page.chat().messages[1]).startsWith("Second"));
    const again = await page.answered(2);
    await page.chat().sendMessage({ text: "And on Windows?" });
    expect(threadOf(await page.answered(4))).toBe(threadOf(again));
    const kept = turnsOf(threadOf(again)).filter(({ replaced }) => replaced === 0);
    expect(kept.map(({ question }) => question)).toEqual([QUESTION, "And on Windows?"]);
  });

  test("with `resume` shows no error where nothing runs, and goes on with the answer when its page is loaded again", async () => {
    const { promise: rest, resolve: goOn } = Promise.withResolvers<void>();
    ollama.replyWith({
      text: ["Run ", "the ", "program ", "as ", "root [1]."],
      beforeToken: (index) => (index === 3 ? rest : Promise.resolve()),
    });
    const asked = ollama.chats.length;
    const id = crypto.randomUUID();
    const first = await mount(release, { options: { id, resume: true } });
    await first.chat().resumeStream();
    expect(first.errors).toEqual([]);
    void first.chat().sendMessage({ text: QUESTION });
    await until(() => textOfMessage(first.chat().messages[1]).includes("program"));
    const messages = first.chat().messages.slice(0, 1);
    // What a browser does with the requests of a page that is left.
    void first.chat().stop();
    const second = await mount(release, { options: { id, resume: true, messages } });
    await until(() => textOfMessage(second.chat().messages[1]).includes("program"));
    goOn();
    const answer = await second.answered(2);
    expect(textOfMessage(answer)).toMatch(/^Run the program as root/);
    expect(ollama.chats.slice(asked).map(({ aborted }) => aborted)).toEqual([false]);
    expect(turnsOf(threadOf(answer)).map(({ outcome }) => outcome)).toEqual(["answered"]);
  });

  test("that sends only its last message goes on with its conversation, as the guide to storing chats has it", async () => {
    ollama.replyWith({ text: "Use the installer [1]." }, { text: "Use the setup program [1]." });
    const page = await mount(release, {
      prepareSendMessagesRequest: ({ id, messages, body }) => ({
        body: { ...body, id, message: messages.at(-1) },
      }),
    });
    await page.chat().sendMessage({ text: QUESTION });
    const threadId = threadOf(await page.answered(2));
    await page.chat().sendMessage({ text: "And on Windows?" });
    expect(threadOf(await page.answered(4))).toBe(threadId);
    const sent = ollama.chats.at(-1)?.body.messages ?? [];
    expect(sent.map(({ role }) => role)).toEqual(["system", "user", "assistant", "user"]);
  });

  test("an error before the answer is an error whose message is the JSON of the reply", async () => {
    const page = await mount(release, { key: "docent_dsc_nobody" });
    await page.chat().sendMessage({ text: QUESTION });
    await until(() => page.chat().status === "error");
    expect(page.chat().messages).toHaveLength(1);
    expect(JSON.parse(page.errors[0]?.message ?? "")).toMatchObject({
      code: "unauthorized",
      message: expect.stringContaining("This assistant key is not valid"),
    });
  });

  test("an error in the middle of the answer is an error, and the text so far stays", async () => {
    ollama.replyWith({ text: "Half of ", end: "error" }, { text: "Whole [1]." });
    const page = await mount(release);
    await page.chat().sendMessage({ text: QUESTION });
    await until(() => page.chat().status === "error");
    expect(page.errors[0]?.message).toContain("broke off");
    expect(page.errors[0]?.message).not.toContain("UPSTREAM-SECRET");
    const half = page.chat().messages[1];
    expect(textOfMessage(half)).toStartWith("Half of");
    expect(turnsOf(threadOf(half))).toMatchObject([{ outcome: "failed" }]);
    page.errors.length = 0;
    await page.chat().sendMessage({ text: "And on Windows?" });
    expect(threadOf(await page.answered(4))).toBe(threadOf(half));
  });

  test("a question that the docs do not answer gets that said, and nothing to read", async () => {
    const page = await mount(release);
    await page.chat().sendMessage({ text: "Who won the world cup in 1954?" });
    const answer = await page.answered(2);
    expect(textOfMessage(answer)).toBe("The documentation doesn't cover this.");
    expect(answer.metadata).toMatchObject({ outcome: "unanswered", responder: "extractive" });
    expect(answer.parts.map(({ type }) => type)).toEqual(["step-start", "tool-search", "step-start", "text"]);
  });

  test("a question that is searched for again in other words has an answer as any other", async () => {
    const rewritten = "How do I install Acme with Homebrew?";
    ollama.replyWith({ thinking: ["Hm."], text: rewritten }, { text: "Mit Homebrew [1]." });
    const page = await mount(release);
    // Each release asks its own: the words that a model found for a question are remembered.
    await page.chat().sendMessage({ text: `Wie kommt das mit ${react} auf meinen Apfelrechner?` });
    const answer = await page.answered(2);
    expect(answer.metadata).toMatchObject({ outcome: "answered" });
    expect(answer.parts.slice(0, 4)).toMatchObject([
      { type: "step-start" },
      { type: "tool-search", state: "output-available", input: { query: rewritten } },
      { type: "step-start" },
      { type: "text" },
    ]);
    expect(textOfMessage(answer)).toStartWith(
      "Mit Homebrew [[1]](https://docs.acme.example/guide/install#macos).",
    );
    expect(page.errors).toEqual([]);
  });

  test("a model that looks for itself shows what it searched for and read, as tool parts", async () => {
    const { sites } = docent.app.parts.people;
    await sites.set("acme", { settings: { searchMode: "search" } });
    ollama.script((chat) => {
      if (chat.body.tools === undefined) return { text: "With Homebrew [1]." };
      const isProbe = chat.body.tools.length === 1;
      const asked = chat.body.messages.filter(({ role }) => role === "tool").length;
      if (isProbe || asked === 0) return { calls: [{ name: "search", arguments: { query: "Homebrew" } }] };
      return { calls: [{ name: "read_page", arguments: { path: "/", heading: "Acme" } }] };
    });
    const page = await mount(release);
    await page.chat().sendMessage({ text: QUESTION });
    const answer = await page
      .answered(2)
      .finally(() => sites.set("acme", { settings: { searchMode: "single" } }));
    expect(answer.parts.slice(0, 7)).toMatchObject([
      { type: "step-start" },
      { type: "tool-search", state: "output-available", input: { query: QUESTION } },
      { type: "step-start" },
      { type: "tool-search", state: "output-available", input: { query: "Homebrew" } },
      { type: "step-start" },
      {
        type: "tool-read_page",
        state: "output-available",
        input: { path: "/", heading: "Acme" },
        output: { type: "page", results: [{ path: expect.any(String) }] },
      },
      { type: "step-start" },
    ]);
    expect(textOfMessage(answer)).toStartWith("With Homebrew [[1]](");
    expect(page.errors).toEqual([]);
  });

  test("files: text is read, an image goes to a model that sees, an address is never fetched", async () => {
    ollama.replyWith({ text: "Seen [1]." });
    const page = await mount(release);
    await page.chat().sendMessage({
      text: QUESTION,
      files: [
        fileOf("text/plain", `data:text/plain;base64,${btoa("line one of my log")}`, "a.log"),
        fileOf("image/png", `data:image/png;base64,${PIXEL}`),
        fileOf("text/plain", `${ollama.url}/never`),
        fileOf("application/zip", "data:application/zip;base64,UEsDBA=="),
      ],
    });
    await page.answered(2);
    const asked = ollama.chats.at(-1)?.body.messages.at(-1);
    expect(asked?.content).toContain("line one of my log");
    expect(asked?.images).toEqual([PIXEL]);
    expect(ollama.requests.some(({ path }) => path === "/never")).toBe(false);
  });

  test("what an app and later releases put into a conversation is sent back and accepted", async () => {
    ollama.replyWith({ text: "Fine [1]." });
    const page = await mount(release, {
      body: { threadId: null, filter: null, context: [], later: { unheard: "of" } },
    });
    await page.chat().sendMessage({ text: "Hello" });
    await page.answered(2);
    const answer = page.chat().messages[1];
    answer?.parts.push(
      { type: "data-weather", id: "w", data: { degrees: 3 } },
      { type: "tool-weather", toolCallId: "t", state: "input-available", input: { city: "Bern" } },
      { type: "dynamic-tool", toolName: "x", toolCallId: "u", state: "input-streaming", input: undefined },
      { type: "source-document", sourceId: "d", mediaType: "text/plain", title: "A page" },
      JSON.parse('{"type":"hologram","of":[null]}'),
    );
    await page.chat().sendMessage({ text: QUESTION });
    await page.answered(4);
    expect(page.errors).toEqual([]);
  });
});
