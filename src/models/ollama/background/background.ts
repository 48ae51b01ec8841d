import { AppError } from "@docent/kernel/errors";
import type { Clock } from "@docent/kernel/lib/clock";
import { chatOptions, type ModelSettings, promptRoomTokens } from "../chat-options.ts";
import type { ChatBody } from "../client/client.ts";
import type { ModelInfo } from "../models/models.ts";
import type { OllamaServer, Pool } from "../pool/pool.ts";
import type { AdmissionQueue } from "../queue/queue.ts";
import type { TokenMeter } from "../tokens/tokens.ts";

/** What a model is to write while nobody asks. */
interface BackgroundTask {
  /** The model that the site asks for; empty for the server's choice. */
  wanted: string;
  system: string;
  /** Cut at its end where a model cannot read all of it. */
  text: string;
  /** The JSON schema of what is to be written. */
  format: Readonly<Record<string, unknown>>;
}

/** `gave_way`: somebody asked meanwhile, or just before. */
type BackgroundReply = { outcome: "written"; model: string; text: string } | { outcome: "gave_way" };

/** Lets models write while nobody asks: it takes no reader's place, and stops as soon as somebody asks. */
export interface BackgroundWriter {
  /** Throws `unavailable` where no model can write now, `model_failed` where one broke off, or the signal's reason. */
  write(task: BackgroundTask, signal: AbortSignal): Promise<BackgroundReply>;
}

interface BackgroundOptions extends Pick<Pool, "places" | "siteModels" | "servers"> {
  settings: ModelSettings;
  meterOf: (model: ModelInfo) => TokenMeter;
  arrivals: Arrivals;
  clock: Clock;
}

/** Nobody may have asked for so long: a reader who thinks finds the conversation in the model's cache. */
const QUIET_MS = 20_000;
const WRITTEN_TOKENS_MAX = 600;
/** What a model writes is not read any further. */
const WRITTEN_CHARACTERS_MAX = 4000;
/** What a chat template adds to every message. */
const MESSAGE_TOKENS = 12;
const CUTS_MAX = 8;
/** A text is cut a little shorter than its tokens say: the next cut is seldom needed. */
const CUT_SHARE = 0.9;

export function createBackgroundWriter(options: BackgroundOptions): BackgroundWriter {
  const { arrivals, clock } = options;
  return {
    async write(task, signal) {
      if (arrivals.quietMs(clock()) < QUIET_MS) return { outcome: "gave_way" };
      const giveWay = new AbortController();
      using _ = arrivals.listen(() => giveWay.abort(new DOMException("Somebody asks", "AbortError")));
      const either = AbortSignal.any([signal, giveWay.signal]);
      try {
        return await writeOn(options, task, either);
      } catch (error) {
        signal.throwIfAborted();
        if (giveWay.signal.aborted) return { outcome: "gave_way" };
        throw error;
      }
    },
  };
}

async function writeOn(
  options: BackgroundOptions,
  task: BackgroundTask,
  signal: AbortSignal,
): Promise<BackgroundReply> {
  const { places, siteModels } = options;
  await places.refresh(signal);
  await siteModels.refresh(task.wanted, signal);
  const chosen = siteModels.choose(task.wanted);
  const server = restingServer(options, new Set(chosen.without));
  if (server === undefined) throw new AppError("unavailable", "No model is free for work in the background.");
  const model = await chosen.modelOf(server, signal);
  if (model === undefined) throw new AppError("unavailable", "The model is not available now.");
  if (model.remote)
    throw new AppError(
      "unavailable",
      `The model ${model.name} runs on another machine, where nothing is sent.`,
      {
        hint: "Set a model of the local Ollama for the site or the server.",
      },
    );
  const body = fit(options, task, model);
  let text = "";
  for await (const line of server.client.chat(body, signal, { attempts: 1 })) {
    text += line.content;
    if (text.length + line.thinking.length > WRITTEN_CHARACTERS_MAX) break;
  }
  return { outcome: "written", model: model.name, text: text.slice(0, WRITTEN_CHARACTERS_MAX) };
}

/** A server that writes for nobody, those first that have the model in memory. */
function restingServer(
  { servers }: BackgroundOptions,
  without: ReadonlySet<OllamaServer>,
): OllamaServer | undefined {
  return servers
    .filter((server) => server.isUsable() && !server.isResting() && server.running() === 0)
    .filter((server) => !without.has(server))
    .sort((one, other) => Number(other.isLoaded()) - Number(one.isLoaded()))[0];
}

/** The chat, with as much of the text as the model can read. */
function fit(
  { settings, meterOf }: BackgroundOptions,
  { system, text, format }: BackgroundTask,
  model: ModelInfo,
): ChatBody {
  const fixed = chatOptions(model, { ...settings, thinking: false });
  const num_predict = Math.min(WRITTEN_TOKENS_MAX, fixed.options.num_predict);
  const meter = meterOf(model);
  const room = promptRoomTokens(fixed);
  const left = room - meter.marginTokens(room) - meter.count(system) - 2 * MESSAGE_TOKENS;
  let content = text;
  for (let cut = 0; cut < CUTS_MAX && meter.count(content) > left; cut++) {
    const share = Math.max(0, left / meter.count(content)) * CUT_SHARE;
    content = content.slice(0, Math.floor(content.length * share)).toWellFormed();
  }
  if (meter.count(content) > left)
    throw new AppError("unavailable", "The model's context is too small for a passage.", {
      hint: "raise context_tokens, or take a model with a longer context",
    });
  return {
    ...fixed,
    format,
    messages: [
      { role: "system", content: system },
      { role: "user", content },
    ],
    options: { ...fixed.options, num_predict, temperature: 0 },
  };
}

/** Knows when readers ask, so that work in the background gives way to them. */
interface Arrivals {
  /** Somebody asks: everyone who listens is told at once. */
  begin(): void;
  /** Somebody has been served, or has left. */
  end(at: number): void;
  /** How long nobody has asked and nobody was being served. */
  quietMs(at: number): number;
  /** Calls `onAsked` as soon as somebody asks. Disposing of what is returned ends that. */
  listen(onAsked: () => void): Disposable;
}

export function createArrivals(): Arrivals {
  const listeners = new Set<() => void>();
  let present = 0;
  let lastAt = Number.NEGATIVE_INFINITY;
  return {
    begin() {
      present += 1;
      for (const tell of listeners) tell();
    },
    end(at) {
      present -= 1;
      lastAt = at;
    },
    quietMs: (at) => (present > 0 ? 0 : at - lastAt),
    listen(onAsked) {
      listeners.add(onAsked);
      return { [Symbol.dispose]: () => void listeners.delete(onAsked) };
    },
  };
}

/** The queue, whose askers are those who arrive. */
export function withArrivals<Place>(
  queue: AdmissionQueue<Place>,
  arrivals: Arrivals,
  clock: Clock,
): AdmissionQueue<Place> {
  return {
    ...queue,
    async acquire(wanted) {
      arrivals.begin();
      let isHere = true;
      const leave = () => {
        if (isHere) arrivals.end(clock());
        isHere = false;
      };
      try {
        const slot = await queue.acquire(wanted);
        return {
          ...slot,
          release() {
            slot.release();
            leave();
          },
        };
      } catch (error) {
        leave();
        throw error;
      }
    },
  };
}
