import { afterEach, describe, expect, test } from "bun:test";
import {
  type DocentOptions,
  partsOf,
  question,
  startDocent,
  type TestDocent,
  textOf,
} from "../helpers/docent.ts";
import { patientClient, until } from "../helpers/real-ollama-chat.ts";
import { CHAT, realOllama, startAnother } from "../helpers/real-ollama-here.ts";

const { url } = realOllama();
const CONTEXT_TOKENS = 2048;
const ANSWER_TOKENS = 40;
const PATIENT = {
  connect_seconds: "30",
  queue_seconds: "300",
  context_tokens: String(CONTEXT_TOKENS),
  answer_tokens: String(ANSWER_TOKENS),
  model: CHAT,
};
const INSTALL = "How do I install Acme on Linux?";
const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

async function start(
  settings: Record<string, string> = {},
  options: DocentOptions = {},
): Promise<TestDocent> {
  const docent = await startDocent({ ollama: url, ...options, settings: { ...PATIENT, ...settings } });
  open.push(docent);
  return docent;
}

async function ask(docent: TestDocent, body: unknown = question(INSTALL)) {
  const reply = await docent.post(body);
  const wire = await reply.text();
  if (!reply.ok) throw new Error(`${reply.status}: ${wire}`);
  return { wire, text: textOf(wire), parts: partsOf(wire) };
}

interface Turn {
  outcome: string | null;
  answer: string;
  responder: string | null;
  model: string | null;
  prompt_tokens: number | null;
  prompt_tokens_estimated: number | null;
  completion_tokens: number | null;
  first_token_ms: number | null;
  retrieved_json: string;
  cited_json: string;
}

const turnsOf = ({ app }: TestDocent) =>
  app.parts.storage.database.query<Turn, []>("SELECT * FROM turns ORDER BY created_at, id").all();
const lastTurn = (docent: TestDocent) => turnsOf(docent).at(-1);

describe("a question over HTTP, answered by a real model", () => {
  test("is stored with what was streamed, what it cost, and nothing cited that was not retrieved", async () => {
    const docent = await start();
    const { text, parts } = await ask(docent);
    const turn = lastTurn(docent);
    expect(text).not.toBe("");
    expect(turn).toMatchObject({ answer: text, responder: "ollama", model: "smollm2:latest" });
    // A model of this size may well say that it does not know.
    expect(["answered", "unanswered"]).toContain(turn?.outcome ?? "");
    expect(turn?.first_token_ms).toBeNumber();
    expect(parts.at(-1)).toMatchObject({
      code: "d",
      value: { usage: { promptTokens: turn?.prompt_tokens, completionTokens: turn?.completion_tokens } },
    });
    expect(turn?.completion_tokens ?? 0).toBeLessThanOrEqual(ANSWER_TOKENS);
    const retrieved: { passageId: number }[] = JSON.parse(turn?.retrieved_json ?? "[]");
    const cited: { passageId: number }[] = JSON.parse(turn?.cited_json ?? "[]");
    const passages = retrieved.map(({ passageId }) => passageId);
    for (const { passageId } of cited) expect(passages).toContain(passageId);
    expect(docent.logged.join("")).not.toContain("probably cut");
  });

  test("is read by the model whole: no more tokens than were estimated, in the context that was asked for", async () => {
    const docent = await start();
    await ask(docent);
    const { prompt_tokens: read = 0, prompt_tokens_estimated: estimated = 0 } = lastTurn(docent) ?? {};
    expect(read).toBeGreaterThan(50);
    expect(read ?? 0).toBeLessThanOrEqual(estimated ?? 0);
    const running = (await patientClient(url).running()).find(({ name }) => name === "smollm2:latest");
    expect(running?.context_length).toBe(CONTEXT_TOKENS);
  });

  test("stays inside a small context, however long the conversation was", async () => {
    const docent = await start({ context_tokens: "1024" });
    const past = Array.from({ length: 60 }, (_, index) => ({
      id: `m${index}`,
      role: index % 2 === 0 ? "user" : "assistant",
      content: `Earlier turn ${index}: ${"the installer of Acme wants a prefix, 安装, and x = y[0]; ".repeat(8)}`,
      parts: [],
    }));
    const { messages } = question(INSTALL);
    const { text } = await ask(docent, { fp: "anonymous", messages: [...past, ...messages] });
    expect(text).not.toBe("");
    expect(lastTurn(docent)).toMatchObject({ responder: "ollama" });
    expect(lastTurn(docent)?.prompt_tokens ?? 0).toBeLessThanOrEqual(1024 - ANSWER_TOKENS);
    expect(docent.logged.join("")).not.toContain("probably cut");
  });

  test("and the one after it in the same thread do not make Ollama load the model again", async () => {
    const ollama = await startAnother();
    open.push({ close: ollama.stop });
    const docent = await start({}, { ollama: ollama.url });
    const first = await ask(docent);
    const [runner] = ollama.runners();
    const threadId = /"threadId":"([^"]+)"/.exec(first.wire)?.[1];
    expect(threadId).toBeString();
    await ask(docent, { ...question("And on Windows?"), threadId });
    expect(turnsOf(docent)).toHaveLength(2);
    expect(ollama.runners()).toEqual([runner ?? 0]);
  });

  test("goes to a model that can chat where none was named, never to the embedder", async () => {
    const docent = await start({ model: "auto" });
    await ask(docent);
    expect(["smollm2:latest", "gemma3:latest"]).toContain(lastTurn(docent)?.model ?? "");
  });

  test("waits for the one before it, and each of four readers gets a whole answer", async () => {
    const docent = await start({ answer_tokens: "16" });
    const asked = [
      INSTALL,
      "How do I install Acme on macOS?",
      "Is Windows supported by Acme?",
      "What is Acme?",
    ];
    const replies = await Promise.all(asked.map((each) => ask(docent, question(each))));
    for (const { parts, text } of replies) expect([parts.at(-1)?.code, text === ""]).toEqual(["d", false]);
    expect(turnsOf(docent).map(({ outcome }) => outcome)).not.toContain("failed");
  });
});

