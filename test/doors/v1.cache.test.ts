import { afterEach, describe, expect, test } from "bun:test";
import { databaseOf } from "../helpers/database-of.ts";
import {
  type DocentOptions,
  partsOf,
  question,
  startDocent,
  type TestDocent,
  textOf,
} from "../helpers/docent.ts";
import { fakeClock } from "../helpers/fake-clock.ts";
import { type FakeOllamaOptions, startFakeOllama } from "../helpers/fake-ollama.ts";
import { isShared } from "../helpers/shared-database.ts";
import { temporaryDirectory } from "../helpers/temporary-directory.ts";

const ASKED = "How do I install Acme on Linux?";
const REPLY = "Run the installer [1], or brew [2].";
/** What was found out about Ollama is no longer believed, and a use of an answer is noted again. */
const LONG_MS = 120_000;
const open: { close(): Promise<void> }[] = [];

async function start(options: FakeOllamaOptions = {}, docentOptions: DocentOptions = {}) {
  const ollama = startFakeOllama({ reply: { text: REPLY }, ...options });
  const docent = await startDocent({ ollama: ollama.url, ...docentOptions });
  open.push(docent, { close: () => ollama.stop() });
  return { ollama, docent };
}
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

interface Asked {
  body?: Record<string, unknown>;
  id?: string;
  domain?: string;
}

/** Asks as a client does that draws an id for every question. */
async function ask(docent: TestDocent, text = ASKED, { body = {}, id, domain = "acme" }: Asked = {}) {
  const message = { id: id ?? crypto.randomUUID(), role: "user", content: text, parts: [] };
  const reply = await docent.post({ ...question(text), messages: [message], ...body }, { domain });
  const wire = await reply.text();
  expect(reply.status, wire).toBe(200);
  return { reply, wire, parts: partsOf(wire), text: textOf(wire), cached: isCached(wire) };
}

const isCached = (wire: string) =>
  partsOf(wire).some(({ code, value }) => code === "8" && JSON.stringify(value).includes('"cached":true'));

const rows = <Row>(docent: TestDocent, sql: string) => databaseOf(docent.app).query<Row, []>(sql).all();
const kept = (docent: TestDocent) => rows(docent, "SELECT key FROM cached_answers").length;

/** The parts of a reply without what is its own: ids and usage. */
const comparable = (wire: string) =>
  partsOf(wire)
    .filter(({ code }) => !["f", "8", "2", "e", "d"].includes(code))
    .map(({ code, value }) => ({ code, value: withoutIds(value) }));

function withoutIds(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value).replace(/"toolCallId":"[^"]*"/g, '"toolCallId":""'));
}

