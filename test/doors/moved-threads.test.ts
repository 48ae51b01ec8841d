import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createConversation } from "../../src/faces/conversation/conversation.ts";
import { type AdminDoorUnderTest, startAdminDoor } from "../helpers/admin-door.ts";
import { partsOf, question } from "../helpers/docent.ts";
import { askV2, chunksOf, chunksOfType, questionV2 } from "../helpers/ui-message.ts";

// Apps that moved here from a hosted assistant hold thread ids of its own, and may send them with the newest question alone.

const QUESTION = "How do I install Acme on Linux?";
/** No id of Docent's: each service has its own form. */
const FOREIGN = "thr_8f14e45fceea167a";
/** As those of Docent look. */
const UNKNOWN = "0123456789ABCDEFGHJKMNPQRS";

let door: AdminDoorUnderTest;
/** Opens the site `other` alone, of the same organization. */
let otherKey: string;
beforeAll(async () => {
  door = await startAdminDoor();
  const { people } = door.app.parts;
  const { organizationId } = await people.sites.get("acme");
  const other = await people.sites.add({ domain: "other" });
  otherKey = (await people.keys.create({ organizationId, name: "other", siteIds: [other.id] })).key;
});
afterAll(() => door.close());

const moved = (isMoved: boolean) =>
  door.expectStatus(200, "PATCH", "/sites/acme", { body: { settings: { movedFromHosted: isMoved } } });
const bodies = (threadId: string) => ({
  v1: question(QUESTION, { threadId }),
  v2: questionV2(QUESTION, { threadId }),
});

for (const version of ["v1", "v2"] as const) {
  const send = async (threadId: string, init: { domain?: string; key?: string } = {}) => {
    const reply = await door.post(bodies(threadId)[version], { version, ...init });
    return { status: reply.status, text: await reply.text(), thread: reply.headers.get("x-thread-id") };
  };
  const refusal = async (threadId: string, init: { domain?: string; key?: string } = {}) => {
    const { status, text } = await send(threadId, init);
    return `${status} ${text.replace(/"requestId":"[^"]*"/, "")}`;
  };

  describe(`${version}: an id that Docent never gave, with the newest question alone`, () => {
    test("is a 404 that says what to do, the same as every other 404 of the operation", async () => {
      await moved(false);
      const refused = await refusal(FOREIGN);
      expect(refused).toStartWith("404 ");
      expect(refused).toContain("leave it out, and a new conversation begins");
      expect(await refusal(UNKNOWN)).toBe(refused);
      expect(await refusal(FOREIGN, { domain: "nobody" })).toBe(refused);
      expect(await refusal(FOREIGN, { key: otherKey })).toBe(refused);
    });

    test("begins a new thread on a site that moved here", async () => {
      await moved(true);
      const { status, thread } = await send(FOREIGN);
      expect(status).toBe(200);
      expect(thread).toMatch(/^[0-7][0-9A-Z]{25}$/);
    });

    test("on that site an unknown thread, a deleted one and another site's stay one and the same 404", async () => {
      await moved(true);
      const begun = (await send(FOREIGN)).thread ?? "";
      const { parts } = door.app;
      const { id } = await parts.people.sites.get("acme");
      const others = (await door.post(question("Hello?"), { domain: "other", key: otherKey })).headers;
      const missing = await refusal(UNKNOWN);
      expect(missing).toStartWith("404 ");
      expect(await refusal(others.get("x-thread-id") ?? "")).toBe(missing);
      expect((await send(begun)).status).toBe(200);
      await parts.reports.retention.removeThread(id, begun);
      expect(await refusal(begun)).toBe(missing);
      await moved(false);
      expect(await refusal(begun)).toBe(missing);
    });

    test("may be of any length", async () => {
      await moved(true);
      expect((await send("x".repeat(5000))).status).toBe(200);
      await moved(false);
      expect((await send("x".repeat(5000))).status).toBe(404);
    });

    test.each([
      ["with a line end", "thr_1\n"],
      ["with a NUL", "thr\0"],
    ])("is refused where it is one %s, whatever the site", async (_, threadId) => {
      for (const isMoved of [true, false]) {
        await moved(isMoved);
        const { status, text } = await send(threadId);
        expect([status, JSON.parse(text).details]).toMatchObject([400, [{ path: "threadId" }]]);
      }
    });
  });
}

