import { afterEach, describe, expect, spyOn, test } from "bun:test";
import type { PromptBuilder } from "../../../src/answering/answer/prompt/prompt.ts";
import type { ResponderEvent } from "../../../src/answering/answer/responder.ts";
import { type FakeOllama, type FakeOllamaOptions, startFakeOllama } from "../../helpers/fake-ollama.ts";
import { refusals } from "../../helpers/fake-ollama-replies.ts";
import { appError, drain, never } from "./helpers.ts";
import { openPool, type PoolOptions, plainRequest as request } from "./pool-helpers.ts";

const buildPrompt: PromptBuilder = ({ question }) => ({
  system: "Answer from the passages.",
  messages: [
    { role: "user", content: "Hello" },
    { role: "assistant", content: "Hi" },
    { role: "user", content: question },
  ],
  tokensEstimated: 140,
});

let ollama: FakeOllama;
afterEach(() => ollama?.stop());

function start(options: PoolOptions & { ollama?: FakeOllamaOptions } = {}) {
  ollama = startFakeOllama(options.ollama);
  return openPool([ollama.url], { buildPrompt, ...options });
}
const said = (events: ResponderEvent[], type: "text-delta" | "reasoning-delta" = "text-delta") =>
  events.map((event) => (event.type === type ? event.text : "")).join("");
const thinker = { name: "deep:latest", capabilities: ["completion", "thinking"] };
const seer = { name: "seer:latest", capabilities: ["completion", "vision"] };

test("an answer is its words, and an end that tells what it cost", async () => {
  const { respond, responder } = start({
    ollama: { reply: { text: ["Run ", "make [1]."], promptTokens: 130 } },
    clock: () => 0,
  });
  const { values, error } = await respond();
  expect(error).toBeUndefined();
  expect(values).toEqual([
    { type: "text-delta", text: "Run " },
    { type: "text-delta", text: "make [1]." },
    {
      type: "finish",
      model: "tiny:latest",
      finishReason: "stop",
      usage: { promptTokens: 130, completionTokens: 2 },
      promptTokensEstimated: 140,
      queueMs: 0,
    },
  ]);
  expect(responder.model()).toBe("tiny:latest");
});

test("the model gets the rules first, then the conversation, and the fixed options", async () => {
  const { respond } = start();
  await respond();
  expect(ollama.chats[0]?.body).toMatchObject({
    messages: [
      { role: "system", content: "Answer from the passages." },
      { role: "user", content: "Hello" },
      { role: "assistant", content: "Hi" },
      { role: "user", content: "How do I install it?" },
    ],
    think: false,
    options: { num_ctx: 4096, num_predict: 512 },
  });
});

test("the prompt is built for what the context leaves beside the answer", async () => {
  const budgets: number[] = [];
  const { respond } = start({
    buildPrompt: (asked, budget) => {
      budgets.push(budget.tokens);
      return buildPrompt(asked, budget);
    },
  });
  await respond();
  expect(budgets[0]).toBeLessThan(4096 - 512);
  expect(budgets[0]).toBeGreaterThan(3000);
});

describe("how much the model read", () => {
  const text = "How do I install the thing on my machine? ".repeat(20);
  const counting = (counts: number[]): PromptBuilder => {
    return (asked, budget) => {
      counts.push(budget.count(text));
      return { ...buildPrompt(asked, budget), tokensEstimated: 140 };
    };
  };

  test("corrects what the next prompt is counted as", async () => {
    const counts: number[] = [];
    const { respond } = start({ buildPrompt: counting(counts), ollama: { reply: { promptTokens: 280 } } });
    await respond();
    await respond();
    expect(counts[1]).toBeGreaterThan(1.9 * (counts[0] ?? 0));
  });

  test("says nothing where the prompt was cut, or held a picture", async () => {
    for (const [reply, images] of [
      [{ promptTokens: 4096 }, []],
      [{ promptTokens: 280 }, [{ mediaType: "image/png", base64: "AQID" }]],
    ] as const) {
      const counts: number[] = [];
      const { respond } = start({ buildPrompt: counting(counts), ollama: { models: [seer], reply } });
      await respond(never, { images: [...images] });
      await respond();
      expect(counts[1]).toBe(counts[0] ?? 0);
    }
  });
});