describe("a first question that was answered before", () => {
  test("gets that answer once more, as a stream of the same parts, without the model", async () => {
    const { ollama, docent } = await start();
    const first = await ask(docent);
    const second = await ask(docent);
    expect(first.cached).toBe(false);
    expect(second.cached).toBe(true);
    expect(ollama.chats).toHaveLength(1);
    expect(comparable(second.wire)).toEqual(comparable(first.wire));
    expect(second.parts.filter(({ code }) => code === "0").length).toBeGreaterThan(3);
    const usage = { promptTokens: 0, completionTokens: 0 };
    expect(second.parts.at(-1)?.value).toMatchObject({ finishReason: "stop", usage });
    expect(second.parts.findLast(({ code }) => code === "8")?.value).toMatchObject([
      { type: "finish", outcome: "answered", responder: "ollama", model: "tiny:latest", cached: true },
    ]);
  });

  test("is a turn of its own, in a thread of its own, marked", async () => {
    const { docent } = await start();
    const first = await ask(docent);
    const second = await ask(docent);
    expect(second.reply.headers.get("x-thread-id")).not.toBe(first.reply.headers.get("x-thread-id"));
    const [one, two] = rows<Record<string, unknown>>(docent, "SELECT * FROM turns ORDER BY created_at, id");
    for (const name of ["answer", "outcome", "searched", "retrieved_json", "cited_json", "generation"])
      expect([name, two?.[name]]).toEqual([name, one?.[name]]);
    for (const name of ["responder", "model", "support_share", "question"])
      expect([name, two?.[name]]).toEqual([name, one?.[name]]);
    expect([one?.["cached"], two?.["cached"]]).toEqual([0, 1]);
    expect(two).toMatchObject({ prompt_tokens: 0, completion_tokens: 0, outcome: "answered" });
    expect(two).toHaveProperty("first_token_ms", expect.any(Number));
  });

  test("can be followed up: the conversation goes on from the answer that was given", async () => {
    const { ollama, docent } = await start();
    await ask(docent);
    const { reply } = await ask(docent);
    const threadId = reply.headers.get("x-thread-id");
    const { cached } = await ask(docent, "And on Windows?", { body: { threadId } });
    expect(cached).toBe(false);
    expect(JSON.stringify(ollama.chats[1]?.body.messages)).toContain("Run the installer");
  });

  for (const other of ["how do i install acme on linux", "  How do I  install Acme on Linux??"]) {
    test(`is the same as ${JSON.stringify(other)}`, async () => {
      const { docent } = await start();
      await ask(docent);
      expect((await ask(docent, other)).cached).toBe(true);
    });
  }

  test("is answered while Ollama is away", async () => {
    const { clock, advance } = fakeClock();
    const { ollama, docent } = await start({}, { clock });
    const first = await ask(docent);
    await ollama.stop();
    advance(LONG_MS);
    expect(await ask(docent)).toMatchObject({ cached: true, text: first.text });
    expect((await ask(docent, "How do I install Acme on Windows?")).text).toContain("word for word");
  });

  test("is answered after a restart", async () => {
    using data = temporaryDirectory();
    const { ollama, docent } = await start({}, { data: data.path });
    const first = await ask(docent);
    await docent.close();
    open.splice(open.indexOf(docent), 1);
    const again = await startDocent({ ollama: ollama.url, data: data.path });
    expect(await ask(again)).toMatchObject({ cached: true, text: first.text });
    expect(ollama.chats).toHaveLength(1);
    await again.close();
  });

  test("of two readers who ask it at once gets both an answer, and is kept once", async () => {
    const { docent } = await start({ reply: { text: REPLY, firstTokenMs: 20 } });
    const both = await Promise.all([ask(docent), ask(docent)]);
    expect(both.map(({ text }) => text !== "")).toEqual([true, true]);
    expect(kept(docent)).toBe(1);
    expect((await ask(docent)).cached).toBe(true);
  });

  test("ends when its reader leaves, and is kept as stopped", async () => {
    const { docent } = await start();
    await ask(docent);
    const { parts } = docent.app;
    const stop = new AbortController();
    const events = parts.answers.open(docent.app.publicUrl)(
      {
        requestId: "r",
        reader: "r",
        site: await parts.people.sites.get("acme"),
        pageSize: 5,
        threadId: undefined,
        posted: [],
        contexts: [],
        images: [],
        question: {
          audience: "everything",
          questionMessageId: "q",
          text: ASKED,
          keyId: undefined,
          fp: "r",
          caller: "cli",
          currentPath: undefined,
          filter: undefined,
        },
      },
      stop.signal,
    );
    let pieces = 0;
    for await (const event of events) {
      if (event.type === "text-delta" && ++pieces === 2) stop.abort();
    }
    expect(pieces).toBe(2);
    const [turn] = rows(
      docent,
      "SELECT outcome, cached FROM turns ORDER BY created_at DESC, id DESC LIMIT 1",
    );
    expect(turn).toEqual({ outcome: "stopped", cached: 1 });
  });
});

