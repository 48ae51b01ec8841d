import { toAppError } from "@docent/kernel/errors";
import { sleep } from "@docent/kernel/lib/sleep";
import { type ChatOptions, chatOptions, type ModelSettings, promptRoomTokens } from "../chat-options.ts";
import type { OllamaClient, RunningModel } from "../client/client.ts";
import type { ModelInfo, Models } from "../models/models.ts";
import { answersAtOnce, type ChatTimes, timeChat } from "./chat-times.ts";

const LIMIT_MS = 180_000;
const UNLOAD_POLL_MS = 50;
const UNLOAD_MS = 10_000;
/** Long enough to measure with, where the setting keeps no model loaded. */
const KEPT_SECONDS = 60;

interface ExaminedServer {
  baseUrl: string;
  client: Pick<OllamaClient, "chat" | "preload" | "running">;
  models: Pick<Models, "refresh">;
  slots: number;
}

export interface ExamineOptions {
  /** Unloads the model first, so that loading is measured too. */
  cold?: boolean;
  /** The limit for examining one server. */
  limitMs?: number;
}

/** What asking a model showed. */
export interface MeasuredModel {
  outcome: "measured";
  url: string;
  model: string;
  /** Where the model was before: loaded, loaded with another context, or not in memory. */
  memory: "loaded" | "loaded-differently" | "unloaded" | "not-loaded";
  /** The first chat, where it had to load the model. */
  cold: ChatTimes | undefined;
  warm: ChatTimes;
  contextTokens: number;
  /** The context that Ollama reports; undefined for servers that do not report it. */
  contextTokensGiven: number | undefined;
  /** The largest prompt, without the margin. */
  promptTokensMax: number;
  weightsBytes: number | undefined;
  /** The memory it takes, context included. */
  bytes: number | undefined;
  bytesOnGraphicsCard: number | undefined;
  slots: number;
  /** How many of the answers asked for it wrote at the same time; undefined where that could not be told. */
  atOnce: { asked: number; wrote: number } | undefined;
}

/** What examining a server's model showed. The reason for `no_model` is in the server's description. */
export type Examination =
  | MeasuredModel
  | { outcome: "no_model" | "on_another_machine"; url: string }
  | { outcome: "failed"; url: string; model: string; reason: string; hint: string | undefined };

/** Asks a server's model a few short questions and stores nothing. Throws only the signal's reason. */
export async function examineServer(
  server: ExaminedServer,
  settings: ModelSettings,
  signal: AbortSignal,
  { cold = false, limitMs = LIMIT_MS }: ExamineOptions = {},
): Promise<Examination> {
  const url = server.baseUrl;
  const model = await server.models.refresh(signal);
  if (model === undefined) return { outcome: "no_model", url };
  // Asking it costs money, and leaves the machine.
  if (model.remote) return { outcome: "on_another_machine", url };
  const limit = AbortSignal.timeout(limitMs);
  try {
    return await measure(server, model, settings, AbortSignal.any([signal, limit]), cold);
  } catch (error) {
    signal.throwIfAborted();
    const late = `The model did not come to an end within ${Math.round(limitMs / 1000)} seconds.`;
    const known = toAppError(error);
    const reason = limit.aborted ? late : known.message;
    return {
      outcome: "failed",
      url,
      model: model.name,
      reason,
      hint: limit.aborted ? "ollama ps" : known.hint,
    };
  }
}

async function measure(
  { baseUrl: url, client, slots }: ExaminedServer,
  model: ModelInfo,
  settings: ModelSettings,
  signal: AbortSignal,
  cold: boolean,
): Promise<MeasuredModel> {
  const fixed = chatOptions(model, settings);
  const body = fixed.keep_alive === 0 ? { ...fixed, keep_alive: KEPT_SECONDS } : fixed;
  const find = async () => (await client.running(signal)).find(({ name }) => name === model.name);
  const before = await find();
  if (cold && before !== undefined) await unload(client, body, find, signal);
  const memory = memoryBefore(before, body, cold);
  const first = memory === "loaded" ? undefined : await timeChat(client, body, signal);
  const warm = await timeChat(client, body, signal);
  const after = await find();
  const atOnce = slots > 1 ? await answersAtOnce(client, body, slots, signal) : undefined;
  return {
    outcome: "measured",
    url,
    model: model.name,
    memory,
    cold: first,
    warm,
    slots,
    atOnce,
    contextTokens: model.contextTokens,
    contextTokensGiven: after?.context_length,
    promptTokensMax: promptRoomTokens(body),
    weightsBytes: model.weightsBytes,
    bytes: after?.size,
    bytesOnGraphicsCard: after?.size_vram,
  };
}

function memoryBefore(
  before: RunningModel | undefined,
  { options }: ChatOptions,
  cold: boolean,
): MeasuredModel["memory"] {
  if (before === undefined) return "not-loaded";
  if (cold) return "unloaded";
  const given = before.context_length;
  return given === undefined || given === options.num_ctx ? "loaded" : "loaded-differently";
}

/** Ollama reports a model as unloaded before it is. */
async function unload(
  client: ExaminedServer["client"],
  body: ChatOptions,
  find: () => Promise<RunningModel | undefined>,
  signal: AbortSignal,
): Promise<void> {
  await client.preload({ ...body, keep_alive: 0 }, signal);
  for (let waitedMs = 0; waitedMs < UNLOAD_MS && (await find()) !== undefined; waitedMs += UNLOAD_POLL_MS)
    await sleep(UNLOAD_POLL_MS, signal);
}
