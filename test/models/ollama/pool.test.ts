import { afterEach, describe, expect, test } from "bun:test";
import type { ResponderEvent } from "../../../src/answering/answer/responder.ts";
import { shareOfSilence } from "../../../src/models/ollama/responder/responder.ts";
import { type FakeOllama, type FakeOllamaOptions, startFakeOllama } from "../../helpers/fake-ollama.ts";
import { type FakeReply, refusals } from "../../helpers/fake-ollama-replies.ts";
import { timersOf } from "../../helpers/timers-of.ts";
import { until } from "../../helpers/until.ts";
import { appError, drain, never } from "./helpers.ts";
import { openPool, type PoolOptions, plainRequest } from "./pool-helpers.ts";

const open: FakeOllama[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.stop();
});

function server(reply: FakeReply = { text: "Yes." }, options: FakeOllamaOptions = {}): FakeOllama {
  const started = startFakeOllama({ reply, ...options });
  open.push(started);
  return started;
}

let now = 0;
/** Two servers that were looked at, as they are when Docent starts, and a clock that the test moves. */
async function two(first: FakeReply, second: FakeReply = { text: "Yes." }, options: PoolOptions = {}) {
  now = 1_000_000;
  const [a, b] = [server(first), server(second)];
  const opened = openPool([a.url, b.url], { clock: () => now, ...options });
  await Promise.all(opened.servers.map(({ models }) => models.refresh()));
  return { a, b, ...opened };
}
const said = (events: ResponderEvent[]) =>
  events.map((event) => (event.type === "text-delta" ? event.text : "")).join("");
const idle = { running: 0, waiting: 0 };
/** A reply that goes on once something is so. */
const once = (isSo: () => boolean) => ({ text: ["word ", "word "], beforeToken: () => until(isSo) });
/** Longer than any test, and what no other timer has. */
const LATE_MS = 7_777_777;

describe("which server is asked", () => {
  test("the one that has the model in memory", async () => {
    const { a, b, servers, respond } = await two({}, {});
    await servers[1]?.client.preload(
      { model: "tiny:latest", think: false, keep_alive: 60, options: run },
      never,
    );
    now += 30_000;
    await respond();
    expect([a.chats.length, b.chats.length]).toEqual([0, 1]);
  });

  test("the one that was asked before, where both are idle: it has the model in memory", async () => {
    const { a, b, respond } = await two({}, {});
    for (let time = 0; time < 4; time++) await respond();
    expect([a.chats.length, b.chats.length].sort()).toEqual([0, 4]);
  });

  test("both, when there is more to do than one has slots for", async () => {
    const { a, b, respond } = await two({}, {});
    // Neither is quicker than the other.
    a.script((_, index) => once(() => b.chats.length > index));
    b.script((_, index) => once(() => a.chats.length > index));
    await Promise.all(Array.from({ length: 6 }, () => respond()));
    expect([a.chats.length, b.chats.length]).toEqual([3, 3]);
    expect([a.mostAtOnce, b.mostAtOnce]).toEqual([1, 1]);
  });

  test("the less busy one of two that have the model in memory", async () => {
    const { a, b, respond } = await two({}, {}, { slots: 4 });
    let asked = 8;
    for (const each of [a, b]) each.script(() => once(() => a.chats.length + b.chats.length === asked));
    await Promise.all(Array.from({ length: 8 }, () => respond()));
    expect([a.chats.length, b.chats.length]).toEqual([4, 4]);
    asked += 4;
    await Promise.all(Array.from({ length: 4 }, () => respond()));
    expect([a.chats.length, b.chats.length]).toEqual([6, 6]);
  });

  test("the one that has just answered the same reader, whose conversation it may still have in memory", async () => {
    const { a, b, respond } = await two({}, {});
    for (const each of [a, b]) each.script(() => once(() => a.chats.length + b.chats.length > 1));
    const ann = { asker: { siteId: 1, reader: "ann" } };
    const ben = { asker: { siteId: 1, reader: "ben" } };
    await Promise.all([respond(never, ann), respond(never, ben)]);
    const [ofAnn, ofBen] = [a.chats.length, b.chats.length];
    expect([ofAnn, ofBen]).toEqual([1, 1]);
    await respond(never, ben);
    expect(b.chats).toHaveLength(2);
    await respond(never, ann);
    expect(a.chats).toHaveLength(2);
  });

  test("one that has the model, not one that lacks it", async () => {
    const [a, b] = [server({}, { models: [{ name: "other:latest" }] }), server()];
    const { respond } = openPool([a.url, b.url], { model: "tiny" });
    expect(said((await respond()).values)).toBe("Yes.");
    expect(a.chats).toEqual([]);
  });
});

