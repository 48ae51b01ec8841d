import type { Asker, Responder, ResponderEvent, ResponderRequest } from "../answer/responder.ts";
import { AppError } from "../errors.ts";
import { type Clock, systemClock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { askServer } from "./ask-server.ts";
import { createFitPrompt, type FitOptions } from "./fit-prompt.ts";
import type { Pool } from "./pool.ts";
import type { AdmissionQueue, Slot } from "./queue.ts";
import type { OllamaServer } from "./server.ts";
import { stoppable } from "./stoppable.ts";
import { untilDone } from "./waiting.ts";

/** Loading a model from a slow disk takes about as long: a server that is only slow should not be taken for a dead one. */
const SILENCE_SHARE_MIN_MS = 60_000;

export interface OllamaResponderOptions extends FitOptions {
  pool: Pool;
  queue: AdmissionQueue<OllamaServer>;
  /** The longest wait in line, moves to other servers included. */
  queueMs: number;
  /** The longest silence before the first word, of all servers together. */
  firstByteMs: number;
  clock?: Clock;
  log: Log;
}

/** Answers that models write, one at a time for each slot of each server. */
export function createOllamaResponder(options: OllamaResponderOptions): Responder {
  const { pool, queue } = options;
  return {
    name: "ollama",
    model: () => pool.model()?.name,
    modelVersion: () => pool.model()?.digest,
    async ready(signal) {
      await pool.refresh(signal);
      queue.checkRoom();
    },
    respond: (request, signal) => stoppable(signal, (both) => respond(options, request, both)),
  };
}

/** Asks one server after the other until one begins to write. What one has begun is never asked of another. */
async function* respond(
  options: OllamaResponderOptions,
  request: ResponderRequest,
  signal: AbortSignal,
): AsyncGenerator<ResponderEvent, void, undefined> {
  const { pool, clock = systemClock, log } = options;
  await pool.refresh(signal);
  const fitPrompt = createFitPrompt(request, options);
  const expected = pool.model();
  // What does not fit need not wait to be told so.
  if (expected !== undefined) fitPrompt(expected);
  const tried = new Set<OllamaServer>();
  let queueMs = 0;
  let silentMs = 0;
  while (true) {
    const slot = yield* waitInLine(options, request.asker, tried, options.queueMs - queueMs, signal);
    queueMs += slot.waitedMs;
    const server = slot.place;
    const since = clock();
    let begun = false;
    tried.add(server);
    try {
      const others = pool.others(tried);
      const silenceMs = shareOfSilence(options.firstByteMs - silentMs, others);
      // Where others are, asking the same one again only makes the reader wait.
      const attempts = others > 0 ? 1 : undefined;
      const asking = { asker: request.asker, fitPrompt, silenceMs, attempts, queueMs, log };
      for await (const event of askServer(server, asking, signal)) {
        begun = true;
        yield event;
      }
      return;
    } catch (error) {
      silentMs += clock() - since;
      const isMovable = !begun && error instanceof AppError && error.code === "unavailable";
      const isTooLate = silentMs >= options.firstByteMs;
      if (signal.aborted || !isMovable || isTooLate || pool.problem(tried) !== undefined) throw error;
      log.warn("a question is moved to another Ollama server", { from: server.baseUrl, cause: error });
    } finally {
      slot.release();
    }
  }
}

function waitInLine(
  { queue }: OllamaResponderOptions,
  asker: Asker,
  tried: ReadonlySet<OllamaServer>,
  waitMaxMs: number,
  signal: AbortSignal,
): AsyncGenerator<ResponderEvent, Slot<OllamaServer>, undefined> {
  // A copy: the set grows while the entry may still be in line.
  const wanted = { asker, signal, avoid: new Set(tried), waitMaxMs };
  return untilDone<ResponderEvent, Slot<OllamaServer>>(
    (tell) => queue.acquire({ ...wanted, onPosition: (position) => tell({ type: "waiting", position }) }),
    (slot) => slot.release(),
  );
}

/**
 * How long one server may be silent when others could be asked after it. A server that hangs must not use up the whole
 * patience, so it gets an equal share; but a cold load is slow and no fault, so the share is not small, as long as half
 * is left for the others.
 */
export function shareOfSilence(leftMs: number, others: number): number {
  if (others === 0) return leftMs;
  return Math.max(leftMs / (others + 1), Math.min(SILENCE_SHARE_MIN_MS, leftMs / 2));
}
