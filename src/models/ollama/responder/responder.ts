import type { Asker, Responder, ResponderEvent } from "@docent/answering/answer/responder";
import { AppError } from "@docent/kernel/errors";
import { type Clock, systemClock } from "@docent/kernel/lib/clock";
import { type Log, limitWarnings } from "@docent/kernel/lib/log";
import { abortOnReturn } from "../abort-on-return.ts";
import type { OllamaServer, Pool } from "../pool/pool.ts";
import type { AdmissionQueue, Slot, WaitRequest } from "../queue/queue.ts";
import type { ProbeTools } from "../tools/tools.ts";
import { askServer } from "./ask-server.ts";
import {
  createFitPrompt,
  createFitRewrite,
  type FitOptions,
  type FitPrompt,
  rewriteSeconds,
} from "./fit-prompt.ts";

/** How often the log reports that a site's model is missing: such a site has questions all the time. */
const SAID_EVERY_MS = 60_000;
/** About the time to load a model from a slow disk: a slow server must not be taken for a dead one. */
const SILENCE_SHARE_MIN_MS = 60_000;

interface OllamaResponderOptions extends FitOptions, Pick<Pool, "places" | "queue" | "siteModels"> {
  /** The longest wait in line, moves to other servers included. */
  queueMs: number;
  /** The longest silence before the first word, over all servers. */
  firstByteMs: number;
  probe: ProbeTools;
  clock?: Clock;
  log: Log;
}

/** Makes the responder that lets models answer, in each slot of each server one question at a time. */
export function createOllamaResponder(options: OllamaResponderOptions): Responder {
  const { places, queue, siteModels, toolUse, clock = systemClock } = options;
  const limitedLog = limitWarnings(options.log, { everyMs: SAID_EVERY_MS, clock });
  const modelFor = (wanted = "") => siteModels.choose(wanted).expected ?? places.model();
  let isUseAsked = false;

  /** Finds out whether the model that answered calls tools, on a server that has nothing else to do. */
  function probeAfterwards(wanted: string | undefined): void {
    const model = modelFor(wanted);
    if (!isUseAsked || model === undefined || !toolUse.isUntried(model)) return;
    const { without } = siteModels.choose(wanted ?? "");
    const idle = places.servers.find(
      (server) => server.running() === 0 && !server.isResting() && !without.includes(server),
    );
    if (idle !== undefined) options.probe(idle.client, model);
  }

  return {
    name: "ollama",
    model: (wanted) => modelFor(wanted)?.name,
    modelVersion: (wanted) => modelFor(wanted)?.digest,
    toolUse(wanted) {
      isUseAsked = true;
      const model = modelFor(wanted);
      return model === undefined ? "none" : toolUse.of(model);
    },
    async ready(signal, wanted = "") {
      await places.refresh(signal);
      await siteModels.refresh(wanted, signal);
      await queue.checkRoom(new Set(siteModels.choose(wanted).without));
    },
    respond(request, signal) {
      const task = {
        asker: request.asker,
        wanted: request.model,
        fitPrompt: createFitPrompt(request, options),
        again: (request.looking?.rounds.length ?? 0) > 0,
      };
      return abortOnReturn(signal, async function* (both) {
        yield* write({ ...options, limitedLog }, task, both);
        probeAfterwards(request.model);
      });
    },
    rewriteSeconds(request) {
      const model = modelFor(request.model);
      return model && rewriteSeconds(request, options.meterOf(model));
    },
    rewrite(request, signal) {
      const task = {
        asker: request.asker,
        wanted: request.model,
        fitPrompt: createFitRewrite(request, options),
        again: false,
        tellsTurn: true,
      };
      return abortOnReturn(signal, (both) => write({ ...options, limitedLog }, task, both));
    },
  };
}

/** What a model is to write, for whom. */
interface Task {
  asker: Asker;
  /** The model that the site asks for; empty or undefined for the server's choice. */
  wanted: string | undefined;
  fitPrompt: FitPrompt;
  /** Whether it goes on with an answer whose turn it was already. */
  again: boolean;
  /** Whether it is told when its turn has come. */
  tellsTurn?: boolean;
}

/**
 * Asks one server after the other until one begins to write. An answer that has begun is never asked for
 * again elsewhere.
 */