describe("a reply that has not begun is moved", () => {
  test.each(["busy", "crashed", "forbidden", "proxyPage", "loginPage", "notFound", "badRequest"] as const)(
    "when a server says %s, after one try",
    async (name) => {
      const { a, respond, queue, lines } = await two(refusals[name]);
      const { values, error } = await respond();
      expect(error).toBeUndefined();
      expect(said(values)).toBe("Yes.");
      expect(a.chats).toHaveLength(1);
      expect(queue.state()).toEqual(idle);
      expect(lines.join("")).toContain("moved to another Ollama server");
      expect(lines.join("")).toContain(a.url);
    },
  );

  test("when a server is gone", async () => {
    const { a, respond } = await two({});
    await respond();
    await a.stop();
    expect(said((await respond()).values)).toBe("Yes.");
  });

  test("when a server closes the connection, or writes nothing", async () => {
    for (const reply of [{ text: [], end: "eof" }, { text: [] }] as const) {
      const { a, respond } = await two({ ...reply, text: [...reply.text] });
      expect(said((await respond()).values)).toBe("Yes.");
      expect(a.chats).toHaveLength(1);
    }
  });

  test("when a server hangs before its first word, long before the whole patience is used up", async () => {
    using late = timersOf(LATE_MS);
    const { a, respond, queue } = await two(
      { firstTokenMs: 60_000 },
      { text: "Yes." },
      { firstByteMs: 2 * LATE_MS },
    );
    const responding = respond();
    await a.until(() => a.chats.length === 1);
    await late.endNext();
    const { values, error } = await responding;
    expect(error).toBeUndefined();
    expect(said(values)).toBe("Yes.");
    await a.until(() => a.chats[0]?.aborted === true);
    expect(queue.state()).toEqual(idle);
  });

  test("when a server sends a line that says nothing, and then hangs", async () => {
    const hanging = { nullContent: true, text: [], end: "hang" } as const;
    using late = timersOf(LATE_MS);
    const { a, respond } = await two(
      { ...hanging, text: [] },
      { text: "Yes." },
      { firstByteMs: 2 * LATE_MS },
    );
    const responding = respond();
    await a.until(() => a.chats.length === 1);
    await late.endNext();
    expect(said((await responding).values)).toBe("Yes.");
  });

  test("to each server once, and then it has failed", async () => {
    const { a, b, respond, queue } = await two(refusals.busy, refusals.busy);
    const { values, error } = await respond();
    expect(values).toEqual([]);
    expect(appError(error).code).toBe("unavailable");
    expect([a.chats.length, b.chats.length]).toEqual([1, 3]);
    expect(queue.state()).toEqual(idle);
  });

  test("and waits at the front of the line, within what is left of the longest wait", async () => {
    const { a, b, respond, queue } = await two({}, { text: ["Slow."], firstTokenMs: 60_000 });
    await respond();
    const held = Promise.withResolvers<void>();
    a.replyWith({ ...refusals.busy, after: held.promise });
    const leaving = new AbortController();
    const moved = respond();
    await a.until(() => a.chats.length === 2);
    const holding = respond(leaving.signal, { asker: { siteId: 1, reader: "other" } });
    await b.until(() => b.chats.length === 1);
    b.replyWith({ text: "Moved." }, { text: "Behind." });
    held.resolve();
    const behind = respond(never, { asker: { siteId: 2, reader: "behind" } });
    await b.until(() => queue.state().waiting === 2);
    leaving.abort();
    await holding;
    expect(said((await moved).values)).toBe("Moved.");
    expect(said((await behind).values)).toBe("Behind.");
    expect(queue.state()).toEqual(idle);
  });

  test("but not for longer than a question may wait in line", async () => {
    using late = timersOf(LATE_MS);
    const held = Promise.withResolvers<void>();
    const { a, b, respond, queue } = await two(
      { ...refusals.busy, after: held.promise },
      { firstTokenMs: 60_000 },
      { queue: { queueMs: LATE_MS } },
    );
    const moved = respond();
    await a.until(() => a.chats.length === 1);
    const leaving = new AbortController();
    const holding = respond(leaving.signal);
    await b.until(() => b.chats.length === 1);
    held.resolve();
    await b.until(() => queue.state().waiting === 1);
    await late.endNext();
    expect(appError((await moved).error).message).toContain("waited too long");
    leaving.abort();
    await holding;
    expect(queue.state()).toEqual(idle);
  });
});

describe("a reply that has begun is never asked for again", () => {
  test.each(["error", "eof"] as const)("when it ends with %s", async (end) => {
    const { b, respond, queue } = await two({ text: ["One ", "two "], end });
    const { values, error } = await respond();
    expect(said(values)).toBe("One two ");
    expect(appError(error).code).toBe("model_failed");
    expect(b.chats).toEqual([]);
    expect(queue.state()).toEqual(idle);
  });

  test("nor when the server dies", async () => {
    const { a, b, respond, responder } = await two({ text: ["One ", "two "], end: "hang" });
    const events = responder.respond(plainRequest, never)[Symbol.asyncIterator]();
    for (let text = ""; text === ""; ) {
      const { value } = await events.next();
      if (value?.type === "text-delta") text = value.text;
    }
    await a.stop();
    const rest = drain({ [Symbol.asyncIterator]: () => events });
    expect(appError((await rest).error).code).toBe("model_failed");
    expect(b.chats).toEqual([]);
    expect(said((await respond()).values)).toBe("Yes.");
  });
});

