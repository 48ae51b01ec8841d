import { abortOnReturn } from "../abort-on-return.ts";
import { attemptsAllowed, faultToAppError, OllamaFault } from "../faults.ts";
import type { Connection } from "./connection.ts";
import type { OllamaReply } from "./request.ts";
import { withRetries } from "./retry.ts";
import { type ChatLine, parseChatLine } from "./wire.ts";

export interface ChatMessage {
  role: "system" | "user" | "assistant" | "tool";
  content: string;
  /** What the assistant called. */
  tool_calls?: { id: string; function: CalledFunction }[];
  /** Of which tool, and of which of its calls, this is the result. */
  tool_name?: string;
  tool_call_id?: string;
  /** Base64, without a data URL's prefix. */
  images?: string[];
}

/**
 * The options that decide how a model runs. The first two must not change from call to call: Ollama would
 * load the model again.
 */
interface ModelRunOptions {
  num_ctx: number;
  num_predict: number;
  temperature: number;
  repeat_penalty: number;
  seed?: number;
  stop?: string[];
}

interface CalledFunction {
  name: string;
  arguments: Record<string, unknown>;
}

/** Something that a model may call. */
export interface ChatTool {
  type: "function";
  function: CallableFunction;
}

interface CallableFunction {
  name: string;
  description: string;
  /** A JSON schema. */
  parameters: Record<string, unknown>;
}

export interface ChatBody {
  model: string;
  messages: ChatMessage[];
  tools?: ChatTool[];
  think: boolean;
  /** Seconds, negative for ever. */
  keep_alive: number;
  /** The JSON schema that the reply must fit. */
  format?: Readonly<Record<string, unknown>>;
  options: ModelRunOptions;
}

/** The effort to spend on one chat. */
interface ChatPatience {
  /** How often it may be sent before its first word. */
  attempts?: number;
}

/** The lines of the reply to a chat. */
export type Chat = (body: ChatBody, signal: AbortSignal, patience?: ChatPatience) => AsyncIterable<ChatLine>;

/** Chats over /api/chat: retried before the first word, never after it. */
export function createChat(connection: Connection): Chat {
  const { baseUrl, firstByteMs, idleMs, attempts, retryDelayMs, random, reach, call } = connection;

  const openChat = async (body: ChatBody, signal: AbortSignal): Promise<OllamaReply> => {
    // Headers come with the first word, so the chat itself cannot tell connecting from waiting.
    await reach(signal);
    return call({
      url: `${baseUrl}/api/chat`,
      method: "POST",
      body: { ...body, stream: true },
      signal,
      firstByte: {
        ms: firstByteMs,
        fault: () => new OllamaFault("first_byte_timeout", `nothing for ${firstByteMs} ms`),
      },
      idle: {
        ms: idleMs,
        fault: () => new OllamaFault("idle_timeout", `nothing for ${idleMs} ms in mid-stream`),
      },
    });
  };
  const openChatPatiently = (body: ChatBody, signal: AbortSignal, most: number): Promise<OllamaReply> => {
    const allowed = (fault: unknown) => attemptsAllowed(fault, most);
    return withRetries(() => openChat(body, signal), { allowed, retryDelayMs, random, signal });
  };

  async function* chatLines(
    body: ChatBody,
    signal: AbortSignal,
    most: number,
  ): AsyncGenerator<ChatLine, void, undefined> {
    let emitted = false;
    try {
      const reply = await openChatPatiently(body, signal, most);
      for await (const value of readNdjson(reply.chunks())) {
        const line = parseChatLine(value);
        emitted ||= line.content !== "" || line.thinking !== "" || line.calls.length > 0;
        yield line;
        if (line.done) return;
      }
      throw new OllamaFault("incomplete", "the stream ended without a last line");
    } catch (error) {
      signal.throwIfAborted();
      throw faultToAppError(error, { baseUrl, model: body.model, emitted });
    }
  }

  return (body, signal, patience) =>
    abortOnReturn(signal, (both) => chatLines(body, both, patience?.attempts ?? attempts));
}

const LINE_CHARACTERS_MAX = 1_000_000;

/**
 * The values of a stream of JSON lines, however the bytes are chunked. Throws `protocol` for anything else.
 */
export async function* readNdjson(
  chunks: AsyncIterable<Uint8Array>,
  { lineCharactersMax = LINE_CHARACTERS_MAX }: { lineCharactersMax?: number } = {},
): AsyncGenerator<unknown> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (!isBlank(line)) yield parseLine(line, lineCharactersMax);
    if (rest.length > lineCharactersMax) throw tooLong(lineCharactersMax);
  }
  rest += decoder.decode();
  if (!isBlank(rest)) yield parseLine(rest, lineCharactersMax);
}

const isBlank = (line: string) => line.trim() === "";

function parseLine(line: string, lineCharactersMax: number): unknown {
  if (line.length > lineCharactersMax) throw tooLong(lineCharactersMax);
  try {
    return JSON.parse(line);
  } catch (cause) {
    throw new OllamaFault("protocol", `a line that is not JSON: ${line.slice(0, 200)}`, { cause });
  }
}

function tooLong(lineCharactersMax: number): OllamaFault {
  return new OllamaFault("protocol", `a line of more than ${lineCharactersMax} characters`);
}
