import { describe, expect, test } from "bun:test";
import type { NewTurn, ThreadStore } from "../../../src/answering/threads/threads.ts";
import { createTurnStoring } from "../../../src/answering/threads/unstored-turns.ts";
import { AppError } from "../../../src/kernel/errors.ts";
import { question, turnEnd } from "../../contract/thread-store.ts";
import { fakeClock } from "../../helpers/fake-clock.ts";
import { appErrorOf } from "../../helpers/rejection.ts";
import { addSite } from "../../helpers/site-data.ts";
import { testLog } from "../../helpers/test-log.ts";
import { openTestStorage } from "../../helpers/test-storage.ts";

const FULL = () =>
  new AppError("unavailable", "Nothing can be stored.", { hint: "Free some space.", cannotStore: true });

/** Turns that are stored in a real database, which is full or away as the test says. */
async function opened() {
  const storage = await openTestStorage();
  const site = await addSite(storage.sites, "docs");
  const { clock, advance } = fakeClock();
  const { log, lines } = testLog();
  const state: { fails: (() => Error) | undefined; recallFails?: () => Error; writes: number } = {
    fails: undefined,
    writes: 0,
  };
  const failing = async <T>(work: () => Promise<T>): Promise<T> => {
    state.writes += 1;
    if (state.fails) throw state.fails();
    return work();
  };
  const store: ThreadStore = {
    ...storage.threads,
    begin: (turn) => failing(() => storage.threads.begin(turn)),
    finish: (turnId, end, at) => failing(() => storage.threads.finish(turnId, end, at)),
    recall: (turn) => {
      if (state.recallFails) throw state.recallFails();
      return storage.threads.recall(turn);
    },
  };
  const storing = createTurnStoring({ store, clock, log });
  const turn = (id: string, change: Partial<NewTurn> = {}): NewTurn => ({
    turnId: `turn ${id}`,
    siteId: site.id,
    threadId: undefined,
    newThreadId: `thread ${id}`,
    question: question(id),
    at: clock(),
    pastTurns: 10,
    ...change,
  });
  const rows = () =>
    storage.database
      .query<{ id: string; thread_id: string; answer: string }, []>("SELECT * FROM turns ORDER BY id")
      .all()
      .map(({ id, thread_id, answer }) => [id, thread_id, answer]);
  const events = () => lines.map(({ event }) => event);
  return {
    storage,
    site,
    storing,
    state,
    turn,
    rows,
    lines,
    events,
    advance,
    [Symbol.dispose]: storage[Symbol.dispose],
  };
}

