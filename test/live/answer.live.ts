import { describe, expect, test } from "bun:test";
import { partsOf, question } from "../helpers/docent.ts";
import { patientClient, until } from "../helpers/real-ollama-chat.ts";
import {
  ANSWER_TOKENS,
  ask,
  CONTEXT_TOKENS,
  createStage,
  hasLogged,
  INSTALL,
  INSTALL_OTHER,
  lastTurn,
  readUntil,
} from "../helpers/real-ollama-docent.ts";
import { realOllama } from "../helpers/real-ollama-here.ts";

const { url } = realOllama();
const stage = createStage();

describe("a question over HTTP, answered by a real model", () => {
  test("is stored with what was streamed, what it cost, and nothing cited that was not retrieved", async () => {
    const docent = await stage.docent(url);
    const { text, parts } = await ask(docent);
    const turn = lastTurn(docent);
    expect(text).not.toBe("");
    expect(turn).toMatchObject({ answer: text, responder: "ollama", model: "smollm2:latest" });
    // A model of this size may well say that it does not know.
    expect(["answered", "touched", "unanswered"]).toContain(turn?.outcome ?? "");
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
    expect(hasLogged(docent, "probably cut")).toBe(false);
  });

  test("is read in the context that was asked for, which has room for the answer too", async () => {
    const docent = await stage.docent(url);
    await ask(docent);
    const { prompt_tokens: read, prompt_tokens_estimated: estimated } = lastTurn(docent) ?? {};
    expect(read).toBeGreaterThan(50);
    for (const tokens of [read, estimated])
      expect(tokens).toBeLessThanOrEqual(CONTEXT_TOKENS - ANSWER_TOKENS);
    const running = (await patientClient(url).running()).find(({ name }) => name === "smollm2:latest");
    expect(running?.context_length).toBe(CONTEXT_TOKENS);
  });

  test("stays inside a small context, however long the conversation was", async () => {
    // Passages have as much of it as they have where nobody says how much.
    const docent = await stage.docent(url, { context_tokens: "1024", passage_tokens: "0" });
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
    expect(hasLogged(docent, "probably cut")).toBe(false);
  });

  test("goes to a model that can chat where none was named, never to the embedder", async () => {
    const docent = await stage.docent(url, { model: "auto" });
    await ask(docent);
    expect(["smollm2:latest", "gemma3:latest"]).toContain(lastTurn(docent)?.model ?? "");
  });
});

describe("what breaks", () => {
  test("a reader who leaves in mid-answer: the turn says stopped, and the next question is answered", async () => {
    const docent = await stage.docent(url, { answer_tokens: "120" });
    const leaving = new AbortController();
    const reply = await docent.post(question(INSTALL), { signal: leaving.signal });
    await readUntil(reply, '0:"');
    leaving.abort();
    await until(() => lastTurn(docent)?.outcome !== null);
    expect(lastTurn(docent)).toMatchObject({ outcome: "stopped", responder: "ollama" });
    expect((await ask(docent, question(INSTALL_OTHER))).parts.at(-1)?.code).toBe("d");
  });

  test("a runner that dies in mid-answer: the reader is told, the turn says failed, and the next is whole", async () => {
    const ollama = await stage.ollama();
    const docent = await stage.docent(ollama.url, { answer_tokens: "120" });
    const reply = await docent.post(question(INSTALL));
    const wire = await readUntil(reply, '0:"', () => {
      for (const pid of ollama.runners()) process.kill(pid, "SIGKILL");
    });
    expect(partsOf(wire).at(-1)).toEqual({
      code: "3",
      value: "The answer broke off because of a problem on the server. Please try again.",
    });
    expect(lastTurn(docent)).toMatchObject({ outcome: "failed", responder: "ollama" });
    const next = await ask(docent, question(INSTALL_OTHER));
    expect(next.parts.at(-1)?.code).toBe("d");
    expect(lastTurn(docent)).toMatchObject({ responder: "ollama" });
  });

  test("an Ollama that is gone: the docs are quoted, and cited", async () => {
    const ollama = await stage.ollama();
    const docent = await stage.docent(ollama.url, { connect_seconds: "3" });
    await ask(docent);
    expect(lastTurn(docent)).toMatchObject({ responder: "ollama" });
    await ollama.stop();
    const { text } = await ask(docent, question(INSTALL_OTHER));
    expect(text).toContain("https://docs.acme.example/guide/install#macos");
    expect(lastTurn(docent)).toMatchObject({ outcome: "quoted", responder: "extractive" });
  });
});

describe("a question that the docs do not seem to cover", () => {
  test("is put in other words in the context that answers have, and ends as any other", async () => {
    const docent = await stage.docent(url, { rewrite_seconds: "60" });
    await ask(docent);
    const { parts, text } = await ask(docent, question("Jak długo przechowywane są rzeczy z archiwum?"));
    const turn = lastTurn(docent);
    expect(parts.at(-1)?.code).toBe("d");
    expect(text).not.toBe("");
    expect(turn?.rewrite_ms).toBeNumber();
    // A model of this size may write anything: what counts is that it is read within bounds.
    const rewritten: string[] = JSON.parse(turn?.rewritten_json ?? "");
    expect(rewritten.length).toBeLessThanOrEqual(2);
    for (const each of rewritten) expect(each.length).toBeLessThanOrEqual(300);
    expect(["answered", "touched", "unanswered"]).toContain(turn?.outcome ?? "");
    const running = (await patientClient(url).running()).find(({ name }) => name === "smollm2:latest");
    expect(running?.context_length).toBe(CONTEXT_TOKENS);
    expect(hasLogged(docent, "probably cut")).toBe(false);
  });
});
