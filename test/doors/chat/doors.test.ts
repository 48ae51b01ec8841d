import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { addSiteWithPages, readPages } from "../../helpers/public-site.ts";
import { type ChatUnderTest, startChat } from "./chat-under-test.ts";
import {
  MATTERMOST_HEADERS,
  mattermostFields,
  ROCKETCHAT_TOKEN,
  SLACK_EXAMPLE,
  slackBody,
  slackHeaders,
} from "./posts.ts";

const QUESTION = "How do I install Acme on Linux?";
const CITED = "https://docs.acme.example/guide/install#linux";

let under: ChatUnderTest;
beforeAll(async () => {
  under = await startChat({ address_messages_per_minute: "200" });
  await addSiteWithPages(under.docent, "other", { "index.md": "# Other\n\nNothing of Acme." });
});
afterAll(() => under.close());
beforeEach(async () => {
  await under.set({ chat: "channel", readers: "public" });
  under.ollama.replyWith({});
  under.chat.replyWith(200);
});

describe("a question in a chat gets a cited answer", () => {
  test("of Slack, in Slack's marks, with the question that nobody else saw", async () => {
    const { status, body } = await under.slack(QUESTION);
    expect([status, body.response_type]).toEqual([200, "in_channel"]);
    expect(body.text).toStartWith(`> ${QUESTION}`);
    expect(body.text).toContain(`<${CITED}|[1]>`);
    expect(body.text).toContain(`• <${CITED}|Install Acme › Linux>`);
  });

  test("of Mattermost, in Markdown that is not read as Slack's marks", async () => {
    const { status, body } = await under.mattermost(QUESTION);
    expect([status, body.response_type, body["skip_slack_parsing"]]).toEqual([200, "in_channel", true]);
    expect(body.text).toContain(`- [Install Acme › Linux](${CITED})`);
  });

  test("of Rocket.Chat, whose trigger word is no part of the question, in the thread in which it was asked", async () => {
    const { body } = await under.rocketchat(`!docs ${QUESTION}`, { tmid: "m1" });
    expect(body.text).toContain(`- [Install Acme › Linux](${CITED})`);
    expect(body["tmid"]).toBe("m1");
    expect(under.ollama.chats.at(-1)?.body.messages.at(-1)?.content).not.toContain("!docs");
  });

  test("which the asker alone sees where the owner wants that", async () => {
    await under.set({ chat: "asker" });
    expect((await under.slack(QUESTION)).body.response_type).toBe("ephemeral");
    expect((await under.mattermost(QUESTION)).body.response_type).toBe("ephemeral");
    // It has no way to show something to one person: nothing is shown to all instead.
    expect((await under.rocketchat(`!docs ${QUESTION}`)).body.text).toContain("the setting `chat`");
  });

  test("and a post of a program gets none", async () => {
    expect((await under.rocketchat(`!docs ${QUESTION}`, { bot: { i: "x" } })).body).toEqual({});
  });

  test("and an empty command a sentence for its asker", async () => {
    const { body } = await under.slack("  ");
    expect(body).toMatchObject({ response_type: "ephemeral", text: expect.stringContaining("Please write") });
  });
});

