import { readFileSync } from "node:fs";
import { openAnswerHosts } from "../../delivery/delivery.ts";
import { type ChatOptions, readChatSecrets } from "../../http/chat/chat.ts";
import type { Parts } from "../parts.ts";
import { openSeal } from "../seal.ts";
import type { Surroundings } from "../surroundings.ts";

/** What the doors of chats need. Raises `invalid_request` where a chat's secret is not there. */
export function openChat(surroundings: Surroundings, { people, storage }: Parts): Omit<ChatOptions, "log"> {
  const { config, environment } = surroundings;
  return {
    secrets: readChatSecrets(config, { environment, readFile: (path) => readFileSync(path, "utf8") }),
    once: storage.people.once,
    hosts: openAnswerHosts(config, openSeal(surroundings)),
    nameSecret: people.chatSecret,
  };
}