describe("what breaks", () => {
  test("a reader who leaves in mid-answer: the turn says stopped, and the next question is answered", async () => {
    const docent = await start({ answer_tokens: "900" });
    const leaving = new AbortController();
    const reply = await docent.post(question(INSTALL), { signal: leaving.signal });
    await readUntil(reply, '0:"');
    leaving.abort();
    await until(() => lastTurn(docent)?.outcome !== null);
    expect(lastTurn(docent)).toMatchObject({ outcome: "stopped", responder: "ollama" });
    expect((await ask(docent, question("How do I install Acme on macOS?"))).parts.at(-1)?.code).toBe("d");
  });

  test("a runner that dies in mid-answer: the reader is told, the turn says failed, and the next is whole", async () => {
    const ollama = await startAnother();
    open.push({ close: ollama.stop });
    const docent = await start({ answer_tokens: "900" }, { ollama: ollama.url });
    const reply = await docent.post(question(INSTALL));
    const wire = await readUntil(reply, '0:"', () => {
      for (const pid of ollama.runners()) process.kill(pid, "SIGKILL");
    });
    expect(partsOf(wire).at(-1)).toEqual({
      code: "3",
      value: "The answer broke off because of a problem on the server. Please try again.",
    });
    expect(lastTurn(docent)).toMatchObject({ outcome: "failed", responder: "ollama" });
    const next = await ask(docent, question("How do I install Acme on macOS?"));
    expect(next.parts.at(-1)?.code).toBe("d");
    expect(lastTurn(docent)).toMatchObject({ responder: "ollama" });
  });

  test("an Ollama that is gone: the docs are quoted, and cited", async () => {
    const ollama = await startAnother();
    const docent = await start({ connect_seconds: "3" }, { ollama: ollama.url });
    await ask(docent);
    expect(lastTurn(docent)).toMatchObject({ responder: "ollama" });
    await ollama.stop();
    const { text } = await ask(docent, question("How do I install Acme on macOS?"));
    expect(text).toContain("https://docs.acme.example/guide/install#macos");
    expect(lastTurn(docent)).toMatchObject({ outcome: "quoted", responder: "extractive" });
  });
});

/** Reads a reply until it holds some text. With something to do then, it is read on to its end. */
async function readUntil(reply: Response, text: string, then?: () => void): Promise<string> {
  const decoder = new TextDecoder();
  let wire = "";
  let seen = false;
  for await (const bytes of reply.body ?? []) {
    wire += decoder.decode(bytes, { stream: true });
    if (seen || !wire.includes(text)) continue;
    seen = true;
    if (then === undefined) return wire;
    then();
  }
  return wire;
}
