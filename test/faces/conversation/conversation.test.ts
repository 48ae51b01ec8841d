import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { ConversationState } from "../../../src/faces/conversation/state.ts";
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
  sse,
  startScriptedServer,
  text,
  until,
  wire,
} from "./scripted-server.ts";

let server: ScriptedServer;
beforeEach(() => {
  server = startScriptedServer();
});
afterEach(() => server.stop());

const SEARCH = [
  { type: "tool-input-available", toolCallId: "s1", toolName: "search", input: { query: "install" } },
  {
    type: "tool-output-available",
    toolCallId: "s1",
    output: {
      type: "search",
      corrected: "How do I install it?",
      results: [
        {
          content: "Run it.",
          path: "guide/install",
          metadata: { title: "Install", href: "/guide/install#linux", score: 0.9 },
        },
      ],
    },
  },
];
const INSTALL_URL = "https://docs.acme.example/guide/install#linux";
const SOURCE = { type: "source-url", sourceId: "1", url: INSTALL_URL, title: "Install" };

describe("a question", () => {
  test("may wait before its search is shown, too: a place in line from then does not last", async () => {
    const { reply, write, close } = openAnswer([START]);
    server.next(reply);
    const { conversation } = converse(server);
    const asked = conversation.ask("Wie geht das?");
    await until(conversation, ({ messageId }) => messageId === "m1");
    write([{ type: "data-status", data: { status: "waiting", position: 2 }, transient: true }]);
    await until(conversation, ({ queuePosition }) => queuePosition === 2);
    write(SEARCH);
    await until(conversation, ({ query }) => query === "install");
    await until(conversation, ({ results }) => results.length > 0);
    expect(lastTurn(conversation)).toMatchObject({ status: "waiting", queuePosition: undefined });
    write([FINISH]);
    close();
    await asked;
  });

  test("goes through everything that its stream says, in order", async () => {
    const { reply, write, close } = openAnswer([START]);
    server.next(reply);
    const { conversation } = converse(server);
    const asked = conversation.ask("  How do I install it?  ");
    expect(lastTurn(conversation)).toMatchObject({ question: "How do I install it?", status: "searching" });
    expect(conversation.state().isBusy).toBe(true);
    await until(conversation, ({ messageId }) => messageId === "m1");
    write(SEARCH);
    await until(conversation, ({ status }) => status === "waiting");
    expect(lastTurn(conversation)).toMatchObject({
      query: "install",
      corrected: "How do I install it?",
      queuePosition: undefined,
    });
    write([{ type: "data-status", data: { status: "waiting", position: 3 }, transient: true }]);
    await until(conversation, ({ queuePosition }) => queuePosition === 3);
    write([
      { type: "reasoning-start", id: "r" },
      { type: "reasoning-delta", id: "r", delta: "Hm. " },
    ]);
    await until(conversation, ({ status }) => status === "thinking");
    expect(lastTurn(conversation)).toMatchObject({ reasoning: "Hm. ", queuePosition: undefined });
    write([{ type: "text-start", id: "t" }, text("Run "), text("it."), SOURCE]);
    await until(conversation, ({ sources }) => sources.length > 0);
    expect(lastTurn(conversation)).toMatchObject({ status: "answering", answer: "Run it." });
    write([FINISH]);
    close();
    await asked;
    expect(lastTurn(conversation)).toMatchObject({
      status: "done",
      outcome: "answered",
      isCurated: false,
      model: "tiny",
      threadId: "t1",
      messageId: "m1",
      results: [
        {
          title: "Install",
          content: "Run it.",
          path: "guide/install",
          href: "/guide/install#linux",
          score: 0.9,
        },
      ],
      sources: [{ url: INSTALL_URL, title: "Install", snippet: "Run it." }],
    });
    expect(conversation.state()).toMatchObject({ isBusy: false, threadId: "t1" });
  });

  test("is posted alone, with what belongs to it, and the next one with the thread's id", async () => {
    server.next(answer(text("A.")), answer(text("B.")));
    const { conversation } = converse(server, { domain: "a b", endpoint: `${server.url}/base/` });
    const context = [{ type: "code" as const, value: "x()", elementId: "c1" }];
    await conversation.ask("One?", {
      context,
      currentPath: `/${"p".repeat(300)}`,
      filter: { version: "2" },
      retrievalPageSize: 3,
    });
    await conversation.ask("Two?");
    expect(server.posted.map(({ path, authorization }) => [path, authorization])).toEqual([
      ["/base/v2/assistant/a%20b/message", "Bearer docent_dsc_x"],
      ["/base/v2/assistant/a%20b/message", "Bearer docent_dsc_x"],
    ]);
    expect(server.posted[0]?.body).toEqual({
      fp: "anonymous",
      context,
      filter: { version: "2" },
      retrievalPageSize: 3,
      currentPath: `/${"p".repeat(199)}`,
      messages: [{ id: "q1", role: "user", parts: [{ type: "text", text: "One?" }] }],
    });
    expect(server.posted[1]?.body).toEqual({
      fp: "anonymous",
      threadId: "t1",
      messages: [{ id: "q2", role: "user", parts: [{ type: "text", text: "Two?" }] }],
    });
  });

  test("without words is none, but one with context is", async () => {
    server.next(answer(text("That is x.")));
    const { conversation } = converse(server);
    await conversation.ask("  \n ");
    expect(server.posted).toHaveLength(0);
    await conversation.ask("", { context: [{ type: "textSelection", value: "x" }] });
    expect(lastTurn(conversation).answer).toBe("That is x.");
  });

  test("that is answered by people says so", async () => {
    server.next(() =>
      sse(wire([START, text("By hand."), { type: "finish", messageMetadata: { outcome: "curated" } }])),
    );
    const { conversation } = converse(server);
    await conversation.ask("Who?");
    expect(lastTurn(conversation)).toMatchObject({ isCurated: true, outcome: "curated", model: undefined });
  });

  test("has its suggestions apart from the answer, which never shows them", async () => {
    const whole = "Run it.\n\n```suggestions\n(Next)[/next]\n```";
    server.next(answer(...[...whole].map(text)));
    const { conversation, states } = converse(server, { schedule: (run) => run() });
    await conversation.ask("How?");
    expect(lastTurn(conversation)).toMatchObject({
      answer: "Run it.",
      suggestions: [{ label: "Next", path: "/next" }],
    });
    expect(states.length).toBeGreaterThan(whole.length);
    for (const { turns } of states) expect("Run it.").toStartWith(turns[0]?.answer.trimEnd() ?? "");
  });

  test("is read whatever else the stream holds: unknown parts, comments, what is no JSON", async () => {
    const odd =
      ': ping\n\ndata: {"type":"data-new","data":1}\n\ndata: null\n\ndata: [1]\n\ndata: {\n\ndata: 5\n\nevent: x\ndata: "x"\n\n';
    server.next(() =>
      sse(odd + wire([START, ...SEARCH]) + odd + wire([text("Fine."), { type: "text-delta" }, FINISH])),
    );
    const { conversation } = converse(server);
    await conversation.ask("How?");
    expect(lastTurn(conversation)).toMatchObject({ status: "done", answer: "Fine." });
  });

  test("shows no address that a script or another host could hide in", async () => {
    const bad = { content: "x", path: "x", metadata: { title: "X", href: "javascript:alert(1)", score: 1 } };
    const found = {
      type: "tool-output-available",
      toolCallId: "s",
      output: { type: "search", results: [bad, null, {}] },
    };
    server.next(
      answer(
        found,
        { ...SOURCE, url: "javascript:alert(1)" },
        { ...SOURCE, url: "//evil.example" },
        text("A."),
      ),
    );
    const { conversation } = converse(server);
    await conversation.ask("How?");
    expect(lastTurn(conversation).sources).toEqual([]);
    expect(lastTurn(conversation).results).toEqual([]);
  });
});

