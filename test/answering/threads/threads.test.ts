import { describe, expect, test } from "bun:test";
import { createThreads, type TurnBegin } from "../../../src/answering/threads/threads.ts";
import { createIds, hasIdForm } from "../../../src/kernel/lib/ids.ts";
import { question, turnEnd } from "../../contract/thread-store.ts";
import { fakeClock } from "../../helpers/fake-clock.ts";
import { appErrorOf } from "../../helpers/rejection.ts";
import { addSite } from "../../helpers/site-data.ts";
import { testIds } from "../../helpers/test-ids.ts";
import { quietLog } from "../../helpers/test-log.ts";
import { openStorageAt, openTestStorage } from "../../helpers/test-storage.ts";

async function opened({ pastTurns = 10 } = {}) {
  const storage = await openTestStorage();
  const { clock, advance } = fakeClock();
  const site = await addSite(storage.sites, "docs");
  const threads = createThreads({
    store: storage.threads,
    clock,
    ids: testIds(clock),
    log: quietLog(),
    settings: { history_turns: pastTurns },
  });
  const begin = (id: string, change: Partial<TurnBegin> = {}) =>
    threads.begin({
      siteId: site.id,
      threadId: undefined,
      takesForeignIds: false,
      needsThread: false,
      question: question(id),
      ...change,
    });
  const rows = () =>
    storage.database
      .query<Record<string, unknown>, []>("SELECT * FROM turns ORDER BY position, created_at, id")
      .all();
  return {
    storage,
    site,
    threads,
    begin,
    rows,
    clock,
    advance,
    [Symbol.dispose]: storage[Symbol.dispose],
  };
}

describe("a turn that could not be stored at its end", () => {
  test("is stored as soon as it can be, as it ended last, and once", async () => {
    using it = await opened();
    let isAway = true;
    const stored: string[] = [];
    const threads = createThreads({
      store: {
        ...it.storage.threads,
        async finish(turnId, end, at) {
          if (isAway) throw new Error("the database is away");
          stored.push(`${turnId} ${end.outcome} ${at}`);
          await it.storage.threads.finish(turnId, end, at);
        },
      },
      clock: it.clock,
      ids: testIds(it.clock),
      log: quietLog(),
      settings: { history_turns: 10 },
    });
    const { turnId } = await it.begin("1");
    for (const outcome of ["answered", "failed"] as const)
      await expect(threads.finish(turnId, turnEnd("answer", { outcome }))).rejects.toThrow("away");
    const endedAt = it.clock();
    await expect(threads.flush()).rejects.toThrow("away");
    it.advance(60_000);
    isAway = false;
    await threads.flush();
    await threads.flush();
    expect(stored).toEqual([`${turnId} failed ${endedAt}`]);
    expect(it.rows()).toMatchObject([{ outcome: "failed", finished_at: endedAt }]);
  });
});

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

  const FOREIGN = [
    "thr_1",
    "conv-7f3a",
    "7c9e6679-7425-40de-944b-e07fc1f90ae7",
    "x",
    "01h5j9v6k3wq8y2zr4t7b0c1de",
    "8ZZZZZZZZZZZZZZZZZZZZZZZZZ",
    "0123456789ABCDEFGHJKMNPQRI",
    "0123456789ABCDEFGHJKMNPQRST",
    " ",
  ];
  test.each(FOREIGN)(
    "an id that cannot be ours begins a new thread on a site that moved here: %s",
    async (id) => {
      using it = await opened();
      const asked = { threadId: id, needsThread: true };
      const { threadId, isNewThread, past } = await it.begin("1", { ...asked, takesForeignIds: true });
      expect([threadId === id, isNewThread, past]).toEqual([false, true, []]);
      expect((await appErrorOf(() => it.begin("2", asked))).code).toBe("not_found");
    },
  );

  test("on such a site, too, an id that could be ours is not found: unknown, deleted or another site's", async () => {
    using it = await opened();
    const { threadId, turnId } = await it.begin("1");
    const other = await addSite(it.storage.sites, "other");
    const asked = { siteId: other.id, needsThread: true, takesForeignIds: true };
    for (const id of [threadId, turnId, "0123456789ABCDEFGHJKMNPQRS"])
      expect(await appErrorOf(() => it.begin("2", { ...asked, threadId: id }))).toMatchObject({
        code: "not_found",
        message: "Not found",
      });
  });

  test("every id that is made has the form by which an id of ours is known", () => {
    const ids = testIds(() => 1_760_000_000_000);
    const highest = createIds(
      () => 2 ** 48 - 1,
      (count) => new Uint8Array(count).fill(255),
    );
    for (let made = 0; made < 1000; made++) expect(hasIdForm(ids.capability())).toBe(true);
    expect([highest.capability(), highest.ulid(), ids.ulid()].map(hasIdForm)).toEqual([true, true, true]);
  });

  test("a thread that its asker named is no new one; one that was not named neither", async () => {
    using it = await opened();
    const first = await it.begin("1");
    const second = await it.begin("2", { threadId: first.threadId });
    const third = await it.begin("3", { threadId: "unknown" });
    expect([first, second, third].map(({ isNewThread }) => isNewThread)).toEqual([false, false, true]);
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
      log: quietLog(),
      settings: { history_turns: 100 },
    });
    const ask = async (threads: typeof there, id: string) => {
      const { turnId } = await threads.begin({
        siteId: it.site.id,
        threadId,
        takesForeignIds: false,
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
        rewritten: ["in other words"],
        looks: [{ tool: "read_page", asked: "/guide # Linux", found: 3 }],
        retrieved: [{ passageId: 1, path: "guide", anchor: "a", relevance: 0.5 }],
        cited: [{ passageId: 1, url: "https://a.example/guide#a" }],
        generation: 3,
        responder: "extractive",
        queueMs: 0,
        retrievalMs: 7,
        rewriteMs: 9,
        totalMs: 1500,
      }),
    );
    expect(it.rows()).toEqual([
      {
        id: turnId,
        thread_id: open?.["thread_id"],
        site_id: it.site.id,
        position: 0,
        previous_turn_id: null,
        replaced_at: null,
        question_message_id: "1",
        key_id: "key",
        fp: "reader",
        caller: "web",
        current_path: "guide",
        filter_json: '{"version":"2"}',
        question: "question 1",
        searched: "whole question",
        rewritten_json: '["in other words"]',
        looks_json: '[{"tool":"read_page","asked":"/guide # Linux","found":3}]',
        retrieved_json: '[{"passageId":1,"path":"guide","anchor":"a","relevance":0.5}]',
        cited_json: '[{"passageId":1,"url":"https://a.example/guide#a"}]',
        generation: 3,
        responder: "extractive",
        model: null,
        outcome: "quoted",
        answer: "answer",
        prompt_tokens: null,
        completion_tokens: null,
        prompt_tokens_estimated: null,
        queue_ms: 0,
        retrieval_ms: 7,
        rewrite_ms: 9,
        audience_json: null,
        first_token_ms: null,
        total_ms: 1500,
        support_share: null,
        cached: 0,
        curated: null,
        created_at: it.clock() - 1500,
        finished_at: it.clock(),
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
