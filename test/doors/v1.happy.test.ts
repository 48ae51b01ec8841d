import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { createEmbeddedReader } from "../../src/sites/ingest/embedded-reader.ts";
import { databaseOf } from "../helpers/database-of.ts";
import { partsOf, question, startDocent, type TestDocent, textOf } from "../helpers/docent.ts";
import { addSiteWithPages } from "../helpers/public-site.ts";

const REQUESTS = join(import.meta.dir, "../fixtures/requests");

let docent: TestDocent;
beforeAll(async () => {
  docent = await startDocent();
});
afterAll(() => docent.close());

const ask = async (content: string, more: Record<string, unknown> = {}) => {
  const reply = await docent.post(question(content, more));
  const wire = await reply.text();
  expect(reply.status, wire).toBe(200);
  return { reply, wire, parts: partsOf(wire), text: textOf(wire) };
};

const searchSchema = z.object({
  type: z.literal("search"),
  results: z.array(
    z.object({
      content: z.string().max(300),
      path: z.string(),
      metadata: z.object({ title: z.string(), href: z.string(), score: z.number() }),
    }),
  ),
});
const resultsIn = (parts: { code: string; value: unknown }[]) =>
  searchSchema.parse(
    z.object({ result: z.unknown() }).parse(parts.find(({ code }) => code === "a")?.value).result,
  ).results;

describe("a question that the docs answer", () => {
  test("gets a streamed, cited answer with all headers", async () => {
    const { reply, parts, text } = await ask("How do I install Acme on Linux?");
    expect(text).toContain("sh install.sh --prefix /opt/acme");
    expect(text).toContain("[[1]](https://docs.acme.example/guide/install#linux)");
    expect(parts.find(({ code }) => code === "h")?.value).toMatchObject({
      sourceType: "url",
      url: "https://docs.acme.example/guide/install#linux",
      title: "Install Acme › Linux",
    });
    const headers = Object.fromEntries(reply.headers);
    expect(headers).toMatchObject({
      "content-type": "text/plain; charset=utf-8",
      "x-vercel-ai-data-stream": "v1",
      "cache-control": "no-cache, no-transform",
      "x-accel-buffering": "no",
      "content-encoding": "identity",
      "ratelimit-limit": "10000",
    });
    for (const name of ["x-thread-id", "x-message-id", "x-request-id"])
      expect(headers[name]).toHaveLength(26);
  });

  test("names its thread at the start and at the end, in every place that clients look in", async () => {
    const { reply, parts } = await ask("How do I install Acme on Linux?");
    const threadId = reply.headers.get("x-thread-id");
    const of = (code: string) => parts.filter((part) => part.code === code).map((part) => part.value);
    expect(of("8")).toMatchObject([
      [{ type: "start", threadId }],
      [{ type: "finish", threadId, outcome: "quoted", responder: "extractive" }],
    ]);
    expect(of("2")).toMatchObject([[{ type: "finish", threadId }]]);
    expect(of("d")).toMatchObject([{ type: "finish", finishReason: "stop", threadId }]);
    expect(of("f")).toEqual([
      { messageId: reply.headers.get("x-message-id") },
      { messageId: reply.headers.get("x-message-id") },
    ]);
  });

  test("is stored with what was retrieved and cited before the finish leaves", async () => {
    const { reply } = await ask("How do I install Acme on Linux?", {
      currentPath: "/guide/install",
      filter: { version: "2" },
      fp: "someone",
    });
    const turn = databaseOf(docent.app)
      .query("SELECT * FROM turns WHERE id = ?")
      .get(reply.headers.get("x-message-id") ?? "");
    expect(turn).toMatchObject({
      outcome: "quoted",
      caller: "api",
      fp: "someone",
      question: "How do I install Acme on Linux?",
      searched: "How do I install Acme on Linux?",
      current_path: "guide/install",
      responder: "extractive",
      generation: 1,
      filter_json: '{"version":"2"}',
    });
    const { retrieved_json, cited_json } = z
      .object({ retrieved_json: z.string(), cited_json: z.string() })
      .parse(turn);
    expect(JSON.parse(retrieved_json)[0]).toMatchObject({
      path: "guide/install",
      anchor: "linux",
      relevance: expect.any(Number),
    });
    expect(JSON.parse(cited_json)[0]).toMatchObject({ url: "https://docs.acme.example/guide/install#linux" });
  });
});