async function* write(
  options: OllamaResponderOptions & { limitedLog: Log },
  { asker, wanted = "", fitPrompt, again, tellsTurn = false }: Task,
  signal: AbortSignal,
): AsyncGenerator<ResponderEvent, void, undefined> {
  const { places, siteModels, clock = systemClock, log } = options;
  await places.refresh(signal);
  await siteModels.refresh(wanted, signal);
  const chosen = siteModels.choose(wanted);
  if (wanted !== "" && chosen.expected === undefined)
    options.limitedLog.warn("a site's model is not there: the server's own answers", { model: wanted });
  const expected = chosen.expected ?? places.model();
  // A question that does not fit is refused without waiting.
  if (expected !== undefined) await fitPrompt(expected);
  const tried = new Set(chosen.without);
  let queueMs = 0;
  let silentMs = 0;
  while (true) {
    const slot = yield* waitInLine(options.queue, {
      asker,
      signal,
      waitMaxMs: options.queueMs - queueMs,
      // Copied, because the set grows while the entry may still be in line.
      avoid: new Set(tried),
      again: again || tried.size > chosen.without.length,
    });
    queueMs += slot.waitedMs;
    const server = slot.place;
    const since = clock();
    let begun = false;
    tried.add(server);
    try {
      if (tellsTurn) yield { type: "served" };
      const others = places.others(tried);
      const silenceMs = shareOfSilence(options.firstByteMs - silentMs, others);
      // Where there are other servers, asking the same one again only makes the reader wait.
      const attempts = others > 0 ? 1 : undefined;
      const { modelOf } = chosen;
      const { toolUse } = options;
      const asking = { asker, fitPrompt, modelOf, silenceMs, attempts, queueMs, toolUse, log };
      for await (const event of askServer(server, asking, signal)) {
        begun = true;
        yield event;
      }
      return;
    } catch (error) {
      silentMs += clock() - since;
      const isMovable = !begun && error instanceof AppError && error.code === "unavailable";
      const isTooLate = silentMs >= options.firstByteMs;
      if (signal.aborted || !isMovable || isTooLate || places.problem(tried) !== undefined) throw error;
      log.warn("a question is moved to another Ollama server", { from: server.baseUrl, cause: error });
    } finally {
      slot.release();
    }
  }
}

/**
 * How long one server may be silent when others could be asked after it. Each gets an equal share, so that a
 * server that hangs does not use up all the time; but loading is slow and no fault, so the share is never
 * small as long as half the time is left for the others.
 */
export function shareOfSilence(leftMs: number, others: number): number {
  if (others === 0) return leftMs;
  return Math.max(leftMs / (others + 1), Math.min(SILENCE_SHARE_MIN_MS, leftMs / 2));
}

/** Waits for a server, yielding the position in line whenever it changes. */
function waitInLine(
  queue: AdmissionQueue<OllamaServer>,
  wanted: WaitRequest<OllamaServer>,
): AsyncGenerator<ResponderEvent, Slot<OllamaServer>, undefined> {
  return untilDone<ResponderEvent, Slot<OllamaServer>>(
    (tell) => queue.acquire({ ...wanted, onPosition: (position) => tell({ type: "waiting", position }) }),
    (slot) => slot.release(),
  );
}

/**
 * Yields the news of some work until it is done, then returns its result. News that nobody has read yet is
 * replaced by newer news. A consumer who leaves must end the work by its signal; a result that comes
 * nevertheless goes to `discard`.
 */
async function* untilDone<News, Result>(
  start: (tell: (news: News) => void) => Promise<Result>,
  discard: (result: Result) => void,
): AsyncGenerator<News, Result, undefined> {
  let latest: { news: News } | undefined;
  let wake = () => {};
  let handedOver = false;
  const work = start((news) => {
    latest = { news };
    wake();
  });
  const done = work.then(
    () => true,
    () => true,
  );
  try {
    while (true) {
      const told = new Promise<boolean>((resolve) => {
        wake = () => resolve(false);
        if (latest !== undefined) resolve(false);
      });
      // Checked first: finished work needs no more news.
      if (await Promise.race([done, told])) break;
      const { news } = latest ?? {};
      latest = undefined;
      if (news !== undefined) yield news;
    }
    const result = await work;
    handedOver = true;
    return result;
  } finally {
    if (!handedOver) work.then(discard, () => {});
  }
}