test("a prompt that is too large is not sent", async () => {
  const { respond } = start({
    buildPrompt: (asked, budget) => ({ ...buildPrompt(asked, budget), tokensEstimated: budget.tokens + 1 }),
  });
  const { error } = await respond();
  expect(appError(error).code).toBe("unavailable");
  expect(ollama.chats).toEqual([]);
});

test("thoughts come apart from the answer", async () => {
  const { respond } = start({
    ollama: { models: [thinker], reply: { thinking: ["Hm. "], text: "Yes." } },
    settings: { thinking: true },
  });
  const { values } = await respond();
  expect(said(values, "reasoning-delta")).toBe("Hm. ");
  expect(said(values)).toBe("Yes.");
  expect(ollama.chats[0]?.body.think).toBe(true);
});

test("a thought that the template opens comes apart from the answer, with its first mark or without it", async () => {
  const opener = { name: "r1:latest", template: "{{ .Prompt }}<think>\n" };
  const { respond } = start({ ollama: { models: [opener], reply: { text: ["Hm.", "</think>", "Yes."] } } });
  const { values } = await respond();
  expect(said(values, "reasoning-delta")).toBe("Hm.");
  expect(said(values)).toBe("Yes.");
  const twice = start({ ollama: { models: [opener], reply: { text: "<think>Hm.</think>Yes." } } });
  expect(said((await twice.respond()).values)).toBe("Yes.");
});

test("an answer that came to its longest says so", async () => {
  const { respond } = start({ ollama: { reply: { text: "Run", doneReason: "length" } } });
  const { values } = await respond();
  expect(values.at(-1)).toMatchObject({ type: "finish", finishReason: "length" });
});

test("a model that only thought has failed", async () => {
  const { respond } = start({
    ollama: { models: [thinker], reply: { thinking: ["Hm. "], text: [], doneReason: "length" } },
    settings: { thinking: true },
  });
  expect(appError((await respond()).error).code).toBe("model_failed");
});

test("a model that writes nothing leaves the question to another responder", async () => {
  const { respond } = start({ ollama: { reply: { text: [] } } });
  const { values, error } = await respond();
  expect(values).toEqual([]);
  expect(appError(error).code).toBe("unavailable");
});

describe("pictures", () => {
  const images = [{ mediaType: "image/png", base64: "AQID" }];
  const ask = async (model: { name: string }) => {
    const { responder } = start({ ollama: { models: [model] } });
    const { error } = await drain(responder.respond({ ...request, images }, never));
    expect(error).toBeUndefined();
    return ollama.chats[0]?.body.messages.at(-1);
  };

  test("go with the question to a model that sees", async () => {
    expect(await ask(seer)).toEqual({ role: "user", content: "How do I install it?", images: ["AQID"] });
  });

  test("do not go to a model that does not", async () => {
    expect(await ask({ name: "tiny:latest" })).toEqual({ role: "user", content: "How do I install it?" });
  });

  test("are reckoned into the prompt's size", async () => {
    const budgets: number[] = [];
    const measure: PromptBuilder = (asked, budget) => {
      budgets.push(budget.tokens);
      return buildPrompt(asked, budget);
    };
    const { responder } = start({ ollama: { models: [seer] }, buildPrompt: measure });
    await drain(responder.respond(request, never));
    await drain(responder.respond({ ...request, images }, never));
    expect(budgets[1]).toBeLessThan(budgets[0] ?? 0);
  });
});

describe("before the first word, a failure is unavailable", () => {
  test.each(["busy", "crashed", "forbidden", "proxyPage", "notFound"] as const)("%s", async (name) => {
    const { respond, queue } = start({ ollama: { reply: refusals[name] } });
    const { values, error } = await respond();
    expect(values).toEqual([]);
    expect(appError(error).code).toBe("unavailable");
    expect(queue.state()).toEqual({ running: 0, waiting: 0 });
  });

  test("no server", async () => {
    const { respond, responder } = start();
    await ollama.stop();
    expect(appError((await respond()).error)).toMatchObject({
      code: "unavailable",
      hint: expect.stringContaining("ollama serve"),
    });
    expect(responder.model()).toBeUndefined();
    expect(appError(await responder.ready(never).catch((error) => error)).code).toBe("unavailable");
  });
});

