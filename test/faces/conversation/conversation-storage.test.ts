import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { Turn } from "../../../src/faces/conversation/state.ts";
import {
  answer,
  converse,
  FINISH,
  lastTurn,
  memoryStorage,
  openAnswer,
  type Posted,
  type ScriptedServer,
  START,
  startScriptedServer,
  text,
  until,
} from "./scripted-server.ts";

let server: ScriptedServer;
beforeEach(() => {
  server = startScriptedServer();
});
afterEach(() => server.stop());

const ok = () => new Response(null, { status: 204 });

describe("a conversation that is kept", () => {
  test("comes back after a reload as it was, and goes on in its thread", async () => {
    const storage = memoryStorage();
    server.next(answer(text("A.\n\n```suggestions\n(B)[/b]\n```")), ok, answer(text("C.")));
    const before = converse(server, { storage }).conversation;
    await before.ask("One?", { filter: { tag: "x" } });
    await before.rate("m1", true);
    const after = converse(server, { storage, newId: () => "q9" }).conversation;
    after.restore();
    expect(after.state()).toEqual(before.state());
    await after.ask("Two?");
    expect(server.posted.at(-1)?.body["threadId"]).toBe("t1");
    expect(after.state().turns.map(({ answer: said }) => said)).toEqual(["A.", "C."]);
  });

  test("that was broken off by a reload is stopped, with the text so far, and can be asked again", async () => {
    const storage = memoryStorage();
    let now = 0;
    const { reply, write } = openAnswer([START, text("Half ")]);
    server.next(reply, answer(text("Whole.")));
    const before = converse(server, { storage, now: () => now }).conversation;
    void before.ask("One?");
    await until(before, ({ answer: said }) => said === "Half ");
    now = 5000;
    write([text("an answer")]);
    await until(before, ({ answer: said }) => said === "Half an answer");
    const after = converse(server, { storage }).conversation;
    after.restore();
    expect(lastTurn(after)).toMatchObject({ status: "stopped", answer: "Half an answer" });
    expect(after.state().isBusy).toBe(false);
    await after.retry();
    expect(lastTurn(after)).toMatchObject({ id: "q1", status: "done", answer: "Whole." });
    before.stop();
  });

  test("is written now and then while an answer comes, and not at every word", async () => {
    let writes = 0;
    server.next(answer(...Array.from({ length: 300 }, () => text("word "))));
    const { conversation } = converse(server, { storage: { get: () => null, set: () => writes++ } });
    await conversation.ask("How?");
    expect(writes).toBeLessThan(10);
  });

  test("keeps its newest turns, as many as there is room for", async () => {
    const storage = memoryStorage();
    const { conversation } = converse(server, { storage });
    for (let turn = 0; turn < 25; turn++) {
      server.next(answer(text(`${turn}.`)));
      await conversation.ask("?");
    }
    const few = converse(server, { storage }).conversation;
    few.restore();
    expect(few.state().turns.map(({ answer: said }) => said)).toEqual(
      Array.from({ length: 20 }, (_, at) => `${at + 5}.`),
    );
    server.next(answer(text("x".repeat(120_000))), answer(text("y".repeat(120_000))));
    await conversation.ask("?");
    await conversation.ask("?");
    expect(storage.value?.length).toBeLessThan(200_500);
    const long = converse(server, { storage }).conversation;
    long.restore();
    expect(long.state().turns.map(({ answer: said }) => said[0])).toEqual(["y"]);
  });

  test("a storage that refuses changes nothing", async () => {
    const refuse = () => {
      throw new Error("QuotaExceededError");
    };
    server.next(answer(text("A.")));
    const { conversation } = converse(server, { storage: { get: refuse, set: refuse } });
    conversation.restore();
    await conversation.ask("How?");
    expect(lastTurn(conversation).status).toBe("done");
  });
});

describe("what is not a conversation of ours is passed over", () => {
  const restored = (value: unknown) => {
    const storage = memoryStorage(typeof value === "string" ? value : JSON.stringify(value));
    const { conversation } = converse(server, { storage });
    conversation.restore();
    return conversation.state().turns.length;
  };

  test("other versions, other shapes, no JSON", async () => {
    for (const value of [
      "",
      "{",
      "null",
      "[]",
      "5",
      {},
      { version: 2, turns: [] },
      { version: 1, turns: 5 },
      { version: 1, turns: [null, 5, {}] },
    ])
      expect(restored(value)).toBe(0);
  });

  test("a turn of which any one field is not what it should be, or leads to a script", async () => {
    const storage = memoryStorage();
    server.next(
      answer(text("A.\n\n```suggestions\n(B)[/b]\n```"), {
        type: "source-url",
        sourceId: "1",
        url: "https://a.example/",
        title: "A",
      }),
      ok,
    );
    const { conversation } = converse(server, { storage });
    await conversation.ask("One?");
    await conversation.rate("m1", true);
    const saved = JSON.parse(storage.value ?? "");
    const turn = saved.turns[0];
    expect(turn.followUps).toEqual(["And then?"]);
    expect(restored(saved)).toBe(1);
    // As it was kept before answers had any.
    expect(restored({ ...saved, turns: [{ ...turn, followUps: undefined }] })).toBe(1);
    const broken = [
      ...[
        "id",
        "question",
        "answer",
        "reasoning",
        "status",
        "asked",
        "results",
        "sources",
        "suggestions",
      ].map((name) => ({ ...turn, [name]: 5 })),
      ...["query", "outcome", "model", "messageId", "threadId", "feedback"].map((name) => ({
        ...turn,
        [name]: [],
      })),
      { ...turn, status: "failed", error: undefined },
      { ...turn, sources: [{ url: "javascript:alert(1)", title: "A", snippet: "" }] },
      { ...turn, suggestions: [{ label: "B", path: "//evil.example" }] },
      { ...turn, results: [null] },
      { ...turn, followUps: "And then?" },
      { ...turn, followUps: [{}] },
      ...["x", [null], [{ type: "code" }]].map((context) => ({ ...turn, asked: { context } })),
    ];
    for (const each of broken)
      expect({ each, count: restored({ ...saved, turns: [each] }) }).toEqual({ each, count: 0 });
  });
});

