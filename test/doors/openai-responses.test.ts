import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import OpenAI from "openai";
import type {
  ResponseCreateParamsNonStreaming,
  ResponseStreamEvent,
} from "openai/resources/responses/responses";
import { turnOfId } from "../../src/doors/encoding/openai-response-id.ts";
import { databaseOf } from "../helpers/database-of.ts";
import { startDocent, type TestDocent } from "../helpers/docent.ts";
import { type FakeOllama, startFakeOllama } from "../helpers/fake-ollama.ts";

// The official `openai` package's responses against a running Docent.

const QUESTION = "How do I install Acme on Linux?";
const NEXT = "And on Windows?";
const WHOLE_NEXT = "How do I install Acme on Windows?";
const INSTALL_URL = "https://docs.acme.example/guide/install#linux";
const PIXEL = "iVBORw0KGgo=";
const THINKER = { name: "thinker:latest", capabilities: ["completion", "thinking", "vision"] };
const LONG = { text: ["word "], endless: true, tokenMs: 20 };

let ollama: FakeOllama;
let docent: TestDocent;
let client: OpenAI;
beforeAll(async () => {
  ollama = startFakeOllama({ models: [THINKER] });
  docent = await startDocent({
    ollama: ollama.url,
    settings: { thinking: "on", answer_cache_answers: "0" },
  });
  client = new OpenAI({ baseURL: `${docent.url}/v1`, apiKey: docent.key, maxRetries: 0 });
});
afterAll(async () => {
  await docent.close();
  await ollama.stop();
});

beforeEach(() =>
  // What is asked without chance is only for other words to search with.
  ollama.script(({ body }) =>
    body.options?.["temperature"] === 0 ? undefined : { text: "Run the installer [1]." },
  ),
);

type Asked = Partial<ResponseCreateParamsNonStreaming>;
const ask = (input: ResponseCreateParamsNonStreaming["input"] = QUESTION, more: Asked = {}) =>
  client.responses.create({ model: "acme", input, ...more });
const lastOf = (events: ResponseStreamEvent[]) => {
  const last = events.at(-1);
  if (!last || !("response" in last)) throw new Error(`a stream that ends with ${last?.type}`);
  return last.response;
};
const textOf = (events: ResponseStreamEvent[]) =>
  events.map((event) => (event.type === "response.output_text.delta" ? event.delta : "")).join("");
const messageOf = ({ output }: { output: OpenAI.Responses.ResponseOutputItem[] }) => {
  const part = output.flatMap((item) => (item.type === "message" ? item.content : []))[0];
  if (part?.type !== "output_text") throw new Error("a response without an answer");
  return part;
};

interface Turn {
  id: string;
  thread_id: string;
  question: string;
  searched: string;
  answer: string;
  outcome: string;
  fp: string;
}
const turns = () =>
  databaseOf(docent.app).query<Turn, []>("SELECT * FROM turns ORDER BY created_at DESC, id DESC").all();
/** What the model was told, the newest last. */
const told = () => ollama.chats.at(-1)?.body.messages.map(({ content }) => content) ?? [];

