import { afterEach, beforeEach, describe, expect, jest, test } from "bun:test";
import { watchSilence } from "../../../src/faces/conversation/stream.ts";
import { timersOf } from "../../helpers/timers-of.ts";
import {
  answer,
  converse,
  lastTurn,
  openAnswer,
  type ScriptedServer,
  START,
  sse,
  startScriptedServer,
  text,
  until,
  wire,
} from "./scripted-server.ts";

/** Longer than any test, and what no other timer has. */
const SILENCE_MS = 7_777_777;

let server: ScriptedServer;
beforeEach(() => {
  server = startScriptedServer();
});
afterEach(() => server.stop());

test("a sign of life begins the wait for the next one anew", () => {
  jest.useFakeTimers();
  try {
    let silences = 0;
    const watch = watchSilence(100, () => silences++);
    for (let ping = 0; ping < 5; ping++) {
      jest.advanceTimersByTime(90);
      watch.heard();
    }
    expect(silences).toBe(0);
    jest.advanceTimersByTime(110);
    expect(silences).toBe(1);
    watch.heard();
    watch.end();
    jest.advanceTimersByTime(1000);
    expect(silences).toBe(1);
  } finally {
    jest.useRealTimers();
  }
});

describe("a fault before the answer", () => {
  test("says what the server says, with its code and when to come back", async () => {
    const refusal = {
      error: "Too many.",
      message: "Too many questions.",
      code: "rate_limited",
      requestId: "r",
    };
    server.next(() => Response.json(refusal, { status: 429, headers: { "retry-after": "30" } }));
    const { conversation } = converse(server);
    await conversation.ask("How?");
    expect(lastTurn(conversation)).toMatchObject({
      status: "failed",
      error: {
        message: "Too many questions.",
        code: "rate_limited",
        retryAfterSeconds: 30,
      },
    });
  });

  test("reads retry-after as a moment too, and passes over what it cannot be", async () => {
    const { conversation } = converse(server);
    for (const [header, seconds] of [
      [new Date(1_000_000 + 90_000).toUTCString(), 90],
      [new Date(0).toUTCString(), 0],
      ["999999999", 86_400],
      ["soon", undefined],
    ] as const) {
      server.next(() => new Response("{}", { status: 503, headers: { "retry-after": header } }));
      await conversation.ask("How?");
      expect(lastTurn(conversation).error?.retryAfterSeconds).toBe(seconds);
    }
  });

  test("that is no JSON of ours shows none of it", async () => {
    server.next(() => new Response("<html>nginx 502</html>", { status: 502 }));
    const { conversation } = converse(server);
    await conversation.ask("How?");
    expect(lastTurn(conversation).error).toMatchObject({ code: "unreachable" });
    expect(lastTurn(conversation).error?.message).not.toContain("nginx");
  });

  test("of a site that does not exist is not asked again", async () => {
    server.next(() => Response.json({ message: "Not found", code: "not_found" }, { status: 404 }));
    const { conversation } = converse(server);
    await conversation.ask("How?");
    expect(server.posted).toHaveLength(1);
    expect(lastTurn(conversation)).toMatchObject({
      status: "failed",
      error: { code: "not_found" },
    });
  });

  test("of the network is told apart: a server that is not there, a reader who is offline", async () => {
    server.stop();
    for (const isOnline of [true, false]) {
      const { conversation } = converse(server, { isOnline: () => isOnline });
      await conversation.ask("How?");
      expect(lastTurn(conversation).error).toMatchObject({
        code: isOnline ? "unreachable" : "offline",
      });
    }
  });

  test("is gone when it is asked again with success", async () => {
    server.next(() => new Response("", { status: 500 }), answer(text("A.")));
    const { conversation } = converse(server);
    await conversation.ask("How?");
    await conversation.retry();
    expect(lastTurn(conversation)).toMatchObject({ status: "done", answer: "A.", error: undefined });
    expect(conversation.state().turns).toHaveLength(1);
  });
});

describe("a fault in the middle of an answer", () => {
  test("keeps what has come, and says the server's sentence", async () => {
    server.next(() =>
      sse(wire([START, text("Half"), { type: "error", errorText: "The model failed." }, text("never")])),
    );
    const { conversation } = converse(server);
    await conversation.ask("How?");
    expect(lastTurn(conversation)).toMatchObject({
      status: "failed",
      answer: "Half",
      error: { message: "The model failed.", code: "failed" },
    });
  });

  test("is a stream that ends without a finish: it looks complete, and is not", async () => {
    server.next(() => sse(`${wire([START, text("Half")])}data: [DONE]\n\n`));
    const { conversation } = converse(server);
    await conversation.ask("How?");
    expect(lastTurn(conversation)).toMatchObject({
      status: "failed",
      answer: "Half",
      error: { code: "broken_off" },
    });
  });

  test("is a connection that breaks, also when the reader went offline", async () => {
    for (const [isOnline, code] of [
      [true, "broken_off"],
      [false, "offline"],
    ] as const) {
      const { reply } = openAnswer([START, text("Half")]);
      server.next(reply);
      const { conversation } = converse(server, { isOnline: () => isOnline });
      const asked = conversation.ask("How?");
      await until(conversation, ({ status }) => status === "answering");
      server.stop();
      await asked;
      expect(lastTurn(conversation)).toMatchObject({ status: "failed", answer: "Half", error: { code } });
      server = startScriptedServer();
    }
  });

  test("is a server that says nothing any more, before the answer and in it", async () => {
    using late = timersOf(SILENCE_MS);
    const isAsked = Promise.withResolvers<void>();
    server.next(() => {
      isAsked.resolve();
      return new Promise(() => {});
    });
    const waiting = converse(server, { silenceMs: SILENCE_MS }).conversation;
    const waited = waiting.ask("How?");
    await isAsked.promise;
    late.end();
    await waited;
    expect(lastTurn(waiting).error?.code).toBe("unreachable");

    const { reply, isGone } = openAnswer([START, text("Half")]);
    server.next(reply);
    const silent = converse(server, { silenceMs: SILENCE_MS }).conversation;
    const asked = silent.ask("How?");
    await until(silent, ({ answer }) => answer === "Half");
    late.end();
    await asked;
    expect(lastTurn(silent)).toMatchObject({
      status: "failed",
      answer: "Half",
      error: { code: "broken_off" },
    });
    await isGone;
  });

  test("is an event without end", async () => {
    server.next(() => sse(`${wire([START])}data: ${"x".repeat(5_000_000)}`));
    const { conversation } = converse(server);
    await conversation.ask("How?");
    expect(lastTurn(conversation)).toMatchObject({ status: "failed", error: { code: "broken_off" } });
  });

  test("after the finish is none", async () => {
    const { reply } = openAnswer([
      START,
      text("A."),
      { type: "finish", messageMetadata: { outcome: "answered" } },
    ]);
    server.next(reply);
    const { conversation } = converse(server);
    await conversation.ask("How?");
    server.stop();
    await Bun.sleep(0);
    expect(lastTurn(conversation)).toMatchObject({ status: "done", answer: "A.", error: undefined });
  });
});
