import { readFileSync } from "node:fs";
import { openAnswerHosts } from "../../delivery/delivery.ts";
import type { ChatOptions } from "../../http/chat/chat.ts";
import { readChatSecrets } from "../../http/chat/secrets.ts";
import type { Parts } from "../parts.ts";
import { openSeal } from "../seal.ts";
import type { Surroundings } from "../surroundings.ts";

export type OpenedChat = Omit<ChatOptions, "log">;

/** What the doors of chats need. Raises `invalid_request` where a chat's secret is not there. */
export function openChat(surroundings: Surroundings, { people, storage }: Parts): OpenedChat {
  const { config, environment } = surroundings;
  return {
    secrets: readChatSecrets(config, { environment, readFile: (path) => readFileSync(path, "utf8") }),
    once: storage.people.once,
    hosts: openAnswerHosts(config, openSeal(surroundings)),
    nameSecret: people.chatSecret,
  };
}