describe("a stranger", () => {
  const refused = async (reply: Promise<{ status: number }>) => expect((await reply).status).toBe(401);
  const send = (body: string, headers: Record<string, string>, path = "/v1/chats/acme/slack") =>
    under.post(path, body, headers);

  test("with a wrong signature, or with another body below it, is refused", async () => {
    const body = slackBody(QUESTION);
    await refused(send(body, slackHeaders(body, Date.now(), "another secret")));
    await refused(send(`${body}&text=x`, slackHeaders(body, Date.now())));
    const { "x-slack-signature": _, ...unsigned } = slackHeaders(body, Date.now());
    await refused(send(body, unsigned));
  });

  test("with a signature of more than five minutes ago, or of later, is refused: Slack's own example, too", async () => {
    const body = slackBody(QUESTION);
    await refused(send(body, slackHeaders(body, Date.now() - 302_000)));
    await refused(send(body, slackHeaders(body, Date.now() + 302_000)));
    const { timestamp, signature } = SLACK_EXAMPLE;
    await refused(
      send(SLACK_EXAMPLE.body, {
        ...slackHeaders(SLACK_EXAMPLE.body, 0),
        "x-slack-request-timestamp": timestamp,
        "x-slack-signature": signature,
      }),
    );
  });

  test("who sends again what Slack has sent is refused", async () => {
    const body = slackBody(QUESTION, { trigger_id: "once" });
    const headers = slackHeaders(body, Date.now());
    expect((await send(body, headers)).status).toBe(200);
    await refused(send(body, headers));
  });

  test("with a wrong token, or with none, is refused", async () => {
    const { authorization: _, ...headers } = MATTERMOST_HEADERS;
    await refused(under.mattermost(QUESTION, { token: "wrong" }));
    await refused(under.mattermost(QUESTION, { token: "" }, headers));
    await refused(under.rocketchat(QUESTION, { token: `${ROCKETCHAT_TOKEN}x` }));
  });

  test("with the secret of another site, of no site, or where the chat is off, hears the same", async () => {
    const form = new URLSearchParams(mattermostFields(QUESTION)).toString();
    const texts = [];
    for (const domain of ["other", "none", "acme"]) {
      await under.set({ chat: "off" });
      const { status, body } = await send(form, MATTERMOST_HEADERS, `/v1/chats/${domain}/mattermost`);
      texts.push(`${status} ${JSON.stringify(body)}`.replace(/[0-9A-Z]{26}/g, ""));
    }
    expect(new Set(texts).size).toBe(1);
    expect(texts[0]).toStartWith("401");
  });

  test("with a body that is too large is stopped", async () => {
    const body = slackBody("x".repeat(100_001));
    expect((await send(body, slackHeaders(body, Date.now()))).status).toBe(413);
  });
});

test("Mattermost's token is taken from the header where the form has none", async () => {
  expect((await under.mattermost(QUESTION, { token: "" })).status).toBe(200);
});

describe("what a chat's text can do", () => {
  test("is nothing: neither the answer nor the question calls people", async () => {
    under.ollama.replyWith({ text: "Ask <!channel> or @all, @here and <@U123> [1]. `npm i @acme/cli`" });
    const calling = "How do I fly <!everyone> @all @channel?";
    for (const asked of [QUESTION, calling]) {
      const slack = (await under.slack(asked)).body.text ?? "";
      expect(slack).toContain(asked === calling ? "&lt;!everyone&gt;" : "&lt;!channel&gt;");
      expect(slack.replace(/<https?:[^>]*>/g, "")).not.toMatch(/<[!@#]/);
      for (const { body } of [await under.mattermost(asked), await under.rocketchat(`!docs ${asked}`)])
        expect(body.text).not.toMatch(/@(?:all|here|channel)/);
    }
    expect((await under.mattermost(QUESTION)).body.text).toContain("`npm i @acme/cli`");
  });
});

describe("who may read", () => {
  test("nobody by a chat, of a site whose readers sign in", async () => {
    await under.set({ readers: "signed-in" });
    const { status, body } = await under.slack(QUESTION);
    expect([status, body.response_type]).toEqual([200, "ephemeral"]);
    expect(body.text).toContain("signed in");
    expect(body.text).not.toContain(CITED);
  });

  test("pages for groups by nobody", async () => {
    await readPages(under.docent, "acme", {
      "salaries.md": "---\ngroups: [hr]\n---\n# Salaries\n\nThe salarium of grade seven is forty quatloos.",
      "holidays.md": "# Holidays\n\nThe holidarium is of thirty days.",
    });
    expect((await under.slack("What is the holidarium?")).body.text).toContain("|Holidays>");
    const { body } = await under.slack("What is the salarium of grade seven?");
    expect(body.text).not.toMatch(/quatloos|Salaries|salaries/);
    expect(JSON.stringify(under.ollama.chats.map(({ body: asked }) => asked.messages))).not.toContain(
      "quatloos",
    );
  });
});
