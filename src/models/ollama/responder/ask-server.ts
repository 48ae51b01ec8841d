import type { Asker, ResponderEvent } from "@docent/answering/answer/responder";
import { AppError } from "@docent/kernel/errors";
import type { Log } from "@docent/kernel/lib/log";
import { faultToAppError, OllamaFault } from "../faults.ts";
import type { ModelInfo } from "../models/models.ts";
import type { OllamaServer } from "../pool/pool.ts";
import { type KnownToolUse, refusesTools } from "../tools/tools.ts";
import type { FitPrompt, FittedPrompt } from "./fit-prompt.ts";
import { type Finish, readReply } from "./read-reply.ts";

interface AskOptions {
  asker: Asker;
  fitPrompt: FitPrompt;
  /** Chooses the model to ask on a server. */
  modelOf: (server: OllamaServer, signal: AbortSignal) => Promise<ModelInfo | undefined>;
  /** How long the server may be silent before its first word. */
  silenceMs: number;
  /** How often to try before the server takes the question; the client decides unless given. */
  attempts?: number | undefined;
  /** How long the question waited in line. */
  queueMs: number;
  toolUse: KnownToolUse;
  log: Log;
}

/**
 * One server's reply. Throws `unavailable` when it has not begun (so that another server can be asked),
 * `model_failed` when it broke off, or the signal's reason. Reports the outcome to the server.
 */
export async function* askServer(
  server: OllamaServer,
  options: AskOptions,
  signal: AbortSignal,
): AsyncGenerator<ResponderEvent, void, undefined> {
  const { silenceMs } = options;
  // Stops Ollama, whichever way the stream is left.
  const ended = new AbortController();
  const either = AbortSignal.any([signal, ended.signal]);
  const silence = setTimeout(() => ended.abort(silent(silenceMs)), silenceMs);
  let begun = false;
  let model: ModelInfo | undefined;
  try {
    model = await options.modelOf(server, either);
    if (model === undefined) throw new AppError("unavailable", "The model is not available now.");
    const { name } = model;
    const onFirst = () => {
      begun = true;
      clearTimeout(silence);
      server.worked(options.asker, name);
    };
    yield* askModel(server, model, { ...options, onFirst }, either);
  } catch (error) {
    if (signal.aborted) throw error;
    server.failed(error);
    const { baseUrl } = server;
    throw error instanceof OllamaFault
      ? faultToAppError(error, { baseUrl, model: model?.name, emitted: begun })
      : error;
  } finally {
    clearTimeout(silence);
    ended.abort();
  }
}

/** The reply of one model. Where the server takes no tools for it, it is asked again without any. */
async function* askModel(
  server: OllamaServer,
  model: ModelInfo,
  options: AskOptions & { onFirst: () => void },
  signal: AbortSignal,
): AsyncGenerator<ResponderEvent, void, undefined> {
  const { fitPrompt, attempts, toolUse, log, onFirst } = options;
  const prompt = await fitPrompt(model);
  const { body } = prompt;
  const patience = attempts === undefined ? {} : { attempts };
  const lines = server.client.chat(body, signal, patience);
  try {
    const answerTokens = body.options.num_predict;
    const { opensThought } = model;
    const finish = yield* readReply(lines, { answerTokens, opensThought, signal, onFirst });
    if (finish.repeated) log.warn("the model only repeated itself, and was stopped", { model: body.model });
    reportPromptSize(log, prompt, finish);
    yield toFinishEvent(prompt, finish, options.queueMs);
  } catch (error) {
    if (body.tools === undefined || !refusesTools(error)) throw error;
    toolUse.learn(model, "refused");
    log.info("the model takes no tools, and is asked without any", { model: body.model });
    yield* askModel(server, model, options, signal);
  }
}

const silent = (ms: number) => new OllamaFault("first_byte_timeout", `no word for ${ms} ms`);

function toFinishEvent(
  { body, tokensEstimated }: FittedPrompt,
  { finishReason, promptTokens, outputTokens, deltas }: Finish,
  queueMs: number,
): ResponderEvent {
  return {
    type: "finish",
    model: body.model,
    finishReason,
    usage: { promptTokens: promptTokens ?? tokensEstimated, completionTokens: outputTokens ?? deltas },
    promptTokensEstimated: tokensEstimated,
    queueMs,
  };
}

/** Compares what the model read with what was sent: Ollama truncates a prompt silently. */
function reportPromptSize(
  log: Log,
  prompt: FittedPrompt,
  { promptTokens, readMs, outputTokens, writeMs }: Finish,
): void {
  if (outputTokens !== undefined) prompt.learnWriting(outputTokens, writeMs);
  if (promptTokens === undefined) return;
  const { model, options } = prompt.body;
  const sizes = {
    promptTokens,
    estimatedTokens: prompt.tokensEstimated,
    contextTokens: options.num_ctx,
    answerTokens: options.num_predict,
  };
  const judgement = checkPromptSize(sizes);
  if (judgement === "truncated") log.warn("Ollama probably cut the prompt", { model, ...sizes });
  else prompt.learn(promptTokens, readMs);
  if (judgement === "crowded") log.warn("the prompt was larger than estimated", { model, ...sizes });
}

interface PromptSizes {
  /** The number of tokens that Ollama reports. */
  promptTokens: number;
  estimatedTokens: number;
  contextTokens: number;
  answerTokens: number;
}

/**
 * Whether Ollama probably truncated the prompt, which it does silently: old versions cut to the context, new
 * ones to about half of it. `crowded` means that nothing was lost, but the estimate was too low to be sure.
 */
export function checkPromptSize(sizes: PromptSizes): "fits" | "crowded" | "truncated" {
  const { promptTokens, estimatedTokens, contextTokens, answerTokens } = sizes;
  const slack = Math.max(8, Math.ceil(contextTokens * 0.02));
  if (promptTokens >= contextTokens - slack) return "truncated";
  const nearHalf = Math.abs(promptTokens - contextTokens / 2) <= slack;
  if (nearHalf && estimatedTokens > promptTokens * 1.25) return "truncated";
  return promptTokens > contextTokens - answerTokens ? "crowded" : "fits";
}