describe("after it, a failure is the model's, and the words so far are kept", () => {
  test.each(["error", "eof"] as const)("%s", async (end) => {
    const { respond, queue } = start({ ollama: { reply: { text: ["One ", "two "], end } } });
    const { values, error } = await respond();
    expect(said(values)).toBe("One two ");
    expect(appError(error).code).toBe("model_failed");
    expect(appError(error).message).not.toContain("UPSTREAM-SECRET");
    expect(queue.state().running).toBe(0);
  });
});

test("a failure is not printed beside the log", async () => {
  const printed = spyOn(console, "error").mockImplementation(() => {});
  await start({ ollama: { reply: { text: ["One "], end: "error" } } }).respond();
  await ollama.stop();
  await start({ ollama: { reply: refusals.crashed } }).respond();
  const times = printed.mock.calls.length;
  printed.mockRestore();
  expect(times).toBe(0);
});

test("after a failure Ollama is looked at again before the next question", async () => {
  const { respond } = start();
  ollama.replyWith(refusals.notFound, { text: "Yes." });
  ollama.models = [{ name: "tiny:latest" }, { name: "other:latest" }];
  await respond();
  ollama.models = [{ name: "other:latest" }];
  expect(said((await respond()).values)).toBe("Yes.");
  expect(ollama.chats.at(-1)?.body.model).toBe("other:latest");
});

describe("a model that only repeats itself is stopped, and so is Ollama", () => {
  test("in its answer, which ends as too long", async () => {
    const { respond, lines, queue } = start({
      ollama: { reply: { text: ["I do ", "not know. "], endless: true } },
    });
    const { values, error } = await respond();
    expect(error).toBeUndefined();
    expect(values.at(-1)).toMatchObject({ type: "finish", finishReason: "length" });
    expect(said(values).length).toBeLessThan(2000);
    await ollama.until(() => ollama.chats[0]?.aborted === true);
    expect(queue.state().running).toBe(0);
    expect(lines.join("")).toContain("repeated itself");
  });
});

test("of a server that sends far more at once than an answer may be, no more is handed on", async () => {
  const { respond } = start({ ollama: { reply: { text: ["[1] word ".repeat(50_000)] } } });
  const { values, error } = await respond();
  expect(error).toBeUndefined();
  expect(values.at(-1)).toMatchObject({ type: "finish", finishReason: "length" });
  expect(said(values).length).toBeLessThan(100_000);
});

test("the warning of a prompt that Ollama cut is logged, without its text", async () => {
  const { respond, lines } = start({ ollama: { reply: { promptTokens: 4096 } } });
  await respond();
  expect(lines.join("")).toContain("probably cut the prompt");
  expect(lines.join("")).not.toContain("install");
});

describe("the queue", () => {
  test("lets one question at a time through, and tells how long it waited", async () => {
    const { respond } = start({ ollama: { reply: { tokenMs: 5 } } });
    const all = await Promise.all([respond(), respond(), respond()]);
    expect(all.map(({ error }) => error)).toEqual([undefined, undefined, undefined]);
    expect(ollama.mostAtOnce).toBe(1);
    const last = all.at(-1)?.values.at(-1);
    expect(last?.type === "finish" && last.queueMs !== undefined && last.queueMs > 0).toBe(true);
  });

  test("says that it is full, before and instead of waiting", async () => {
    const { respond, responder } = start({
      ollama: { reply: { firstTokenMs: 60_000 } },
      queue: { queueLength: 0 },
    });
    await responder.ready(never);
    const leaving = new AbortController();
    const first = respond(leaving.signal);
    await ollama.until(() => ollama.chats.length === 1);
    const refused = appError((await respond()).error);
    expect(refused.code).toBe("unavailable");
    expect(refused.retryAfterSeconds).toBeGreaterThan(0);
    expect(appError(await responder.ready(never).catch((error) => error)).code).toBe("unavailable");
    leaving.abort();
    await first;
    await responder.ready(never);
  });
});