test("a noun is answered by docs that have its verb alone", async () => {
  await addSiteWithPages(docent, "verbs", {
    "ops.md":
      "# Operations\n\n## Restart\n\nRun `svc restart` after a change.\n\n## Back up your data\n\nStop the service, then copy the folder.\n\n## Log in as an administrator\n\nOpen `/admin` and type the password.\n",
    "index.md": "# Acme\n\nAcme keeps your notes, and runs on one machine.\n",
  });
  const said = async (content: string) =>
    textOf(await (await docent.post(question(content), { domain: "verbs" })).text());
  expect(await said("How do I make a backup?")).toContain("Stop the service, then copy the folder.");
  expect(await said("admin login")).toContain("Open `/admin` and type the password.");
});

test("a question that the docs do not cover is answered with that, and no source", async () => {
  const { parts, text } = await ask("What is the airspeed of an unladen swallow?");
  expect(text).toBe("The documentation doesn't cover this.");
  expect(parts.some(({ code }) => code === "h")).toBe(false);
  expect(parts.findLast(({ code }) => code === "8")?.value).toMatchObject([{ outcome: "unanswered" }]);
});

test("a hidden page is found by no question", async () => {
  const { wire } = await ask("What is the zanzibar feature that is planned?");
  expect(wire).not.toContain("roadmap");
});

test("retrievalPageSize bounds the results; of any number, the nearest whole one from 1 to 20 is used", async () => {
  const found = async (retrievalPageSize: number) =>
    resultsIn((await ask("install Acme", { retrievalPageSize })).parts).length;
  for (const size of [1, 0, -3, 1.9, Number.MIN_SAFE_INTEGER, 1e-300])
    expect([size, await found(size)]).toEqual([size, 1]);
  const most = await found(20);
  expect(await found(2.5)).toBe(2);
  for (const size of [21, 1000, 1e308]) expect([size, await found(size)]).toEqual([size, most]);
});

test("null, wherever something may be left out, is as if it were", async () => {
  const given = question("How do I install Acme on Linux?");
  const [message] = given.messages;
  const { parts } = await ask("How do I install Acme on Linux?", {
    threadId: null,
    retrievalPageSize: null,
    filter: null,
    context: null,
    currentPath: null,
    messages: [{ ...message, createdAt: null, annotations: null, experimental_attachments: null }],
  });
  expect(resultsIn(parts).length).toBeGreaterThan(1);
  await ask("How do I install Acme on Linux?", {
    filter: { version: null, language: null },
    context: [{ type: "code", value: "sh install.sh", path: null, elementId: null }],
    messages: [
      {
        id: "a0",
        role: "assistant",
        content: "Yes.",
        annotations: null,
        parts: [
          { type: "source", source: { sourceType: "url", id: "i", url: "u", title: null } },
          { type: "reasoning", reasoning: "r", details: [{ type: "text", text: "t", signature: null }] },
          {
            type: "tool-invocation",
            toolInvocation: { state: "call", toolCallId: "c", toolName: "n", args: null, step: null },
          },
        ],
      },
      { ...message, experimental_attachments: [{ url: "data:,hi", name: null, contentType: null }] },
    ],
  });
});

test("what the reader selected decides what is found", async () => {
  const alone = await ask("What does this mean?");
  expect(alone.text).toBe("The documentation doesn't cover this.");
  const { text } = await ask("What does this mean?", {
    context: [{ type: "textSelection", value: "retention_days", path: "/guide/configure" }],
  });
  expect(text).toContain("90 days");
});