describe("what the end of the answer says", () => {
  const newThreadsIn = (wire: string) =>
    partsOf(wire).flatMap(({ code, value }) => {
      const [said] = [value].flat();
      const isFinish = typeof said === "object" && said !== null && "type" in said && said.type === "finish";
      return isFinish ? [[code, "newThread" in said && said.newThread]] : [];
    });

  test("v1: that a new thread began, in every place that names the thread", async () => {
    await moved(true);
    const first = await door.post(bodies(FOREIGN).v1);
    expect(newThreadsIn(await first.text())).toEqual([
      ["2", true],
      ["8", true],
      ["d", true],
    ]);
    const second = await door.post(bodies(first.headers.get("x-thread-id") ?? "").v1);
    expect(newThreadsIn(await second.text()).map(([, isNew]) => isNew)).toEqual([false, false, false]);
    const plain = await door.post(question(QUESTION));
    expect(await plain.text()).not.toContain("newThread");
  });

  test("v2: the same, in the metadata", async () => {
    await moved(true);
    const first = await askV2(door, bodies(FOREIGN).v2);
    const threadId = first.reply.headers.get("x-thread-id") ?? "";
    const metadata = chunksOfType(first.chunks, "finish")[0]?.messageMetadata;
    expect(metadata).toMatchObject({ threadId, newThread: true });
    expect((await askV2(door, bodies(threadId).v2)).wire).not.toContain("newThread");
  });

  test("also where the conversation was posted with an id that is not here, whatever the site", async () => {
    await moved(false);
    const said = (id: string, role: string, text: string) => ({ id, role, parts: [{ type: "text", text }] });
    const messages = [
      said("1", "user", QUESTION),
      said("2", "assistant", "Run it."),
      said("3", "user", "Why?"),
    ];
    for (const threadId of [FOREIGN, UNKNOWN])
      expect((await askV2(door, { fp: "x", threadId, messages })).wire).toContain('"newThread":true');
  });
});

test("the widget's saved conversation goes on with one request, on a site that moved here", async () => {
  const saved = JSON.stringify({ version: 1, threadId: FOREIGN, turns: [] });
  const asked: string[] = [];
  const conversation = () =>
    createConversation({
      endpoint: door.url,
      domain: "acme",
      key: door.key,
      fp: "anonymous",
      now: Date.now,
      newId: () => crypto.randomUUID(),
      schedule: queueMicrotask,
      isOnline: () => true,
      storage: { get: () => saved, set: () => {} },
      async fetch(url, init) {
        const reply = await fetch(url, init);
        asked.push(`${new URL(url).pathname} ${reply.status}`);
        return reply;
      },
    });
  const requests = async (isMoved: boolean) => {
    await moved(isMoved);
    asked.length = 0;
    const one = conversation();
    one.restore();
    await one.ask(QUESTION);
    expect(one.state().turns.at(-1)).toMatchObject({ status: "done" });
    return asked.filter((each) => each.includes("/message"));
  };
  expect(await requests(true)).toEqual(["/v2/assistant/acme/message 200"]);
  expect(await requests(false)).toEqual(["/v2/assistant/acme/message 404", "/v2/assistant/acme/message 200"]);
});

test("the dashboard's trial answers whatever id it is sent, and says nothing of threads", async () => {
  for (const isMoved of [true, false]) {
    await moved(isMoved);
    const { status, text } = await door.ask("POST", "/sites/acme/try", { body: bodies(FOREIGN).v2 });
    expect(status).toBe(200);
    expect(JSON.stringify(chunksOf(text))).not.toContain("newThread");
  }
});

test("who has no key to write cannot say that a site moved; what is no yes or no is refused", async () => {
  const change = (value: unknown) => ({ body: { settings: { movedFromHosted: value } } });
  await door.expectStatus(403, "PATCH", "/sites/acme", { as: "ownRead", ...change(true) });
  await door.expectStatus(404, "PATCH", "/sites/acme", { as: "other", ...change(true) });
  for (const value of ["yes", 1, null, "2027-01-01"]) {
    const { details } = await door.expectStatus(400, "PATCH", "/sites/acme", change(value));
    expect(details).toMatchObject([{ path: "settings.movedFromHosted" }]);
  }
});
