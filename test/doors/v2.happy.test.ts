import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { SiteSecret } from "../../src/people/readers/stores.ts";
import { createEmbeddedReader } from "../../src/sites/ingest/embedded-reader.ts";
import { databaseOf } from "../helpers/database-of.ts";
import { question, startDocent, type TestDocent } from "../helpers/docent.ts";
import { adasClaims, signToken } from "../helpers/reader-tokens.ts";
import { askV2, type Chunk, chunksOf, chunksOfType, questionV2 } from "../helpers/ui-message.ts";

const REQUESTS = join(import.meta.dir, "../fixtures/requests");
const QUESTION = "How do I install Acme on Linux?";
const INSTALL_URL = "https://docs.acme.example/guide/install#linux";

let docent: TestDocent;
beforeAll(async () => {
  docent = await startDocent();
});
afterAll(() => docent.close());

const ask = (text: string, more: Record<string, unknown> = {}) => askV2(docent, questionV2(text, more));
const resultsIn = (chunks: Chunk[]) =>
  chunksOfType(chunks, "tool-output-available").flatMap(({ output }) => output.results);
const queryIn = (chunks: Chunk[]) => chunksOfType(chunks, "tool-input-available")[0]?.input.query;
const turn = (id: string | null) =>
  databaseOf(docent.app)
    .query<Record<string, unknown>, [string]>("SELECT * FROM turns WHERE id = ?")
    .get(id ?? "");
describe("a question that the docs answer", () => {
  test("gets a streamed, cited answer with all headers", async () => {
    const { reply, chunks, text } = await ask(QUESTION);
    expect(text).toContain("sh install.sh --prefix /opt/acme");
    expect(text).toContain(`[[1]](${INSTALL_URL})`);
    expect(chunksOfType(chunks, "source-url")[0]).toEqual({
      type: "source-url",
      sourceId: "source_1",
      url: INSTALL_URL,
      title: "Install Acme › Linux",
    });
    expect(resultsIn(chunks)[0]).toMatchObject({
      path: "guide/install",
      metadata: { title: "Install Acme", href: "/guide/install#linux" },
    });
    const headers = Object.fromEntries(reply.headers);
    expect(headers).toMatchObject({
      "content-type": "text/event-stream; charset=utf-8",
      "x-vercel-ai-ui-message-stream": "v1",
      "cache-control": "no-cache, no-transform",
      "x-accel-buffering": "no",
      "content-encoding": "identity",
      "ratelimit-limit": "10000",
    });
    for (const name of ["x-thread-id", "x-message-id", "x-request-id"])
      expect(headers[name]).toHaveLength(26);
    for (const name of ["x-vercel-ai-data-stream", "deprecation", "link"])
      expect(headers).not.toHaveProperty(name);
  });

  test("names its thread and its message at the start, at the end and in the headers", async () => {
    const { reply, chunks } = await ask(QUESTION);
    const threadId = reply.headers.get("x-thread-id");
    expect(chunks[0]).toEqual({
      type: "start",
      messageId: reply.headers.get("x-message-id") ?? "",
      messageMetadata: { threadId },
    });
    expect(chunks.at(-1)).toEqual({
      type: "finish",
      messageMetadata: {
        threadId,
        outcome: "quoted",
        responder: "extractive",
        finishReason: "stop",
        usage: { promptTokens: 0, completionTokens: 0 },
      },
    });
  });

  test("is stored with all that was said of it, before the finish leaves", async () => {
    const { reply, text } = await ask(QUESTION, {
      fp: "someone",
      currentPath: "/guide/install",
      filter: { version: "2", language: null, groups: ["staff"] },
    });
    expect(turn(reply.headers.get("x-message-id"))).toMatchObject({
      thread_id: reply.headers.get("x-thread-id"),
      question_message_id: "q1",
      question: QUESTION,
      answer: text,
      fp: "someone",
      caller: "api",
      current_path: "guide/install",
      filter_json: '{"version":"2","groups":["staff"]}',
      outcome: "quoted",
    });
  });

  test("is a page's question where a browser asks", async () => {
    const reply = await docent.post(questionV2(QUESTION), {
      version: "v2",
      headers: { origin: "https://docs.acme.example" },
    });
    await reply.text();
    expect(turn(reply.headers.get("x-message-id"))).toMatchObject({ caller: "web" });
  });

  test("is the same answer that v1 gives", async () => {
    const { text } = await ask(QUESTION);
    const v1 = await (await docent.post(question(QUESTION))).text();
    const lines = v1.split("\n").filter((line) => line.startsWith("0:"));
    expect(lines.map((line) => JSON.parse(line.slice(2))).join("")).toBe(text);
  });
});

