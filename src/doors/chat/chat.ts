import type { Answer } from "@docent/answering/answer/answer";
import { type Clock, SECOND_MS } from "@docent/kernel/lib/clock";
import type { Log } from "@docent/kernel/lib/log";
import type { OnceStore } from "@docent/people/identity/stores";
import type { GuardDeps } from "../guard/guard.ts";
import { type Asked, gives, type Operation, operation, reply } from "../operation.ts";
import type { Streams } from "../streaming/answering.ts";
import { answerPost } from "./answer-post.ts";
import { createChatNames, type NameInChat } from "./chat-names.ts";
import type { ChatDialect } from "./dialect.ts";
import { discord } from "./discord.ts";
import { type ChatGuarded, chatGuard, POST_BYTES_MAX } from "./guard.ts";
import type { AnswerHosts } from "./later.ts";
import { mattermost } from "./mattermost.ts";
import { rocketchat } from "./rocketchat.ts";
import type { ChatSecrets } from "./secrets.ts";
import { slack } from "./slack.ts";

/** The settings it reads, under their own names. */
interface ChatSettings {
  /** Of the longest question. */
  message_characters: number;
  /** How long an answer may take. */
  chat_answer_seconds: number;
  /** How long a body may take to arrive. */
  body_seconds: number;
}

/** What the chats' doors need besides what all doors that answer do. */
export interface ChatOptions {
  secrets: ChatSecrets;
  once: OnceStore;
  hosts: AnswerHosts;
  /** Names threads and people. */
  nameSecret: string;
  log: Log;
}

export interface ChatDeps {
  settings: ChatSettings;
  answer: Answer;
  guard: GuardDeps;
  streams: Streams;
  clock: Clock;
  hosts: AnswerHosts;
  nameInChat: NameInChat;
  log: Log;
}

type ChatParts = Pick<ChatDeps, "settings" | "answer" | "guard" | "streams" | "clock"> & ChatOptions;

/** The operations by which chats ask: one for each. */
export function chatOperations({ secrets, once, nameSecret, ...parts }: ChatParts): Operation[] {
  const deps = { ...parts, nameInChat: createChatNames(nameSecret) };
  const bounds = { milliseconds: parts.settings.body_seconds * SECOND_MS };
  return [slack, mattermost, rocketchat, discord].map((dialect) =>
    chatOperation(deps, dialect, chatGuard({ ...parts, secrets, once, bounds }, dialect)),
  );
}

function chatOperation(deps: ChatDeps, dialect: ChatDialect, guard: ReturnType<typeof chatGuard>): Operation {
  const { id, path, summary, description, example, takesForm, schema, replyShape } = dialect;
  return operation<ChatGuarded, unknown>({
    id,
    method: "POST",
    path,
    tag: "Chat",
    guard,
    summary,
    ...(description === undefined ? {} : { description }),
    ...(takesForm ? { takesForm } : {}),
    body: schema,
    bodyBytesMax: POST_BYTES_MAX,
    example,
    replies: gives(200, "What the chat shows.", replyShape),
    run: async (asked: Asked<ChatGuarded, unknown, never>) => {
      const read = dialect.read(asked.text);
      return reply("reply" in read ? read.reply : await answerPost(deps, dialect, asked, read.question));
    },
  });
}
