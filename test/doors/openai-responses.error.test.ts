import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { z } from "zod";
import { idsOf, turnOfId } from "../../src/doors/encoding/openai-response-id.ts";
import { startDocent, type TestDocent } from "../helpers/docent.ts";
import { ELSEWHERE, errorOf, type OpenaiInit, ORIGIN, startOpenaiDoor } from "../helpers/openai-door.ts";

// What responses refuse, and how. What they share with chat completions is in openai-doors.error.test.ts.

const VALID = { model: "acme", input: "How do I install Acme?" };
const UNKNOWN = "0123456789ABCDEFGHJKMNPQRS";

let docent: TestDocent;
let otherKey: string;
let send: (body: unknown, init?: OpenaiInit) => Promise<Response>;
beforeAll(async () => {
  const door = await startOpenaiDoor("200000");
  ({ docent, otherKey } = door);
  send = (body, init) => door.send("/v1/responses", body, init);
});
afterAll(() => docent.close());

const responseOf = async (body: unknown, init?: OpenaiInit) =>
  z
    .looseObject({ id: z.string(), status: z.string(), previous_response_id: z.string().nullable() })
    .parse(await (await send(body, init)).json());

describe("a body that is wrong is refused with the path of the fault as its param", () => {
  const withItem = (item: unknown) => ({ ...VALID, input: [item] });
  const withPart = (part: unknown) => withItem({ role: "user", content: [part] });
  const CASES: [name: string, body: unknown, param: string | null][] = [
    ["no model", { input: "x" }, "model"],
    ["no input", { model: "acme" }, "input"],
    ["input that is a number", { ...VALID, input: 7 }, "input"],
    ["input that is null", { ...VALID, input: null }, "input"],
    ["input that is too long", { ...VALID, input: "x".repeat(1001) }, "input"],
    ["an empty question", { ...VALID, input: " \n" }, "input"],
    ["an empty question with instructions", { ...VALID, input: "", instructions: "Be brief." }, "input"],
    ["no items", { ...VALID, input: [] }, "input"],
    ["no message of a user", withItem({ role: "system", content: "x" }), "input"],
    ["an item that is a number", withItem(7), "input[0]"],
    ["an item of no kind", withItem({}), "input[0].role"],
    ["an item whose type is a number", withItem({ type: 7 }), "input[0].type"],
    ["an unknown role", withItem({ role: "wizard", content: "x" }), "input[0].role"],
    ["a reference to nothing", withItem({ type: "item_reference" }), "input[0].id"],
    ["content that is a number", withItem({ role: "user", content: 7 }), "input[0].content"],
    ["content that is too long", withItem({ role: "user", content: "x".repeat(1001) }), "input[0].content"],
    ["a part without its text", withPart({ type: "input_text" }), "input[0].content[0].text"],
    ["a part without a type", withPart({}), "input[0].content[0].type"],
    [
      "a picture at a number",
      withPart({ type: "input_image", image_url: 7 }),
      "input[0].content[0].image_url",
    ],
    ["instructions that are a list", { ...VALID, instructions: [] }, "instructions"],
    ["instructions that are too long", { ...VALID, instructions: "x".repeat(1001) }, "instructions"],
    ["an id that is a number", { ...VALID, previous_response_id: 7 }, "previous_response_id"],
    ["an id of 301 characters", { ...VALID, previous_response_id: "x".repeat(301) }, "previous_response_id"],
    [
      "metadata of 17 entries",
      { ...VALID, metadata: Object.fromEntries([..."abcdefghijklmnopq"].map((k) => [k, ""])) },
      "metadata",
    ],
    ["metadata of numbers", { ...VALID, metadata: { page: 7 } }, "metadata.page"],
    ["metadata of long texts", { ...VALID, metadata: { page: "x".repeat(513) } }, "metadata.page"],
    ["an answer in JSON", { ...VALID, text: { format: { type: "json_schema" } } }, "text.format.type"],
    ["a tool that must be called", { ...VALID, tool_choice: "required" }, "tool_choice"],
    ["work in the background", { ...VALID, background: true }, "background"],
    ["a conversation kept elsewhere", { ...VALID, conversation: "conv_1" }, "conversation"],
    ["a prompt kept elsewhere", { ...VALID, prompt: { id: "pmpt_1" } }, "prompt"],
    ["stream that is a text", { ...VALID, stream: "yes" }, "stream"],
    ["store that is a text", { ...VALID, store: "no" }, "store"],
    ["a list", [], null],
    ["JSON that does not parse", "{", null],
  ];
  test.each(CASES)("%s", async (_, body, param) => {
    const error = await errorOf(await send(body), 400);
    expect(error).toMatchObject({ type: "invalid_request_error", code: "invalid_request" });
    expect(error.param).toBe(param);
  });

  test("null is nothing, wherever OpenAI's API allows it", async () => {
    const names = ["instructions", "previous_response_id", "stream", "store", "metadata", "user", "text"];
    const more = [
      "safety_identifier",
      "tool_choice",
      "background",
      "conversation",
      "prompt",
      "tools",
      "reasoning",
    ];
    const nothing = Object.fromEntries([...names, ...more].map((name) => [name, null]));
    expect((await send({ ...VALID, ...nothing })).status).toBe(200);
  });

  test("names that every object has are no types of parts or items", async () => {
    for (const type of ["__proto__", "constructor", "toString"]) {
      const content = [{ type }, { type: "input_text", text: "How do I install Acme?" }];
      const input = [{ type }, { role: "user", content }];
      expect((await send({ ...VALID, input, metadata: { [type]: "x" } })).status).toBe(200);
    }
  });

  test("a million entries of metadata are one fault", async () => {
    const wide = await startDocent();
    const metadata = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`k${index}`, index]));
    const reply = await send({ ...VALID, metadata }, { on: wide });
    expect((await reply.text()).length).toBeLessThan(1000);
    await wide.close();
  });
});

