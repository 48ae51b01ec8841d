import { describe, expect, test } from "bun:test";
import OpenAI from "openai";
import { ResponseStream } from "openai/lib/responses/ResponseStream";
import { z } from "zod";
import type { AnswerEvent } from "../../../src/answering/answer/events.ts";
import { OPENAI_HEARTBEAT, OPENAI_STREAM_HEADERS } from "../../../src/doors/encoding/openai-reply.ts";
import {
  createOpenaiResponseEncoder,
  toOpenaiResponse,
} from "../../../src/doors/encoding/openai-response.ts";
import { idsOf, turnOfId } from "../../../src/doors/encoding/openai-response-id.ts";
import { AppError } from "../../../src/kernel/errors.ts";

const THREAD = "5V0J8W2Q6M1RZKX4T9B3YHCPGN";
const TURN = "01KE4T0R8XQ4Z7T3B5Y0M2J9QA";
const OTHER = "7XGN50VZ9X5TKGV075CHP399E7";
const REPLY = {
  model: "acme",
  createdSeconds: 1_760_000_000,
  nowSeconds: () => 1_760_000_007,
  instructions: null,
  metadata: {},
  previousResponseId: null,
  user: null,
  safetyIdentifier: null,
};
const URL = "https://docs.example/install";
const START: AnswerEvent = { type: "start", threadId: THREAD, messageId: TURN };
const SEARCH: AnswerEvent = { type: "search", callId: "C", query: "q", results: [] };
const SOURCE: AnswerEvent = { type: "source", source: { id: "S", url: URL, title: "Install" } };
const BROKEN: AnswerEvent = { type: "error", code: "model_failed", message: "It broke off." };
const FINISH: AnswerEvent = {
  type: "finish",
  threadId: THREAD,
  isNewThread: false,
  outcome: "answered",
  responder: "ollama",
  model: "m",
  cached: false,
  finishReason: "stop",
  usage: { promptTokens: 3, completionTokens: 4 },
};
const say = (text: string): AnswerEvent => ({ type: "text-delta", text });
const think = (text: string): AnswerEvent => ({ type: "reasoning-delta", text });
const ANSWER = [
  START,
  SEARCH,
  think("Let me"),
  think(" look."),
  say("Run [1]("),
  say(`${URL}).`),
  SOURCE,
  FINISH,
];

const eventSchema = z.looseObject({
  type: z.string(),
  sequence_number: z.int(),
  output_index: z.int().optional(),
  item_id: z.string().optional(),
  item: z.looseObject({ id: z.string() }).optional(),
  delta: z.string().optional(),
  response: z
    .looseObject({ id: z.string(), status: z.string(), output: z.array(z.looseObject({ id: z.string() })) })
    .optional(),
});

const encodeAll = (events: AnswerEvent[], change: Partial<typeof REPLY> = {}) => {
  const encode = createOpenaiResponseEncoder({ ...REPLY, ...change });
  return events.map((event) => encode(event));
};
function eventsOf(wire: string[]) {
  const blocks = wire.join("").split("\n\n");
  expect(blocks.pop()).toBe("");
  return blocks.flatMap((block) => {
    if (block === ": ping") return [];
    const [named = "", data = "", ...rest] = block.split("\n");
    const event = eventSchema.parse(JSON.parse(data.replace(/^data: /, "")));
    expect([named, rest]).toEqual([`event: ${event.type}`, []]);
    return event;
  });
}
const read = (events: AnswerEvent[]) => eventsOf(encodeAll(events));
const typesOf = (events: AnswerEvent[]) => read(events).map(({ type }) => type.replace("response.", ""));

/** What the official package makes of the stream. */
function finalResponse(events: AnswerEvent[]) {
  const lines = read(events).map((event) => `${JSON.stringify(event)}\n`);
  return ResponseStream.fromReadableStream(new Blob(lines).stream()).finalResponse();
}