describe("an answer is not given again to a question that differs", () => {
  const differing: [string, Asked][] = [
    ["in its filter", { body: { filter: { version: "2" } } }],
    ["in the page that its reader is on", { body: { currentPath: "/guide/install" } }],
    ["in its page size", { body: { retrievalPageSize: 4 } }],
    ["in its context", { body: { context: [{ type: "code", value: "sh install.sh", path: "x.sh" }] } }],
  ];
  for (const [how, asked] of differing) {
    test(how, async () => {
      const { ollama, docent } = await start();
      await ask(docent);
      expect((await ask(docent, ASKED, asked)).cached).toBe(false);
      // Those for other words to search with have no chance in them.
      const answers = ollama.chats.filter(({ body }) => body.options?.["temperature"] !== 0);
      expect(answers).toHaveLength(2);
    });
  }

  const user = (id: string, content: string, more = {}) => ({
    id,
    role: "user",
    content,
    parts: [],
    ...more,
  });
  const conversations: [string, unknown[]][] = [
    [
      "by a system message of the client's",
      [{ id: "s", role: "system", content: "Answer like a pirate.", parts: [] }, user("a", ASKED)],
    ],
    [
      "by an attachment",
      [
        user("a", ASKED, {
          experimental_attachments: [{ url: "data:text/plain;base64,aGVsbG8=", contentType: "text/plain" }],
        }),
      ],
    ],
    [
      "by the conversation before it",
      [
        user("a", "What is Acme?"),
        { id: "b", role: "assistant", content: "A tool.", parts: [] },
        user("c", ASKED),
      ],
    ],
  ];
  for (const [how, messages] of conversations) {
    test(how, async () => {
      const { ollama, docent } = await start();
      await ask(docent);
      expect((await ask(docent, ASKED, { body: { messages } })).cached).toBe(false);
      expect((await ask(docent, ASKED, { body: { messages } })).cached).toBe(false);
      expect(ollama.chats).toHaveLength(3);
      expect(kept(docent)).toBe(1);
    });
  }

  test("in its site", async () => {
    const { docent } = await start();
    const { parts } = docent.app;
    await parts.people.sites.add({ domain: "other", url: "https://other.example" });
    await ask(docent);
    expect((await ask(docent, ASKED, { domain: "other" })).cached).toBe(false);
  });

  for (const change of [
    { name: "Acme Tools" },
    { url: "https://new.acme.example" },
    { settings: { instructions: "Be short." } },
  ]) {
    test(`by a change of the site's ${Object.keys(change)}, until it is taken back`, async () => {
      const { docent } = await start();
      const { people } = docent.app.parts;
      const before = await people.sites.get("acme");
      await ask(docent);
      await people.sites.set("acme", change);
      expect((await ask(docent)).cached).toBe(false);
      await people.sites.set("acme", { name: before.name, url: before.url, settings: before.settings });
      expect((await ask(docent)).cached).toBe(true);
    });
  }

  for (const [how, models] of [
    ["in the model that would answer it", [{ name: "other:latest" }]],
    ["in the version of that model", [{ name: "tiny:latest", digest: "of a newer one" }]],
  ] as const) {
    test(how, async () => {
      const { clock, advance } = fakeClock();
      const { ollama, docent } = await start({}, { clock });
      await ask(docent);
      ollama.models = [...models];
      advance(LONG_MS);
      expect((await ask(docent)).cached).toBe(false);
      expect((await ask(docent)).cached).toBe(true);
    });
  }

  test("because the docs were read anew since, and the old answer is gone", async () => {
    const { ollama, docent } = await start();
    await ask(docent);
    await readOtherDocs(docent);
    expect((await ask(docent)).cached).toBe(false);
    expect(ollama.chats).toHaveLength(2);
    expect(kept(docent)).toBe(1);
    expect((await ask(docent)).cached).toBe(true);
  });
});

/** The site `acme` gets one more page, by a run in this process. */
async function readOtherDocs({ app: { parts } }: TestDocent): Promise<void> {
  using folder = temporaryDirectory();
  await Bun.write(`${folder.path}/new.md`, "# News\n\nAcme can be installed on Linux by snap, too.\n");
  const site = await parts.people.sites.get("acme");
  await parts.sources.ingest.run({
    source: { siteId: site.id, kind: "folder", location: folder.path, version: "", language: "" },
    reader: parts.sources.readFolder(folder.path),
    generation: site.generation,
    signal: new AbortController().signal,
  });
}

describe("a reader who wants another answer", () => {
  test("gets one in the thread, and later readers get it too", async () => {
    const { ollama, docent } = await start();
    ollama.replyWith({ text: "Run the installer [1]." }, { text: "Use the package [1]." });
    const first = await ask(docent, ASKED, { id: "q1" });
    const threadId = first.reply.headers.get("x-thread-id");
    const second = await ask(docent, ASKED, { id: "q1", body: { threadId } });
    expect(second).toMatchObject({ cached: false, text: expect.stringContaining("Use the package") });
    expect(await ask(docent)).toMatchObject({ cached: true, text: second.text });
  });

  test("gets one where the client has lost the thread's id with the answer, as useChat has", async () => {
    const { ollama, docent } = await start();
    const id = "HnPzVGkPOt3sLXwq";
    await ask(docent, ASKED);
    expect((await ask(docent, ASKED, { id })).cached).toBe(true);
    expect((await ask(docent, ASKED, { id })).cached).toBe(false);
    expect(ollama.chats).toHaveLength(2);
  });
});

