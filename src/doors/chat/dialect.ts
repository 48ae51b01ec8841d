import type { z } from "zod";
import type { Operation } from "../operation.ts";

/** The chats whose commands ask, by the names that `chat_variables` and the API's addresses have for them. */
export const CHAT_NAMES = ["slack", "mattermost", "rocketchat", "discord"] as const;
export type ChatName = (typeof CHAT_NAMES)[number];

/** What a chat sent, before anybody has vouched for it. */
export interface SentPost {
  headers: Headers;
  /** As it arrived, to the byte: signatures are over this. */
  text: string;
  nowMs: number;
}

/** A question that somebody asked in a chat. */
export interface ChatQuestion {
  /** The part of the chat that has channels of its own; empty where there is but one. */
  team: string;
  channel: string;
  /** The thread within the channel, where the question was asked in one; empty otherwise. */
  thread: string;
  person: string;
  /** What was asked, without the command. */
  text: string;
  /** Where the answer may be sent to later, and how; undefined where the chat has no such place. */
  later: { url: string; method: "POST" | "PATCH" } | undefined;
}

/** What a post is: a question, or something that gets a reply without one. */
export type ReadPost = { question: ChatQuestion } | { reply: object };

/** Who sees what is said: whoever asked, or everyone in the channel. */
export type Sight = "asker" | "channel";

/** Something to say in a chat. */
export interface Saying {
  /** In the chat's own marks. */
  text: string;
  sight: Sight;
  question: ChatQuestion;
}

/** One chat: how it vouches for what it sends, what that asks, and how an answer is written for it. */
export interface ChatDialect
  extends Pick<Operation, "id" | "path" | "summary" | "description" | "example" | "takesForm"> {
  name: ChatName;
  /** What people call it. */
  title: string;
  /** The fields of a post that are read, for the documentation; `read` checks what arrives against them. */
  schema: z.ZodType;
  replyShape: z.ZodType;
  /** Whether a post comes from who knows the secret. */
  isFrom(post: SentPost, secret: string): boolean;
  /** What names a post that was signed, so that it is taken once; undefined where posts carry nothing of the kind. */
  signatureOf?(post: SentPost): string | undefined;
  /** Raises `invalid_request` for what it does not send. */
  read(text: string): ReadPost;
  /** How long it waits for a reply where the answer cannot follow later. */
  patienceMs: number;
  /** Of one message. */
  charactersMax: number;
  /** Whether only the one who asked sees the question: what everyone sees then begins with it. */
  hidesQuestion: boolean;
  /** Whether it can show something to the one who asked and to nobody else. */
  canWhisper: boolean;
  /** Markdown in the chat's own marks, with nothing in it that would call people. */
  toMarks(markdown: string): string;
  say(saying: Saying): object;
  /** What is replied while the answer is still being written. */
  looking(saying: Saying): object;
  /** What is sent later. */
  sayLater(saying: Saying): object;
}