describe("the state", () => {
  test("is plain data that never changes, and of a turn that did not change the same object", async () => {
    server.next(answer(text("A.")), answer(text("B"), text("C")));
    const { conversation, states } = converse(server);
    await conversation.ask("One?");
    const before = conversation.state();
    const copy = structuredClone(before);
    await conversation.ask("Two?");
    await Promise.resolve();
    expect(before).toEqual(copy);
    expect(conversation.state().turns[0]).toBe(before.turns[0] as ConversationState["turns"][number]);
    expect(conversation.state()).toBe(conversation.state());
    expect(states.at(-1)).toBe(conversation.state());
  });

  test("is told once a frame, however much has come", async () => {
    const frames: (() => void)[] = [];
    server.next(answer(...Array.from({ length: 500 }, () => text("word "))));
    const { conversation, states } = converse(server, { schedule: (run) => frames.push(run) });
    await conversation.ask("How?");
    expect(frames).toHaveLength(1);
    frames[0]?.();
    expect(states).toHaveLength(1);
    expect(states[0]?.turns[0]?.answer).toHaveLength(2500);
  });

  test("is told to nobody who has gone", async () => {
    server.next(answer(text("A.")));
    const { conversation } = converse(server);
    let calls = 0;
    conversation.subscribe(() => calls++)();
    await conversation.ask("How?");
    expect(calls).toBe(0);
  });
});