describe("filters", () => {
  let filtered: TestDocent;
  beforeAll(async () => {
    filtered = await startDocent({ docs: null });
    const { people, sources } = filtered.app.parts;
    const site = await people.sites.get("acme");
    for (const [version, language, sentence] of [
      ["1", "en", "The frobnicator uses port one."],
      ["2", "en", "The frobnicator uses port two."],
      ["2", "de", "Der frobnicator nutzt Port zwei."],
      ["", "", "The frobnicator is blue."],
    ] as const) {
      await sources.ingest.run({
        source: { siteId: site.id, kind: "demo", location: `${version}${language}`, version, language },
        reader: createEmbeddedReader({ "frobnicator.md": `# Frobnicator\n\n${sentence}` }),
        generation: (await people.sites.get("acme")).generation,
        signal: new AbortController().signal,
      });
    }
  });
  afterAll(() => filtered.close());

  const found = async (filter: Record<string, string> | null) => {
    const reply = await filtered.post(question("frobnicator", { filter, retrievalPageSize: 20 }));
    return resultsIn(partsOf(await reply.text()))
      .map(({ content }) => content)
      .sort();
  };

  test("without one, every version and language is found", async () => {
    expect(await found(null)).toHaveLength(4);
  });
  test("a version keeps its pages and those of none", async () => {
    expect(await found({ version: "1" })).toEqual([
      "The frobnicator is blue.",
      "The frobnicator uses port one.",
    ]);
  });
  test("a language keeps its pages and those of none", async () => {
    expect(await found({ language: "de" })).toEqual([
      "Der frobnicator nutzt Port zwei.",
      "The frobnicator is blue.",
    ]);
  });
  test("a filter that no marked page matches leaves those of none, and falls back on nothing else", async () => {
    expect(await found({ version: "9", language: "fr" })).toEqual(["The frobnicator is blue."]);
  });
});

describe("threads", () => {
  const turns = (threadId: string | null) =>
    databaseOf(docent.app)
      .query<{ question: string; replaced_at: number | null }, [string]>(
        "SELECT question, replaced_at FROM turns WHERE thread_id = ? ORDER BY position, created_at",
      )
      .all(threadId ?? "");
  const message = (id: string, role: string, content: string, more = {}) => ({
    id,
    role,
    content,
    parts: [],
    ...more,
  });

  test("continue by the body's threadId", async () => {
    const first = await ask("How do I install Acme on Linux?");
    const threadId = first.reply.headers.get("x-thread-id");
    const second = await docent.post({
      fp: "x",
      threadId,
      messages: [message("q2", "user", "And on Windows?")],
    });
    const wire = await second.text();
    expect(second.headers.get("x-thread-id")).toBe(threadId);
    // What was asked before is known from the stored turns.
    expect(wire).toContain("How do I install Acme on Windows?");
    expect(wire).toContain("acme-setup.exe");
    expect(turns(threadId)).toHaveLength(2);
  });

  test("continue by the annotation of the newest answer, with nothing in the body", async () => {
    const first = await ask("How do I install Acme on Linux?");
    const threadId = first.reply.headers.get("x-thread-id");
    const second = await docent.post({
      fp: "x",
      messages: [
        message("q1", "user", "How do I install Acme on Linux?"),
        message("a1", "assistant", "Run it.", { annotations: [{ type: "start", threadId }] }),
        message("q2", "user", "And on Windows?"),
      ],
    });
    await second.text();
    expect(second.headers.get("x-thread-id")).toBe(threadId);
  });

  test("the same message asked again replaces its turn", async () => {
    const first = await ask("How do I install Acme on Linux?");
    const threadId = first.reply.headers.get("x-thread-id");
    const again = await docent.post(question("How do I install Acme on Linux?", { threadId }));
    await again.text();
    expect(turns(threadId).map((turn) => turn.replaced_at === null)).toEqual([false, true]);
  });

  test("two questions on one thread at once are both kept", async () => {
    const first = await ask("How do I install Acme on Linux?");
    const threadId = first.reply.headers.get("x-thread-id");
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        docent.post({
          fp: "x",
          threadId,
          messages: [message(`p${index}`, "user", `How do I install Acme on Linux ${index}?`)],
        }),
      ),
    );
    for (const reply of replies) await reply.text();
    expect(turns(threadId)).toHaveLength(11);
  });
});