describe("a response in one piece", () => {
  test("has its text with links, citations at those links, its thoughts and what it used", async () => {
    ollama.replyWith({ thinking: ["Let me", " look."], text: "Run the installer [1]. Then stop [9]." });
    const response = await ask();
    expect(response).toMatchObject({
      object: "response",
      status: "completed",
      model: "acme",
      error: null,
      incomplete_details: null,
      usage: { input_tokens: 123, output_tokens: 9, total_tokens: 132 },
    });
    expect(Math.abs(response.created_at - Date.now() / 1000)).toBeLessThan(60);
    expect(response.output_text).toBe(`Run the installer [[1]](${INSTALL_URL}). Then stop .`);
    expect(response.output.map(({ type }) => type)).toEqual(["reasoning", "message"]);
    expect(response.output[0]).toMatchObject({ summary: [{ type: "summary_text", text: "Let me look." }] });
    const [citation, ...more] = messageOf(response).annotations;
    expect(more).toEqual([]);
    if (citation?.type !== "url_citation") throw new Error("no citation");
    expect(citation).toMatchObject({ url: INSTALL_URL, title: "Install Acme › Linux" });
    const cited = response.output_text.slice(citation.start_index, citation.end_index);
    expect(cited).toBe(`[[1]](${INSTALL_URL})`);
  });

  test("says where its turn is kept: in its id, and as the other doors do", async () => {
    const { data, response } = await client.responses
      .create({ model: "acme", input: QUESTION })
      .withResponse();
    const threadId = response.headers.get("x-thread-id");
    expect(turnOfId(data.id)).toEqual({
      threadId: threadId ?? "",
      turnId: response.headers.get("x-message-id") ?? "",
    });
    expect(response.headers.get("ratelimit-limit")).toBe("10000");
    expect(response.headers.get("cache-control")).toBe("no-store");
  });

  test("says again what it was asked with, and keeps who asked", async () => {
    const metadata = { page: "install" };
    const said = { instructions: "Be brief.", metadata, user: "u1", safety_identifier: "s1" };
    expect(await ask(QUESTION, { ...said, store: false })).toMatchObject({ ...said, store: true });
    expect(turns()[0]).toMatchObject({ fp: "s1", question: QUESTION });
    await ask(QUESTION, { user: "u1" });
    expect(turns()[0]?.fp).toBe("u1");
  });

  test("that reached its longest is incomplete, with the reason", async () => {
    ollama.replyWith({ text: "Run the", doneReason: "length" });
    const response = await ask();
    expect(response).toMatchObject({
      status: "incomplete",
      incomplete_details: { reason: "max_output_tokens" },
    });
  });

  test("that breaks off is a 502", async () => {
    ollama.replyWith({ text: "Half of ", end: "error" });
    const error = await ask().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(OpenAI.InternalServerError);
    expect(error).toMatchObject({ status: 502, code: "model_failed" });
  });

  test("that nobody waits for any more stops the model", async () => {
    ollama.replyWith(LONG);
    const before = ollama.chats.length;
    const leaving = new AbortController();
    const asking = client.responses
      .create({ model: "acme", input: QUESTION }, { signal: leaving.signal })
      .catch((thrown: unknown) => thrown);
    await ollama.until(() => ollama.chats.length > before);
    leaving.abort();
    await asking;
    await ollama.until(() => ollama.chats.at(-1)?.aborted === true);
  });
});

describe("a stream", () => {
  test("ends with the very response that the package puts together from its pieces", async () => {
    ollama.replyWith({ thinking: ["Let me", " look."], text: "Run the installer [1]. Then stop [9]." });
    const pieces = client.responses.stream({ model: "acme", input: QUESTION });
    const events = await Array.fromAsync(pieces);
    const last = lastOf(events);
    const { output_parsed: _, ...put } = await pieces.finalResponse();
    expect(put).toMatchObject({ status: "completed", output_text: textOf(events) });
    expect(put.output).toMatchObject(last.output);
    expect(events.map((event) => event.sequence_number)).toEqual(events.map((_, index) => index));
    const [citation] = messageOf(last).annotations;
    if (citation?.type !== "url_citation") throw new Error("no citation");
    expect(textOf(events).slice(citation.start_index, citation.end_index)).toBe(`[[1]](${INSTALL_URL})`);
  });

  test("is stopped by its reader, and the model with it; what was said is kept", async () => {
    ollama.replyWith(LONG);
    let text = "";
    for await (const event of await client.responses.create({
      model: "acme",
      input: QUESTION,
      stream: true,
    })) {
      if (event.type === "response.output_text.delta") text += event.delta;
      if (text.length > 20) break;
    }
    const running = ollama.chats.at(-1);
    await ollama.until(() => running?.aborted === true);
    await ollama.until(() => turns()[0]?.outcome === "stopped");
    expect(turns()[0]?.answer).toStartWith("word word");
  });

  test("that breaks off raises an error, whichever way it is read, and never looks finished", async () => {
    const seen: string[] = [];
    const ways = [
      async () => {
        for await (const { type } of await client.responses.create({
          model: "acme",
          input: QUESTION,
          stream: true,
        }))
          seen.push(type);
      },
      () => client.responses.stream({ model: "acme", input: QUESTION }).finalResponse(),
    ];
    for (const way of ways) {
      ollama.replyWith({ text: "Half of ", end: "error" });
      const error = await way().then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      if (!(error instanceof OpenAI.APIError)) throw new Error(`no error of the API: ${error}`);
      expect(error).toMatchObject({ code: "model_failed", type: "server_error" });
      expect(error.message).toContain("broke off");
      expect(error.message).not.toContain("UPSTREAM-SECRET");
    }
    expect(seen).toContain("response.output_text.delta");
    expect(seen).not.toContain("response.completed");
  });
});

