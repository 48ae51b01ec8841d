import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { type UseChatHelpers, type UseChatOptions, useChat } from "@ai-sdk/react";
import { databaseOf } from "../helpers/database-of.ts";
import { question, startDocent, type TestDocent } from "../helpers/docent.ts";
import { registerDom } from "../helpers/dom.ts";
import { type FakeOllama, startFakeOllama } from "../helpers/fake-ollama.ts";
import { until } from "../helpers/until.ts";

// The real `useChat` of AI SDK v4, set up as the contract says, in a page, against a running Docent.

let unregister: () => Promise<void>;
let ollama: FakeOllama;
let docent: TestDocent;
const mounted: (() => void)[] = [];

beforeAll(async () => {
  unregister = registerDom();
  ollama = startFakeOllama({
    models: [{ name: "thinker:latest", capabilities: ["completion", "thinking", "tools"] }],
  });
  docent = await startDocent({
    ollama: ollama.url,
    settings: { thinking: "on", answer_cache_answers: "0", resume_seconds: "600" },
  });
  await docent.app.parts.people.sites.set("acme", { settings: { searchMode: "single" } });
});
afterEach(() => {
  for (const unmount of mounted.splice(0)) unmount();
});
afterAll(async () => {
  await docent.close();
  await ollama.stop();
  await unregister();
});

/** A component that does nothing but use the hook. */
function Chat({ options, onValue }: { options: UseChatOptions; onValue: (chat: UseChatHelpers) => void }) {
  onValue(useChat(options));
  return null;
}

/** Mounts the component, and gives the hook's latest value. */
async function mountChat(options: UseChatOptions = {}) {
  const { createElement } = await import("react");
  const { createRoot } = await import("react-dom/client");
  const errors: Error[] = [];
  const finished: unknown[] = [];
  let latest: UseChatHelpers | undefined;
  const root = createRoot(document.body.appendChild(document.createElement("div")));
  root.render(
    createElement(Chat, {
      onValue: (chat) => {
        latest = chat;
      },
      options: {
        api: `${docent.url}/v1/assistant/acme/message`,
        headers: { authorization: `Bearer ${docent.key}` },
        body: { fp: "anonymous", retrievalPageSize: 5 },
        streamProtocol: "data",
        sendExtraMessageFields: true,
        onError: (error) => void errors.push(error),
        onFinish: (message) => void finished.push(message),
        ...options,
      },
    }),
  );
  mounted.push(() => root.unmount());
  const chat = () => {
    if (!latest) throw new Error("the chat is not mounted");
    return latest;
  };
  await until(() => latest !== undefined);
  return { chat, errors, finished };
}

const QUESTION = { role: "user" as const, content: "How do I install Acme on Linux?" };
const partOf = <T extends string>(message: { parts?: { type: string }[] } | undefined, type: T) =>
  message?.parts?.find((part): part is { type: T } => part.type === type);

