import { describe, expect, test } from "bun:test";
import type { NewTurn, PastTurn, Question, TurnEnd } from "../../src/answering/threads/threads.ts";
import { TEST_TIME } from "../helpers/fake-clock.ts";
import { addSite } from "../helpers/site-data.ts";
import type { OpenStores } from "./stores.ts";

const THREAD = "THREAD0000000000000000000A";

export function question(id: string, change: Partial<Question> = {}): Question {
  return {
    questionMessageId: id,
    text: `question ${id}`,
    keyId: undefined,
    fp: "reader",
    caller: "api",
    audience: [],
    currentPath: undefined,
    filter: undefined,
    ...change,
  };
}

export function turnEnd(answer: string, change: Partial<TurnEnd> = {}): TurnEnd {
  return {
    outcome: "answered",
    answer,
    searched: undefined,
    looks: [],
    rewritten: [],
    retrieved: [],
    cited: [],
    generation: undefined,
    responder: undefined,
    model: undefined,
    promptTokens: undefined,
    supportShare: undefined,
    cached: false,
    curated: undefined,
    completionTokens: undefined,
    promptTokensEstimated: undefined,
    queueMs: undefined,
    retrievalMs: undefined,
    rewriteMs: undefined,
    firstTokenMs: undefined,
    totalMs: 1,
    ...change,
  };
}