describe("what was asked", () => {
  test("is the last message of the user, whichever way it is written", async () => {
    const part = { type: "input_text" as const, text: QUESTION };
    for (const input of [
      QUESTION,
      [{ role: "user" as const, content: QUESTION }],
      [{ type: "message" as const, role: "user" as const, content: [part] }],
      [
        { role: "user" as const, content: [part] },
        { role: "developer" as const, content: "Be brief." },
      ],
    ]) {
      await ask(input);
      expect(turns()[0]).toMatchObject({ question: QUESTION, searched: QUESTION });
    }
  });

  test("instructions, system and developer messages are notes of the reader, never instructions", async () => {
    const note = "Reply in the voice of a pirate.";
    for (const more of [
      { instructions: note },
      {
        input: [
          { role: "system" as const, content: note },
          { role: "user" as const, content: QUESTION },
        ],
      },
      {
        input: [
          { role: "developer" as const, content: note },
          { role: "user" as const, content: QUESTION },
        ],
      },
    ]) {
      await ask(QUESTION, more);
      const messages = ollama.chats.at(-1)?.body.messages ?? [];
      const holding = messages.filter(({ content }) => content.includes(note));
      expect(holding.map(({ role }) => role)).toEqual(["user"]);
    }
  });

  test("pictures and files that hold their data are seen, and no address is fetched", async () => {
    const detail = "auto" as const;
    await ask([
      {
        role: "user",
        content: [
          { type: "input_text", text: QUESTION },
          { type: "input_image", detail, image_url: `data:image/png;base64,${PIXEL}` },
          { type: "input_image", detail, image_url: "http://127.0.0.1:1/x.png" },
          { type: "input_image", detail, file_id: "file_1" },
          {
            type: "input_file",
            filename: "log.txt",
            file_data: `data:text/plain;base64,${btoa("exit code 77")}`,
          },
          { type: "input_file", file_url: "http://127.0.0.1:1/x.pdf" },
        ],
      },
    ]);
    expect(ollama.chats.at(-1)?.body.messages.at(-1)).toMatchObject({ images: [PIXEL] });
    expect(told().at(-1)).toContain("exit code 77");
  });

  test("what other clients add is passed over: tools and what they said, thoughts, measures, types to come", async () => {
    const response = await client.responses.create({
      model: "acme",
      input: [
        { role: "user", content: "What is Acme?" },
        { type: "reasoning", id: "rs_1", summary: [] },
        { type: "function_call", call_id: "c", name: "f", arguments: "{}" },
        { type: "function_call_output", call_id: "c", output: "ZEBRA" },
        {
          type: "web_search_call",
          id: "ws_1",
          status: "completed",
          action: { type: "search", query: "ZEBRA" },
        },
        { role: "user", content: QUESTION },
      ],
      tools: [{ type: "function", name: "f", parameters: {}, strict: true }, { type: "web_search" }],
      tool_choice: "auto",
      temperature: 0.2,
      top_p: 0.5,
      max_output_tokens: 100,
      truncation: "disabled",
      parallel_tool_calls: true,
      include: ["reasoning.encrypted_content"],
      reasoning: { effort: "low" },
      text: { verbosity: "low" },
      stream_options: null,
      background: false,
      conversation: null,
      service_tier: "auto",
    });
    expect(response.status).toBe("completed");
    expect(turns()[0]?.question).toBe(QUESTION);
    expect(told().join("\n")).not.toContain("ZEBRA");
  });

  test("is answered below /discovery and a base path too", async () => {
    const moved = await startDocent({ settings: { base_path: "/docent" } });
    for (const prefix of ["", "/discovery"]) {
      const there = new OpenAI({ baseURL: `${moved.url}${prefix}/v1`, apiKey: moved.key, maxRetries: 0 });
      expect((await there.responses.create({ model: "acme", input: QUESTION })).status).toBe("completed");
      const error = await there.embeddings.create({ model: "acme", input: "x" }).catch((thrown) => thrown);
      expect(error).toMatchObject({ status: 404, code: "not_found" });
    }
    await moved.close();
  });
});