describe("a response to go on from", () => {
  const goOn = (id: string, init: OpenaiInit & { model?: string } = {}) =>
    send({ ...VALID, model: init.model ?? "acme", previous_response_id: id }, init);
  const refusal = async (id: string, init?: OpenaiInit & { model?: string }) =>
    errorOf(await goOn(id, init), 404);

  test("that is unknown, deleted, another site's or no id at all is one and the same 404 that says what to do", async () => {
    const { parts } = docent.app;
    const deleted = (await responseOf(VALID)).id;
    const others = (await responseOf({ ...VALID, model: "other" }, { headers: { origin: ORIGIN } })).id;
    const own = turnOfId((await responseOf(VALID)).id) ?? { threadId: "", turnId: "" };
    const { threadId = "" } = turnOfId(deleted) ?? {};
    await parts.reports.retention.removeThread((await parts.people.sites.get("acme")).id, threadId);
    const missing = await refusal(idsOf({ threadId: UNKNOWN, turnId: UNKNOWN }).response);
    expect(missing).toMatchObject({
      type: "invalid_request_error",
      code: "previous_response_not_found",
      param: "previous_response_id",
      message: expect.stringContaining("Leave previous_response_id out"),
    });
    const known = await responseOf(VALID);
    for (const id of [
      deleted,
      others,
      "resp_68a1f",
      "x",
      "../resp",
      `${known.id} `,
      known.id.toLowerCase(),
      own.threadId,
      idsOf({ ...own, turnId: UNKNOWN }).response,
      idsOf({ threadId: UNKNOWN, turnId: own.turnId }).response,
      idsOf({ ...own, turnId: turnOfId(known.id)?.turnId ?? "" }).response,
    ])
      expect([id, await refusal(id)]).toEqual([id, missing]);
    expect(await refusal(known.id, { model: "other", key: otherKey })).toEqual(missing);
    expect(docent.logged.join("")).not.toContain(own.threadId);
  });

  test("that Docent cannot have given begins anew on a site that moved here, and says that it goes on from none", async () => {
    const { people } = docent.app.parts;
    await people.sites.set("acme", { settings: { movedFromHosted: true } });
    const begun = await responseOf({ ...VALID, previous_response_id: "resp_68a1f" });
    expect([begun.status, begun.previous_response_id]).toEqual(["completed", null]);
    expect((await goOn(idsOf({ threadId: UNKNOWN, turnId: UNKNOWN }).response)).status).toBe(404);
    expect((await goOn(UNKNOWN)).status).toBe(404);
    await people.sites.set("acme", { settings: { movedFromHosted: false } });
  });
});

test("pages of other origins may ask where the site is open to them, with a key and never with cookies", async () => {
  const preflight = (path: string) =>
    fetch(docent.url + path, {
      method: "OPTIONS",
      headers: { origin: ELSEWHERE, "access-control-request-method": "POST" },
    });
  const { status, headers } = await preflight("/v1/responses");
  expect([status, headers.get("access-control-allow-origin")]).toEqual([204, ELSEWHERE]);
  expect(headers.get("access-control-allow-credentials")).toBeNull();
  // What is no route is no one's to call: a route that comes later is not open before it is said to be.
  for (const path of ["/v1/embeddings", "/v1/responses/resp_1", "/v1/x"])
    expect((await preflight(path)).headers.get("access-control-allow-origin")).toBeNull();
  const asked = { ...VALID, model: "other" };
  const init = { key: otherKey, headers: { origin: ELSEWHERE } };
  expect((await errorOf(await send(asked, init), 403)).code).toBe("forbidden");
  expect((await send(asked, { key: otherKey, headers: { origin: ORIGIN } })).status).toBe(200);
});
