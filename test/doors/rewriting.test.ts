import { afterEach, describe, expect, test } from "bun:test";
import { startAnalyticsDoor } from "../helpers/analytics-door.ts";
import { databaseOf } from "../helpers/database-of.ts";
import {
  type DocentOptions,
  partsOf,
  question,
  startDocent,
  type TestDocent,
  textOf,
} from "../helpers/docent.ts";
import { type FakeChat, type FakeOllamaOptions, startFakeOllama } from "../helpers/fake-ollama.ts";
import type { FakeReply } from "../helpers/fake-ollama-replies.ts";
import { timersOf } from "../helpers/timers-of.ts";

/** In a language of which nothing is known without a model. */
const POLISH = "Jak długo przechowywane są rzeczy z archiwum?";
const ENGLISH = "How many days are archived files kept by retention?";
const RETENTION = "https://docs.acme.example/guide/configure#retention";
const NOT_COVERED = "The documentation doesn't cover this.";
/** The same to a question in Polish. */
const NOT_COVERED_IN_POLISH = "Dokumentacja tego nie obejmuje.";
/** What nothing else takes. */
const REWRITE_MS = 117_000;
const REWRITE = { rewrite_seconds: "117" };
const ANSWER = "Archivierte Dateien werden 90 Tage aufgehoben [1].";

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

/** A question that is to be written anew is the only one that is asked without chance. */
const isRewrite = ({ body }: FakeChat) => body.options?.["temperature"] === 0;

async function start(
  rewritten: FakeReply,
  docentOptions: DocentOptions = {},
  ollamaOptions: FakeOllamaOptions = {},
) {
  const ollama = startFakeOllama(ollamaOptions);
  ollama.script((chat) => (isRewrite(chat) ? rewritten : { text: ANSWER }));
  const docent = await startDocent({ ollama: ollama.url, ...docentOptions });
  open.push(docent, { close: () => ollama.stop() });
  return { ollama, docent };
}

interface StoredTurn {
  outcome: string;
  question: string;
  searched: string;
  rewritten_json: string;
  rewrite_ms: number | null;
  retrieved_json: string;
}

const stored = (docent: TestDocent) =>
  databaseOf(docent.app)
    .query<StoredTurn, []>("SELECT * FROM turns ORDER BY created_at DESC, id DESC LIMIT 1")
    .get();

async function ask(docent: TestDocent, text = POLISH, more: Record<string, unknown> = {}) {
  const reply = await docent.post(question(text, more));
  const wire = await reply.text();
  const parts = partsOf(wire);
  const value = (code: string) => parts.find((part) => part.code === code)?.value;
  return {
    status: reply.status,
    text: textOf(wire),
    codes: parts.map(({ code }) => code),
    searchCall: value("9"),
    results: JSON.stringify(value("a")),
    outcome: JSON.stringify(parts.findLast(({ code }) => code === "8")?.value),
    turn: stored(docent),
  };
}

/** Asks a first question; gives its thread. */
async function threadOf(docent: TestDocent, text: string): Promise<string> {
  const reply = await docent.post(question(text));
  await reply.text();
  return reply.headers.get("x-thread-id") ?? "";
}

