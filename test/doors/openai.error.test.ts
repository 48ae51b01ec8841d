import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { databaseOf } from "../helpers/database-of.ts";
import { startDocent, type TestDocent } from "../helpers/docent.ts";
import {
  ELSEWHERE,
  errorOf,
  type OpenaiDoor,
  type OpenaiInit,
  ORIGIN,
  startOpenaiDoor,
} from "../helpers/openai-door.ts";

// What the door refuses, and how. What it shares with responses is in openai-doors.error.test.ts.

const VALID = { model: "acme", messages: [{ role: "user", content: "How do I install Acme?" }] };
let docent: TestDocent;
let otherKey: string;
let send: OpenaiDoor["send"];
beforeAll(async () => {
  ({ docent, otherKey, send } = await startOpenaiDoor("20000"));
});
afterAll(() => docent.close());

const chat = (body: unknown, init?: OpenaiInit) => send("/v1/chat/completions", body, init);

describe("a body that is wrong is refused with the path of the fault as its param", () => {
  const withMessage = (message: unknown) => ({ ...VALID, messages: [message] });
  const CASES: [name: string, body: unknown, param: string | null][] = [
    ["no model", { messages: VALID.messages }, "model"],
    ["a model that is a number", { ...VALID, model: 7 }, "model"],
    ["no messages", { model: "acme" }, "messages"],
    ["no message of a user", withMessage({ role: "system", content: "x" }), "messages"],
    ["an unknown role", withMessage({ role: "wizard", content: "x" }), "messages[0].role"],
    ["content that is a number", withMessage({ role: "user", content: 7 }), "messages[0].content"],
    [
      "content that is too long",
      withMessage({ role: "user", content: "x".repeat(1001) }),
      "messages[0].content",
    ],
    [
      "a part without its text",
      withMessage({ role: "user", content: [{ type: "text" }] }),
      "messages[0].content[0].text",
    ],
    ["a part without a type", withMessage({ role: "user", content: [{}] }), "messages[0].content[0].type"],
    [
      "a picture without its address",
      withMessage({ role: "user", content: [{ type: "image_url" }] }),
      "messages[0].content[0].image_url",
    ],
    ["a question of spaces", withMessage({ role: "user", content: " \n" }), "messages[0]"],
    ["a question that is null", withMessage({ role: "user", content: null }), "messages[0]"],
    ["two answers at once", { ...VALID, n: 2 }, "n"],
    ["an answer in JSON", { ...VALID, response_format: { type: "json_object" } }, "response_format.type"],
    ["an answer that speaks", { ...VALID, modalities: ["text", "audio"] }, "modalities[1]"],
    ["a tool that must be called", { ...VALID, tool_choice: "required" }, "tool_choice"],
    ["stream that is a text", { ...VALID, stream: "yes" }, "stream"],
    ["a list", [], null],
    ["a text", '"hello"', null],
    ["JSON that does not parse", "{", null],
  ];
  test.each(CASES)("%s", async (_, body, param) => {
    const error = await errorOf(await chat(body), 400);
    expect(error).toMatchObject({ type: "invalid_request_error", code: "invalid_request" });
    expect(error.param).toBe(param);
  });

  test("null is nothing, wherever OpenAI's API allows it", async () => {
    const nothing = {
      stream: null,
      stream_options: null,
      user: null,
      n: null,
      response_format: null,
      tool_choice: null,
    };
    expect((await chat({ ...VALID, ...nothing, modalities: null, safety_identifier: null })).status).toBe(
      200,
    );
  });

  test("names that every object has are no types of parts", async () => {
    for (const type of ["__proto__", "constructor", "toString"]) {
      const content = [{ type }, { type: "text", text: "How do I install Acme?" }];
      expect((await chat(withMessage({ role: "user", content }))).status).toBe(200);
    }
  });
});

describe("what is no chat completion", () => {
  test("another content type is 415", async () => {
    const error = await errorOf(await chat(VALID, { headers: { "content-type": "text/plain" } }), 415);
    expect(error.code).toBe("unsupported_media_type");
  });
  test("a body over the limit is 413", async () => {
    expect((await errorOf(await chat({ ...VALID, pad: "x".repeat(30_000) }), 413)).code).toBe("too_large");
  });
  test("another method is 405, in the same shape", async () => {
    expect((await errorOf(await send("/v1/chat/completions", undefined, { method: "GET" }), 405)).code).toBe(
      "method_not_allowed",
    );
  });
  test("other operations of OpenAI's API are a 404 in its shape that says what there is", async () => {
    const paths = [
      "/completions",
      "/embeddings",
      "/moderations",
      "/images/generations",
      "/audio/speech",
      "/files",
    ];
    const more = [
      "/responses/resp_1",
      "/responses/resp_1/cancel",
      "/conversations",
      "/nothing/at/all",
      "/x\n",
    ];
    for (const path of [...paths, ...more])
      for (const prefix of ["/v1", "/discovery/v1"])
        for (const method of ["GET", "POST", "DELETE"]) {
          const reply = await send(`${prefix}/${path.slice(1)}`, undefined, { method, key: null });
          const error = await errorOf(reply, 404);
          expect(error).toMatchObject({ type: "invalid_request_error", code: "not_found", param: null });
          expect(error.message).toContain("POST /v1/responses, POST /v1/chat/completions, GET /v1/models");
        }
  });
  test("what begins as Docent's own operations do keeps Docent's own errors", async () => {
    const own = [
      "assistant",
      "search",
      "page",
      "feedback",
      "events",
      "widget",
      "session",
      "admin",
      "analytics",
    ];
    for (const path of [
      "/v1",
      "/v1/",
      ...own.flatMap((name) => [`/v1/${name}`, `/v1/${name}/no/such/route`, `/v2/${name}/x`]),
    ])
      expect(await (await send(path, undefined, { method: "GET" })).json()).toMatchObject({
        error: expect.any(String),
        requestId: expect.any(String),
      });
  });
});

