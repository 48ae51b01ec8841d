import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { databaseOf } from "../helpers/database-of.ts";
import { startDocent, type TestDocent } from "../helpers/docent.ts";
import { expectError } from "../helpers/expect-error.ts";
import { questionV2, userMessage } from "../helpers/ui-message.ts";

let docent: TestDocent;
beforeAll(async () => {
  docent = await startDocent({ settings: { body_bytes: "200000", message_characters: "1000" } });
});
afterAll(() => docent.close());

const post = (body: unknown, init: Parameters<TestDocent["post"]>[1] = {}) =>
  docent.post(body, { ...init, version: "v2" });

const VALID = questionV2("How do I install Acme on Linux?");
const withMessage = (more: Record<string, unknown>) => ({
  ...VALID,
  messages: [userMessage("Install?", more)],
});
const withPart = (part: unknown) => withMessage({ parts: [part] });

describe("a body that is wrong is refused with the path of the fault", () => {
  const CASES: [name: string, body: unknown, path: string][] = [
    ["no fp", { messages: VALID.messages }, "fp"],
    ["an empty fp", { ...VALID, fp: "" }, "fp"],
    ["no messages", { fp: "x" }, "messages"],
    ["no message", { fp: "x", messages: [] }, "messages"],
    ["no message of the user", withMessage({ role: "assistant" }), "messages"],
    ["a message that is null", { fp: "x", messages: [null] }, "messages[0]"],
    ["an unknown role", withMessage({ role: "robot" }), "messages[0].role"],
    ["v4's role data", withMessage({ role: "data" }), "messages[0].role"],
    ["no id", withMessage({ id: undefined }), "messages[0].id"],
    ["an empty id", withMessage({ id: "" }), "messages[0].id"],
    [
      "v4's message without parts",
      withMessage({ content: "Install?", parts: undefined }),
      "messages[0].parts",
    ],
    ["a part without its text", withPart({ type: "text" }), "messages[0].parts[0].text"],
    ["a part whose text is null", withPart({ type: "text", text: null }), "messages[0].parts[0].text"],
    ["a part without its type", withPart({ text: "Install?" }), "messages[0].parts[0].type"],
    ["a part that is a text", withPart("Install?"), "messages[0].parts[0]"],
    ["a part that is null", withPart(null), "messages[0].parts[0]"],
    [
      "a file without its address",
      withPart({ type: "file", mediaType: "text/plain" }),
      "messages[0].parts[0].url",
    ],
    ["a file without its type", withPart({ type: "file", url: "data:," }), "messages[0].parts[0].mediaType"],
    [
      "a text that is too long",
      withPart({ type: "text", text: "x".repeat(1001) }),
      "messages[0].parts[0].text",
    ],
    [
      "texts that are too long together",
      withMessage({ parts: Array.from({ length: 3 }, () => ({ type: "text", text: "x".repeat(400) })) }),
      "messages[0].parts",
    ],
    ["a question of spaces", withPart({ type: "text", text: " \n" }), "messages[0]"],
    ["a question without a part", withMessage({ parts: [] }), "messages[0]"],
    ["a path of 201 characters", { ...VALID, currentPath: `/${"a".repeat(200)}` }, "currentPath"],
    ["a page size that is a text", { ...VALID, retrievalPageSize: "5" }, "retrievalPageSize"],
    ["a thread id that is a number", { ...VALID, threadId: 1 }, "threadId"],
    ["a filter that is a text", { ...VALID, filter: "2.x" }, "filter"],
    ["groups that are a text", { ...VALID, filter: { groups: "staff" } }, "filter.groups"],
    ["a group that is null", { ...VALID, filter: { groups: ["a", null] } }, "filter.groups[1]"],
    ["51 groups", { ...VALID, filter: { groups: Array.from({ length: 51 }, String) } }, "filter.groups"],
    ["an unknown kind of context", { ...VALID, context: [{ type: "video", value: "x" }] }, "context[0].type"],
    ["a context without its value", { ...VALID, context: [{ type: "code" }] }, "context[0].value"],
    [
      "101 contexts",
      { ...VALID, context: Array.from({ length: 101 }, () => ({ type: "code", value: "x" })) },
      "context",
    ],
    ["a list", [], ""],
    ["a text", "hello", ""],
    ["null", null, ""],
  ];
  test.each(CASES)("%s", async (_, body, path) => {
    const error = await expectError(await post(JSON.stringify(body)), 400, "invalid_request");
    expect(error.details?.map((detail) => detail.path)).toContain(path);
    expect(error.message).toStartWith(`${path || "The body"}: `);
  });

  test("every fault is named, not only the first", async () => {
    const body = { messages: [{ role: "user", parts: [{ type: "text" }, {}] }], retrievalPageSize: "5" };
    const error = await expectError(await post(body), 400, "invalid_request");
    const expected = [
      "fp",
      "messages[0].id",
      "messages[0].parts[0].text",
      "messages[0].parts[1].type",
      "retrievalPageSize",
    ];
    expect(error.details?.map((detail) => detail.path)).toEqual(expect.arrayContaining(expected));
  });
});