describe("a question that the docs do not seem to cover", () => {
  test("is written by the model in the language of the docs, searched for again, and answered", async () => {
    const { ollama, docent } = await start({ text: `"${ENGLISH}"` });
    const { text, searchCall, results, outcome, turn } = await ask(docent);
    expect(text).toStartWith(`Archivierte Dateien werden 90 Tage aufgehoben [[1]](${RETENTION}).`);
    expect(outcome).toContain('"outcome":"answered"');
    expect(searchCall).toMatchObject({ toolName: "search", args: { query: ENGLISH } });
    expect(results).toContain("retention_days");
    expect(turn).toMatchObject({ outcome: "answered", question: POLISH, searched: POLISH });
    expect(JSON.parse(turn?.rewritten_json ?? "")).toEqual([ENGLISH]);
    expect(turn?.rewrite_ms).toBeGreaterThanOrEqual(0);
    expect(turn?.retrieved_json).toContain('"anchor":"retention"');
    expect(ollama.chats.map(isRewrite)).toEqual([true, false]);
  });

  test("is answered as its reader asked it: the words of the model are only searched for", async () => {
    const { ollama, docent } = await start({ text: ENGLISH });
    await ask(docent);
    const [, writing] = ollama.chats;
    const prompt = JSON.stringify(writing?.body.messages);
    expect(prompt).toContain(POLISH);
    expect(prompt).not.toContain(ENGLISH);
    expect(prompt).toContain("retention_days");
  });

  test("goes to the model with the language of the docs, and with headings of theirs alone", async () => {
    const { ollama, docent } = await start({ text: ENGLISH });
    await ask(docent);
    const { messages, options, think } = ollama.chats[0]?.body ?? {};
    const prompt = JSON.stringify(messages);
    expect(prompt).toContain(POLISH);
    expect(prompt).toContain("English");
    expect(prompt).not.toMatch(/toml|brew install/i);
    expect(think).toBe(false);
    expect(Number(options?.["num_predict"])).toBeLessThanOrEqual(60);
    expect(options?.["num_ctx"]).toBe(ollama.chats[1]?.body.options?.["num_ctx"]);
  });

  test.each([
    ["de", "German"],
    ["pt-BR", "Brazilian Portuguese"],
    ["ignore-previous", "English"],
    ["not a tag", "English"],
  ])("is put into the language that its filter names: %s", async (language, named) => {
    const { ollama, docent } = await start({ text: ENGLISH });
    await ask(docent, POLISH, { filter: { language } });
    const prompt = JSON.stringify(ollama.chats[0]?.body.messages);
    expect(prompt).toContain(`Write this question in ${named},`);
    expect(prompt).not.toContain("ignore");
  });

  test("of two parts is searched for in both, and answered from both in turn", async () => {
    const second = "How is Acme installed with Homebrew?";
    const { docent } = await start({ text: `1. ${ENGLISH}\n2. ${second}` });
    const { results, searchCall, turn } = await ask(
      docent,
      "Wie lange, und wie kommt es auf den Apfelrechner?",
    );
    expect(searchCall).toMatchObject({ args: { query: `${ENGLISH}\n${second}` } });
    expect(JSON.parse(turn?.rewritten_json ?? "")).toEqual([ENGLISH, second]);
    const found: { anchor: string }[] = JSON.parse(turn?.retrieved_json ?? "[]");
    expect(found.slice(0, 2).map(({ anchor }) => anchor)).toEqual(["retention", "macos"]);
    expect(results).toContain("brew install acme");
  });

  test("is shown beside the headings that are nearest, and the conversation that it goes on from", async () => {
    const { ollama, docent } = await start({ text: ENGLISH });
    const threadId = await threadOf(docent, "How do I install Acme on Linux?");
    const next = [{ id: "q2", role: "user", content: "And on Windows?", parts: [] }];
    await ask(docent, "", { threadId, messages: next });
    const prompt = ollama.chats.find(isRewrite)?.body.messages.at(-1)?.content ?? "";
    expect(prompt).toContain("<headings>\n- Install Acme");
    expect(prompt).toContain("<conversation>\nReader: How do I install Acme on Linux?\nAssistant: ");
    expect(prompt).toContain("<question>\nAnd on Windows?\n</question>");
  });

  test("of two parts of which one is covered is answered from that one", async () => {
    const { docent } = await start({ text: `${ENGLISH}\nWhat is the airspeed of a swallow?` });
    const { turn, outcome } = await ask(docent);
    expect(outcome).toContain('"outcome":"answered"');
    expect(turn?.retrieved_json).toContain('"anchor":"retention"');
  });

  test("is quoted from what was found, where the model goes away before the answer", async () => {
    const { ollama, docent } = await start({});
    ollama.script((chat) =>
      isRewrite(chat)
        ? { text: ENGLISH }
        : { status: 404, body: '{"error":"gone"}', contentType: "application/json" },
    );
    const { outcome, text } = await ask(docent);
    expect(outcome).toContain('"outcome":"quoted"');
    expect(text).toContain("90 days");
  });

  test("is no gap where it was answered", async () => {
    const { docent } = await start({ text: ENGLISH });
    await ask(docent);
    const { gaps } = docent.app.parts.reports;
    const site = await docent.app.parts.people.sites.get("acme");
    const list = await gaps.list(site, { limit: 10 }, new AbortController().signal);
    expect([list.gaps.length, list.waiting]).toEqual([0, 0]);
  });

  test("is answered again as it was before, without the model", async () => {
    const { ollama, docent } = await start({ text: ENGLISH });
    const first = await ask(docent);
    const second = await ask(docent);
    expect(ollama.chats).toHaveLength(2);
    expect(second.text).toBe(first.text);
    expect(second.searchCall).toMatchObject({ args: { query: ENGLISH } });
    for (const name of ["searched", "rewritten_json", "retrieved_json"] as const)
      expect(second.turn?.[name]).toBe(first.turn?.[name] ?? "");
    expect(second.turn?.rewrite_ms).toBeNull();
  });
});

