import { type Chat, type ChatBody, createChat } from "./chat.ts";
import { type ConnectionOptions, createConnection, readJson, readVersion } from "./connection.ts";
import { createEmbed, type Embed } from "./embed.ts";
import {
  type InstalledModel,
  psBody,
  type RunningModel,
  type ShownModel,
  showBody,
  tagsBody,
} from "./wire.ts";

export type { ChatBody, ChatMessage, ChatTool } from "./chat.ts";
export { DIMENSIONS_MAX } from "./embed.ts";
export type { ChatLine, InstalledModel, RunningModel, ShownModel } from "./wire.ts";

/**
 * Ollama's native API. Every method throws `unavailable` with a remedy as the hint, or the signal's reason when aborted.
 * A chat that breaks off after its first word throws `model_failed`.
 */
export interface OllamaClient {
  readonly baseUrl: string;
  /** Waits no longer than the connect timeout. */
  version(signal?: AbortSignal): Promise<string>;
  tags(signal?: AbortSignal): Promise<InstalledModel[]>;
  show(model: string, signal?: AbortSignal): Promise<ShownModel>;
  running(signal?: AbortSignal): Promise<RunningModel[]>;
  /** The lines of one reply, ending with `done`. Leaving the loop, or aborting, stops Ollama too. */
  chat: Chat;
  /** One vector for each text. Retries while Ollama is busy or starting, but not for the texts' faults. */
  embed: Embed;
  /** Loads the model with the options of later chats, so that none of them loads it again. */
  preload(body: Omit<ChatBody, "messages" | "tools">, signal: AbortSignal): Promise<void>;
}

/** Makes a client for the Ollama server at one address. */
export function createOllamaClient(options: ConnectionOptions): OllamaClient {
  const connection = createConnection(options);
  const metadata = { timeoutMs: connection.metadataTimeoutMs, late: "first_byte_timeout" } as const;
  const chat = createChat(connection);
  return {
    baseUrl: connection.baseUrl,
    version: (signal) => readVersion(connection, signal),
    chat,
    embed: createEmbed(connection),
    async tags(signal) {
      return (await readJson(connection, tagsBody, { ...metadata, path: "/api/tags", signal })).models;
    },
    async running(signal) {
      return (await readJson(connection, psBody, { ...metadata, path: "/api/ps", signal })).models;
    },
    show(model, signal) {
      return readJson(connection, showBody, {
        ...metadata,
        path: "/api/show",
        body: { model },
        model,
        signal,
      });
    },
    async preload(body, signal) {
      for await (const _ of chat({ ...body, messages: [] }, signal)) {
        // One line confirms that the model is in memory.
      }
    },
  };
}