describe("a server that failed", () => {
  test("is left alone, then tried in the background, and used again", async () => {
    const { a, b, respond, lines } = await two(refusals.busy);
    await respond();
    a.replyWith({ text: "Back." });
    await respond();
    expect([a.chats.length, b.chats.length]).toEqual([1, 2]);
    now += 1001;
    await respond();
    await a.until(() => lines.join("").includes("is used again"));
    expect(a.loads).toHaveLength(1);
    expect(a.chats).toHaveLength(1);
    b.replyWith(refusals.busy);
    expect(said((await respond()).values)).toBe("Back.");
  });

  test("is asked all the same where there is no other", async () => {
    const { a, b, respond } = await two(refusals.busy, refusals.busy);
    await respond();
    a.replyWith({ text: "Back." });
    b.replyWith({ text: "Back." });
    expect(said((await respond()).values)).toBe("Back.");
  });

  test("and has come back is noticed without a question that fails", async () => {
    const { a, b, respond, lines } = await two({});
    await respond();
    await a.stop();
    await respond();
    a.restart();
    now += 1001;
    const asked = b.chats.length;
    await respond();
    await a.until(() => lines.join("").includes("is used again"));
    expect(b.chats.length).toBe(asked + 1);
    expect(a.loads).toHaveLength(1);
  });

  test("for a request of its own is not left alone", async () => {
    const { servers, respond } = await two(refusals.badRequest);
    await respond();
    expect(servers[0]?.isResting()).toBe(false);
  });
});

test("who waits when the last server goes is told so at once", async () => {
  const { a, b, respond, queue } = await two({ firstTokenMs: 60_000 }, { firstTokenMs: 60_000 });
  const work = [respond(), respond(), respond(), respond()];
  await a.until(() => a.chats.length + b.chats.length === 2 && queue.state().waiting === 2);
  await Promise.all([a.stop(), b.stop()]);
  for (const { error } of await Promise.all(work)) expect(appError(error).code).toBe("unavailable");
  expect(queue.state()).toEqual(idle);
});

test("who waits hears the place in the line before anything else, and each change of it once", async () => {
  const a = server();
  const { respond, queue } = openPool([a.url]);
  a.script((_, index) => (index === 0 ? once(() => queue.state().waiting === 2) : undefined));
  const asking = ["ann", "ben", "cid"].map((reader) => respond(never, { asker: { siteId: 1, reader } }));
  const all = await Promise.all(asking);
  const kinds = all.map(({ values }) =>
    values.map((event) => (event.type === "waiting" ? event.position : event.type)),
  );
  expect(kinds[0]?.[0]).toBe("text-delta");
  expect(kinds[1]?.slice(0, 2)).toEqual([1, "text-delta"]);
  expect(kinds[2]?.slice(0, 3)).toEqual([2, 1, "text-delta"]);
});

test("a reader who leaves while waiting frees the place, even when nobody reads the news of it", async () => {
  const [a] = [server({ firstTokenMs: 60_000 })];
  const { responder, respond, queue } = openPool([a.url]);
  const leaving = new AbortController();
  const first = respond(leaving.signal);
  await a.until(() => a.chats.length === 1);
  const waiting = responder.respond(plainRequest, never)[Symbol.asyncIterator]();
  expect(await waiting.next()).toMatchObject({ value: { type: "waiting", position: 1 } });
  await waiting.return?.();
  expect(queue.state()).toEqual({ running: 1, waiting: 0 });
  leaving.abort();
  await first;
  expect(queue.state()).toEqual(idle);
});

test("a server that is slow to say whether it is there holds nobody up while another is", async () => {
  const b = server();
  const blackHole = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: () => new Promise<Response>(() => {}),
  });
  const { respond } = openPool([`http://127.0.0.1:${blackHole.port}`, b.url]);
  expect(said((await respond()).values)).toBe("Yes.");
  await blackHole.stop(true);
});

test("a server gets a share of the silence, half of it at most and a minute at least", () => {
  expect(shareOfSilence(600_000, 0)).toBe(600_000);
  expect(shareOfSilence(600_000, 1)).toBe(300_000);
  expect(shareOfSilence(600_000, 19)).toBe(60_000);
  expect(shareOfSilence(90_000, 19)).toBe(45_000);
});

const run = { num_ctx: 4096, num_predict: 512, temperature: 0.2, repeat_penalty: 1.1 };
