import type { z } from "zod";
import { type Clock, systemClock } from "../../lib/clock.ts";
import { faultToAppError, OllamaFault } from "../faults.ts";
import { type Chat, type ChatBody, createChat } from "./chat.ts";
import { createEmbed, type Embed } from "./embed.ts";
import { type OllamaReply, type OllamaRequest, sendRequest } from "./request.ts";
import {
  type InstalledModel,
  parseJson,
  psBody,
  type RunningModel,
  type ShownModel,
  showBody,
  tagsBody,
  versionBody,
} from "./wire.ts";

export interface OllamaClientOptions {
  /** As `parseOllamaHost` returns it. */
  baseUrl: string;
  connectTimeoutMs: number;
  /** Queue, load and reading of the prompt are all inside it. */
  firstByteTimeoutMs: number;
  idleTimeoutMs: number;
  /** For lists and descriptions, which need no model in memory. */
  metadataTimeoutMs?: number;
  /** How often a request is sent before the first word of a reply, when Ollama is busy, starting, or loading failed. */
  attempts?: number;
  retryDelayMs?: number;
  /** How long an answer of Ollama's makes it unnecessary to ask whether it is there. */
  healthyForMs?: number;
  replyBytesMax?: number;
  clock?: Clock;
  random?: () => number;
}

/**
 * Ollama's native API. Every method throws `unavailable` with a remedy as the hint, or the signal's reason when aborted.
 * A chat that breaks off after its first word throws `model_failed`.
 */
export interface OllamaClient {
  readonly baseUrl: string;
  /** Waits no longer than the connect clock. */
  version(signal?: AbortSignal): Promise<string>;
  tags(signal?: AbortSignal): Promise<InstalledModel[]>;
  show(model: string, signal?: AbortSignal): Promise<ShownModel>;
  running(signal?: AbortSignal): Promise<RunningModel[]>;
  /** The lines of one reply, the last of which is `done`. Leaving the loop, or the signal, stops Ollama too. */
  chat: Chat;
  /** One vector for each text. Tried again while Ollama is busy or starting, with no regard to the texts. */
  embed: Embed;
  /** Loads the model with the same options as later chats, so that none of them loads it again. */
  preload(body: Omit<ChatBody, "messages">, signal: AbortSignal): Promise<void>;
}

/** A client of the Ollama at one address. */
export function createOllamaClient(options: OllamaClientOptions): OllamaClient {
  const { baseUrl, connectTimeoutMs, firstByteTimeoutMs, idleTimeoutMs } = options;
  const { metadataTimeoutMs = 10_000, attempts = 3, retryDelayMs = 300, healthyForMs = 5000 } = options;
  const { replyBytesMax = 16_000_000, clock = systemClock, random = Math.random } = options;
  const never = new AbortController().signal;
  let healthyAt = Number.NEGATIVE_INFINITY;

  const call = async (request: OllamaRequest): Promise<OllamaReply> => {
    try {
      const reply = await sendRequest(request);
      healthyAt = clock();
      return reply;
    } catch (error) {
      healthyAt = error instanceof OllamaFault && error.fromOllama ? clock() : Number.NEGATIVE_INFINITY;
      throw error;
    }
  };

  const readJson = async <S extends z.ZodType>(schema: S, request: JsonRequest): Promise<z.infer<S>> => {
    const limit = {
      ms: request.timeoutMs,
      fault: () => new OllamaFault(request.late, `${request.path} took too long`),
    };
    try {
      const { path, body, signal = never } = request;
      const method = body === undefined ? "GET" : "POST";
      const reply = await call({ url: baseUrl + path, method, body, signal, firstByte: limit, idle: limit });
      return parseBody(schema, await reply.text(replyBytesMax));
    } catch (error) {
      request.signal?.throwIfAborted();
      throw faultToAppError(error, { baseUrl, model: request.model });
    }
  };
  const version = async (signal?: AbortSignal) => {
    const request = {
      path: "/api/version",
      timeoutMs: connectTimeoutMs,
      late: "connect_timeout",
      signal,
    } as const;
    return (await readJson(versionBody, request)).version;
  };
  const metadata = { timeoutMs: metadataTimeoutMs, late: "first_byte_timeout" } as const;

  const reach = async (signal: AbortSignal) => {
    if (clock() - healthyAt > healthyForMs) await version(signal);
  };
  const patience = { firstByteTimeoutMs, idleTimeoutMs, attempts, retryDelayMs, random };
  const chat = createChat({ baseUrl, ...patience, reach, call });

  return {
    baseUrl,
    version,
    chat,
    embed: createEmbed({ baseUrl, ...patience, replyBytesMax, reach, call }),
    tags: async (signal) => (await readJson(tagsBody, { ...metadata, path: "/api/tags", signal })).models,
    running: async (signal) => (await readJson(psBody, { ...metadata, path: "/api/ps", signal })).models,
    show: (model, signal) =>
      readJson(showBody, { ...metadata, path: "/api/show", body: { model }, model, signal }),
    async preload(body, signal) {
      for await (const _ of chat({ ...body, messages: [] }, signal)) {
        // One line says that the model is in memory.
      }
    },
  };
}

interface JsonRequest {
  path: string;
  body?: unknown;
  model?: string;
  timeoutMs: number;
  late: "connect_timeout" | "first_byte_timeout";
  signal?: AbortSignal | undefined;
}

function parseBody<S extends z.ZodType>(schema: S, text: string): z.infer<S> {
  const parsed = schema.safeParse(parseJson(text));
  if (!parsed.success) throw new OllamaFault("protocol", "a reply of another shape", { cause: parsed.error });
  return parsed.data;
}
