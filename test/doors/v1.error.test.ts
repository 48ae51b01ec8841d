import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { v1MessageSchema } from "../../src/doors/messages/v1.ts";
import { databaseOf } from "../helpers/database-of.ts";
import { question, startDocent, type TestDocent } from "../helpers/docent.ts";
import { expectError } from "../helpers/expect-error.ts";

let docent: TestDocent;
beforeAll(async () => {
  docent = await startDocent({ settings: { body_bytes: "200000", message_characters: "1000" } });
});
afterAll(() => docent.close());

const VALID = question("How do I install Acme on Linux?");
const [MESSAGE] = VALID.messages;

describe("a body that is wrong is refused with the path of the fault", () => {
  const CASES: [name: string, body: unknown, path: string][] = [
    ["no fp", { messages: VALID.messages }, "fp"],
    ["no messages", { fp: "x" }, "messages"],
    ["no message", { fp: "x", messages: [] }, "messages"],
    ["no message of the user", { fp: "x", messages: [{ ...MESSAGE, role: "assistant" }] }, "messages"],
    ["an unknown role", { fp: "x", messages: [{ ...MESSAGE, role: "robot" }] }, "messages[0].role"],
    ["no id", { fp: "x", messages: [{ ...MESSAGE, id: undefined }] }, "messages[0].id"],
    ["no parts", { fp: "x", messages: [{ ...MESSAGE, parts: undefined }] }, "messages[0].parts"],
    ["no content", { fp: "x", messages: [{ ...MESSAGE, content: undefined }] }, "messages[0].content"],
    [
      "a part without its text",
      { fp: "x", messages: [{ ...MESSAGE, parts: [{ type: "text" }] }] },
      "messages[0].parts[0].text",
    ],
    [
      "an unknown part",
      { fp: "x", messages: [{ ...MESSAGE, parts: [{ type: "hologram" }] }] },
      "messages[0].parts[0].type",
    ],
    ["a path of 201 characters", { ...VALID, currentPath: `/${"a".repeat(200)}` }, "currentPath"],
    ["a page size that is a text", { ...VALID, retrievalPageSize: "5" }, "retrievalPageSize"],
    ["an unknown kind of context", { ...VALID, context: [{ type: "video", value: "x" }] }, "context[0].type"],
    ["a context without its value", { ...VALID, context: [{ type: "code" }] }, "context[0].value"],
    ["a message that is too long", question("x".repeat(1001)), "messages[0].content"],
    ["a list", [], ""],
    ["a text", "hello", ""],
    ["null", null, ""],
  ];
  for (const [name, body, path] of CASES) {
    test(name, async () => {
      const error = await expectError(await docent.post(JSON.stringify(body)), 400, "invalid_request");
      expect(error.details?.map((detail) => detail.path)).toContain(path);
    });
  }

  test("every fault is named, not only the first", async () => {
    const error = await expectError(
      await docent.post({ messages: [{ role: "user" }], retrievalPageSize: "5" }),
      400,
      "invalid_request",
    );
    const paths = error.details?.map((detail) => detail.path);
    expect(paths).toEqual(
      expect.arrayContaining([
        "fp",
        "messages[0].id",
        "messages[0].content",
        "messages[0].parts",
        "retrievalPageSize",
      ]),
    );
  });
});

describe("a value of a wrong type at any place is a 400 with its path, never a 500", () => {
  const full = {
    fp: "x",
    messages: [
      {
        id: "a",
        role: "user",
        content: "Install?",
        createdAt: "2026-01-01T00:00:00Z",
        annotations: [],
        experimental_attachments: [{ url: "data:text/plain,hi", name: "n", contentType: "text/plain" }],
        parts: [
          { type: "text", text: "t" },
          {
            type: "reasoning",
            reasoning: "r",
            details: [
              { type: "text", text: "t", signature: "s" },
              { type: "redacted", data: "d" },
            ],
          },
          { type: "source", source: { sourceType: "url", id: "i", url: "u", title: "t" } },
          {
            type: "tool-invocation",
            toolInvocation: { state: "result", toolCallId: "c", toolName: "n", args: {}, result: 1, step: 0 },
          },
          { type: "step-start" },
          { type: "file", mimeType: "text/plain", data: "aGk=" },
        ],
      },
    ],
    threadId: "t",
    retrievalPageSize: 5,
    filter: { version: "1", language: "en" },
    context: [{ type: "code", value: "v", path: "p", elementId: "e" }],
    currentPath: "/x",
  };

  test("the full body is accepted", () => {
    expect(v1MessageSchema({ messageCharacters: 1000 }).safeParse(full).success).toBe(true);
  });

  for (const { path, body, value } of mutations(full)) {
    test(`${path} as ${JSON.stringify(value)}`, async () => {
      await expectError(await docent.post(body), 400, "invalid_request");
    });
  }
});

