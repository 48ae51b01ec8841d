import { createHmac } from "node:crypto";
import { SECOND_MS } from "@docent/kernel/lib/clock";
import { isSameSecret } from "@docent/kernel/lib/secrets";
import { commandReplyShape, commandSchema, readCommand, sightOf } from "./command.ts";
import type { ChatDialect, Saying, SentPost } from "./dialect.ts";
import { toSlackMarks } from "./slack-marks.ts";

/** How far a post's time may be from ours: Slack's own advice. */
export const SIGNED_WITHIN_MS = 300 * SECOND_MS;

const SIGNATURE = "x-slack-signature";
const TIMESTAMP = "x-slack-request-timestamp";

/** `POST /v1/chats/{domain}/slack`: a slash command of Slack, signed by it. */
export const slack: ChatDialect = {
  name: "slack",
  title: "Slack",
  id: "askFromSlack",
  path: "/v1/chats/:domain/slack",
  summary: "Answer a slash command of Slack",
  description:
    "Slack signs what it sends, by its headers x-slack-signature and x-slack-request-timestamp. The answer is the reply where " +
    "it is there in time; otherwise it is sent to response_url.",
  takesForm: true,
  schema: commandSchema,
  replyShape: commandReplyShape,
  example: {
    team_id: "T0001",
    channel_id: "C2147483705",
    user_id: "U2147483697",
    command: "/docs",
    text: "How do I install it on Linux?",
    response_url: "https://hooks.slack.com/commands/1234/5678",
  },
  isFrom,
  signatureOf: ({ headers }) => headers.get(SIGNATURE) ?? undefined,
  read: (text) => readCommand(text, unescaped),
  // Slack gives up after three seconds, whatever comes later.
  patienceMs: 2500,
  charactersMax: 40_000,
  hidesQuestion: true,
  canWhisper: true,
  toMarks: toSlackMarks,
  say,
  looking: (saying) => say({ ...saying, sight: "asker" }),
  sayLater: say,
};

function isFrom({ headers, text, nowMs }: SentPost, secret: string): boolean {
  const timestamp = headers.get(TIMESTAMP) ?? "";
  if (!/^\d{1,15}$/.test(timestamp)) return false;
  if (Math.abs(nowMs - Number(timestamp) * SECOND_MS) > SIGNED_WITHIN_MS) return false;
  const signature = createHmac("sha256", secret).update(`v0:${timestamp}:${text}`).digest("hex");
  return isSameSecret(headers.get(SIGNATURE) ?? "", `v0=${signature}`);
}

/** Slack escapes these three characters in what people write. */
const unescaped = (text: string) =>
  text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");

/** Links of an answer are in it: pictures of what they lead to would hide it. */
function say({ text, sight }: Saying): object {
  return { response_type: sightOf(sight), text, unfurl_links: false, unfurl_media: false };
}