test("a question that the docs do not answer gets that said, without a source", async () => {
  const { chunks, text } = await ask("Who won the world cup in 1954?");
  expect(text).toBe("The documentation doesn't cover this.");
  expect(chunksOfType(chunks, "source-url")).toEqual([]);
  expect(chunks.at(-1)).toMatchObject({ type: "finish", messageMetadata: { outcome: "unanswered" } });
});

test("a hidden page is found by no question", async () => {
  const { wire } = await ask("What is the zanzibar feature that is planned?");
  expect(wire).not.toContain("roadmap");
});

describe("what a body may hold", () => {
  test("null for all that it does not say", async () => {
    const { chunks } = await ask(QUESTION, {
      threadId: null,
      retrievalPageSize: null,
      filter: null,
      context: null,
      currentPath: null,
    });
    expect(resultsIn(chunks).length).toBeGreaterThan(1);
    await ask(QUESTION, { filter: { version: null, language: null, tag: null, groups: null } });
    await ask(QUESTION, { context: [{ type: "code", value: "sh", path: null, elementId: null }] });
  });

  test("an empty thread id, which is none", async () => {
    const { reply } = await ask(QUESTION, { threadId: "" });
    expect(reply.headers.get("x-thread-id")).toHaveLength(26);
  });

  test("retrievalPageSize, which bounds the results", async () => {
    for (const retrievalPageSize of [1, 0, -1, 1.5])
      expect(resultsIn((await ask("install Acme", { retrievalPageSize })).chunks)).toHaveLength(1);
    await ask("install Acme", { retrievalPageSize: 1000 });
  });

  test("what the reader selected, which decides what is found", async () => {
    const { text } = await ask("Explain this setting please", {
      context: [{ type: "textSelection", value: "retention_days", path: "/guide/configure", elementId: "e" }],
    });
    expect(text).toContain("90 days");
  });

  test("a question in several parts, among parts of other types", async () => {
    const parts = [
      { type: "step-start" },
      { type: "text", text: "How do I install", state: "done", providerMetadata: { x: { y: 1 } } },
      { type: "data-page", data: { path: "/elsewhere" } },
      { type: "text", text: "Acme on Linux?" },
    ];
    const { chunks } = await askV2(docent, { fp: "x", messages: [{ id: "q", role: "user", parts }] });
    expect(queryIn(chunks)).toBe("How do I install\nAcme on Linux?");
  });

  test("only a file: its text is the question's context", async () => {
    const url = `data:text/plain,${encodeURIComponent("How do I install Acme on Linux?")}`;
    const parts = [{ type: "file", mediaType: "text/plain", url, filename: null }];
    const reply = await docent.post(
      { fp: "x", messages: [{ id: "q", role: "user", parts }] },
      { version: "v2" },
    );
    expect(reply.status).toBe(200);
    await reply.text();
  });

  test("NUL and lone surrogates in any text", async () => {
    const nasty = "Install \u0000 Acme \ud800 on Linux \udfff?";
    const { reply } = await askV2(docent, {
      fp: nasty,
      messages: [
        {
          id: nasty,
          role: "assistant",
          parts: [{ type: "text", text: nasty }],
          metadata: { threadId: nasty },
        },
        { id: nasty, role: "user", parts: [{ type: "text", text: nasty }], metadata: nasty },
      ],
      currentPath: nasty,
      context: [{ type: "code", value: nasty, path: nasty }],
      filter: { version: nasty, groups: [nasty] },
    });
    expect(turn(reply.headers.get("x-message-id"))?.["question"]).toBe(
      "Install  Acme \ufffd on Linux \ufffd?",
    );
    const label = "Install \ufffd Acme \ufffd on Linux \ufffd?";
    expect(JSON.parse(String(turn(reply.headers.get("x-message-id"))?.["filter_json"]))).toEqual({
      version: label,
      groups: [label],
    });
  });
});

