import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { question, startDocent } from "../helpers/docent.ts";
import { errorOf, type OpenaiDoor, type OpenaiInit, startOpenaiDoor } from "../helpers/openai-door.ts";

// What chat completions and responses refuse alike. What each refuses alone is in openai.error.test.ts and
// openai-responses.error.test.ts.

const DOORS = [
  {
    path: "/v1/chat/completions",
    ask: (text: string) => ({ model: "acme", messages: [{ role: "user", content: text }] }),
    more: [],
  },
  {
    path: "/v1/responses",
    ask: (text: string) => ({ model: "acme", input: text }),
    more: [{ previous_response_id: "x" }],
  },
];

let door: OpenaiDoor;
beforeAll(async () => {
  door = await startOpenaiDoor("200000");
});
afterAll(() => door.docent.close());

describe.each(DOORS)("$path", ({ path, ask, more }) => {
  const send = (body: unknown, init?: OpenaiInit) => door.send(path, body, init);
  const VALID = ask("How do I install Acme?");
  /** What is not found. */
  const missing = [{ model: "nobody" }, ...more].map((change) => ({ ...VALID, ...change }));

  test("a stranger learns nothing of site or body", async () => {
    for (const key of [null, "hello", `docent_dsc_${"a".repeat(33)}`, `docent_adm_${"a".repeat(33)}`])
      for (const body of ["{", VALID, ...missing]) {
        const reply = await send(body, { key });
        expect(reply.headers.get("www-authenticate")).toBe("Bearer");
        expect(reply.headers.get("ratelimit-limit")).toBeNull();
        expect(await errorOf(reply, 401)).toMatchObject({ code: "invalid_api_key", param: null });
      }
  });

  test("a model that the key may not use looks exactly like one that is not there", async () => {
    const asked = async (model: string) => {
      const error = await errorOf(await send({ ...VALID, model }, { key: door.otherKey }), 404);
      return JSON.stringify(error).replaceAll(model, "MODEL");
    };
    expect(await asked("acme")).toBe(await asked("nobody"));
    expect(JSON.parse(await asked("acme"))).toMatchObject({ code: "model_not_found", param: "model" });
  });

  test("messages through this door and the others are counted together, wrong ones too", async () => {
    const limited = await startDocent({ settings: { address_messages_per_day: "2" } });
    expect((await send("{", { on: limited })).status).toBe(400);
    expect((await send(VALID, { on: limited })).status).toBe(200);
    const reply = await send(VALID, { on: limited });
    expect(Number(reply.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(reply.headers.get("ratelimit-remaining")).toBe("0");
    expect(await errorOf(reply, 429)).toMatchObject({
      type: "rate_limit_error",
      code: "rate_limit_exceeded",
    });
    expect((await limited.post(question("Hello?"))).status).toBe(429);
    await limited.close();
  });

  test("one address reads only so many answers at once, and a place is given back", async () => {
    const narrow = await startDocent({ settings: { address_streams: "1" } });
    for (let index = 0; index < 5; index++) {
      const replies = [await send(VALID, { on: narrow }), await send("{", { on: narrow })];
      expect(replies.map(({ status }) => status)).toEqual([200, 400]);
      await (await send({ ...VALID, stream: true }, { on: narrow })).text();
      for (const body of missing) await (await send(body, { on: narrow })).text();
    }
    await narrow.close();
  });

  test("a hidden page is in no answer", async () => {
    const text = await (await send(ask("What is zanzibar?"))).text();
    expect(text).not.toContain("planned");
    expect(text).not.toContain("guide/secret");
  });

  test("no model and no fallback is a 503 that says when to come back", async () => {
    const strict = await startDocent({ settings: { fallback: "error" } });
    for (const stream of [true, false]) {
      const reply = await send({ ...VALID, stream }, { on: strict });
      expect(Number(reply.headers.get("retry-after"))).toBeGreaterThan(0);
      expect(await errorOf(reply, 503)).toMatchObject({ type: "server_error", code: "unavailable" });
    }
    await strict.close();
  });
});
