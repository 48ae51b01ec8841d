import { describe, expect, test } from "bun:test";
import { errorText } from "../../src/models/ollama/client/wire.ts";
import { valuesOf } from "../helpers/fake-ollama-recorded.ts";
import { asks, chatBody, patientClient, QUESTION } from "../helpers/real-ollama-chat.ts";
import { CHAT, EMBED, realOllama } from "../helpers/real-ollama-here.ts";
import { exchange, expectAsRecorded } from "../helpers/real-ollama-recording.ts";
import { appError, drain, never } from "../models/ollama/helpers.ts";

const { url } = realOllama();
const CHATS = chatBody(asks(QUESTION), { num_predict: 2 });
const TOOL = {
  type: "function",
  function: { name: "look_up", description: "", parameters: { type: "object" } },
};
const TOO_LONG = "documentation ".repeat(1500);

/** Every refusal that needs no broken server: what is asked, and with which status it is refused, in JSON or not. */
const REFUSALS: [name: string, status: number, path: string, request: unknown][] = [
  ["model-missing", 404, "/api/chat", { ...CHATS, model: "nothing" }],
  ["show-model-missing", 404, "/api/show", { model: "nothing" }],
  ["embed-model-missing", 404, "/api/embed", { model: "nothing", input: "text" }],
  ["no-chat", 400, "/api/chat", { ...CHATS, model: EMBED }],
  ["no-tools", 400, "/api/chat", { ...CHATS, tools: [TOOL] }],
  ["no-thinking", 400, "/api/chat", { ...CHATS, think: true }],
  ["option-of-wrong-type", 500, "/api/chat", { ...CHATS, options: { num_ctx: "many" } }],
  ["keep-alive-without-unit", 400, "/api/chat", { ...CHATS, keep_alive: "-1" }],
  ["body-missing", 400, "/api/chat", ""],
  ["body-broken", 400, "/api/chat", '{"model":'],
  ["embed-no-text", 400, "/api/embed", { model: EMBED, input: [1] }],
  ["embed-too-long", 400, "/api/embed", { model: EMBED, input: TOO_LONG, truncate: false }],
  ["path-unknown", 404, "/api/nothing", {}],
  ["method-wrong", 405, "/api/chat", undefined],
];

test.each(REFUSALS)("%s is refused with %d", async (name, status, path, request) => {
  const reply = await exchange(url, path, request);
  await expectAsRecorded(`refused-${name}`, reply);
  expect(reply.status).toBe(status);
  const [said] = valuesOf(reply);
  if (said === undefined) expect(reply.contentType).toStartWith("text/plain");
  else expect(errorText(said)).not.toBe("");
});

test("what a browser asks from a stranger's page is refused without a word", async () => {
  const reply = await fetch(`${url}/api/tags`, { headers: { origin: "https://stranger.example" } });
  expect([reply.status, await reply.text()]).toEqual([403, ""]);
});

test("an option that Ollama does not know is passed over without a word", async () => {
  const reply = await exchange(url, "/api/chat", { ...CHATS, options: { ...CHATS.options, no_such: 1 } });
  expect(valuesOf(reply).at(-1)).toMatchObject({ done: true });
});

test("a pull of what cannot be reached fails in a line of a reply whose status is 200", async () => {
  // A registry on loopback where nothing listens: a real one must not be asked.
  const pull = { model: "http://127.0.0.1:1/library/nothing:latest", insecure: true };
  const reply = await exchange(url, "/api/pull", pull);
  await expectAsRecorded("pull-unreachable", reply);
  expect(reply.status).toBe(200);
  expect(errorText(valuesOf(reply).at(-1))).toContain("manifest");
});

describe("the client says what to do", () => {
  const client = patientClient(url);
  const failureOf = async (change: object) => {
    const { error } = await drain(client.chat({ ...CHATS, ...change }, never));
    const { code, hint, message } = appError(error);
    return { code, hint, message };
  };

  test("where the model is missing", async () => {
    expect(await failureOf({ model: "nothing" })).toEqual({
      code: "unavailable",
      hint: "run: ollama pull nothing",
      message: "The model is not available now. Try again later.",
    });
  });

  test("where the model cannot do what is asked of it", async () => {
    for (const change of [{ model: EMBED }, { think: true }])
      expect((await failureOf(change)).hint).toContain("refused the request with status 400");
  });

  test("where an option is wrong", async () => {
    const { hint } = await failureOf({ model: CHAT, options: { num_ctx: "many" } });
    expect(hint).toContain("could not run the model");
  });
});