describe("filters", () => {
  let filtered: TestDocent;
  let secret: SiteSecret;
  beforeAll(async () => {
    filtered = await startDocent({ docs: null });
    const { people, sources } = filtered.app.parts;
    secret = await people.siteSecrets.create((await people.sites.get("acme")).id);
    await sources.ingest.run({
      source: {
        siteId: (await people.sites.get("acme")).id,
        kind: "demo",
        location: "demo",
        version: "",
        language: "",
      },
      reader: createEmbeddedReader({
        "open.md": "# Open\n\nThe frobnicator is blue.",
        "staff.md": "---\ngroups: [staff]\n---\n# Staff\n\nThe frobnicator of the staff is red.",
        "tagged.md": "---\ntags: [paint]\n---\n# Tagged\n\nThe frobnicator has paint.",
      }),
      generation: (await people.sites.get("acme")).generation,
      signal: new AbortController().signal,
    });
  });
  afterAll(() => filtered.close());

  const found = async (filter: Record<string, unknown> | null, groups: string[] = ["staff", "guests"]) => {
    const claims = { ...adasClaims("acme", Math.floor(Date.now() / 1000)), groups };
    const { chunks } = await askV2(filtered, questionV2("frobnicator", { filter, retrievalPageSize: 20 }), {
      headers: { "x-docent-reader": await signToken(secret, claims) },
    });
    return resultsIn(chunks)
      .map(({ path }) => path)
      .sort();
  };

  test("groups narrow the search to pages of those groups and of none", async () => {
    expect(await found({ groups: ["staff"] })).toEqual(["open", "staff", "tagged"]);
    expect(await found({ groups: ["guests"] })).toEqual(["open", "tagged"]);
  });
  test("groups open nothing to who is not in them", async () => {
    for (const filter of [null, { groups: [] }, { groups: ["staff"] }])
      expect(await found(filter, ["guests"])).toEqual(["open", "tagged"]);
  });
  test("no group, and an empty list of them, narrow nothing", async () => {
    expect(await found(null)).toEqual(["open", "staff", "tagged"]);
    expect(await found({ groups: [] })).toEqual(["open", "staff", "tagged"]);
  });
});

describe("bodies that real clients send", () => {
  const names = readdirSync(REQUESTS).filter((file) => /^ai[567]-/.test(file));
  test("are those of three versions", () => expect(names).toHaveLength(12));
  test.each(names)("%s is accepted", async (name) => {
    const reply = await docent.post(readFileSync(join(REQUESTS, name), "utf8"), { version: "v2" });
    const wire = await reply.text();
    expect(reply.status, wire).toBe(200);
    expect(chunksOf(wire).at(-1)?.type).toBe("finish");
  });
});

test("the path under /discovery, and below a base path, answers too", async () => {
  const based = await startDocent({ settings: { base_path: "docent" } });
  for (const [url, key] of [
    [`${docent.url}/discovery`, docent.key],
    [`${based.url}/discovery`, based.key],
    [based.url, based.key],
  ]) {
    const reply = await fetch(`${url}/v2/assistant/acme/message`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${key}` },
      body: JSON.stringify(questionV2(QUESTION)),
    });
    expect(reply.status).toBe(200);
    chunksOf(await reply.text());
  }
  await based.close();
});
