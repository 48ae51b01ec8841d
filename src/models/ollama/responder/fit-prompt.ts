import type { Prompt, PromptBuilder, PromptMessage } from "@docent/answering/answer/prompt/prompt";
import type { AttachedImage, ResponderRequest, RewriteRequest } from "@docent/answering/answer/responder";
import { AppError } from "@docent/kernel/errors";
import { asRecord } from "@docent/kernel/text/json";
import { chatOptions, type ModelSettings, promptRoomTokens } from "../chat-options.ts";
import type { ChatBody, ChatMessage } from "../client/client.ts";
import type { ModelInfo } from "../models/models.ts";
import type { TokenMeter } from "../tokens/tokens.ts";
import { type KnownToolUse, toTools } from "../tools/tools.ts";

export interface FitOptions {
  buildPrompt: PromptBuilder;
  settings: ModelSettings;
  passages: PassageSettings;
  /** The meter for a model, which learns from what the model was seen to read. */
  meterOf: (model: ModelInfo) => TokenMeter;
  /** What models showed of calling tools. */
  toolUse: KnownToolUse;
}

/** The prompt for one model. */
export interface FittedPrompt {
  body: ChatBody;
  tokensEstimated: number;
  /** Learns from the tokens that the model read, where nothing was truncated. */
  learn(readTokens: number, readMs: number | undefined): void;
  /** Learns how long so many tokens took to write. */
  learnWriting(writtenTokens: number, writeMs: number | undefined): void;
}

/** Makes the prompt for a model. Throws `unavailable` where the question does not fit. */
export type FitPrompt = (model: ModelInfo) => Promise<FittedPrompt>;

/** Fits one request to models, once for each: several servers mostly have the same one. */
export const createFitPrompt = (request: ResponderRequest, options: FitOptions): FitPrompt => {
  const { looking: _, ...alone } = request;
  const looking = oncePerModel((model) => fit(request, model, options));
  const without = oncePerModel((model) => fit(alone, model, options));
  return (model) => (options.toolUse.of(model) === "none" ? without : looking)(model);
};

/** The same for a question that is to be written anew. */
export const createFitRewrite = (request: RewriteRequest, options: FitOptions): FitPrompt =>
  oncePerModel(async (model) => fitRewrite(request, model, options));

function oncePerModel(fitTo: FitPrompt): FitPrompt {
  const fitted = new Map<string, Promise<FittedPrompt>>();
  return (model) => {
    const key = JSON.stringify(model);
    const prompt = fitted.get(key) ?? fitTo(model);
    fitted.set(key, prompt);
    return prompt;
  };
}

/** What a chat template adds to every message. */
const MESSAGE_TOKENS = 12;

/** A question in a few words, as most are: the most that a model may write is for three of them. */
const REWRITTEN_TOKENS = 15;
/** Longer, what a prompt can do without is not worth the wait. */
const BACKGROUND_SECONDS_MAX = 0.5;

const rewriteTokens = (texts: readonly string[], { count }: Pick<TokenMeter, "count">) =>
  texts.reduce((sum, text) => sum + count(text) + MESSAGE_TOKENS, 0);

/** How long a model takes to write a question anew, as fast as it was seen to read and write; undefined before that. */
export function rewriteSeconds(
  { system, text }: Pick<RewriteRequest, "system" | "text">,
  meter: Pick<TokenMeter, "count" | "readTokensPerSecond" | "writeTokensPerSecond">,
): number | undefined {
  const [reads, writes] = [meter.readTokensPerSecond(), meter.writeTokensPerSecond()];
  if (reads === undefined) return undefined;
  return (
    rewriteTokens([system, text], meter) / reads + (writes === undefined ? 0 : REWRITTEN_TOKENS / writes)
  );
}

/** Whether a model reads so much in no time. One that has read nothing yet may be slow. */
function isReadAtOnce(text: string, { count, readTokensPerSecond }: TokenMeter): boolean {
  const reads = readTokensPerSecond();
  return reads !== undefined && count(text) / reads <= BACKGROUND_SECONDS_MAX;
}

/** A short prompt, to be answered as shortly, without thoughts, and in the same words each time. */
function fitRewrite(
  { system, background, text: question, tokensMax }: RewriteRequest,
  model: ModelInfo,
  { settings, meterOf }: FitOptions,
): FittedPrompt {
  const fixed = chatOptions(model, { ...settings, thinking: false });
  const num_predict = Math.min(tokensMax, fixed.options.num_predict);
  const meter = meterOf(model);
  // What changes least comes first: a model server reuses its work for a beginning that it has read before.
  const isTold = background !== "" && isReadAtOnce(background, meter);
  const text = isTold ? `${background}\n${question}` : question;
  const messages = toMessages({ system, messages: [{ role: "user", content: text }] }, []);
  const body = { ...fixed, messages, options: { ...fixed.options, num_predict, temperature: 0 } };
  const tokensEstimated = rewriteTokens([system, text], meter);
  if (tokensEstimated > promptRoomTokens(body)) throw tooLong(tokensEstimated, promptRoomTokens(body));
  // A prompt as short as this says little of how a model cuts its tokens.
  return { body, tokensEstimated, learn: () => {}, learnWriting: () => {} };
}

