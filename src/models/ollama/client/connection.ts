import { type Clock, sinceMs, systemClock } from "@docent/kernel/lib/clock";
import { systemRandom } from "@docent/kernel/lib/ids";
import type { Seal } from "@docent/kernel/lib/seal/seal";
import type { z } from "zod";
import { faultToAppError, OllamaFault } from "../faults.ts";
import { type OllamaReply, type OllamaRequest, sendRequest } from "./request.ts";
import { parseJson, versionBody } from "./wire.ts";

export interface ConnectionOptions {
  /** As `parseOllamaHost` returns it. */
  baseUrl: string;
  /** Where a sealed process may connect to. */
  seal: Seal;
  connectMs: number;
  /** Includes queueing, loading the model and reading the prompt. */
  firstByteMs: number;
  idleMs: number;
  /** For lists and descriptions, which need no loaded model. */
  metadataTimeoutMs?: number;
  /**
   * How often a request is sent before the first word of a reply, while Ollama is busy, starting, or failing
   * to load.
   */
  attempts?: number;
  retryDelayMs?: number;
  /** How long after a reply Ollama counts as reachable without asking. */
  healthyForMs?: number;
  replyBytesMax?: number;
  clock?: Clock;
  random?: () => number;
}

/** The access to one Ollama server, shared by chats, embeddings and lists. */
export interface Connection extends Required<ConnectionOptions> {
  /** Checks within the connect timeout that Ollama is there. */
  reach(signal: AbortSignal): Promise<void>;
  call(request: OllamaRequest): Promise<OllamaReply>;
}

export function createConnection(options: ConnectionOptions): Connection {
  const clock = options.clock ?? systemClock;
  let healthyAt = Number.NEGATIVE_INFINITY;
  const connection: Connection = {
    baseUrl: options.baseUrl,
    seal: options.seal,
    connectMs: options.connectMs,
    firstByteMs: options.firstByteMs,
    idleMs: options.idleMs,
    metadataTimeoutMs: options.metadataTimeoutMs ?? 10_000,
    attempts: options.attempts ?? 3,
    retryDelayMs: options.retryDelayMs ?? 300,
    healthyForMs: options.healthyForMs ?? 5000,
    replyBytesMax: options.replyBytesMax ?? 16_000_000,
    clock,
    random: options.random ?? systemRandom,
    async reach(signal) {
      if (sinceMs(clock, healthyAt) > connection.healthyForMs) await readVersion(connection, signal);
    },
    async call(request) {
      try {
        const reply = await sendRequest(request, connection.seal);
        healthyAt = clock();
        return reply;
      } catch (error) {
        healthyAt = error instanceof OllamaFault && error.fromOllama ? clock() : Number.NEGATIVE_INFINITY;
        throw error;
      }
    },
  };
  return connection;
}

/** Asks for Ollama's version, within the connect timeout. */
export async function readVersion(connection: Connection, signal?: AbortSignal): Promise<string> {
  const { version } = await readJson(connection, versionBody, {
    path: "/api/version",
    timeoutMs: connection.connectMs,
    late: "connect_timeout",
    signal,
  });
  return version;
}

/** A request whose reply is read as a whole. */
interface JsonRequest {
  path: string;
  body?: unknown;
  model?: string;
  timeoutMs: number;
  late: "connect_timeout" | "first_byte_timeout";
  signal?: AbortSignal | undefined;
}

/** Sends a request and checks its reply. Throws `unavailable`, or the signal's reason. */
export async function readJson<S extends z.ZodType>(
  { baseUrl, replyBytesMax, call }: Connection,
  schema: S,
  { path, body, model, timeoutMs, late, signal }: JsonRequest,
): Promise<z.infer<S>> {
  const limit = { ms: timeoutMs, fault: () => new OllamaFault(late, `${path} took too long`) };
  try {
    const reply = await call({
      url: baseUrl + path,
      method: body === undefined ? "GET" : "POST",
      body,
      signal: signal ?? new AbortController().signal,
      firstByte: limit,
      idle: limit,
    });
    return parseBody(schema, await reply.text(replyBytesMax));
  } catch (error) {
    signal?.throwIfAborted();
    throw faultToAppError(error, { baseUrl, model });
  }
}

function parseBody<S extends z.ZodType>(schema: S, text: string): z.infer<S> {
  const parsed = schema.safeParse(parseJson(text));
  if (!parsed.success) throw new OllamaFault("protocol", "a reply of another shape", { cause: parsed.error });
  return parsed.data;
}