describe("models", () => {
  test("are not listed to a stranger", async () => {
    for (const key of [null, "hello", `docent_dsc_${"a".repeat(33)}`, `docent_adm_${"a".repeat(33)}`])
      for (const path of ["/v1/models", "/v1/models/acme"])
        expect((await errorOf(await send(path, undefined, { key, method: "GET" }), 401)).code).toBe(
          "invalid_api_key",
        );
  });

  test("that the key may not use look exactly like those that are not there", async () => {
    const get = (model: string) => send(`/v1/models/${model}`, undefined, { key: otherKey, method: "GET" });
    const found = await errorOf(await get("acme"), 404);
    expect(JSON.stringify(found)).toBe(
      JSON.stringify(await errorOf(await get("nobody"), 404)).replaceAll("nobody", "acme"),
    );
    const list = await (await send("/v1/models", undefined, { key: otherKey, method: "GET" })).text();
    expect(list).toContain('"other"');
    expect(list).not.toContain("acme");
  });
});

describe("pages of other origins", () => {
  const preflight = (path: string, origin: string, method = "POST") =>
    fetch(docent.url + path, {
      method: "OPTIONS",
      headers: {
        origin,
        "access-control-request-method": method,
        "access-control-request-headers": "authorization,x-stainless-os",
      },
    });

  test("may call where some site is open to them, with a key and never with cookies", async () => {
    for (const path of ["/v1/chat/completions", "/v1/models"]) {
      const { status, headers } = await preflight(path, ELSEWHERE);
      expect([status, headers.get("access-control-allow-origin")]).toEqual([204, ELSEWHERE]);
      expect(headers.get("access-control-allow-credentials")).toBeNull();
      expect(headers.get("access-control-allow-headers")).toContain("x-stainless-os");
    }
  });

  test("get no answer from a site that is not open to them, and do not see it listed", async () => {
    const init = { key: otherKey, headers: { origin: ELSEWHERE } };
    expect((await errorOf(await chat({ ...VALID, model: "other" }, init), 403)).code).toBe("forbidden");
    const listed = await (await send("/v1/models", undefined, { ...init, method: "GET" })).json();
    expect(listed).toEqual({ object: "list", data: [] });
    expect(
      (await chat({ ...VALID, model: "other" }, { key: otherKey, headers: { origin: ORIGIN } })).status,
    ).toBe(200);
  });

  test("may not call at all where every site names others", async () => {
    const closed = await startDocent();
    await closed.app.parts.people.sites.set("acme", { settings: { origins: [ORIGIN] } });
    const reply = await chat(VALID, { on: closed, headers: { origin: ELSEWHERE } });
    expect([reply.status, reply.headers.get("access-control-allow-origin")]).toEqual([403, null]);
    const own = await chat(VALID, { on: closed, headers: { origin: ORIGIN } });
    expect([own.status, own.headers.get("access-control-allow-origin")]).toEqual([200, ORIGIN]);
    await closed.close();
  });
});

test("under /discovery and a base path everything is as at the root, errors too", async () => {
  const moved = await startDocent({ settings: { base_path: "/docent" } });
  for (const prefix of ["", "/discovery"]) {
    expect((await send(`${prefix}/v1/chat/completions`, VALID, { on: moved })).status).toBe(200);
    await errorOf(await send(`${prefix}/v1/chat/completions`, "{", { on: moved }), 400);
    await errorOf(await send(`${prefix}/v1/models/nobody`, undefined, { on: moved, method: "GET" }), 404);
  }
  await moved.close();
});

test("a fault of ours is 'Internal error' to the client, and whole in the log", async () => {
  const broken = await startDocent({ expectErrors: true });
  databaseOf(broken.app).run("ALTER TABLE turns RENAME TO elsewhere");
  expect(await errorOf(await chat(VALID, { on: broken }), 500)).toEqual({
    message: "Internal error",
    type: "server_error",
    param: null,
    code: "internal",
  });
  expect(broken.logged.join("")).toMatch(/no such table|does not exist/);
  await broken.close();
});