describe("the stream of a response", () => {
  test("has every event in its order, each thing added before it is written and done once", () => {
    expect(typesOf(ANSWER)).toEqual([
      "created",
      "in_progress",
      "output_item.added",
      "reasoning_summary_part.added",
      "reasoning_summary_text.delta",
      "reasoning_summary_text.delta",
      "reasoning_summary_text.done",
      "reasoning_summary_part.done",
      "output_item.done",
      "output_item.added",
      "content_part.added",
      "output_text.delta",
      "output_text.delta",
      "output_text.annotation.added",
      "output_text.done",
      "content_part.done",
      "output_item.done",
      "completed",
    ]);
  });

  test("is numbered without a gap, and each event names the item that it is of", () => {
    const events = read([...ANSWER.slice(0, -2), think("Hm."), say(" Then stop."), SOURCE, FINISH]);
    expect(events.map((event) => event.sequence_number)).toEqual(events.map((_, index) => index));
    const added = events.filter(({ type }) => type === "response.output_item.added");
    expect(added.map((event) => [event.output_index, event.item?.id])).toEqual([
      [0, `rs_${THREAD}${TURN}`],
      [1, `msg_${THREAD}${TURN}`],
      [2, `rs_${THREAD}${TURN}_2`],
    ]);
    for (const { output_index = -1, item_id } of events)
      if (item_id !== undefined) expect(item_id).toBe(added[output_index]?.item?.id ?? "");
    expect(events.at(-1)?.response?.output.map(({ id }) => id)).toEqual(
      added.map(({ item }) => item?.id ?? ""),
    );
  });

  test("is what the official package puts together to the very response that is given whole", async () => {
    const whole = JSON.parse(JSON.stringify(toOpenaiResponse(ANSWER, REPLY)));
    const { output_text, output_parsed: _, ...put } = JSON.parse(JSON.stringify(await finalResponse(ANSWER)));
    expect(output_text).toBe(`Run [1](${URL}).`);
    expect(put).toMatchObject(whole);
    expect(read(ANSWER).at(-1)?.response).toEqual(whole);
  });

  test("is read by the official package's client, signs of life between all events and before the first", async () => {
    const wire = encodeAll(ANSWER).map(
      (written) => OPENAI_HEARTBEAT + written.replaceAll("\n\n", `\n\n${OPENAI_HEARTBEAT}`),
    );
    const client = new OpenAI({
      baseURL: "http://docent.invalid/v1",
      apiKey: "key",
      fetch: async () => new Response(wire.join(""), { headers: OPENAI_STREAM_HEADERS }),
    });
    const response = await client.responses.stream({ model: "acme", input: "x" }).finalResponse();
    expect([response.status, response.output_text]).toEqual(["completed", `Run [1](${URL}).`]);
  });

  test("is whole for the package where the model thinks again in the middle of its answer", async () => {
    const events = [START, think("a"), say("Run"), think("b"), say(" it."), think("c"), SOURCE, FINISH];
    const { status, output, output_text } = await finalResponse(events);
    expect([status, output_text]).toEqual(["completed", "Run it."]);
    expect(output.map(({ type }) => type)).toEqual(["reasoning", "message", "reasoning", "reasoning"]);
  });

  test("is lines of JSON whatever the text holds", () => {
    const text = 'Line one\nand "two"\r\n\u2028 \ud83d';
    const events = read([START, say(text), say("\ude00\n\n"), FINISH]);
    const said = events.flatMap(({ type, delta }) => (type === "response.output_text.delta" ? delta : []));
    expect(said.join("")).toBe(`${text}\ude00\n\n`);
  });

  test("is a sign of life where the protocol has no word", () => {
    const [, search, waiting] = encodeAll([
      START,
      SEARCH,
      { type: "status", status: "waiting", position: 2 },
    ]);
    expect([search, waiting]).toEqual([OPENAI_HEARTBEAT, OPENAI_HEARTBEAT]);
  });

  test("of an answer of nothing, or of thoughts alone, has a message all the same", () => {
    for (const events of [
      [START, FINISH],
      [START, think("Hm."), FINISH],
    ]) {
      const last = read(events).at(-1);
      expect(last).toMatchObject({ type: "response.completed", response: { status: "completed" } });
      expect(last?.response?.output.at(-1)).toMatchObject({ type: "message", content: [{ text: "" }] });
    }
  });

  test("that reached its longest ends as incomplete, with the reason", async () => {
    const events = [START, say("Run the"), { ...FINISH, finishReason: "length" as const }];
    expect(read(events).at(-1)).toMatchObject({
      type: "response.incomplete",
      response: {
        status: "incomplete",
        incomplete_details: { reason: "max_output_tokens" },
        completed_at: null,
        output: [{ status: "incomplete", content: [{ text: "Run the" }] }],
      },
    });
    expect((await finalResponse(events)).status).toBe("incomplete");
  });

  test("that breaks off ends with the error and as failed, and holds no half of an answer", () => {
    const [error, failed, ...more] = read([START, say("Half"), BROKEN]).slice(-2);
    const said = { message: "It broke off.", code: "model_failed", param: null };
    expect(error).toMatchObject({ type: "error", ...said, error: { ...said, type: "server_error" } });
    expect(failed).toMatchObject({
      type: "response.failed",
      response: { status: "failed", error: { code: "server_error", message: "It broke off." }, output: [] },
    });
    expect(more).toEqual([]);
    expect(typesOf([START, say("Half"), BROKEN])).not.toContain("completed");
  });
});

