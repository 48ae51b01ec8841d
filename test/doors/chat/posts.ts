import { createHmac, generateKeyPairSync, sign } from "node:crypto";

// Posts as the chats send them: of Slack the example that it publishes for its signatures, with its secret; of Mattermost
// and Rocket.Chat posts that were recorded from their servers, and the fields that newer ones add.

export const SLACK_SECRET = "8f742231b10e8888abcd99yyyzzz85a5";
export const SLACK_EXAMPLE = {
  timestamp: "1531420618",
  body: "token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c",
  signature: "v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503",
};

/** Slack's example with another question. */
export function slackBody(text: string, more: Record<string, string> = {}): string {
  const fields = new URLSearchParams(SLACK_EXAMPLE.body);
  for (const [name, value] of Object.entries({ text, command: "/docs", ...more })) fields.set(name, value);
  return fields.toString();
}

/** The headers with which Slack sends a body at that time. */
export function slackHeaders(body: string, atMs: number, secret = SLACK_SECRET): Record<string, string> {
  const timestamp = String(Math.floor(atMs / 1000));
  const signature = createHmac("sha256", secret).update(`v0:${timestamp}:${body}`).digest("hex");
  return {
    "content-type": "application/x-www-form-urlencoded",
    "user-agent": "Slackbot 1.0 (+https://api.slack.com/robots)",
    "x-slack-request-timestamp": timestamp,
    "x-slack-signature": `v0=${signature}`,
  };
}

export const MATTERMOST_TOKEN = "okwexkjpe7ygb8eq1ww58t483w";

export const mattermostFields = (text: string, more: Record<string, string> = {}) => ({
  channel_id: "jux16pkewjrkfj3ehep1psxyxc",
  channel_name: "town-square",
  command: "/docs",
  response_url: "http://localhost:8065/hooks/commands/xbrkb8p393gjpq5cawei7npije",
  root_id: "",
  team_domain: "test",
  team_id: "carya1qs77bemjup96ff538snh",
  text,
  token: MATTERMOST_TOKEN,
  trigger_id: "NG1kM3lyN2NqYmQxcGNyc2s0Nmo5em0xb2M6azF4NGFxZGp5MzgxM2M4NG03NzFlb2M5eG8=",
  user_id: "aoa1agao6t8fmx3ikt1j9w5ybw",
  user_name: "somename",
  ...more,
});

export const MATTERMOST_HEADERS = {
  accept: "application/json",
  authorization: `Token ${MATTERMOST_TOKEN}`,
  "content-type": "application/x-www-form-urlencoded",
  "user-agent": "mattermost-5.9.0",
};

export const ROCKETCHAT_TOKEN = "ir7hozblv4";

export const rocketchatPost = (text: string, more: Record<string, unknown> = {}) => ({
  token: ROCKETCHAT_TOKEN,
  bot: false,
  trigger_word: "!docs",
  channel_id: "ZpMw6XxSuZdpupcDa",
  channel_name: "THANG-TEST-2",
  message_id: "QSGJ9YqFkXuinmHAt",
  timestamp: "2021-03-18T03:37:15.725Z",
  user_id: "zk8ei6fZYTxnNdbWg",
  user_name: "thangtm13",
  text,
  siteUrl: "http://localhost:3006/",
  ...more,
});

/** Keys as Discord has them for an application: the public one in hex. */
export const DISCORD_KEYS = (() => {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const raw = publicKey.export({ format: "der", type: "spki" }).subarray(-32);
  return { publicKey: raw.toString("hex"), privateKey };
})();

/** The example of an interaction that Discord publishes, with another command and the fields that came later. */
export const discordPost = (text: string, more: Record<string, unknown> = {}) => ({
  type: 2,
  token: "A_UNIQUE_TOKEN",
  member: {
    user: { id: "53908232506183680", username: "Mason", discriminator: "1337", public_flags: 131141 },
    roles: ["539082325061836999"],
    premium_since: null,
    permissions: "2147483647",
    pending: false,
    nick: null,
    joined_at: "2017-03-13T19:19:14.040000+00:00",
  },
  id: "786008729715212338",
  application_id: "775799577604522054",
  guild_id: "290926798626357999",
  app_permissions: "442368",
  guild_locale: "en-US",
  locale: "en-US",
  data: {
    options: [{ type: 3, name: "question", value: text }],
    type: 1,
    name: "docs",
    id: "771825006014889984",
  },
  channel_id: "645027906669510667",
  ...more,
});

/** The headers with which Discord sends a body at that time. */
export function discordHeaders(
  body: string,
  atMs: number,
  key = DISCORD_KEYS.privateKey,
): Record<string, string> {
  const timestamp = String(Math.floor(atMs / 1000));
  return {
    "content-type": "application/json",
    "user-agent": "Discord-Interactions/1.0 (+https://discord.com)",
    "x-signature-timestamp": timestamp,
    "x-signature-ed25519": sign(null, Buffer.from(timestamp + body), key).toString("hex"),
  };
}