describe("what is not kept", () => {
  const unkept: [string, FakeOllamaOptions, string, DocentOptions][] = [
    ["an answer that broke off", { reply: { text: REPLY, end: "error" } }, ASKED, {}],
    ["an answer that was cut at its longest", { reply: { text: REPLY, doneReason: "length" } }, ASKED, {}],
    [
      "that the docs do not say",
      {},
      "What is the airspeed of a swallow?",
      { settings: { rewrite_seconds: "0" } },
    ],
    ["quotes", { models: [] }, ASKED, {}],
    ["anything, when the setting is 0", {}, ASKED, { settings: { answer_cache_answers: "0" } }],
  ];
  for (const [what, ollamaOptions, text, docentOptions] of unkept) {
    test(what, async () => {
      const { docent } = await start(ollamaOptions, docentOptions);
      for (const _ of [1, 2]) expect((await ask(docent, text)).cached).toBe(false);
      expect(kept(docent)).toBe(0);
    });
  }

  test("an answer whose reader left", async () => {
    const { ollama, docent } = await start({ reply: { text: REPLY, end: "hang" } });
    const leave = new AbortController();
    const reply = await docent.post(question(ASKED), { signal: leave.signal });
    await reply.body?.getReader().read();
    leave.abort();
    const stopped = () => rows<{ outcome: string }>(docent, "SELECT outcome FROM turns")[0]?.outcome;
    await ollama.until(() => stopped() === "stopped");
    expect(kept(docent)).toBe(0);
  });

  test("more than the bound: what was asked for longest ago goes", async () => {
    const { clock, advance } = fakeClock();
    const { docent } = await start({}, { clock, settings: { answer_cache_answers: "2" } });
    const windows = "How do I install Acme on Windows?";
    for (const text of [ASKED, windows, ASKED, "How do I install Acme?"]) {
      await ask(docent, text);
      advance(LONG_MS);
    }
    expect(kept(docent)).toBe(2);
    expect((await ask(docent)).cached).toBe(true);
    expect((await ask(docent, windows)).cached).toBe(false);
  });

  test("by a server whose bound was lowered: the rest goes when it starts", async () => {
    using data = temporaryDirectory();
    const { ollama, docent } = await start({}, { data: data.path });
    await ask(docent);
    expect(kept(docent)).toBe(1);
    await docent.close();
    open.splice(open.indexOf(docent), 1);
    const settings = { answer_cache_answers: "0" };
    const again = await startDocent({ ollama: ollama.url, data: data.path, settings });
    expect(kept(again)).toBe(0);
    await again.close();
  });
});

describe("links that end", () => {
  const settings = { reader_link_seconds: "3600" };

  test("are given away once more while half of their time is left, and then made anew", async () => {
    const { clock, advance } = fakeClock();
    const { docent } = await start({}, { clock, settings });
    await docent.app.parts.people.sites.set("acme", { url: "" });
    const first = await ask(docent);
    expect(first.text).toContain("signature=");
    advance(1_799_000);
    expect(await ask(docent)).toMatchObject({ cached: true, text: first.text });
    advance(1_000);
    const fresh = await ask(docent);
    expect(fresh.cached).toBe(false);
    expect(fresh.text).not.toBe(first.text);
    expect(await ask(docent)).toMatchObject({ cached: true, text: fresh.text });
  });

  test("are no matter to a site that is public", async () => {
    const { clock, advance } = fakeClock();
    const { docent } = await start({}, { clock, settings });
    await docent.app.parts.people.sites.set("acme", { url: "", settings: { public: true } });
    await ask(docent);
    advance(30 * 86_400_000);
    expect((await ask(docent)).cached).toBe(true);
  });
});

describe("a cache that fails", () => {
  const refuse = (what: string) =>
    `CREATE TRIGGER fault BEFORE ${what} ON cached_answers BEGIN SELECT RAISE(ABORT, 'disk full'); END`;
  for (const [how, sql, cached] of [
    ["cannot be read", "ALTER TABLE cached_answers RENAME TO gone", false],
    ["cannot be written", `DELETE FROM cached_answers; ${refuse("INSERT")}`, false],
    ["cannot be written when an answer is given again", refuse("UPDATE"), true],
  ] as const) {
    // In PostgreSQL, what fails is written in another language.
    test.skipIf(isShared && sql.includes("TRIGGER"))(
      `because it ${how} costs no answer, and is logged once a minute`,
      async () => {
        const { clock, advance } = fakeClock();
        const { docent } = await start({}, { clock });
        const { text } = await ask(docent);
        databaseOf(docent.app).run(sql);
        advance(LONG_MS);
        for (const _ of [1, 2]) expect(await ask(docent)).toMatchObject({ text, cached });
        const warned = docent.logged.filter((line) =>
          line.includes("the cache of answers could not be used"),
        );
        expect(warned).toHaveLength(1);
      },
    );
  }
});
