import { createHmac } from "node:crypto";
import { SECOND_MS } from "@docent/kernel/lib/clock";
import { isSameSecret } from "@docent/kernel/lib/secrets";
import { commandReplyShape, commandSchema, readCommand, sightOf } from "./command.ts";
import type { ChatDialect, Saying, SentPost } from "./dialect.ts";

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

const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };
/** Everything with which Slack calls people, names channels or links stands in angle brackets. */
const escaped = (text: string) => text.replace(/[&<>]/g, (mark) => ESCAPES[mark] ?? mark);

const LINKED = /^(?:https?:\/\/|mailto:)[^\s\p{Cc}]+$/iu;

/** Markdown as Slack's mrkdwn, which knows neither headings nor tables. Nothing in it calls people. */
export function toSlackMarks(markdown: string): string {
  return Bun.markdown
    .render(markdown, {
      text: escaped,
      // Its text was escaped before.
      html: (text) => text,
      heading: (text) => `${bold(text)}\n\n`,
      paragraph: (text) => `${text}\n\n`,
      blockquote: (text) => `${text.trim().replace(/^/gm, "> ")}\n\n`,
      code: (text) => `\`\`\`\n${text.replaceAll("```", "``\u200b`").trimEnd()}\n\`\`\`\n\n`,
      codespan: (text) => `\`${text.replaceAll("`", "'")}\``,
      hr: () => "———\n\n",
      strong: bold,
      emphasis: (text) => `_${text}_`,
      strikethrough: (text) => `~${text}~`,
      link: (text, { href }) => link(text, href),
      image: (text, { src }) => link(text, src),
      list: (items, { depth }) => (depth > 0 ? `\n${items}` : `${items}\n`),
      listItem: item,
      table: (rows) => `${rows}\n`,
      thead: (rows) => rows,
      tbody: (rows) => rows,
      tr: (cells) => `${cells.replace(/ \| $/, "")}\n`,
      th: (text) => `${bold(text)} | `,
      td: (text) => `${text} | `,
    })
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

/** Marks within marks would be shown as they are. */
function bold(text: string): string {
  const plain = text.replaceAll("*", "").trim();
  return plain === "" ? "" : `*${plain}*`;
}

/** What is no address of the web is left as the text alone. */
function link(text: string, address: string): string {
  if (!LINKED.test(address)) return text;
  const safe = address.replace(/[<>|]/g, (mark) => encodeURIComponent(mark)).replaceAll("&", "&amp;");
  return `<${safe}|${text.replace(/\s+/g, " ").trim() || safe}>`;
}

interface ItemPlace {
  index: number;
  depth: number;
  ordered: boolean;
  start?: number | undefined;
  checked?: boolean | undefined;
}

function item(text: string, { index, depth, ordered, start = 1, checked }: ItemPlace): string {
  const mark = ordered ? `${start + index}.` : "•";
  const task = checked === undefined ? "" : checked ? "☑ " : "☐ ";
  const indent = "    ".repeat(depth);
  return `${indent}${mark} ${task}${text.trim()}\n`;
}