describe("bodies that real v4 clients send", () => {
  for (const name of readdirSync(REQUESTS).filter((file) => file.startsWith("v4-"))) {
    test(`${name} is accepted`, async () => {
      const reply = await docent.post(readFileSync(join(REQUESTS, name), "utf8"));
      const wire = await reply.text();
      expect(reply.status, wire).toBe(200);
      expect(partsOf(wire).at(-1)?.code).toBe("d");
    });
  }
});

describe("what else reaches the operation", () => {
  test("a body of a megabyte, with the results of earlier searches in it", async () => {
    const result = { results: Array.from({ length: 20 }, () => ({ content: "x".repeat(50_000) })) };
    const toolInvocation = { state: "result", toolCallId: "c", toolName: "search", args: {}, result };
    const messages = [
      { id: "q0", role: "user", content: "Hello", parts: [] },
      { id: "a0", role: "assistant", content: "Hi", parts: [{ type: "tool-invocation", toolInvocation }] },
      ...question("How do I install Acme on Linux?").messages,
    ];
    expect(JSON.stringify(messages).length).toBeGreaterThan(1_000_000);
    const reply = await docent.post({ fp: "x", messages });
    expect(textOf(await reply.text())).toContain("install.sh");
  });

  test("the path under /discovery", async () => {
    const reply = await fetch(`${docent.url}/discovery/v1/assistant/acme/message`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${docent.key}` },
      body: JSON.stringify(question("How do I install Acme on Linux?")),
    });
    expect(reply.status).toBe(200);
    await reply.text();
  });

  test("NUL and lone surrogates in any text", async () => {
    const nasty = "Install \u0000 Acme \ud800 on Linux \udfff?";
    const { reply, wire } = await ask(nasty, {
      fp: nasty,
      currentPath: nasty,
      context: [{ type: "code", value: nasty, path: nasty }],
      filter: { version: nasty },
    });
    expect(partsOf(wire).at(-1)?.code).toBe("d");
    const turn = databaseOf(docent.app)
      .query<{ question: string }, [string]>("SELECT question FROM turns WHERE id = ?")
      .get(reply.headers.get("x-message-id") ?? "");
    expect(turn?.question).toBe("Install  Acme \ufffd on Linux \ufffd?");
  });

  test("a question that is a query of the keyword index", async () => {
    for (const content of [
      '" OR *',
      "NEAR(a b)",
      "site:s2",
      "-",
      "AND OR NOT",
      "{title}:x",
      "^a*",
      "'; DROP TABLE turns; --",
    ]) {
      await ask(content);
    }
  });
});

test("a base path is in front of every route, and of the links to the reader", async () => {
  const based = await startDocent({ settings: { base_path: "docent/" } });
  expect(based.url).toEndWith("/docent");
  await based.app.parts.people.sites.set("acme", { url: "" });
  const reply = await based.post(question("How do I install Acme on Linux?"));
  const text = textOf(await reply.text());
  const link = /\((http[^)]+)\)/.exec(text)?.[1] ?? "";
  expect(link).toStartWith(`${based.url}/sites/acme/guide/install?`);
  const page = await fetch(link);
  expect(page.status).toBe(200);
  expect(await page.text()).toContain("install.sh");
  expect((await fetch(`${based.url}/health/live`)).status).toBe(200);
  expect((await fetch(`${based.url.replace("/docent", "")}/health/live`)).status).toBe(404);
  await based.close();
});
