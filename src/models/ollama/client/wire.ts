import { jsonIn } from "@docent/kernel/text/json";
import { z } from "zod";
import { OllamaFault } from "../faults.ts";

// Unknown fields pass, absent metrics are normal (Ollama omits zeros), and proxies turn empty text into null.
const text = z
  .string()
  .nullish()
  .transform((value) => value ?? "");
const count = z
  .number()
  .nullish()
  .transform((value) => value ?? undefined);
const names = z
  .array(z.string())
  .nullish()
  .transform((value) => value ?? undefined);

const chatText = z.string().nullish();
const chatCount = z.number().nullish();
const chatCall = z.lazy(() =>
  z.object({
    id: chatText,
    function: z.object({ name: z.string(), arguments: z.unknown() }),
  }),
);
const chatLine = z.lazy(() =>
  z.object({
    message: z
      .object({ content: chatText, thinking: chatText, tool_calls: z.array(chatCall).nullish() })
      .nullish(),
    done: z.boolean().nullish(),
    done_reason: chatText,
    prompt_eval_count: chatCount,
    eval_count: chatCount,
    load_duration: chatCount,
    prompt_eval_duration: chatCount,
    eval_duration: chatCount,
  }),
);

const errorBody = z.lazy(() =>
  z.object({
    error: z.union([
      z.string(),
      z.object({ message: z.string() }).transform((error) => error.message),
      z.unknown(),
    ]),
  }),
);

export const versionBody = z.object({ version: z.string() });

const details = z.object({ family: text, families: names }).nullish();

export const tagsBody = z.lazy(() =>
  z.object({
    models: z
      .array(
        z.object({
          name: z.string(),
          digest: text,
          size: count,
          modified_at: text,
          details,
          capabilities: names,
          remote_model: text,
          remote_host: text,
        }),
      )
      .nullish()
      .transform((models) => models ?? []),
  }),
);

export const showBody = z.lazy(() =>
  z.object({
    details,
    capabilities: names,
    model_info: z.record(z.string(), z.unknown()).nullish(),
    template: text,
    remote_model: text,
    remote_host: text,
  }),
);

export const psBody = z.lazy(() =>
  z.object({
    models: z
      .array(z.object({ name: z.string(), context_length: count, size: count, size_vram: count }))
      .nullish()
      .transform((models) => models ?? []),
  }),
);

// A vector's thousands of values are checked once, where it is made.
const embedReply = z.lazy(() => z.object({ embeddings: z.array(z.array(z.unknown())) }));

/** A model as /api/tags lists it. */
export type InstalledModel = z.infer<typeof tagsBody>["models"][number];
/** A model as /api/show describes it. */
export type ShownModel = z.infer<typeof showBody>;
/** A loaded model as /api/ps lists it. */
export type RunningModel = z.infer<typeof psBody>["models"][number];

/** What a model asks of a tool. */
interface ChatCall {
  name: string;
  input: unknown;
}

/** One line of a streamed reply. Only the last one has counts, and not always. */
export interface ChatLine {
  content: string;
  thinking: string;
  calls: ChatCall[];
  done: boolean;
  doneReason: string | undefined;
  promptTokens: number | undefined;
  outputTokens: number | undefined;
  /**
   * The time for loading the model, reading the prompt and writing; undefined where Ollama did not report it.
   */
  tookMs: { load: number | undefined; read: number | undefined; write: number | undefined };
}

/**
 * Reads one line of /api/chat. Throws `error_line` for an error under status 200, `protocol` for anything
 * unreadable.
 */
export function parseChatLine(value: unknown): ChatLine {
  if (isPiece(value)) return { ...NOT_THE_LAST, content: value.message.content };
  const error = errorText(value);
  if (error !== undefined) throw new OllamaFault("error_line", error, { fromOllama: true });
  const parsed = chatLine.safeParse(value);
  if (!parsed.success)
    throw new OllamaFault("protocol", "a line that is no part of a chat", { cause: parsed.error });
  const {
    message,
    done,
    done_reason: reason,
    load_duration: loadNs,
    prompt_eval_duration: readNs,
    eval_duration: writeNs,
    prompt_eval_count: promptTokens,
    eval_count: outputTokens,
  } = parsed.data;
  return {
    content: message?.content ?? "",
    thinking: message?.thinking ?? "",
    calls: (message?.tool_calls ?? []).map(({ function: { name, arguments: input } }) => ({
      name,
      // Some servers in front of Ollama pass on the text that the model wrote.
      input: typeof input === "string" ? jsonIn(input) : input,
    })),
    // Some servers in front of Ollama leave `done` out and only give the reason for stopping.
    done: done === true || Boolean(reason),
    doneReason: reason || undefined,
    promptTokens: promptTokens ?? undefined,
    outputTokens: outputTokens ?? undefined,
    tookMs: { load: inMs(loadNs), read: inMs(readNs), write: inMs(writeNs) },
  };
}

/** A line in the middle of a reply. */
const NOT_THE_LAST: ChatLine = {
  content: "",
  thinking: "",
  calls: [],
  done: false,
  doneReason: undefined,
  promptTokens: undefined,
  outputTokens: undefined,
  tookMs: { load: undefined, read: undefined, write: undefined },
};

/**
 * Whether a line is a piece of the answer and nothing else. Nearly all lines are, one for each token: checking them
 * here takes a fraction of the schema's time.
 */
function isPiece(value: unknown): value is { message: { content: string } } {
  if (!isObject(value) || value["done"] !== false || "error" in value || "done_reason" in value) return false;
  const { message } = value;
  if (!isObject(message) || typeof message["content"] !== "string") return false;
  return !("thinking" in message) && !("tool_calls" in message);
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

const inMs = (nanoseconds: number | null | undefined) =>
  nanoseconds == null ? undefined : nanoseconds / 1_000_000;

/** The text of an Ollama error; undefined for any other value. */
export function errorText(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null || !("error" in value)) return undefined;
  const parsed = errorBody.safeParse(value);
  if (!parsed.success || parsed.data.error === undefined || parsed.data.error === null) return undefined;
  const { error } = parsed.data;
  return (typeof error === "string" ? error : JSON.stringify(error)).slice(0, 2000);
}

/**
 * Reads the reply of /api/embed. Throws `error_line` for an error under status 200, `protocol` for anything
 * unreadable.
 */
export function parseEmbeddings(text: string): unknown[][] {
  const value = parseJson(text);
  const error = errorText(value);
  if (error !== undefined) throw new OllamaFault("error_line", error, { fromOllama: true });
  const parsed = embedReply.safeParse(value);
  if (!parsed.success) throw new OllamaFault("protocol", "a reply without vectors", { cause: parsed.error });
  return parsed.data.embeddings;
}

/** Parses a whole body. Throws `protocol` where it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new OllamaFault("protocol", `a reply that is not JSON: ${text.slice(0, 200)}`, { cause });
  }
}