/** What every ThreadStore guarantees. */
export function describeThreadStore(name: string, open: OpenStores<"threads" | "sites">): void {
  describe(`thread store: ${name}`, () => {
    async function opened() {
      const stores = await open();
      const site = await addSite(stores.sites, "docs");
      const newTurn = (id: string, change: Partial<NewTurn> = {}): NewTurn => ({
        turnId: `turn ${id}`,
        siteId: site.id,
        threadId: THREAD,
        newThreadId: undefined,
        question: question(id),
        at: TEST_TIME,
        pastTurns: 10,
        ...change,
      });
      const first = (id: string, change: Partial<NewTurn> = {}) =>
        newTurn(id, { threadId: undefined, newThreadId: THREAD, ...change });
      const { threads, sites } = stores;
      return { threads, sites, site, newTurn, first, [Symbol.dispose]: () => stores[Symbol.dispose]() };
    }

    test("what a thread holds can be recalled without a write: as a question that comes next, or again, would find it", async () => {
      using it = await opened();
      await it.threads.begin(it.first("1"));
      await it.threads.finish("turn 1", turnEnd("answer 1"), TEST_TIME);
      await it.threads.begin(it.newTurn("2"));
      await it.threads.finish("turn 2", turnEnd("answer 2"), TEST_TIME);
      const one = { id: "turn 1", question: "question 1", answer: "answer 1" };
      const two = { id: "turn 2", question: "question 2", answer: "answer 2" };
      const told = (past: PastTurn[]) => ({ threadId: THREAD, past, replaced: false });
      const again = { ...it.newTurn("2"), turnId: "turn 2 again" };
      expect(await it.threads.recall(it.newTurn("3"))).toEqual(told([one, two]));
      expect(await it.threads.recall(it.newTurn("3", { pastTurns: 1 }))).toEqual(told([two]));
      expect(await it.threads.recall(it.newTurn("3", { previousTurnId: "turn 1" }))).toEqual(told([one]));
      expect(await it.threads.recall(again)).toEqual({ ...told([one]), replaced: true });
      // As it is told where it is stored.
      expect(await it.threads.begin(again)).toEqual({ ...told([one]), replaced: true });
    });

    test("nothing is recalled of a thread that is another site's, another reader's, or none", async () => {
      using it = await opened();
      const other = await addSite(it.sites, "other");
      const asked = (readerId: string | undefined) => ({ question: question("2", { readerId }) });
      await it.threads.begin(it.first("1", { question: question("1", { readerId: "ann" }) }));
      expect(await it.threads.recall(it.newTurn("2", asked("ann")))).toMatchObject({ threadId: THREAD });
      for (const change of [
        asked(undefined),
        asked("bob"),
        { ...asked(undefined), adopts: true },
        { ...asked("ann"), siteId: other.id },
        { ...asked("ann"), threadId: "another" },
        { ...asked("ann"), threadId: undefined },
        { ...asked("ann"), previousTurnId: "another" },
      ])
        expect(await it.threads.recall(it.newTurn("2", change))).toBeUndefined();
    });

    test("a first question starts the thread of the given id, with nothing before it", async () => {
      using it = await opened();
      expect(await it.threads.begin(it.first("1"))).toEqual({
        threadId: THREAD,
        past: [],
        replaced: false,
      });
    });

    test("a question is stored before its answer: the next one sees it", async () => {
      using it = await opened();
      await it.threads.begin(it.first("1"));
      const begun = await it.threads.begin(it.newTurn("2"));
      expect(begun?.past).toEqual([{ id: "turn 1", question: "question 1", answer: "" }]);
    });

    test("past turns come with their answers, the oldest first", async () => {
      using it = await opened();
      await it.threads.begin(it.first("1"));
      await it.threads.finish("turn 1", turnEnd("answer 1"), TEST_TIME + 1);
      await it.threads.begin(it.newTurn("2"));
      await it.threads.finish("turn 2", turnEnd("answer 2"), TEST_TIME + 2);
      const begun = await it.threads.begin(it.newTurn("3"));
      expect(begun?.past).toEqual([
        { id: "turn 1", question: "question 1", answer: "answer 1" },
        { id: "turn 2", question: "question 2", answer: "answer 2" },
      ]);
    });

    test("of many past turns the newest are returned, still the oldest first", async () => {
      using it = await opened();
      await it.threads.begin(it.first("1"));
      for (const id of ["2", "3", "4"]) await it.threads.begin(it.newTurn(id));
      const begun = await it.threads.begin(it.newTurn("5", { pastTurns: 2 }));
      expect(begun?.past.map(({ id }) => id)).toEqual(["turn 3", "turn 4"]);
      expect((await it.threads.begin(it.newTurn("6", { pastTurns: 0 })))?.past).toEqual([]);
    });

    test("questions that begin a thread of one id at the same time are all in it", async () => {
      using it = await opened();
      const ids = ["q1", "q2", "q3", "q4"];
      const begun = await Promise.all(
        ids.map((id) => it.threads.begin(it.newTurn(id, { newThreadId: THREAD }))),
      );
      expect(begun.map((each) => each?.threadId)).toEqual(ids.map(() => THREAD));
      expect(begun.map((each) => each?.past.length).toSorted()).toEqual([0, 1, 2, 3]);
    });

    /** A question that names its chat in place of a thread. */
    const inChat = (name: string, newThreadId: string, change: Partial<NewTurn> = {}): Partial<NewTurn> => ({
      threadId: undefined,
      newThreadId,
      chat: { name, isWhole: false },
      ...change,
    });

    test("a chat goes on with the thread that began in it, and no other chat does", async () => {
      using it = await opened();
      expect(await it.threads.begin(it.newTurn("1", inChat("mine", "a")))).toMatchObject({ threadId: "a" });
      const next = await it.threads.begin(it.newTurn("2", inChat("mine", "b")));
      expect(next).toMatchObject({ threadId: "a", past: [{ id: "turn 1" }], replaced: false });
      expect(await it.threads.begin(it.newTurn("3", inChat("another", "c")))).toEqual({
        threadId: "c",
        past: [],
        replaced: false,
      });
    });

    test("a thread that is named comes before the chat's, which stays the chat's", async () => {
      using it = await opened();
      await it.threads.begin(it.first("1"));
      await it.threads.begin(it.newTurn("2", inChat("mine", "a")));
      const named = await it.threads.begin(it.newTurn("3", { ...inChat("mine", "b"), threadId: THREAD }));
      expect(named).toMatchObject({ threadId: THREAD, past: [{ id: "turn 1" }] });
      expect(await it.threads.begin(it.newTurn("4", inChat("mine", "c")))).toMatchObject({ threadId: "a" });
    });

    test("a chat that posts its whole conversation begins another thread when it posts a single question", async () => {
      using it = await opened();
      const chat = { name: "mine", isWhole: true };
      await it.threads.begin(it.newTurn("1", inChat("mine", "a")));
      const whole = await it.threads.begin(it.newTurn("2", { threadId: "a", newThreadId: "b", chat }));
      expect(whole).toMatchObject({ threadId: "a", past: [{ id: "turn 1" }] });
      expect(await it.threads.begin(it.newTurn("3", inChat("mine", "c")))).toMatchObject({
        threadId: "c",
        past: [],
      });
      // Where its thread is not known, the whole conversation begins one that is no chat's.
      await it.threads.begin(it.newTurn("4", { threadId: "gone", newThreadId: "d", chat }));
      expect(await it.threads.begin(it.newTurn("5", inChat("mine", "e")))).toMatchObject({ threadId: "e" });
    });

    test("a chat whose thread is another site's or reader's begins one of its own", async () => {
      using it = await opened();
      const other = await addSite(it.sites, "other");
      await it.threads.begin(it.newTurn("1", inChat("mine", "a")));
      const elsewhere = await it.threads.begin(it.newTurn("2", inChat("mine", "b", { siteId: other.id })));
      expect(elsewhere).toEqual({ threadId: "b", past: [], replaced: false });
      const ada = { question: question("3", { readerId: "ada" }), siteId: other.id };
      const known = await it.threads.begin(it.newTurn("3", inChat("mine", "c", ada)));
      expect(known).toEqual({ threadId: "c", past: [], replaced: false });
      const more = await it.threads.begin(it.newTurn("4", inChat("mine", "d", ada)));
      expect(more).toMatchObject({ threadId: "c" });
    });

    test("questions that begin a chat at the same time are all in one thread", async () => {
      using it = await opened();
      const ids = ["q1", "q2", "q3", "q4"];
      const begun = await Promise.all(
        ids.map((id) => it.threads.begin(it.newTurn(id, inChat("mine", `thread ${id}`)))),
      );
      expect(new Set(begun.map((each) => each?.threadId)).size).toBe(1);
      expect(begun.map((each) => each?.past.length).toSorted()).toEqual([0, 1, 2, 3]);
    });

    test("a chat whose thread is gone begins another one", async () => {
      using it = await opened();
      await it.threads.begin(it.newTurn("1", inChat("mine", "a")));
      await it.sites.removeSite(it.site.id);
      const site = await addSite(it.sites, "later");
      expect(await it.threads.begin(it.newTurn("2", inChat("mine", "b", { siteId: site.id })))).toEqual({
        threadId: "b",
        past: [],
        replaced: false,
      });
    });

    test("an unknown thread is continued by nobody", async () => {
      using it = await opened();
      expect(await it.threads.begin(it.newTurn("1"))).toBeUndefined();
      expect(await it.threads.begin(it.newTurn("1", { threadId: undefined }))).toBeUndefined();
    });

    test("the thread of another site is the same as none", async () => {
      using it = await opened();
      await it.threads.begin(it.first("1"));
      const other = await addSite(it.sites, "other");
      expect(await it.threads.begin(it.newTurn("2", { siteId: other.id }))).toBeUndefined();
      const fresh = await it.threads.begin(it.newTurn("3", { siteId: other.id, newThreadId: "fresh" }));
      expect(fresh).toEqual({ threadId: "fresh", past: [], replaced: false });
      expect((await it.threads.begin(it.newTurn("4")))?.past.map(({ id }) => id)).toEqual(["turn 1"]);
    });

    test("a known reader's thread is none to everybody else", async () => {
      using it = await opened();
      const ada = (id: string) => ({ question: question(id, { readerId: "ada" }) });
      await it.threads.begin(it.first("1", ada("1")));
      expect((await it.threads.begin(it.newTurn("2", ada("2"))))?.past.map(({ id }) => id)).toEqual([
        "turn 1",
      ]);
      for (const readerId of ["eve", undefined])
        for (const adopts of [false, true]) {
          const other = { question: question("1", { readerId }), adopts };
          const id = `${readerId} ${adopts}`;
          expect(await it.threads.begin(it.newTurn(id, other))).toBeUndefined();
          expect(
            await it.threads.begin(it.newTurn(id, { ...other, previousTurnId: "turn 1" })),
          ).toBeUndefined();
          const fresh = {
            ...other,
            turnId: `fresh ${id}`,
            newThreadId: `fresh ${id}`,
            previousTurnId: "turn 1",
          };
          expect(await it.threads.begin(it.newTurn(id, fresh))).toEqual({
            threadId: `fresh ${id}`,
            past: [],
            replaced: false,
          });
        }
      expect((await it.threads.begin(it.newTurn("3", ada("3"))))?.past.map(({ id }) => id)).toEqual([
        "turn 1",
        "turn 2",
      ]);
    });

    test("a thread of nobody's is everybody's who is not known, and a known reader's where they may take it over", async () => {
      using it = await opened();
      await it.threads.begin(it.first("1"));
      const ada = { question: question("2", { readerId: "ada" }) };
      expect(await it.threads.begin(it.newTurn("2", ada))).toBeUndefined();
      expect(await it.threads.begin(it.newTurn("3"))).toBeDefined();
      const taken = await it.threads.begin(it.newTurn("4", { ...ada, adopts: true }));
      expect(taken?.past.map(({ id }) => id)).toEqual(["turn 1", "turn 3"]);
      // From then on it is theirs.
      expect(await it.threads.begin(it.newTurn("5"))).toBeUndefined();
      expect(
        await it.threads.begin(
          it.newTurn("6", { question: question("6", { readerId: "eve" }), adopts: true }),
        ),
      ).toBeUndefined();
      expect(await it.threads.begin(it.newTurn("7", ada))).toBeDefined();
    });

    test("a question whose message id the thread has takes the place of the earlier one", async () => {
      using it = await opened();
      await it.threads.begin(it.first("1"));
      await it.threads.begin(it.newTurn("2"));
      await it.threads.finish("turn 2", turnEnd("bad"), TEST_TIME + 1);
      const again = await it.threads.begin(
        it.newTurn("2", { turnId: "turn 2 again", question: question("2") }),
      );
      expect(again).toMatchObject({ past: [{ id: "turn 1" }], replaced: true });
      await it.threads.finish("turn 2 again", turnEnd("good"), TEST_TIME + 2);
      const next = await it.threads.begin(it.newTurn("3"));
      expect(next?.past.map(({ id, answer }) => [id, answer])).toEqual([
        ["turn 1", ""],
        ["turn 2 again", "good"],
      ]);
    });

    test("a question may be replaced again and again", async () => {
      using it = await opened();
      await it.threads.begin(it.first("1"));
      for (const turnId of ["a", "b", "c"]) await it.threads.begin(it.newTurn("1", { turnId }));
      const next = await it.threads.begin(it.newTurn("2"));
      expect(next?.past.map(({ id }) => id)).toEqual(["c"]);
    });

    test("a message id replaces in its own thread alone", async () => {
      using it = await opened();
      await it.threads.begin(it.first("1"));
      await it.threads.begin(it.first("1", { turnId: "elsewhere", newThreadId: "other" }));
      const next = await it.threads.begin(it.newTurn("2"));
      expect(next?.past.map(({ id }) => id)).toEqual(["turn 1"]);
    });

    test("a question that names the turn that it follows sees what led to that one, and no more", async () => {
      using it = await opened();
      const pastOf = async (id: string, previous?: string, pastTurns = 10) => {
        const previousTurnId = previous && `turn ${previous}`;
        const begun = await it.threads.begin(it.newTurn(id, { previousTurnId, pastTurns }));
        return begun?.past.map((turn) => turn.id.replace("turn ", "")).join(" ");
      };
      await it.threads.begin(it.first("1"));
      expect(await pastOf("2", "1")).toBe("1");
      expect(await pastOf("3", "2")).toBe("1 2");
      expect(await pastOf("2b", "1")).toBe("1");
      expect(await pastOf("3b", "2b")).toBe("1 2b");
      expect(await pastOf("4", "3")).toBe("1 2 3");
      expect(await pastOf("4b", "3b", 2)).toBe("2b 3b");
      expect(await pastOf("none", "3b", 0)).toBe("");
      // One that names none follows all that was asked before it.
      expect(await pastOf("5")).toBe("1 2 3 2b 3b 4 4b none");
      expect(await pastOf("6", "5", 3)).toBe("3b none 5");
    });

    test("a turn that is not there, or is in another thread or site, makes its thread one that is not there", async () => {
      using it = await opened();
      await it.threads.begin(it.first("1"));
      await it.threads.begin(it.first("x", { newThreadId: "other thread" }));
      const other = await addSite(it.sites, "other");
      for (const change of [
        { previousTurnId: "turn 9" },
        { previousTurnId: "turn x" },
        { previousTurnId: "turn 1", threadId: undefined },
        { previousTurnId: "turn 1", siteId: other.id },
      ]) {
        expect(await it.threads.begin(it.newTurn("2", change))).toBeUndefined();
        const fresh = { ...change, turnId: `turn ${crypto.randomUUID()}`, newThreadId: crypto.randomUUID() };
        expect(await it.threads.begin(it.newTurn("2", fresh))).toEqual({
          threadId: fresh.newThreadId,
          past: [],
          replaced: false,
        });
      }
      expect((await it.threads.begin(it.newTurn("3")))?.past.map(({ id }) => id)).toEqual(["turn 1"]);
    });

    test("questions that arrive at once on one thread are all kept", async () => {
      using it = await opened();
      await it.threads.begin(it.first("0"));
      const ids = Array.from({ length: 20 }, (_, index) => String(index + 1));
      await Promise.all(ids.map((id) => it.threads.begin(it.newTurn(id, { pastTurns: 100 }))));
      await Promise.all(ids.map((id) => it.threads.finish(`turn ${id}`, turnEnd(`answer ${id}`), TEST_TIME)));
      const next = await it.threads.begin(it.newTurn("last", { pastTurns: 100 }));
      expect(next?.past.map(({ id }) => id).sort()).toEqual(
        ["turn 0", ...ids.map((id) => `turn ${id}`)].sort(),
      );
    });

    test("text is kept exactly, however strange", async () => {
      using it = await opened();
      const text = "line\r\n'; DROP TABLE turns; -- \u0001 \u{1F600} \u202E";
      await it.threads.begin(it.first("1", { question: question("1", { text }) }));
      await it.threads.finish("turn 1", turnEnd(text), TEST_TIME);
      const next = await it.threads.begin(it.newTurn("2"));
      expect(next?.past).toEqual([{ id: "turn 1", question: text, answer: text }]);
    });

    test("a character that a database cannot hold is replaced, and the text around it is kept", async () => {
      using it = await opened();
      await it.threads.begin(it.first("1", { question: question("1", { text: "be\u0000fore" }) }));
      await it.threads.finish("turn 1", turnEnd("be\u0000hind"), TEST_TIME);
      const next = await it.threads.begin(it.newTurn("2"));
      const [past] = next?.past ?? [];
      expect(past?.question).toMatch(/^be.fore$/s);
      expect(past?.answer).toMatch(/^be.hind$/s);
    });

    test("what a gone server left unfinished has failed, once, and the command line's turns are spared", async () => {
      using it = await opened();
      await it.threads.begin(it.first("done"));
      await it.threads.finish("turn done", turnEnd("answer"), TEST_TIME);
      await it.threads.begin(it.newTurn("web", { question: question("web", { caller: "web" }) }));
      await it.threads.begin(it.newTurn("cli", { question: question("cli", { caller: "cli" }) }));
      expect(await it.threads.failUnfinished(TEST_TIME)).toBe(1);
      expect(await it.threads.failUnfinished(TEST_TIME)).toBe(0);
    });

    test("finishing a turn that is gone is nothing", async () => {
      using it = await opened();
      await it.threads.begin(it.first("1"));
      await it.sites.removeSite(it.site.id);
      await it.threads.finish("turn 1", turnEnd("late"), TEST_TIME);
      expect(await it.threads.failUnfinished(TEST_TIME)).toBe(0);
    });
  });
}