describe("a whole response", () => {
  test("says again what was asked of it, and of what it has no use for that it has none", () => {
    const asked = {
      instructions: "Be brief.",
      metadata: { a: "b" },
      user: "u",
      safetyIdentifier: "s",
      previousResponseId: idsOf({ threadId: THREAD, turnId: OTHER }).response,
    };
    expect(toOpenaiResponse(ANSWER, { ...REPLY, ...asked })).toMatchObject({
      id: `resp_${THREAD}${TURN}`,
      object: "response",
      model: "acme",
      status: "completed",
      created_at: 1_760_000_000,
      completed_at: 1_760_000_007,
      error: null,
      incomplete_details: null,
      instructions: "Be brief.",
      metadata: { a: "b" },
      user: "u",
      safety_identifier: "s",
      previous_response_id: asked.previousResponseId,
      tools: [],
      tool_choice: "none",
      parallel_tool_calls: false,
      background: false,
      store: true,
      usage: {
        input_tokens: 3,
        output_tokens: 4,
        total_tokens: 7,
        input_tokens_details: { cached_tokens: 0 },
        output_tokens_details: { reasoning_tokens: 0 },
      },
    });
  });

  test("that began another thread goes on from nothing", () => {
    for (const previousResponseId of [idsOf({ threadId: OTHER, turnId: TURN }).response, "resp_68a1"])
      expect(toOpenaiResponse(ANSWER, { ...REPLY, previousResponseId })).toMatchObject({
        previous_response_id: null,
      });
  });

  test("raises what the answer failed with, and is none where the answer has no end", () => {
    expect(() => toOpenaiResponse([START, say("Half"), BROKEN], REPLY)).toThrow(
      new AppError("model_failed", "It broke off."),
    );
    expect(toOpenaiResponse([START, say("Half")], REPLY)).toBeUndefined();
  });
});

describe("the ids", () => {
  test("lead back to their turn and thread", () => {
    const name = { threadId: THREAD, turnId: TURN };
    const ids = idsOf(name);
    for (const id of [ids.response, ids.message, ids.reasoning(1), ids.reasoning(12)])
      expect(turnOfId(id)).toEqual(name);
    expect(new Set([ids.response, ids.message, ids.reasoning(1), ids.reasoning(2)]).size).toBe(4);
    for (const id of [ids.response, ids.message, ids.reasoning(99)])
      expect(id.length).toBeLessThanOrEqual(64);
  });

  test.each([
    "",
    "resp_",
    `resp_${THREAD}`,
    `chatcmpl-${TURN}`,
    `resp_${THREAD}${TURN}x`,
    `resp_${THREAD}${TURN}\n`,
  ])("that were not made here lead nowhere: %j", (id) => {
    expect(turnOfId(id)).toBeUndefined();
  });
});