describe("turns that cannot be stored", () => {
  test("go on in memory, are said once, and are stored in their order as soon as they can be", async () => {
    using it = await opened();
    it.state.fails = FULL;
    const first = await it.storing.begin(it.turn("1"));
    expect(first).toEqual({ threadId: "thread 1", past: [], replaced: false });
    await it.storing.finish("turn 1", turnEnd("answer 1"));
    const next = it.turn("2", { threadId: "thread 1", newThreadId: undefined });
    expect(await it.storing.begin(next)).toEqual({
      threadId: "thread 1",
      past: [{ id: "turn 1", question: "question 1", answer: "answer 1" }],
      replaced: false,
    });
    await it.storing.flush();
    expect([it.rows(), it.storing.unstored()?.answers]).toEqual([[], 2]);
    expect(it.events()).toEqual(["answers are not stored"]);

    it.advance(30_000);
    it.state.fails = undefined;
    await it.storing.flush();
    // It was still being answered.
    await it.storing.finish("turn 2", turnEnd("answer 2"));
    expect(it.rows()).toEqual([
      ["turn 1", "thread 1", "answer 1"],
      ["turn 2", "thread 1", "answer 2"],
    ]);
    expect(it.lines.at(-1)).toMatchObject({
      event: "answers are stored again",
      answers: 2,
      lost: 0,
      seconds: 30,
    });
    expect([it.storing.unstored(), it.storing.unstoredTotal()]).toEqual([undefined, 2]);
    const { writes } = it.state;
    await it.storing.flush();
    expect([it.state.writes, it.events()]).toEqual([
      writes,
      ["answers are not stored", "answers are stored again"],
    ]);
  });

  test("whose end alone cannot be stored fail no answer, and the thread has it at once", async () => {
    using it = await opened();
    await it.storing.begin(it.turn("1"));
    it.state.fails = FULL;
    await it.storing.finish("turn 1", turnEnd("answer 1"));
    const { past } = (await it.storing.begin(it.turn("2", { threadId: "thread 1" }))) ?? {};
    expect(past).toEqual([{ id: "turn 1", question: "question 1", answer: "answer 1" }]);
    it.state.fails = undefined;
    await it.storing.flush();
    expect(it.rows()).toEqual([
      ["turn 1", "thread 1", "answer 1"],
      ["turn 2", "thread 1", ""],
    ]);
  });

  test("are nobody else's: another reader and another site find no such thread", async () => {
    using it = await opened();
    it.state.fails = FULL;
    const of = (readerId: string | undefined) => question("1", { readerId });
    await it.storing.begin(it.turn("1", { question: of("ann") }));
    const goesOn = (id: string, change: Partial<NewTurn>) =>
      it.storing.begin(it.turn(id, { threadId: "thread 1", newThreadId: undefined, ...change }));
    expect(await goesOn("2", { question: of("bob") })).toBeUndefined();
    expect(await goesOn("3", { question: of(undefined), adopts: true })).toBeUndefined();
    expect(await goesOn("4", { question: of("ann"), siteId: it.site.id + 1 })).toBeUndefined();
    expect(await goesOn("5", { question: of("ann") })).toMatchObject({ threadId: "thread 1" });
    expect(it.storing.unstored()?.answers).toBe(2);
  });

  test("follow the turn that they name, take the place of one that is asked again, and go on in an app's chat", async () => {
    using it = await opened();
    it.state.fails = FULL;
    const chat = { name: "chat", isWhole: false };
    await it.storing.begin(it.turn("1", { chat }));
    const inChat = (id: string, change: Partial<NewTurn> = {}) =>
      it.storing.begin(it.turn(id, { chat, ...change }));
    expect(await inChat("2")).toMatchObject({ threadId: "thread 1", past: [{ id: "turn 1" }] });
    expect(await inChat("3", { previousTurnId: "turn 1" })).toMatchObject({ past: [{ id: "turn 1" }] });
    expect(await inChat("4", { question: question("2") })).toMatchObject({
      past: [{ id: "turn 1" }],
      replaced: true,
    });
    it.state.fails = undefined;
    await it.storing.flush();
    expect(it.rows().map(([id, thread]) => [id, thread])).toEqual(
      ["1", "2", "3", "4"].map((id) => [`turn ${id}`, "thread 1"]),
    );
  });

  test("fill no memory: the oldest that are over are given up, and told as lost", async () => {
    using it = await opened();
    it.state.fails = FULL;
    for (let id = 1; id <= 1100; id++) {
      await it.storing.begin(it.turn(`${id}`));
      await it.storing.finish(`turn ${id}`, turnEnd("answer"));
    }
    it.state.fails = undefined;
    await it.storing.flush();
    expect(it.rows()).toHaveLength(1000);
    expect(it.lines.at(-1)).toMatchObject({ answers: 1100, storedLater: 1000, lost: 100 });
  });

  test("of a thread or a site that is gone meanwhile are dropped, and hold up no other", async () => {
    using it = await opened();
    await it.storing.begin(it.turn("1"));
    it.state.fails = FULL;
    await it.storing.begin(it.turn("2", { threadId: "thread 1" }));
    await it.storing.begin(it.turn("3", { siteId: it.site.id + 1 }));
    await it.storing.begin(it.turn("4"));
    it.storage.database.run("DELETE FROM threads");
    it.state.fails = undefined;
    await it.storing.flush();
    expect(it.rows()).toEqual([["turn 4", "thread 4", ""]]);
  });

  test("are said to be lost where the server ends first", async () => {
    using it = await opened();
    it.state.fails = FULL;
    await it.storing.begin(it.turn("1"));
    await it.storing.flush({ isEnding: true });
    expect(it.lines.at(-1)).toMatchObject({ event: "answers are lost that could not be stored", answers: 1 });
  });

  test("are refused where nothing can be read either, or the store is away", async () => {
    using it = await opened();
    it.state.fails = FULL;
    it.state.recallFails = () => new AppError("unavailable", "The disk cannot be read.");
    expect((await appErrorOf(() => it.storing.begin(it.turn("1")))).message).toBe("The disk cannot be read.");
    it.state.fails = () => new AppError("unavailable", "away");
    expect((await appErrorOf(() => it.storing.begin(it.turn("2")))).message).toBe("away");
    expect([it.storing.unstored(), it.lines]).toEqual([undefined, []]);
  });
});
