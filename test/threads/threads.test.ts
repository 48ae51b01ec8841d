import { describe, expect, test } from "bun:test";
import { createThreads, type TurnBegin } from "../../src/threads/threads.ts";
import { question, turnEnd } from "../contract/thread-store.ts";
import { fakeClock } from "../helpers/fake-clock.ts";
import { appErrorOf } from "../helpers/rejection.ts";
import { addSite } from "../helpers/site-data.ts";
import { testIds } from "../helpers/test-ids.ts";
import { openStorageAt, openTestStorage } from "../helpers/test-storage.ts";

async function opened({ pastTurns = 10 } = {}) {
  const storage = await openTestStorage();
  const { clock, advance } = fakeClock();
  const site = await addSite(storage.sites, "docs");
  const threads = createThreads({ store: storage.threads, clock, ids: testIds(clock), pastTurns });
  const begin = (id: string, change: Partial<TurnBegin> = {}) =>
    threads.begin({
      siteId: site.id,
      threadId: undefined,
      needsThread: false,
      question: question(id),
      ...change,
    });
  const rows = () =>
    storage.database
      .query<Record<string, unknown>, []>("SELECT * FROM turns ORDER BY position, created_at, id")
      .all();
  return {
    ...{ storage, site, threads, begin, rows, clock, advance },
    [Symbol.dispose]: storage[Symbol.dispose],
  };
}

