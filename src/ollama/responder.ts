import type { ModelMessage } from "ai";
import type { Prompt, PromptBuilder } from "../answer/prompt.ts";
import type { AttachedImage, Responder, ResponderEvent, ResponderRequest } from "../answer/responder.ts";
import { AppError } from "../errors.ts";
import type { Log } from "../lib/log.ts";
import type { OllamaClient } from "./client.ts";
import { createOllamaLanguageModel } from "./language-model.ts";
import type { ModelInfo } from "./model-info.ts";
import type { Models } from "./models.ts";
import { choosePictures } from "./pictures.ts";
import type { AdmissionQueue } from "./queue.ts";
import { type Finish, readReply } from "./reply.ts";
import { type FixedBody, fixedBody, type ModelSettings, promptBudgetTokens } from "./run-options.ts";
import { stoppable } from "./stoppable.ts";
import { judgePromptSize } from "./truncation.ts";

export interface OllamaResponderOptions {
  client: Pick<OllamaClient, "chat">;
  models: Models;
  queue: AdmissionQueue;
  buildPrompt: PromptBuilder;
  settings: ModelSettings;
  log: Log;
}

/** Answers that the local model writes, one at a time for each slot of the queue. */
export function createOllamaResponder(options: OllamaResponderOptions): Responder {
  const { models, queue } = options;
  return {
    name: "ollama",
    model: () => models.current()?.name,
    async ready(signal) {
      await findModel(models, signal);
      queue.checkRoom();
    },
    respond: (request, signal) => stoppable(signal, (both) => respond(options, request, both)),
  };
}

async function* respond(
  options: OllamaResponderOptions,
  request: ResponderRequest,
  signal: AbortSignal,
): AsyncGenerator<ResponderEvent, void, undefined> {
  const { client, models, queue, settings, log } = options;
  const model = await findModel(models, signal);
  const body = fixedBody(model, settings);
  const { prompt, pictures, promptTokensEstimated } = fitPrompt(options, request, model, body);
  const slot = await queue.acquire(signal);
  // Leaving the stream alone does not stop streamText, and with it Ollama.
  const ended = new AbortController();
  try {
    // Costs 40 ms and 26 MB, which a server without a model need not pay.
    const { streamText } = await import("ai");
    const { stream } = streamText({
      model: createOllamaLanguageModel(client, body),
      instructions: prompt.system,
      messages: toModelMessages(prompt, pictures),
      maxRetries: 0,
      abortSignal: AbortSignal.any([signal, ended.signal]),
      // Errors are parts of the stream as well; this one would print them.
      onError: () => {},
    });
    const finish = yield* readReply(stream, { answerTokens: body.options.num_predict, signal });
    if (finish.repeated) log.warn("the model only repeated itself, and was stopped", { model: model.name });
    warnOfLostPrompt(log, model, body, promptTokensEstimated, finish);
    yield {
      type: "finish",
      finishReason: finish.finishReason,
      usage: {
        promptTokens: finish.promptTokens ?? promptTokensEstimated,
        completionTokens: finish.outputTokens ?? finish.deltas,
      },
      promptTokensEstimated,
      queueMs: slot.waitedMs,
    };
  } catch (error) {
    // What was believed of Ollama may be what was wrong: the next question looks again.
    if (!signal.aborted) models.forget();
    throw error;
  } finally {
    ended.abort();
    slot.release();
  }
}

async function findModel(models: Models, signal: AbortSignal): Promise<ModelInfo> {
  const model = await models.refresh(signal);
  if (model !== undefined) return model;
  const problem = models.problem();
  throw new AppError("unavailable", "No model can answer now. Try again later.", {
    cause: problem?.message,
    ...(problem === undefined ? {} : { hint: problem.hint }),
    retryAfterSeconds: 30,
  });
}

function fitPrompt(
  { buildPrompt }: OllamaResponderOptions,
  request: ResponderRequest,
  model: ModelInfo,
  body: FixedBody,
): { prompt: Prompt; pictures: AttachedImage[]; promptTokensEstimated: number } {
  const budgetTokens = promptBudgetTokens(body);
  const { pictures, tokens } = choosePictures(request.images, model.vision, budgetTokens);
  const prompt = buildPrompt(request, budgetTokens - tokens);
  const promptTokensEstimated = prompt.tokensEstimated + tokens;
  if (promptTokensEstimated <= budgetTokens) return { prompt, pictures, promptTokensEstimated };
  // Ollama would cut it without a word, the rules of the prompt included.
  throw new AppError("unavailable", "The question does not fit into what the model can read.", {
    hint: "raise context_tokens, lower answer_tokens, or take a model with a longer context",
    cause: `a prompt of ${promptTokensEstimated} tokens for a budget of ${budgetTokens}`,
  });
}

function toModelMessages({ messages }: Prompt, pictures: AttachedImage[]): ModelMessage[] {
  const last = messages.findLastIndex((message) => message.role === "user");
  return messages.map((message, index) => {
    if (message.role !== "user" || index !== last || pictures.length === 0) return message;
    const files = pictures.map(({ mediaType, base64 }) => ({
      type: "file" as const,
      mediaType,
      data: { type: "data" as const, data: base64 },
    }));
    return { role: "user", content: [{ type: "text", text: message.content }, ...files] };
  });
}

function warnOfLostPrompt(
  log: Log,
  { name }: ModelInfo,
  { options }: FixedBody,
  estimatedTokens: number,
  { promptTokens }: Finish,
): void {
  if (promptTokens === undefined) return;
  const sizes = {
    promptTokens,
    estimatedTokens,
    contextTokens: options.num_ctx,
    answerTokens: options.num_predict,
  };
  const judgement = judgePromptSize(sizes);
  if (judgement === "truncated") log.warn("Ollama probably cut the prompt", { model: name, ...sizes });
  if (judgement === "crowded") log.warn("the prompt was larger than estimated", { model: name, ...sizes });
}