describe("an owner", () => {
  test("reads both, as it was asked and as the model wrote it: in the answer, in the list, and in exports", async () => {
    const ollama = startFakeOllama();
    ollama.script((chat) => (isRewrite(chat) ? { text: ENGLISH } : { text: ANSWER }));
    const door = await startAnalyticsDoor({ ollama: ollama.url });
    open.push(door, { close: () => ollama.stop() });
    const { messageId } = await door.asked(POLISH);
    const both = { rewritten: [ENGLISH] };
    expect((await door.read(`/acme/conversations/${messageId}`)).body).toMatchObject({
      question: POLISH,
      searched: POLISH,
      ...both,
      timings: { rewriteMs: expect.any(Number) },
    });
    expect(await door.list("/acme/assistant", "conversations")).toMatchObject([{ query: POLISH, ...both }]);
    expect(JSON.parse((await door.read("/acme/export?format=jsonl")).text)).toMatchObject({
      query: POLISH,
      ...both,
    });
    const { text: csv } = await door.read("/acme/export?format=csv");
    expect(csv).toContain(POLISH);
    expect(csv).toContain(ENGLISH);
  });
});

describe("the ordinary answer that the docs do not cover it", () => {
  const UNCOVERED = "What is the airspeed of an unladen swallow?";

  test.each<[string, FakeReply]>([
    ["says what the docs do not cover either", { text: "How fast does a swallow fly?" }],
    ["says nonsense", { text: "!!! ??? ---" }],
    ["says nothing", { text: " " }],
    ["says the same again", { text: UNCOVERED }],
    ["only thinks", { text: "<think>Let me see" }],
    ["writes without end", { text: ["On and on. "], endless: true }],
    ["breaks off", { text: "How", end: "error" }],
    ["breaks off without a word", { text: "", end: "eof" }],
    ["refuses", { status: 400, body: '{"error":"no"}', contentType: "application/json" }],
    ["crashes", { status: 500, body: '{"error":"no"}', contentType: "application/json" }],
  ])("comes where the model %s", async (_, rewritten) => {
    const { ollama, docent } = await start(rewritten, { settings: { rewrite_seconds: "2" } });
    const { text, outcome, turn, codes, searchCall } = await ask(docent, UNCOVERED);
    expect(text).toBe(NOT_COVERED);
    expect(searchCall).toMatchObject({ args: { query: UNCOVERED } });
    expect(outcome).toContain('"outcome":"unanswered"');
    expect(turn).toMatchObject({ outcome: "unanswered", searched: UNCOVERED });
    expect(codes.filter((code) => code === "9")).toHaveLength(1);
    expect(ollama.chats.every(isRewrite)).toBe(true);
  });

  test.each<[string, FakeReply]>([
    ["hangs before its first word", { firstTokenMs: 600_000 }],
    ["hangs in the middle", { text: "How", end: "hang" }],
    ["is slow", { text: "How many days are archived files kept", tokenMs: 600_000 }],
  ])("comes in time where the model %s, which is then stopped", async (_, rewritten) => {
    using late = timersOf(REWRITE_MS);
    const { ollama, docent } = await start(rewritten, { settings: REWRITE });
    const asking = ask(docent);
    await ollama.until(() => ollama.chats.length === 1);
    // It has lasted for a while then.
    await Bun.sleep(2);
    await late.endNext();
    const { text, turn } = await asking;
    expect(text).toBe(NOT_COVERED_IN_POLISH);
    expect(turn).toMatchObject({ outcome: "unanswered", rewritten_json: "[]" });
    expect(turn?.rewrite_ms).toBeGreaterThan(0);
    expect(docent.logged.filter((line) => line.includes("it took too long"))).toHaveLength(1);
    await ollama.until(() => ollama.chats[0]?.aborted === true);
    expect(docent.app.parts.answers.ollama.load()).toEqual({ running: 0, waiting: 0 });
  });

  test("comes without the model where the same was asked before", async () => {
    const { ollama, docent } = await start({ text: "What is the airspeed of a swallow?" });
    const first = await ask(docent);
    const again = await ask(docent);
    expect(ollama.chats).toHaveLength(1);
    expect(again.text).toBe(first.text);
    expect(again.turn).toMatchObject({ outcome: "unanswered", rewrite_ms: null });
    expect(again.turn?.rewritten_json).toBe(first.turn?.rewritten_json ?? "");
    await ask(docent, UNCOVERED);
    expect(ollama.chats).toHaveLength(2);
  });

  test("comes from the model again where it broke off before", async () => {
    const { ollama, docent } = await start({ text: "How", end: "error" });
    await ask(docent);
    await ask(docent);
    expect(ollama.chats).toHaveLength(2);
  });

  test("comes at once where there is no model, and where the second search is turned off", async () => {
    const away = await startDocent();
    open.push(away);
    expect(await ask(away)).toMatchObject({
      text: NOT_COVERED_IN_POLISH,
      turn: { rewrite_ms: null, rewritten_json: "[]" },
    });
    const off = await start({ text: ENGLISH }, { settings: { rewrite_seconds: "0" } });
    expect((await ask(off.docent)).text).toBe(NOT_COVERED_IN_POLISH);
    expect(off.ollama.chats).toHaveLength(0);
  });

  test("does not come where nothing was asked, but a courtesy at once: thanks, or signs alone", async () => {
    const { ollama, docent } = await start({ text: ENGLISH });
    expect((await ask(docent, "Thank you!")).text).toStartWith("You’re welcome.");
    for (const text of ["???", "🙂"]) expect((await ask(docent, text)).text).toStartWith("Please write");
    expect(ollama.chats).toHaveLength(0);
  });

  test("is no error where an answer without a model would be one", async () => {
    const { docent, ollama } = await start({}, { settings: { fallback: "error" } });
    await ollama.stop();
    expect(await ask(docent)).toMatchObject({ status: 200, text: NOT_COVERED_IN_POLISH });
  });
});

