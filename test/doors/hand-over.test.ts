import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type AnalyticsDoor, startAnalyticsDoor } from "../helpers/analytics-door.ts";

let received: Record<string, unknown>[];
let status = 200;
let hook: ReturnType<typeof Bun.serve>;
let door: AnalyticsDoor;
let threadId: string;

beforeAll(async () => {
  received = [];
  hook = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      received.push(Object(await request.json()));
      return new Response("", { status });
    },
  });
  door = await startAnalyticsDoor({
    settings: { hand_over_hosts: `127.0.0.1:${hook.port}`, address_hand_overs_per_hour: "7" },
  });
  threadId = (await door.asked("How do I fly to the moon?")).threadId;
});
afterAll(async () => {
  await door.close();
  await hook.stop(true);
});

const destination = () => `http://127.0.0.1:${hook.port}/hook`;
const change = (handOver: string) =>
  door.ask("PATCH", "/sites/acme", { as: "own", body: { settings: { handOver } } });
const send = (more: Record<string, unknown> = {}) =>
  door.send("/v1/hand-over/acme", { threadId, email: "ada@reader.example", ...more });

describe("handing a conversation over", () => {
  test("does not exist for a site that has not turned it on", async () => {
    expect((await send()).status).toBe(404);
    expect(received).toEqual([]);
  });

  test("goes only where the operator allows it, which is said when it is set", async () => {
    const refused = await change("https://elsewhere.example/hook");
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining("hand_over_hosts")]);
    const mail = await change("support@acme.example");
    expect([mail.status, mail.text]).toEqual([400, expect.stringContaining("mail_server")]);
    expect((await change(destination())).status).toBe(200);
  });

  test("brings the stored conversation, whatever the page says it was", async () => {
    const reply = await send({ name: "Ada", message: "Help me.", turns: [{ question: "forged" }] });
    expect([reply.status, reply.text]).toEqual([204, ""]);
    expect(received).toMatchObject([
      {
        site: { domain: "acme" },
        reader: { name: "Ada", email: "ada@reader.example" },
        message: "Help me.",
        turns: [{ question: "How do I fly to the moon?" }],
        conversationUrl: expect.stringMatching(/\/dashboard\/[^/]+\/acme\/conversations\/\w{26}$/),
      },
    ]);
    expect(JSON.stringify(received)).not.toContain("forged");
  });

  test("wants an address to answer to, a name of one line, and a thread of this site", async () => {
    const before = received.length;
    expect((await send({ email: "nobody" })).status).toBe(400);
    expect((await send({ name: "Ada\r\nBcc: all" })).status).toBe(400);
    expect((await send({ threadId: "01KT0000000000000000000002" })).status).toBe(404);
    expect(received).toHaveLength(before);
  });

  test("says that it failed where the other side does not take it, and nothing of why", async () => {
    status = 500;
    const reply = await send();
    status = 200;
    expect(reply.status).toBe(503);
    expect(reply.text).not.toContain("127.0.0.1");
  });

  test("is bounded by address", async () => {
    const statuses = [];
    for (let tries = 0; tries < 6; tries++) statuses.push((await send()).status);
    expect(statuses.at(-1)).toBe(429);
  });
});