describe("two pages with one conversation", () => {
  const questions = (...pages: ReturnType<typeof converse>[]) =>
    pages.map(({ conversation }) => conversation.state().turns.map(({ question }) => question));

  test("neither writes over what the other has kept", async () => {
    const storage = memoryStorage();
    server.next(answer(text("A.")), answer(text("B.")), answer(text("C.")));
    const one = converse(server, { storage, newId: () => "q1" });
    const other = converse(server, { storage, newId: () => "q2" });
    await one.conversation.ask("One?");
    await other.conversation.ask("Two?");
    expect(questions(other)).toEqual([["One?", "Two?"]]);
    expect(server.posted[1]?.body["threadId"]).toBe("t1");
    one.conversation.restore();
    expect(questions(one, other)).toEqual([
      ["One?", "Two?"],
      ["One?", "Two?"],
    ]);
  });

  test("a new one that is begun on one of them is begun on the other", async () => {
    const storage = memoryStorage();
    server.next(answer(text("A.")), answer(text("B.")));
    const one = converse(server, { storage });
    const other = converse(server, { storage });
    await one.conversation.ask("One?");
    other.conversation.restore();
    one.conversation.clear();
    await other.conversation.ask("Two?");
    expect(questions(other)).toEqual([["Two?"]]);
    expect(server.posted[1]?.body["threadId"]).toBeUndefined();
  });

  test("an answer that is on its way is not taken away by what the other keeps", async () => {
    const storage = memoryStorage();
    const { reply, write, close } = openAnswer([START, text("Half ")]);
    server.next(reply);
    const { conversation } = converse(server, { storage });
    const asked = conversation.ask("One?");
    await until(conversation, ({ status }) => status === "answering");
    storage.set(JSON.stringify({ version: 1, turns: [] }));
    conversation.restore();
    write([text("and half."), FINISH]);
    close();
    await asked;
    expect(lastTurn(conversation)).toMatchObject({ status: "done", answer: "Half and half." });
    expect(storage.value).toContain("Half and half.");
  });

  test("what both ask at once is kept by both, whoever ends first", async () => {
    const storage = memoryStorage();
    const first = openAnswer([START, text("Half ")]);
    const second = openAnswer([START, text("Half ")]);
    // They may come in any order.
    const reply = (posted: Posted) =>
      JSON.stringify(posted.body).includes("One?") ? first.reply(posted) : second.reply(posted);
    server.next(reply, reply);
    let now = 0;
    const one = converse(server, { storage, newId: () => "q1", now: () => ++now });
    const other = converse(server, { storage, newId: () => "q2", now: () => (now += 2000) });
    const isBegun = ({ status }: Turn) => status === "answering";
    const asked = [one.conversation.ask("One?"), other.conversation.ask("Two?")];
    await Promise.all([until(one.conversation, isBegun), until(other.conversation, isBegun)]);
    first.write([text("one."), FINISH]);
    await asked[0];
    second.write([text("two")]);
    await until(other.conversation, ({ answer: said }) => said === "Half two");
    one.conversation.restore();
    expect(one.conversation.state().turns[0]).toMatchObject({ status: "done", answer: "Half one." });
    second.write([text("."), FINISH]);
    await asked[1];
    one.conversation.restore();
    for (const { conversation } of [one, other])
      expect(conversation.state().turns.map(({ status, answer: said }) => [status, said])).toEqual([
        ["done", "Half one."],
        ["done", "Half two."],
      ]);
  });

  test("what is taken up is not written again", async () => {
    const storage = memoryStorage();
    server.next(answer(text("A.")));
    await converse(server, { storage }).conversation.ask("One?");
    const kept = storage.value;
    let writes = 0;
    const { conversation } = converse(server, { storage: { get: () => kept, set: () => writes++ } });
    conversation.restore();
    conversation.restore();
    expect([writes, conversation.state().turns.length]).toEqual([0, 1]);
  });
});
