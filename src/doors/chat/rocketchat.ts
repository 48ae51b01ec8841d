import { isSameSecret } from "@docent/kernel/lib/secrets";
import { z } from "zod";
import { checkBody, parseJson } from "../request/body.ts";
import type { ChatDialect, ReadPost, SentPost } from "./dialect.ts";
import { withoutMentions } from "./mentions.ts";

const postSchema = z
  .object({
    token: z.string().max(500),
    channel_id: z.string().min(1).max(200),
    user_id: z.string().min(1).max(200),
    text: z.string().nullish(),
    trigger_word: z.string().max(500).nullish(),
    /** The message whose thread it was sent in. */
    tmid: z.string().max(200).nullish(),
    /** Who sent it is a program. */
    bot: z.unknown().optional(),
  })
  .meta({ id: "RocketChatMessage" });

const replyShape = z
  .object({ text: z.string().optional(), tmid: z.string().optional() })
  .meta({ id: "RocketChatReply" });

/** `POST /v1/chats/{domain}/rocketchat`: an outgoing webhook of Rocket.Chat, with its token. */
export const rocketchat: ChatDialect = {
  name: "rocketchat",
  title: "Rocket.Chat",
  id: "askFromRocketChat",
  path: "/v1/chats/:domain/rocketchat",
  summary: "Answer an outgoing webhook of Rocket.Chat",
  description:
    "Rocket.Chat sends the webhook's token with each message that begins with its trigger word. The answer is the reply, which " +
    "everyone in the channel sees.",
  schema: postSchema,
  replyShape,
  example: {
    token: "ir7hozblv4",
    bot: false,
    trigger_word: "!docs",
    channel_id: "ZpMw6XxSuZdpupcDa",
    user_id: "zk8ei6fZYTxnNdbWg",
    text: "!docs How do I install it on Linux?",
  },
  isFrom,
  read,
  // Rocket.Chat sets no end to its waiting; a proxy in between may.
  patienceMs: 55_000,
  charactersMax: 5000,
  hidesQuestion: false,
  canWhisper: false,
  toMarks: withoutMentions,
  say: ({ text, question: { thread } }) => ({ text, ...(thread === "" ? {} : { tmid: thread }) }),
  looking: ({ text }) => ({ text }),
  sayLater: ({ text }) => ({ text }),
};

function isFrom({ text }: SentPost, secret: string): boolean {
  const sent = z.object({ token: z.string() }).safeParse(jsonOrNothing(text));
  return isSameSecret(sent.data?.token ?? "", secret);
}

function jsonOrNothing(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function read(text: string): ReadPost {
  const post = checkBody(postSchema, parseJson(text), "The body");
  // Two programs that answer each other would never end.
  if (post.bot) return { reply: {} };
  const said = post.text ?? "";
  const trigger = post.trigger_word ?? "";
  return {
    question: {
      team: "",
      channel: post.channel_id,
      thread: post.tmid ?? "",
      person: post.user_id,
      text: said.startsWith(trigger) ? said.slice(trigger.length) : said,
      later: undefined,
    },
  };
}
