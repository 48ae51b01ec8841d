import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4FinishReason,
  LanguageModelV4GenerateResult,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
  SharedV4Warning,
} from "@ai-sdk/provider";
import type { ChatOptions } from "../chat-options.ts";
import type { ChatBody, ChatLine, ChatMessage, OllamaClient } from "../client/client.ts";

/**
 * An AI SDK model over Ollama's native API: only that takes num_ctx and keep_alive and reports errors in
 * mid-stream.
 */
export function createOllamaLanguageModel(
  client: Pick<OllamaClient, "chat">,
  fixed: ChatOptions,
): LanguageModelV4 {
  const doStream = async (call: LanguageModelV4CallOptions) => {
    const { body, warnings } = toBody(fixed, call);
    return { stream: streamParts(client, body, warnings, call.abortSignal), request: { body } };
  };
  return {
    specificationVersion: "v4",
    provider: "docent.ollama",
    modelId: fixed.model,
    supportedUrls: {},
    doStream,
    doGenerate: async (call) => collect((await doStream(call)).stream),
  };
}

function streamParts(
  client: Pick<OllamaClient, "chat">,
  body: ChatBody,
  warnings: SharedV4Warning[],
  abortSignal: AbortSignal | undefined,
): ReadableStream<LanguageModelV4StreamPart> {
  const lines = client.chat(body, abortSignal ?? new AbortController().signal)[Symbol.asyncIterator]();
  const parts = createPartMaker();
  return new ReadableStream<LanguageModelV4StreamPart>(
    {
      start: (controller) => controller.enqueue({ type: "stream-start", warnings }),
      async pull(controller) {
        try {
          // A line may carry nothing, but a pull that enqueues nothing is not repeated.
          for (let made = 0; made === 0; ) {
            const { value, done } = await lines.next();
            if (done === true) return controller.close();
            for (const part of parts.fromLine(value)) {
              controller.enqueue(part);
              made++;
            }
          }
        } catch (error) {
          controller.enqueue({ type: "error", error });
          controller.close();
        }
      },
      async cancel() {
        await lines.return?.();
      },
    },
    { highWaterMark: 1 },
  );
}

function toBody(
  fixed: ChatOptions,
  call: LanguageModelV4CallOptions,
): { body: ChatBody; warnings: SharedV4Warning[] } {
  const { messages, warnings } = toChatMessages(call.prompt);
  for (const feature of ["tools", "topP", "topK", "presencePenalty", "frequencyPenalty"] as const) {
    const given = call[feature];
    if (given !== undefined && !(Array.isArray(given) && given.length === 0)) {
      warnings.push({ type: "unsupported", feature });
    }
  }
  const options = { ...fixed.options };
  // These change how words are chosen, not how the model is loaded.
  if (call.maxOutputTokens !== undefined)
    options.num_predict = Math.min(options.num_predict, call.maxOutputTokens);
  if (call.temperature !== undefined) options.temperature = call.temperature;
  if (call.seed !== undefined) options.seed = call.seed;
  if (call.stopSequences !== undefined && call.stopSequences.length > 0) options.stop = call.stopSequences;
  const json = call.responseFormat?.type === "json" ? { format: call.responseFormat.schema ?? "json" } : {};
  return { body: { ...fixed, messages, options, ...json }, warnings };
}

async function collect(
  stream: ReadableStream<LanguageModelV4StreamPart>,
): Promise<LanguageModelV4GenerateResult> {
  const content: LanguageModelV4Content[] = [];
  let warnings: SharedV4Warning[] = [];
  let open: { type: "text" | "reasoning"; text: string } | undefined;
  for await (const part of stream) {
    if (part.type === "stream-start") warnings = part.warnings;
    if (part.type === "error") throw part.error;
    if (part.type === "text-start" || part.type === "reasoning-start") {
      open = { type: part.type === "text-start" ? "text" : "reasoning", text: "" };
      content.push(open);
    }
    if ((part.type === "text-delta" || part.type === "reasoning-delta") && open !== undefined)
      open.text += part.delta;
    if (part.type === "finish")
      return { content, finishReason: part.finishReason, usage: part.usage, warnings };
  }
  throw new Error("a chat ended without a last line, and without an error");
}

type UserPart = Extract<LanguageModelV4Prompt[number], { role: "user" }>["content"][number];
type FilePart = Extract<UserPart, { type: "file" }>;

/** An AI SDK prompt as Ollama's messages. Drops what Ollama cannot express, with a warning. */
function toChatMessages(prompt: LanguageModelV4Prompt): {
  messages: ChatMessage[];
  warnings: SharedV4Warning[];
} {
  const messages: ChatMessage[] = [];
  const warnings: SharedV4Warning[] = [];
  for (const message of prompt) {
    if (message.role === "system") messages.push({ role: "system", content: message.content });
    else if (message.role === "tool") warnings.push({ type: "unsupported", feature: "tool messages" });
    else messages.push({ role: message.role, ...toContent(message.content, warnings) });
  }
  return { messages, warnings };
}

interface AnyPart {
  type: string;
}

function toContent(parts: readonly (UserPart | AnyPart)[], warnings: SharedV4Warning[]) {
  const texts: string[] = [];
  const images: string[] = [];
  for (const part of parts) {
    if (isText(part)) texts.push(part.text);
    else {
      const image = isFile(part) ? toBase64(part) : undefined;
      if (image !== undefined) images.push(image);
      // Earlier thoughts are not sent back: templates drop them as well.
      else if (part.type !== "reasoning")
        warnings.push({ type: "unsupported", feature: `${part.type} parts` });
    }
  }
  return { content: texts.join("\n"), ...(images.length === 0 ? {} : { images }) };
}

function isText(part: UserPart | AnyPart): part is Extract<UserPart, { type: "text" }> {
  return part.type === "text";
}

function isFile(part: UserPart | AnyPart): part is FilePart {
  return part.type === "file";
}

function toBase64({ mediaType, data }: FilePart): string | undefined {
  if (!mediaType.startsWith("image") || data.type !== "data") return undefined;
  return typeof data.data === "string" ? data.data : Buffer.from(data.data).toString("base64");
}

type Block = "text" | "reasoning";

/** Turns the lines of one reply into AI SDK parts, where text and thoughts are blocks that open and close. */
function createPartMaker(): { fromLine(line: ChatLine): Generator<LanguageModelV4StreamPart> } {
  let open: { block: Block; id: string } | undefined;
  let blocks = 0;

  function* close(): Generator<LanguageModelV4StreamPart> {
    if (open !== undefined) yield { type: `${open.block}-end`, id: open.id };
    open = undefined;
  }
  function* say(block: Block, delta: string): Generator<LanguageModelV4StreamPart> {
    if (delta === "") return;
    if (open?.block !== block) {
      yield* close();
      open = { block, id: `${block}-${++blocks}` };
      yield { type: `${block}-start`, id: open.id };
    }
    yield { type: `${block}-delta`, id: open.id, delta };
  }

  return {
    *fromLine(line) {
      yield* say("reasoning", line.thinking);
      yield* say("text", line.content);
      if (!line.done) return;
      yield* close();
      yield { type: "finish", finishReason: finishReason(line.doneReason), usage: usage(line) };
    },
  };
}

function finishReason(raw: string | undefined): LanguageModelV4FinishReason {
  const unified = raw === "length" ? "length" : raw === undefined || raw === "stop" ? "stop" : "other";
  return { unified, raw };
}

function usage({ promptTokens, outputTokens }: ChatLine): LanguageModelV4Usage {
  return {
    inputTokens: { total: promptTokens, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: outputTokens, text: undefined, reasoning: undefined },
  };
}
