import { asNumber, asRecord, asText } from "@docent/kernel/text/json";
import { type Notice, type NoticeDestination, type NoticeState, textOf } from "@docent/sites/notices/notice";
import { payloadOf } from "@docent/sites/notices/notices";
import type { NoticeWay, Sent } from "@docent/sites/notices/way";
import type { Mailer } from "./mailer.ts";
import type { Post } from "./post.ts";

/** What Discord takes at most is 2,000 characters. */
const DISCORD_CHARACTERS_MAX = 1900;
const CHAT_CHARACTERS_MAX = 4000;
const SUBJECT_CHARACTERS_MAX = 150;
const SAID_CHARACTERS_MAX = 200;
const ZERO_WIDTH_SPACE = "\u200b";

/** Notices as a program takes them, signed: whoever gets one can tell that it is this server's, and not an old one. */
export const createWebhookNotices = (post: Post): NoticeWay => ({
  channels: ["webhook"],
  fault: (destination) => faultOf(post, destination),
  send: (notice, { address, secret }, signal) =>
    sent(post, address, signal, JSON.stringify(payloadOf(notice)), (body) => {
      const at = Math.floor(notice.at / 1000);
      return {
        "x-docent-notice": notice.id,
        "x-docent-timestamp": String(at),
        "x-docent-signature": `sha256=${signatureOf(secret ?? "", `${at}.${body}`)}`,
      };
    }),
});

/** Notices as the chats' incoming webhooks take them. */
export const createChatNotices = (post: Post): NoticeWay => ({
  channels: ["chat", "discord"],
  fault: (destination) => faultOf(post, destination),
  send: (notice, { channel, address }, signal) =>
    sent(post, address, signal, JSON.stringify(channel === "discord" ? forDiscord(notice) : forChat(notice))),
});

/** Notices as mails. */
export const createMailNotices = (mailer: Mailer): NoticeWay => ({
  channels: ["mail"],
  fault: ({ address }) => (mailer.isAddress(address) ? mailer.fault() : "must be an e-mail address"),
  async send(notice, { address }) {
    const fault = mailer.isAddress(address) ? mailer.fault() : "must be an e-mail address";
    if (fault !== undefined) return { isSent: false, says: `the address ${fault}` };
    try {
      const subject = cut(`Docent: ${oneLine(notice.title)}`, SUBJECT_CHARACTERS_MAX);
      const says = await mailer.send({ from: "Docent", to: address, subject, text: `${textOf(notice)}\n` });
      return { isSent: true, says: said(says) };
    } catch (error) {
      return { isSent: false, says: mailFault(error) };
    }
  },
});

/** HMAC-SHA256 in hexadecimal. */
const signatureOf = (secret: string, text: string) =>
  new Bun.CryptoHasher("sha256", secret).update(text).digest("hex");

const faultOf = (post: Post, { address }: Pick<NoticeDestination, "address">) =>
  post.isAddress(address) ? post.fault(address) : "must begin with https://";

async function sent(
  post: Post,
  address: string,
  signal: AbortSignal,
  body: string,
  headersOf: (body: string) => Record<string, string> = () => ({}),
): Promise<Sent> {
  const fault = faultOf(post, { address });
  if (fault !== undefined) return { isSent: false, says: `the address ${fault}` };
  try {
    const { isTaken, status } = await post.send(address, body, headersOf(body), signal);
    return { isSent: isTaken, says: `status ${status}` };
  } catch (error) {
    return { isSent: false, says: connectionFault(error) };
  }
}

/** Names that pages and people chose must call nobody in the chat, and make no link that leads elsewhere. */
const quiet = (text: string) => text.replace(/@/g, `@${ZERO_WIDTH_SPACE}`);
const MARKS: Readonly<Record<NoticeState, string>> = { bad: "⚠️", well: "✅", news: "ℹ️", undone: "↩️" };
const linesOf = (notice: Notice) =>
  `${MARKS[notice.state]} ${quiet(oneLine(notice.title))}\n${quiet(notice.text)}`;
const withUrl = (text: string, { url }: Notice) => (url === undefined ? text : `${text}\n${url}`);

/** Slack reads `<`, `>` and `&` as marks of its own; so do Mattermost and Rocket.Chat where they take Slack's format. */
const forChat = (notice: Notice) => ({
  text: withUrl(
    cut(linesOf(notice), CHAT_CHARACTERS_MAX)
      .replace(/&/g, "&amp;")
      .replace(/</g, "&lt;")
      .replace(/>/g, "&gt;"),
    notice,
  ),
});

const forDiscord = (notice: Notice) => ({
  content: withUrl(cut(linesOf(notice), DISCORD_CHARACTERS_MAX - (notice.url?.length ?? 0)), notice),
  allowed_mentions: { parse: [] },
});

const oneLine = (text: string) => text.replace(/\s+/g, " ").trim();
const cut = (text: string, most: number) =>
  text.length <= most ? text : `${text.slice(0, Math.max(0, most - 1)).toWellFormed()}…`;
const said = (text: string) => cut(oneLine(text), SAID_CHARACTERS_MAX);

/** What the runtime says of a connection may hold the address, which is a secret of a chat. */
function connectionFault(error: unknown): string {
  if (error instanceof Error && error.name === "TimeoutError") return "no answer in time";
  const code = asText(asRecord({ ...Object(error) })["code"]);
  return code === undefined ? "the connection failed" : `the connection failed (${code})`;
}

/** The code alone of what a mail server replied: the rest may repeat what it was sent. */
function mailFault(error: unknown): string {
  const { code, responseCode } = asRecord({ ...Object(error) });
  const status = asNumber(responseCode);
  if (status !== undefined) return `the mail server refused it with ${status}`;
  return `the mail server could not be used${asText(code) === undefined ? "" : ` (${asText(code)})`}`;
}
