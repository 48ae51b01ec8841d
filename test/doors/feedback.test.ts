import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { type AnalyticsDoor, startAnalyticsDoor } from "../helpers/analytics-door.ts";

let door: AnalyticsDoor;
let said: { threadId: string; messageId: string };
beforeAll(async () => {
  door = await startAnalyticsDoor();
});
beforeEach(async () => {
  said = await door.asked("How do I install Acme on Linux?", { currentPath: "/guide/configure?x=1" });
});
afterAll(() => door.close());

const give = (change: Record<string, unknown> = {}, path = "/v1/feedback/acme") =>
  door.send(path, { ...said, helpful: true, ...change });
const mine = async () =>
  (await door.list("/acme/feedback", "feedback")).filter(({ id }) => id === said.messageId);

describe("feedback", () => {
  test("is taken without a word, and is there for the owner", async () => {
    const reply = await give({ helpful: false, comment: "  It is for macOS.  " });
    expect([reply.status, reply.text]).toEqual([204, ""]);
    expect(await mine()).toEqual([
      {
        id: said.messageId,
        path: "/guide/configure",
        comment: "It is for macOS.",
        helpful: false,
        query: "How do I install Acme on Linux?",
        createdAt: expect.stringMatching(/^2026-.*Z$/),
        source: "contextual",
        status: "pending",
      },
    ]);
    const [conversation] = await door.list("/acme/assistant?limit=1", "conversations");
    expect(conversation).toMatchObject({ id: said.messageId, helpful: false, comment: "It is for macOS." });
  });

  test("counts once for a message, and can be changed", async () => {
    await give({ helpful: false, comment: "No." });
    await give({ helpful: true, comment: null });
    await give({ helpful: true, comment: "   " });
    expect(await mine()).toMatchObject([{ helpful: true, comment: null, source: "thumbs_only" }]);
  });

  test("an answer that was disliked is a gap, and none once it is liked", async () => {
    const disliked = async () =>
      (await door.list("/acme/gaps", "gaps")).reduce((sum, { count }) => sum + Number(count), 0);
    const before = await disliked();
    await give({ helpful: false });
    expect(await disliked()).toBe(before + 1);
    await give({ helpful: true });
    expect(await disliked()).toBe(before);
  });

  test("is taken only with the thread of the message: anything else is 404, one and the same", async () => {
    const other = await door.asked("How do I configure Acme?");
    const refused = await Promise.all([
      give({ threadId: other.threadId }),
      give({ messageId: other.messageId }),
      give({ threadId: "no such thread", messageId: "no such message" }),
      give({ messageId: `${said.messageId}'--` }),
    ]);
    const plain = refused.map(({ status, text }) => [status, text.replace(/"requestId":"\w+"/, "")]);
    expect(new Set(plain.map(String)).size).toBe(1);
    expect(plain[0]?.[0]).toBe(404);
    expect(await mine()).toEqual([]);
  });

  test("of another site's message is that of none", async () => {
    const { organizationId } = await door.app.parts.people.sites.get("acme");
    await door.app.parts.people.sites
      .add({ domain: "sibling", organization: organizationId })
      .catch(() => {});
    expect((await give({}, "/v1/feedback/sibling")).status).toBe(404);
    expect((await give({}, "/v1/feedback/rival")).status).toBe(404);
  });

  test.each([
    [{ helpful: "yes" }, "helpful"],
    [{ helpful: null }, "helpful"],
    [{ messageId: "" }, "messageId"],
    [{ threadId: 7 }, "threadId"],
    [{ comment: "x".repeat(5001) }, "comment"],
  ])("refuses %j and says where the fault is", async (change, path) => {
    const { status, body } = await give(change);
    expect([status, body]).toMatchObject([400, { code: "invalid_request", details: [{ path }] }]);
  });

  test("exists under /discovery too", async () => {
    expect((await give({}, "/discovery/v1/feedback/acme")).status).toBe(204);
  });

  test("keeps no text that a database or another program would end early", async () => {
    await give({ comment: "before\0after \ud800" });
    expect(await mine()).toMatchObject([{ comment: "beforeafter \ufffd" }]);
  });

  test("opens to pages of other origins, and to those alone that the site lists", async () => {
    const origin = "https://docs.acme.example";
    const from = async (asking: string) => {
      const reply = await door.send("/v1/feedback/acme", { ...said, helpful: true }, { origin: asking });
      return [reply.status, reply.headers.get("access-control-allow-origin")];
    };
    expect(await from("https://any.example")).toEqual([204, "https://any.example"]);
    const { people } = door.app.parts;
    await people.sites.set("acme", { settings: { origins: [origin] } });
    expect(await from(origin)).toEqual([204, origin]);
    expect(await from("https://any.example")).toEqual([403, null]);
    await people.sites.set("acme", { settings: { origins: [] } });
  });

  test("with an admin key, or none, is 401 whatever the body", async () => {
    for (const as of ["own", "server", "none"] as const)
      expect((await door.ask("POST", "/../feedback/acme", { as, body: "{" })).status).toBe(401);
  });
});

test("feedback counts to a limit of its own", async () => {
  const small = await startAnalyticsDoor({ settings: { organization_feedback_per_hour: "2" } });
  try {
    const answer = await small.asked("How do I install Acme on Linux?");
    const statuses: number[] = [];
    for (let round = 0; round < 3; round++)
      statuses.push((await small.send("/v1/feedback/acme", { ...answer, helpful: true })).status);
    expect(statuses).toEqual([204, 204, 429]);
    expect((await small.send("/v1/events/acme", { type: "source_click", path: "/" })).status).toBe(204);
  } finally {
    await small.close();
  }
});