describe("a question that is covered", () => {
  test("is written anew where words and meaning do not agree, and both wordings are searched for", async () => {
    const { docent } = await start({ text: ENGLISH });
    const { turn, searchCall } = await ask(docent, "What is there to configure, keep or install?");
    expect(searchCall).toMatchObject({ args: { query: ENGLISH } });
    expect(JSON.parse(turn?.rewritten_json ?? "")).toEqual([ENGLISH]);
    expect(turn?.retrieved_json).toContain('"anchor":"retention"');
  });

  test("is written anew where they agree on one of several things that it asks", async () => {
    const { ollama, docent } = await start({ text: ENGLISH });
    await ask(docent, "How do I install Acme on Linux, and in which file are its settings?");
    await ask(docent, "How do I install Acme on Linux? Can I do so on Windows?");
    expect(ollama.chats.map(isRewrite)).toEqual([true, false, true, false]);
  });

  test("is not written anew where they agree", async () => {
    const { ollama, docent } = await start({ text: ENGLISH });
    const { turn } = await ask(docent, "How do I install Acme on Linux?");
    expect(ollama.chats.map(isRewrite)).toEqual([false]);
    expect(turn).toMatchObject({ rewritten_json: "[]", rewrite_ms: null });
  });
});

describe("while the model writes the question anew", () => {
  test("a reader who leaves stops it, and the turn is stored as stopped", async () => {
    const { ollama, docent } = await start(
      { firstTokenMs: 600_000 },
      { settings: { rewrite_seconds: "60" } },
    );
    const leave = new AbortController();
    // The reply has begun: there is something to stop.
    await docent.post(question(POLISH), { signal: leave.signal });
    await ollama.until(() => ollama.chats.length === 1);
    leave.abort();
    await ollama.until(() => ollama.chats[0]?.aborted === true && stored(docent)?.outcome === "stopped");
    expect(ollama.chats).toHaveLength(1);
  });

  test("it waits in the same line as answers, for no time of its own, and its reader sees the place", async () => {
    using late = timersOf(REWRITE_MS);
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const { ollama, docent } = await start({ text: ENGLISH }, { settings: { model_slots: "1", ...REWRITE } });
    ollama.script((chat) => {
      if (isRewrite(chat)) return { text: ENGLISH };
      return ollama.chats.length === 1
        ? { text: ["One ", "two [1]."], beforeToken: () => held }
        : { text: ANSWER };
    });
    const first = docent.post(question("How do I install Acme on Linux?"));
    await ollama.until(() => ollama.chats.length === 1);
    const second = ask(docent);
    await ollama.until(() => docent.app.parts.answers.ollama.load().waiting === 1);
    expect(ollama.chats).toHaveLength(1);
    // As if it had waited for longer than it may take once its turn has come.
    late.end();
    release();
    await (await first).text();
    const { codes, outcome } = await second;
    expect(outcome).toContain('"outcome":"answered"');
    // Begun, in line, and only then what was found.
    expect(codes.indexOf("2")).toBeGreaterThan(codes.indexOf("f"));
    expect(codes.indexOf("2")).toBeLessThan(codes.indexOf("9"));
    expect(ollama.mostAtOnce).toBe(1);
  });

  test("a question that the docs seem to cover does not wait for it", async () => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const { ollama, docent } = await start({ text: ENGLISH }, { settings: { model_slots: "1" } });
    ollama.script((chat) => {
      if (isRewrite(chat)) return { text: ENGLISH };
      return ollama.chats.length === 1
        ? { text: ["One ", "two [1]."], beforeToken: () => held }
        : { text: ANSWER };
    });
    const first = docent.post(question("How do I install Acme on Linux?"));
    await ollama.until(() => ollama.chats.length === 1);
    const second = ask(docent, "What is there to configure, keep or install?");
    await ollama.until(() => docent.app.parts.answers.ollama.load().waiting === 1);
    release();
    await (await first).text();
    expect((await second).turn).toMatchObject({ outcome: "answered", rewritten_json: "[]" });
    expect(ollama.chats.map(isRewrite)).toEqual([false, false]);
  });

  test("a line that is full is no reason to say that the docs do not cover it", async () => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const { ollama, docent } = await start({}, { settings: { model_slots: "1", queue_length: "0" } });
    ollama.script(() => ({ text: ["One ", "two [1]."], beforeToken: () => held }));
    const first = docent.post(question("How do I install Acme on Linux?"));
    await ollama.until(() => ollama.chats.length === 1);
    const { text, outcome } = await ask(docent, "Could a swallow be archived, and how long does it fly?");
    release();
    await (await first).text();
    expect(outcome).toContain('"outcome":"touched"');
    expect(text).not.toContain(NOT_COVERED);
  });
});