async function fit(
  request: ResponderRequest,
  model: ModelInfo,
  { buildPrompt, settings, passages, meterOf }: FitOptions,
): Promise<FittedPrompt> {
  const fixed = chatOptions(model, settings);
  const meter = meterOf(model);
  const roomTokens = promptRoomTokens(fixed);
  const budgetTokens = Math.max(0, roomTokens - meter.marginTokens(roomTokens));
  const { pictures, tokens } = choosePictures(request.images, model.vision, budgetTokens);
  const budget = {
    tokens: budgetTokens - tokens,
    passageTokens: passageTokens(passages, budgetTokens, meter.readTokensPerSecond()),
    count: meter.count,
  };
  const prompt = await buildPrompt(request, budget);
  const tokensEstimated = prompt.tokensEstimated + tokens;
  if (tokensEstimated <= budgetTokens) {
    const learn = (readTokens: number, readMs: number | undefined) => {
      // A picture's tokens are known only roughly and would distort the estimate for text.
      if (pictures.length === 0) meter.learn(tokensEstimated, readTokens, readMs);
    };
    return {
      body: { ...fixed, messages: toMessages(prompt, pictures), ...(prompt.tools && toTools(prompt.tools)) },
      tokensEstimated,
      learn,
      learnWriting: meter.learnWriting,
    };
  }
  // Ollama would truncate it silently, the rules of the prompt included.
  throw tooLong(tokensEstimated, budgetTokens);
}

const tooLong = (tokens: number, budgetTokens: number) =>
  new AppError("unavailable", "The question does not fit into what the model can read.", {
    hint: "raise context_tokens, lower answer_tokens, or take a model with a longer context",
    cause: `a prompt of ${tokens} tokens for a budget of ${budgetTokens}`,
  });

/** The prompt as Ollama's messages: the pictures come with the question, which is the last one of the reader's. */
function toMessages(
  { system, messages }: Pick<Prompt, "system" | "messages">,
  pictures: AttachedImage[],
): ChatMessage[] {
  const last = messages.findLastIndex(({ role }) => role === "user");
  const images = pictures.map(({ base64 }) => base64);
  const said = messages.map((message, index) => ({
    ...toMessage(message),
    ...(index === last && images.length > 0 && { images }),
  }));
  return [{ role: "system", content: system }, ...said];
}

function toMessage(message: PromptMessage): ChatMessage {
  const { role, content } = message;
  if (role === "tool") return { role, content, tool_name: message.call.name, tool_call_id: message.call.id };
  if (role === "user" || message.calls === undefined) return { role, content };
  const calls = message.calls.map(({ id, name, input }) => ({
    id,
    function: { name, arguments: asRecord(input) },
  }));
  return { role, content, tool_calls: calls };
}

/** Each model decides a picture's tokens itself, from a few hundred to this. */
const TOKENS_PER_PICTURE = 1024;
const SHARE_OF_BUDGET = 0.5;

/** The pictures for a model, and their estimated share of the prompt's budget. */
function choosePictures(
  pictures: AttachedImage[],
  vision: boolean,
  budgetTokens: number,
): { pictures: AttachedImage[]; tokens: number } {
  const room = vision ? Math.floor((budgetTokens * SHARE_OF_BUDGET) / TOKENS_PER_PICTURE) : 0;
  const chosen = pictures.slice(0, room);
  return { pictures: chosen, tokens: chosen.length * TOKENS_PER_PICTURE };
}

/** How much of what was found a model may read, from the server's settings. */
interface PassageSettings {
  /** 0: what the context and the speed of the machine allow. */
  tokens: number;
  /** How long the model may read passages, where the tokens are not set. */
  seconds: number;
}

/** The rest is for the conversation, what the reader attached, and what a model finds by itself. */
const CONTEXT_SHARE = 0.5;
/** With less, what answers is left out too often: a slower first word is the smaller harm. */
const TOKENS_MIN = 1000;

/** The most tokens of passages in a prompt. */
export function passageTokens(
  { tokens, seconds }: PassageSettings,
  promptTokens: number,
  readTokensPerSecond: number | undefined,
): number {
  if (tokens > 0) return tokens;
  const ofContext = Math.floor(promptTokens * CONTEXT_SHARE);
  if (readTokensPerSecond === undefined) return ofContext;
  return Math.min(ofContext, Math.max(TOKENS_MIN, Math.floor(readTokensPerSecond * seconds)));
}