/** Every leaf and every branch of a body, replaced by values that can't be right there. `any` fields are left out. */
function mutations(full: unknown): { path: string; body: unknown; value: unknown }[] {
  const anything = /\.(args|result)$|annotations/;
  const found: { path: string; body: unknown; value: unknown }[] = [];
  const visit = (value: unknown, path: (string | number)[]) => {
    const name = path.join(".");
    if (path.length > 0 && !anything.test(name)) {
      for (const wrong of [{ nested: true }, 3.5, [[[]]], "\u0000wrong"]) {
        // Any number is one there.
        if (name === "retrievalPageSize" && typeof wrong === "number") continue;
        if (
          typeof wrong !== typeof value ||
          Array.isArray(wrong) !== Array.isArray(value) ||
          typeof value === "number"
        ) {
          found.push({ path: name, value: wrong, body: replaced(full, path, wrong) });
        }
      }
    }
    if (typeof value === "object" && value !== null && !anything.test(name)) {
      for (const [key, inner] of Object.entries(value))
        visit(inner, [...path, Array.isArray(value) ? Number(key) : key]);
    }
  };
  visit(full, []);
  // A tool call's step may be any number.
  return found.filter(({ path, value }) => !(path.endsWith(".step") && typeof value === "number"));
}

function replaced(value: unknown, [first, ...rest]: (string | number)[], by: unknown): unknown {
  if (first === undefined) return by;
  if (Array.isArray(value))
    return value.map((each, index) => (index === first ? replaced(each, rest, by) : each));
  return Object.fromEntries(
    Object.entries(Object(value)).map(([key, each]) => [
      key,
      key === first ? replaced(each, rest, by) : each,
    ]),
  );
}

describe("what is not a JSON body", () => {
  test("JSON that does not parse is 400", async () => {
    await expectError(await docent.post("{"), 400, "invalid_request");
  });
  test("an empty body is 400", async () => {
    await expectError(await docent.post(""), 400, "invalid_request");
  });
  test("another content type is 415", async () => {
    const reply = await docent.post(VALID, { headers: { "content-type": "text/plain" } });
    await expectError(reply, 415, "unsupported_media_type");
  });
  test("JSON with a charset is accepted", async () => {
    const reply = await docent.post(VALID, {
      headers: { "content-type": "application/json; charset=UTF-8" },
    });
    expect(reply.status).toBe(200);
    await reply.text();
  });
  test("a body over the limit is 413", async () => {
    await expectError(await docent.post(question("x".repeat(300_000))), 413, "too_large");
  });
  test("a body over the limit that does not say its length is 413", async () => {
    const chunk = new TextEncoder().encode(" ".repeat(64_000));
    const body = new ReadableStream({
      start(controller) {
        for (let index = 0; index < 5; index++) controller.enqueue(chunk);
        controller.close();
      },
    });
    const reply = await fetch(`${docent.url}/v1/assistant/acme/message`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${docent.key}` },
      body,
    });
    await expectError(reply, 413, "too_large");
  });
  test("JSON nested a hundred thousand deep is answered, not crashed on", async () => {
    const deep = `${"[".repeat(90_000)}${"]".repeat(90_000)}`;
    const reply = await docent.post(`{"fp":"x","messages":${deep}}`);
    expect(reply.status).toBe(413);
    await reply.text();
    const annotated = JSON.stringify(question("Install Acme on Linux?")).replace(
      '"parts"',
      `"annotations":[${deep}],"parts"`,
    );
    const second = await docent.post(annotated);
    expect(second.status).toBe(413);
    await second.text();
    expect((await fetch(`${docent.url}/health/ready`)).status).toBe(200);
  });
});

describe("what is not there", () => {
  test("an unknown domain is 404", async () => {
    await expectError(await docent.post(VALID, { domain: "nobody" }), 404, "not_found");
  });
  test("an unknown path is 404", async () => {
    await expectError(await fetch(`${docent.url}/v3/nothing`), 404, "not_found");
  });
  test("an unknown thread with only the newest message is 404", async () => {
    await expectError(
      await docent.post({ ...VALID, threadId: "0123456789ABCDEFGHJKMNPQRS" }),
      404,
      "not_found",
    );
  });
  test("an unknown thread with its conversation starts a new one", async () => {
    const messages = [
      { ...MESSAGE, id: "q0" },
      { id: "a0", role: "assistant", content: "Run it.", parts: [] },
      { ...MESSAGE, id: "q1" },
    ];
    const reply = await docent.post({ fp: "x", messages, threadId: "thr_1" });
    expect(reply.status).toBe(200);
    expect(reply.headers.get("x-thread-id")).toHaveLength(26);
    await reply.text();
  });
});

test("with fallback set to error, no model is a 503 that says when to come back, and the question is kept", async () => {
  const strict = await startDocent({ settings: { fallback: "error" } });
  const reply = await strict.post(VALID);
  await expectError(reply, 503, "unavailable");
  expect(Number(reply.headers.get("retry-after"))).toBeGreaterThan(0);
  const turns = databaseOf(strict.app).query("SELECT outcome FROM turns").all();
  expect(turns).toEqual([{ outcome: "failed" }]);
  await strict.close();
});

test("a fault of ours is 'Internal error' to the client, and whole in the log", async () => {
  const broken = await startDocent({ expectErrors: true });
  databaseOf(broken.app).run("ALTER TABLE turns RENAME TO elsewhere");
  const error = await expectError(await broken.post(VALID), 500, "internal");
  expect(error.message).toBe("Internal error");
  expect(broken.logged.join("")).toMatch(/no such table|does not exist/);
  await broken.close();
});
