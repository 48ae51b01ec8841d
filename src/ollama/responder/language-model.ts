import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
  SharedV4Warning,
} from "@ai-sdk/provider";
import type { ChatBody } from "../client/chat.ts";
import type { OllamaClient } from "../client/client.ts";
import type { FixedBody } from "../models/chat-options.ts";
import { toChatMessages } from "./model-messages.ts";
import { createPartMaker } from "./model-parts.ts";

/** An AI SDK model over Ollama's native API, which alone takes num_ctx and keep_alive and reports errors in mid-stream. */
export function createOllamaLanguageModel(
  client: Pick<OllamaClient, "chat">,
  fixed: FixedBody,
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
          // A line may say nothing, but a pull that brings nothing is not repeated.
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
  fixed: FixedBody,
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