describe("useChat of AI SDK v4", () => {
  test("gets text, reasoning, the search tool part, sources, and annotations with the thread's id", async () => {
    ollama.replyWith({ thinking: ["Let me", " look."], text: "Run the installer [1]. Then stop [9]." });
    const { chat, errors, finished } = await mountChat();
    await chat().append(QUESTION);
    await until(() => chat().status === "ready" && chat().messages.length === 2);
    expect(errors).toEqual([]);
    const answer = chat().messages[1];
    expect(answer?.content).toStartWith(
      "Run the installer [[1]](https://docs.acme.example/guide/install#linux). Then stop .",
    );
    expect(partOf(answer, "reasoning")).toMatchObject({ reasoning: "Let me look." });
    expect(partOf(answer, "tool-invocation")).toMatchObject({
      toolInvocation: {
        state: "result",
        toolName: "search",
        args: { query: QUESTION.content },
        result: { type: "search" },
      },
    });
    expect(JSON.stringify(partOf(answer, "tool-invocation"))).toContain(
      '"path":"guide/install","metadata":{"title":"Install Acme","href":"/guide/install#linux"',
    );
    expect(partOf(answer, "source")).toMatchObject({
      source: {
        sourceType: "url",
        url: "https://docs.acme.example/guide/install#linux",
        title: "Install Acme › Linux",
      },
    });
    expect(answer?.annotations).toMatchObject([
      { type: "start", threadId: expect.any(String) },
      {
        type: "finish",
        threadId: expect.any(String),
        outcome: "answered",
        responder: "ollama",
        model: "thinker:latest",
      },
    ]);
    expect(chat().data).toMatchObject([{ type: "finish" }]);
    expect(finished).toHaveLength(1);
  });

  test("gets each search of a model that looks for itself, and each page that it read", async () => {
    const { sites } = docent.app.parts.people;
    await sites.set("acme", { settings: { searchMode: "search" } });
    ollama.script((chat) => {
      if (chat.body.tools === undefined) return { text: "With Homebrew [1]." };
      const hasAsked = chat.body.messages.some(({ role }) => role === "tool");
      return hasAsked
        ? { calls: [{ name: "read_page", arguments: { path: "/" } }] }
        : { calls: [{ name: "search", arguments: { query: "Homebrew" } }] };
    });
    const { chat, errors } = await mountChat();
    await chat().append(QUESTION);
    await until(() => errors.length > 0 || chat().messages.at(-1)?.content.includes("Homebrew") === true);
    await sites.set("acme", { settings: { searchMode: "single" } });
    expect(errors).toEqual([]);
    const tools = chat()
      .messages.at(-1)
      ?.parts?.flatMap((part) => (part.type === "tool-invocation" ? [part.toolInvocation] : []));
    expect(tools).toMatchObject([
      { state: "result", toolName: "search", args: { query: QUESTION.content } },
      { state: "result", toolName: "search", args: { query: "Homebrew" } },
      { state: "result", toolName: "read_page", args: { path: "/" } },
    ]);
  });

  test("shows in `data` that it waits, and where in the line, and its answer is as any other", async () => {
    ollama.replyWith({ firstTokenMs: 60_000 }, { text: "Run the installer [1]." });
    const leaving = new AbortController();
    const asked = ollama.chats.length;
    const holding = docent
      .post(question("How do I install Acme on Windows?", { fp: "another" }), { signal: leaving.signal })
      .then((reply) => reply.text());
    await ollama.until(() => ollama.chats.length === asked + 1);
    const { chat, errors } = await mountChat();
    void chat().append(QUESTION);
    const waiting = { type: "status", status: "waiting", position: 1 };
    await until(() => chat().data?.length === 1);
    expect(chat().data).toEqual([waiting]);
    leaving.abort();
    await holding.catch(() => {});
    await until(() => chat().status === "ready" && chat().messages.length === 2);
    expect(errors).toEqual([]);
    expect(chat().messages[1]?.content).toStartWith("Run the installer [[1]]");
    expect(chat().data).toMatchObject([waiting, { type: "finish" }]);
  });

  test("continues its thread in a second turn with no code in the app, and the model sees what was said", async () => {
    ollama.replyWith({ text: "Use the installer [1]." }, { text: "Use the setup program [1]." });
    const { chat } = await mountChat();
    await chat().append(QUESTION);
    await until(() => chat().status === "ready" && chat().messages.length === 2);
    await chat().append({ role: "user", content: "And on Windows?" });
    await until(() => chat().status === "ready" && chat().messages.length === 4);
    const threads = chat()
      .messages.flatMap((message) => message.annotations ?? [])
      .map((annotation) =>
        typeof annotation === "object" && annotation !== null && "threadId" in annotation
          ? annotation["threadId"]
          : "",
      );
    expect(new Set(threads).size).toBe(1);
    const asked = ollama.chats.at(-1)?.body.messages ?? [];
    expect(asked.map(({ role }) => role)).toEqual(["system", "user", "assistant", "user"]);
    expect(asked[2]?.content).toBe("Use the installer.");
    expect(asked[3]?.content).toContain("acme-setup.exe");
  });

  test("stop() reaches Ollama, keeps the text so far, and the thread goes on", async () => {
    ollama.replyWith({ text: ["word "], endless: true, tokenMs: 20 }, { text: "On Windows too [1]." });
    const { chat, errors } = await mountChat();
    void chat().append(QUESTION);
    await until(() => (chat().messages[1]?.content.length ?? 0) > 20);
    const running = ollama.chats.at(-1);
    chat().stop();
    await ollama.until(() => running?.aborted === true);
    await until(() => chat().status === "ready");
    expect(chat().messages[1]?.content).toStartWith("word word");
    expect(errors).toEqual([]);
    await until(() => outcomes().at(-1)?.outcome === "stopped");
    expect(outcomes().at(-1)?.answer).toStartWith("word word");
    await chat().append({ role: "user", content: "And on Windows?" });
    await until(() => chat().status === "ready" && chat().messages.length === 4);
    const last = outcomes();
    expect(last.at(-1)?.thread_id).toBe(last.at(-2)?.thread_id ?? "-");
  });

  test("reload() replaces the turn", async () => {
    ollama.replyWith(
      { text: "Use the installer [1]." },
      { text: "First try [1]." },
      { text: "Second try [1]." },
    );
    const { chat } = await mountChat();
    await chat().append(QUESTION);
    await until(() => chat().status === "ready" && chat().messages.length === 2);
    await chat().append({ role: "user", content: "And on Windows?" });
    await until(() => chat().status === "ready" && chat().messages.length === 4);
    await chat().reload();
    await until(
      () => chat().status === "ready" && (chat().messages[3]?.content.startsWith("Second") ?? false),
    );
    const [before, after] = outcomes().slice(-2);
    expect(before?.thread_id).toBe(after?.thread_id ?? "-");
    expect([before?.replaced_at === null, after?.replaced_at === null]).toEqual([false, true]);
  });

  test("experimental_resume() shows no error where nothing runs, and goes on with the answer when its page is loaded again", async () => {
    const { promise: rest, resolve: goOn } = Promise.withResolvers<void>();
    ollama.replyWith({
      text: ["Run ", "the ", "program ", "as ", "root [1]."],
      beforeToken: (index) => (index === 3 ? rest : Promise.resolve()),
    });
    const asked = ollama.chats.length;
    const id = crypto.randomUUID();
    const first = await mountChat({ id });
    first.chat().experimental_resume();
    await until(() => first.chat().status === "ready" || first.errors.length > 0);
    expect(first.errors).toEqual([]);
    void first.chat().append(QUESTION);
    await until(() => first.chat().messages[1]?.content.includes("program") === true);
    const initialMessages = first.chat().messages.slice(0, 1);
    first.chat().stop();
    mounted.pop()?.();
    const second = await mountChat({ id, initialMessages });
    // The client keeps its messages for the next page that it makes, which a page that is loaded again does not.
    second.chat().setMessages(initialMessages);
    await until(() => second.chat().messages.length === 1);
    second.chat().experimental_resume();
    await until(() => second.chat().messages[1]?.content.includes("program") === true);
    goOn();
    await until(() => second.chat().status === "ready");
    expect(second.chat().messages[1]?.content).toMatch(/^Run the program as root/);
    expect(second.errors).toEqual([]);
    expect(ollama.chats.slice(asked).map(({ aborted }) => aborted)).toEqual([false]);
  });

  test("an error before the answer is an error whose message a person can read", async () => {
    const { chat, errors } = await mountChat({ headers: { authorization: "Bearer docent_dsc_nobody" } });
    await chat().append(QUESTION);
    await until(() => chat().status === "error");
    expect(errors[0]?.message).toContain("This assistant key is not valid");
  });

  test("an error in the middle of the answer is an error, and the text so far stays", async () => {
    ollama.replyWith({ text: "Half of ", end: "error" });
    const { chat, errors } = await mountChat();
    await chat().append(QUESTION);
    await until(() => chat().status === "error");
    expect(errors[0]?.message).toContain("broke off");
    expect(errors[0]?.message).not.toContain("UPSTREAM-SECRET");
    expect(chat().messages[1]?.content).toStartWith("Half of");
  });

  test("attached text reaches the model, an attached address is never fetched", async () => {
    ollama.replyWith({ text: "Seen [1]." });
    const { chat } = await mountChat();
    await chat().append(QUESTION, {
      experimental_attachments: [
        {
          url: `data:text/plain;base64,${btoa("line one of my log")}`,
          name: "a.log",
          contentType: "text/plain",
        },
        { url: `${ollama.url}/never`, name: "b.txt", contentType: "text/plain" },
      ],
    });
    await until(() => chat().status === "ready" && chat().messages.length === 2);
    expect(JSON.stringify(ollama.chats.at(-1)?.body.messages)).toContain("line one of my log");
    expect(ollama.requests.some(({ path }) => path === "/never")).toBe(false);
  });
});

function outcomes() {
  return databaseOf(docent.app)
    .query<{ outcome: string; answer: string; thread_id: string; replaced_at: number | null }, []>(
      "SELECT outcome, answer, thread_id, replaced_at FROM turns ORDER BY created_at, id",
    )
    .all();
}