describe("stop", () => {
  test("ends the answer at once, keeps what has come, and the server sees it", async () => {
    const { reply, isGone } = openAnswer([START, text("Half an ")]);
    server.next(reply);
    const { conversation } = converse(server);
    const asked = conversation.ask("How?");
    await until(conversation, ({ status }) => status === "answering");
    conversation.stop();
    expect(lastTurn(conversation)).toMatchObject({ status: "stopped", answer: "Half an ", error: undefined });
    expect(conversation.state()).toMatchObject({ isBusy: false, threadId: "t1" });
    await asked;
    await isGone;
    expect(lastTurn(conversation).status).toBe("stopped");
  });

  test("works before anything has come, and does nothing where nothing is on its way", async () => {
    server.next(() => new Promise(() => {}));
    const { conversation } = converse(server);
    conversation.stop();
    const asked = conversation.ask("How?");
    conversation.stop();
    await asked;
    expect(lastTurn(conversation)).toMatchObject({ status: "stopped", answer: "" });
  });

  test("is what another question does to the one before", async () => {
    const { reply } = openAnswer([START, text("Half")]);
    server.next(reply, answer(text("B.")));
    const { conversation } = converse(server);
    const first = conversation.ask("One?");
    await until(conversation, ({ status }) => status === "answering");
    await Promise.all([first, conversation.ask("Two?")]);
    expect(conversation.state().turns.map(({ status, answer: said }) => [status, said])).toEqual([
      ["stopped", "Half"],
      ["done", "B."],
    ]);
  });
});

describe("a conversation", () => {
  test("that is asked again takes the place of its last turn, by the same message id", async () => {
    server.next(answer(text("A.")), answer(text("B.")));
    const { conversation } = converse(server);
    await conversation.retry();
    await conversation.ask("One?", { filter: { language: "de" } });
    await conversation.retry();
    expect(conversation.state().turns.map(({ id, answer: said }) => [id, said])).toEqual([["q1", "B."]]);
    expect(server.posted[1]?.body).toMatchObject({
      threadId: "t1",
      filter: { language: "de" },
      messages: [{ id: "q1" }],
    });
  });

  test("that is cleared begins a new thread", async () => {
    server.next(answer(text("A.")), answer(text("B.")));
    const storage = memoryStorage();
    const { conversation } = converse(server, { storage });
    await conversation.ask("One?");
    conversation.clear();
    expect(conversation.state()).toEqual({ turns: [], threadId: undefined, isBusy: false });
    expect(storage.value).not.toContain("One?");
    await conversation.ask("Two?");
    expect(server.posted[1]?.body["threadId"]).toBeUndefined();
  });

  test("whose thread is gone begins anew, without asking its reader", async () => {
    const gone = () => Response.json({ message: "Not found", code: "not_found" }, { status: 404 });
    server.next(answer(text("A.")), gone, answer(text("B.")), answer(text("C.")));
    const { conversation } = converse(server);
    await conversation.ask("One?");
    await conversation.ask("Two?");
    expect(lastTurn(conversation)).toMatchObject({ status: "done", answer: "B." });
    expect(server.posted.map(({ body }) => body["threadId"])).toEqual([undefined, "t1", undefined]);
    await conversation.ask("Three?");
    expect(server.posted.at(-1)?.body["threadId"]).toBe("t1");
  });

  test("takes what its reader thinks of an answer, the last word counts", async () => {
    const ok = () => new Response(null, { status: 204 });
    // Two that are under way at the same time may come in any order.
    const fails = ({ body }: Posted) =>
      body["helpful"] === true ? new Response(null, { status: 500 }) : ok();
    server.next(answer(text("A.")), ok, fails, fails);
    const { conversation } = converse(server);
    await conversation.ask("One?");
    expect(await conversation.rate("nobody", true)).toBe(false);
    const rated = conversation.rate("m1", false, "Too short.");
    expect(lastTurn(conversation).feedback).toEqual({
      helpful: false,
      comment: "Too short.",
      status: "sending",
    });
    expect(await rated).toBe(true);
    expect(lastTurn(conversation).feedback).toEqual({
      helpful: false,
      comment: "Too short.",
      status: "sent",
    });
    expect(server.posted[1]).toMatchObject({
      path: "/v1/feedback/acme",
      body: { messageId: "m1", threadId: "t1", helpful: false, comment: "Too short." },
    });
    const older = conversation.rate("m1", false);
    const newer = conversation.rate("m1", true);
    expect([await older, await newer]).toEqual([true, false]);
    expect(lastTurn(conversation).feedback).toEqual({ helpful: true, comment: undefined, status: "failed" });
  });
});