describe("what is not a JSON body", () => {
  test("JSON that does not parse is 400", async () => {
    await expectError(await post("{"), 400, "invalid_request");
  });
  test("an empty body is 400", async () => {
    await expectError(await post(""), 400, "invalid_request");
  });
  test("another content type is 415", async () => {
    const reply = await post(VALID, { headers: { "content-type": "text/plain" } });
    await expectError(reply, 415, "unsupported_media_type");
  });
  test("a body over the limit is 413", async () => {
    await expectError(await post(questionV2("x".repeat(300_000))), 413, "too_large");
  });
  test("JSON nested a hundred thousand deep is answered, not crashed on", async () => {
    const deep = `${"[".repeat(90_000)}${"]".repeat(90_000)}`;
    await expectError(await post(`{"fp":"x","messages":${deep}}`), 413, "too_large");
    const valid = JSON.stringify(VALID);
    for (const body of [
      valid.replace('"parts"', `"metadata":${deep},"parts"`),
      valid.replace('"parts":[', `"parts":[{"type":"data-deep","data":${deep}},`),
    ]) {
      const reply = await post(body);
      expect(reply.status).toBe(413);
      await reply.text();
    }
    expect((await fetch(`${docent.url}/health/ready`)).status).toBe(200);
  });
});

describe("what is not there", () => {
  test("an unknown domain is 404", async () => {
    await expectError(await post(VALID, { domain: "nobody" }), 404, "not_found");
  });
  test("another method is 405", async () => {
    await expectError(await fetch(`${docent.url}/v2/assistant/acme/message`), 405, "method_not_allowed");
  });
  test("an unknown thread with only the newest message is 404", async () => {
    const body = { ...VALID, threadId: "0123456789ABCDEFGHJKMNPQRS" };
    await expectError(await post(body), 404, "not_found");
  });
  test("an unknown thread with its conversation starts a new one", async () => {
    const answer = {
      id: "a0",
      role: "assistant",
      parts: [{ type: "text", text: "Run it." }],
      metadata: { threadId: "thr_1" },
    };
    const messages = [userMessage("Install?"), answer, userMessage("And on Linux?", { id: "q2" })];
    const reply = await post({ fp: "x", messages });
    expect(reply.status).toBe(200);
    expect(reply.headers.get("x-thread-id")).toHaveLength(26);
    await reply.text();
  });
});

test("with fallback set to error, no model is a 503 that says when to come back, and the question is kept", async () => {
  const strict = await startDocent({ settings: { fallback: "error" } });
  const reply = await strict.post(VALID, { version: "v2" });
  await expectError(reply, 503, "unavailable");
  expect(Number(reply.headers.get("retry-after"))).toBeGreaterThan(0);
  const turns = databaseOf(strict.app).query("SELECT outcome FROM turns").all();
  expect(turns).toEqual([{ outcome: "failed" }]);
  await strict.close();
});

test("a fault of ours is 'Internal error' to the client, and whole in the log", async () => {
  const broken = await startDocent({ expectErrors: true });
  databaseOf(broken.app).run("ALTER TABLE turns RENAME TO elsewhere");
  const error = await expectError(await broken.post(VALID, { version: "v2" }), 500, "internal");
  expect(error.message).toBe("Internal error");
  expect(broken.logged.join("")).toMatch(/no such table|does not exist/);
  await broken.close();
});