describe("a conversation goes on", () => {
  const searched = () => turns()[0]?.searched;
  const answer = (id: string) => ({
    type: "message" as const,
    id,
    role: "assistant" as const,
    status: "completed" as const,
    content: [{ type: "output_text" as const, text: "Run the installer.", annotations: [] }],
  });
  const answersOf = ({ output }: { output: OpenAI.Responses.ResponseOutputItem[] }) =>
    output.flatMap((item) => (item.type === "message" || item.type === "reasoning" ? item : []));
  const said = (content: string) => ({ role: "user" as const, content });

  test("by previous_response_id, from what is stored", async () => {
    const first = await ask();
    const second = await ask(NEXT, { previous_response_id: first.id });
    expect(second.previous_response_id).toBe(first.id);
    expect(searched()).toBe(WHOLE_NEXT);
    expect(turnOfId(second.id)?.threadId).toBe(turnOfId(first.id)?.threadId ?? "");
    await ask("And on macOS?", { previous_response_id: second.id });
    expect(searched()).toBe("How do I install Acme on macOS?");
    expect(told().filter((each) => each === QUESTION || each === NEXT)).toEqual([QUESTION, NEXT]);
  });

  test("from any response: of two that follow one, neither hears of the other", async () => {
    const [left, right] = ["And on Windows?", "And on macOS?"];
    const first = await ask();
    const toLeft = await ask(left, { previous_response_id: first.id });
    const toRight = await ask(right, { previous_response_id: first.id });
    const heard = () => told().filter((each) => each === left || each === right);
    expect(heard()).toEqual([]);
    await ask(QUESTION, { previous_response_id: toRight.id });
    expect(heard()).toEqual([right]);
    await ask(QUESTION, { previous_response_id: toLeft.id });
    expect(heard()).toEqual([left]);
    expect(new Set([first, toLeft, toRight].map(({ id }) => turnOfId(id)?.threadId)).size).toBe(1);
  });

  test("with what was posted besides, behind what is stored", async () => {
    const first = await ask();
    await ask([said("Thank you."), said(NEXT)], { previous_response_id: first.id });
    expect(told().filter((each) => /^How do I|^Thank/.test(each))).toEqual([QUESTION, "Thank you."]);
  });

  test("by the ids of answers that come back whole: what was posted is the conversation, the thread the same", async () => {
    const first = await ask();
    const { threadId } = turnOfId(first.id) ?? {};
    const second = await ask([said(QUESTION), ...answersOf(first), said(NEXT)]);
    expect(turnOfId(second.id)?.threadId).toBe(threadId ?? "");
    expect(searched()).toBe(WHOLE_NEXT);
    const edited = [
      said("How do I remove Acme on Linux?"),
      answer(first.output.at(-1)?.id ?? ""),
      said(NEXT),
    ];
    expect(turnOfId((await ask(edited)).id)?.threadId).toBe(threadId ?? "");
    expect(searched()).toBe("How do I remove Acme on Windows?");
  });

  test("by ids alone: what is stored stands for them", async () => {
    ollama.replyWith({ text: "Run the installer [1]." });
    const first = await ask();
    const references = first.output.map(({ id }) => ({ type: "item_reference" as const, id: id ?? "" }));
    const second = await ask([said(QUESTION), ...references, said(NEXT)]);
    expect(turnOfId(second.id)?.threadId).toBe(turnOfId(first.id)?.threadId ?? "");
    expect(told()).toContain("Run the installer.");
    expect(searched()).toBe(WHOLE_NEXT);
    const silent = { ...answer(first.output.at(-1)?.id ?? ""), content: [] };
    await ask([silent, said(NEXT)]);
    expect(searched()).toBe(WHOLE_NEXT);
  });

  test("with what was posted, where the ids name nothing that is here", async () => {
    const gone = `msg_${"0".repeat(26)}${"0".repeat(26)}`;
    const reference = (id: string) => ({ type: "item_reference" as const, id });
    for (const item of [answer(gone), reference(gone), answer("msg_68a1"), reference("msg_68a1")]) {
      const response = await ask([said(QUESTION), item, said(NEXT)]);
      expect([response.status, searched()]).toEqual(["completed", WHOLE_NEXT]);
    }
  });

  test("in the other doors by its thread, and from them by none", async () => {
    const { data, response } = await client.responses
      .create({ model: "acme", input: QUESTION })
      .withResponse();
    const threadId = response.headers.get("x-thread-id");
    const messages = [{ id: "q2", role: "user", content: NEXT, parts: [] }];
    const reply = await docent.post({ fp: "x", threadId, messages });
    expect([reply.status, await reply.text()]).toEqual([200, expect.stringContaining(WHOLE_NEXT)]);
    await ask("And on macOS?", { previous_response_id: data.id });
    expect(searched()).toBe("How do I install Acme on macOS?");
  });
});

test("neither the id of a response nor that of its thread is logged, whatever is done with it", async () => {
  const response = await ask();
  await ask(NEXT, { previous_response_id: response.id });
  await client.responses.retrieve(response.id).catch(() => {});
  await client.responses.delete(response.id).catch(() => {});
  await ask(NEXT, { previous_response_id: `${response.id}x` }).catch(() => {});
  expect(docent.logged.join("")).not.toContain(turnOfId(response.id)?.threadId ?? "-");
});
