import { createHmac } from "node:crypto";
import { idFrom } from "@docent/kernel/lib/ids";
import type { Site } from "@docent/sites/site/sites";
import type { ChatName, ChatQuestion, Sight } from "./dialect.ts";

/** What a question of a chat belongs to, by names that tell nobody which channel or person it is. */
export interface ChatNames {
  /** The thread of its channel, or of the thread within that; its own for each person whom only they see answered. */
  threadId: string;
  person: string;
}

/**
 * Names threads and people of chats, always alike, so that nothing of a chat is kept. A thread's id lets in whoever knows
 * it: without the secret none can be found out.
 */
export function createChatNames(secret: string) {
  const name = (...parts: (string | number)[]) =>
    idFrom(createHmac("sha256", secret).update(JSON.stringify(parts)).digest().subarray(0, 16));
  return (site: Pick<Site, "id">, chat: ChatName, sight: Sight, question: ChatQuestion): ChatNames => {
    const { team, channel, thread, person } = question;
    const place = [site.id, chat, team, channel, thread];
    return {
      threadId: name("thread", ...place, ...(sight === "asker" ? [person] : [])),
      person: name("person", site.id, chat, team, person),
    };
  };
}

export type NameInChat = ReturnType<typeof createChatNames>;