describe("threads", () => {
  test("a first question gets a thread whose id is a capability", async () => {
    using it = await opened();
    const { threadId, turnId, past } = await it.begin("1");
    expect(threadId).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/);
    expect(turnId).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/);
    expect(turnId.slice(0, 10)).not.toBe(threadId.slice(0, 10));
    expect(past).toEqual([]);
  });

  test("a thread is continued by its id", async () => {
    using it = await opened();
    const first = await it.begin("1");
    await it.threads.finish(first.turnId, turnEnd("answer"));
    const second = await it.begin("2", { threadId: first.threadId });
    expect(second.threadId).toBe(first.threadId);
    expect(second.past).toEqual([{ id: first.turnId, question: "question 1", answer: "answer" }]);
  });

  test("an unknown thread is not found when the question needs it", async () => {
    using it = await opened();
    const error = await appErrorOf(() => it.begin("1", { threadId: "unknown", needsThread: true }));
    expect(error.code).toBe("not_found");
    expect(it.rows()).toEqual([]);
  });

  test("an unknown thread is another one when the question stands by itself: nobody chooses a thread's id", async () => {
    using it = await opened();
    const { threadId } = await it.begin("1", { threadId: "mine" });
    expect(threadId).not.toBe("mine");
  });

  test("the thread of another site and an unknown one get the same answer", async () => {
    using it = await opened();
    const { threadId } = await it.begin("1");
    const other = await addSite(it.storage.sites, "other");
    const asked = { siteId: other.id, needsThread: true };
    const foreign = await appErrorOf(() => it.begin("2", { ...asked, threadId }));
    const unknown = await appErrorOf(() => it.begin("2", { ...asked, threadId: "unknown" }));
    expect([foreign.code, foreign.message]).toEqual([unknown.code, unknown.message]);
  });

  test("two requests on one thread at once, from two processes, don't lose a turn", async () => {
    using it = await opened({ pastTurns: 100 });
    const { threadId } = await it.begin("0");
    const other = await openStorageAt(it.storage.directory);
    const there = createThreads({
      store: other.threads,
      clock: it.clock,
      ids: testIds(() => it.clock() + 1),
      pastTurns: 100,
    });
    const ask = async (threads: typeof there, id: string) => {
      const { turnId } = await threads.begin({
        siteId: it.site.id,
        threadId,
        needsThread: true,
        question: question(id),
      });
      await threads.finish(turnId, turnEnd(`answer ${id}`));
    };
    const asked = Array.from({ length: 20 }, (_, index) => ask(index % 2 ? there : it.threads, `q${index}`));
    await Promise.all(asked);
    const { past } = await it.begin("last", { threadId });
    expect(past).toHaveLength(21);
    expect(new Set(it.rows().map((row) => row["position"])).size).toBe(22);
    for (const { question: asked, answer } of past.slice(1))
      expect(answer).toBe(asked.replace("question", "answer"));
    other.close();
  });

  test("a repeated message id replaces its turn; the replaced one is kept with its time", async () => {
    using it = await opened();
    const { threadId, turnId: replaced } = await it.begin("1");
    it.advance(5);
    const { turnId, past } = await it.begin("1", { threadId });
    expect(past).toEqual([]);
    expect(it.rows().map((row) => [row["id"], row["position"], row["replaced_at"]])).toEqual([
      [replaced, 0, it.clock()],
      [turnId, 0, null],
    ]);
  });

  test("the same message id at once is asked twice and counts once", async () => {
    using it = await opened();
    const { threadId } = await it.begin("0");
    await Promise.all([
      it.begin("1", { threadId }),
      it.begin("1", { threadId }),
      it.begin("1", { threadId }),
    ]);
    expect((await it.begin("2", { threadId })).past).toHaveLength(2);
  });

  test("a turn keeps all that was known when it began and when it ended", async () => {
    using it = await opened();
    const { turnId } = await it.begin("1", {
      question: question("1", {
        keyId: "key",
        caller: "web",
        currentPath: "guide",
        filter: { version: "2", language: undefined },
      }),
    });
    const [open] = it.rows();
    expect(open).toMatchObject({ outcome: null, finished_at: null, answer: "" });
    it.advance(1500);
    await it.threads.finish(
      turnId,
      turnEnd("answer", {
        outcome: "quoted",
        searched: "whole question",
        retrieved: [{ passageId: 1, path: "guide", anchor: "a", relevance: 0.5 }],
        cited: [{ passageId: 1, url: "https://a.example/guide#a" }],
        generation: 3,
        responder: "extractive",
        queueMs: 0,
        retrievalMs: 7,
        totalMs: 1500,
      }),
    );
    expect(it.rows()).toEqual([
      {
        ...{
          id: turnId,
          thread_id: open?.["thread_id"],
          site_id: it.site.id,
          position: 0,
          replaced_at: null,
        },
        ...{ question_message_id: "1", key_id: "key", fp: "reader", caller: "web", current_path: "guide" },
        ...{ filter_json: '{"version":"2"}', question: "question 1", searched: "whole question" },
        retrieved_json: '[{"passageId":1,"path":"guide","anchor":"a","relevance":0.5}]',
        cited_json: '[{"passageId":1,"url":"https://a.example/guide#a"}]',
        ...{ generation: 3, responder: "extractive", model: null, outcome: "quoted", answer: "answer" },
        ...{ prompt_tokens: null, completion_tokens: null, prompt_tokens_estimated: null },
        ...{ queue_ms: 0, retrieval_ms: 7, first_token_ms: null, total_ms: 1500 },
        ...{ support_share: null, cached: 0, curated: null },
        ...{ created_at: it.clock() - 1500, finished_at: it.clock() },
      },
    ]);
  });

  test("a server that starts marks what its predecessor left unfinished, and spares the command line", async () => {
    using it = await opened();
    const done = await it.begin("done");
    await it.threads.finish(done.turnId, turnEnd("answer"));
    for (const caller of ["web", "api", "mcp", "cli"] as const)
      await it.begin(caller, { question: question(caller, { caller }) });
    it.advance(1000);
    expect(await it.threads.failUnfinished()).toBe(3);
    const outcomes = Object.fromEntries(
      it.rows().map((row) => [row["question_message_id"], [row["outcome"], row["finished_at"]]]),
    );
    expect(outcomes).toEqual({
      done: ["answered", it.clock() - 1000],
      web: ["failed", it.clock()],
      api: ["failed", it.clock()],
      mcp: ["failed", it.clock()],
      cli: [null, null],
    });
  });
});
