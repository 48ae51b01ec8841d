import { afterAll, beforeAll, expect, test } from "bun:test";
import { createChatNames } from "../../../src/doors/chat/chat-names.ts";
import { hasIdForm } from "../../../src/kernel/lib/ids.ts";
import { startDocent } from "../../helpers/docent.ts";
import { type ChatUnderTest, startChat } from "./chat-under-test.ts";

let under: ChatUnderTest;
beforeAll(async () => {
  under = await startChat();
});
afterAll(() => under.close());

/** The questions of the site as its owner sees them. */
async function listed(): Promise<{ caller: string }[]> {
  const response = await fetch(`${under.docent.url}/v1/analytics/acme/conversations?limit=50`, {
    headers: { authorization: `Bearer ${await adminKey()}` },
  });
  return JSON.parse(await response.text()).conversations;
}

let key: string | undefined;
async function adminKey(): Promise<string> {
  const { adminKeys } = under.docent.app.parts.people;
  key ??= (await adminKeys.create({ name: "reads", organizationId: undefined, mayWrite: false })).text;
  return key;
}

/** How many threads the questions with that word are in. */
async function threadsOf(word: string): Promise<string[]> {
  const { people, reports } = under.docent.app.parts;
  const period = { from: 0, to: Number.MAX_SAFE_INTEGER };
  const { conversations } = await reports.analytics.conversations.list(
    await people.sites.get("acme"),
    period,
    {
      limit: 100,
      cursor: undefined,
    },
  );
  return [
    ...new Set(conversations.filter(({ query }) => query.includes(word)).map(({ threadId }) => threadId)),
  ];
}

test("a channel's questions are one conversation, and so are those of a thread within it; another channel's are its own", async () => {
  await under.slack("How do I install Acme on alpha Linux?");
  await under.slack("And on alpha macOS?", { user_id: "U2" });
  await under.slack("How do I install Acme on alpha BSD?", { channel_id: "C2" });
  expect(await threadsOf("alpha")).toHaveLength(2);
  await under.mattermost("How do I install Acme on beta Linux?", { root_id: "p1" });
  await under.mattermost("And on beta macOS?", { root_id: "p1" });
  await under.mattermost("And on beta BSD?");
  expect(await threadsOf("beta")).toHaveLength(2);
  expect(new Set((await listed()).map(({ caller }) => caller))).toEqual(new Set(["chat"]));
});

test("a follow-up is understood from what the channel asked before", async () => {
  await under.rocketchat("!docs How do I install Acme on Linux?", { channel_id: "follow" });
  await under.rocketchat("!docs And on macOS?", { channel_id: "follow" });
  const asked = under.ollama.chats
    .at(-1)
    ?.body.messages.map(({ content }) => content)
    .join("\n");
  expect(asked).toContain("How do I install Acme on Linux?");
});

test("where only the asker sees answers, each person has a conversation of their own", async () => {
  await under.set({ chat: "asker" });
  await under.slack("How do I install Acme on gamma Linux?", { user_id: "U1" });
  await under.slack("And on gamma macOS?", { user_id: "U1" });
  await under.slack("And on gamma BSD?", { user_id: "U2" });
  expect(await threadsOf("gamma")).toHaveLength(2);
});

test("names have the form of ids, tell nothing of a chat, and are others on every server, site and chat", () => {
  const question = { team: "T", channel: "C", thread: "", person: "U", text: "", later: undefined };
  const named = [
    createChatNames("one")({ id: 1 }, "slack", "channel", question),
    createChatNames("two")({ id: 1 }, "slack", "channel", question),
    createChatNames("one")({ id: 2 }, "slack", "channel", question),
    createChatNames("one")({ id: 1 }, "mattermost", "channel", question),
    createChatNames("one")({ id: 1 }, "slack", "channel", { ...question, channel: "C2" }),
    createChatNames("one")({ id: 1 }, "slack", "channel", { ...question, team: "TC", channel: "" }),
  ];
  expect(new Set(named.map(({ threadId }) => threadId)).size).toBe(named.length);
  expect(named.every(({ threadId, person }) => hasIdForm(threadId) && hasIdForm(person))).toBe(true);
  expect(createChatNames("one")({ id: 1 }, "slack", "channel", { ...question, person: "U2" }).threadId).toBe(
    named[0]?.threadId ?? "",
  );
});

test("people of a chat share its address, and are counted one by one", async () => {
  const own = await startChat({ address_messages_per_minute: "1" });
  const asked = "How do I install Acme on Linux?";
  expect((await own.slack(asked)).body.text).toContain("[1]");
  const second = await own.slack(asked, { trigger_id: "2" });
  expect([second.status, second.body]).toMatchObject([
    200,
    { response_type: "ephemeral", text: expect.stringContaining("Too many") },
  ]);
  expect((await own.slack(asked, { user_id: "U9" })).body.text).toContain("[1]");
  await own.close();
});

test("questions of chats and of pages share one counter", async () => {
  const own = await startChat({ organization_messages_per_hour: "1" });
  const { status } = await own.docent.post({
    fp: "f",
    messages: [{ id: "1", role: "user", content: "How do I install Acme?", parts: [] }],
  });
  expect(status).toBe(200);
  expect((await own.slack("How do I install Acme?")).body.text).toContain("Too many");
  await own.close();
});

test("a chat's secret that is not in the environment stops the start, and says which", async () => {
  const start = startDocent({ settings: { chat_variables: "acme/slack=MISSING_SECRET" } });
  await expect(start).rejects.toThrow("chat_variables: MISSING_SECRET is not in the environment.");
});
