import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import type { Threads, TurnEnd } from "../threads/threads.ts";
import type { AnswerEvent } from "./events.ts";

/** What becomes of a turn, filled in as it goes. */
export interface OpenTurn extends Omit<TurnEnd, "outcome" | "totalMs"> {
  startedAt: number;
  /** The `start` event has left: from then on a failure is an event, not an exception. */
  started: boolean;
  stored: boolean;
}

/** A turn of which only the question is known. */
export function openTurn(startedAt: number): OpenTurn {
  return {
    startedAt,
    started: false,
    stored: false,
    answer: "",
    searched: undefined,
    retrieved: [],
    cited: [],
    generation: undefined,
    responder: undefined,
    model: undefined,
    promptTokens: undefined,
    completionTokens: undefined,
    supportShare: undefined,
    cached: false,
    curated: undefined,
    promptTokensEstimated: undefined,
    queueMs: undefined,
    retrievalMs: undefined,
    firstTokenMs: undefined,
  };
}

/** Text that goes to the reader, and is part of the answer that is stored. */
export function say({ clock }: { clock: Clock }, turn: OpenTurn, text: string): AnswerEvent {
  turn.firstTokenMs ??= clock() - turn.startedAt;
  turn.answer += text;
  return { type: "text-delta", text };
}

/** The same, unless there is nothing to say. */
export function* sayAll(deps: { clock: Clock }, turn: OpenTurn, text: string): Iterable<AnswerEvent> {
  if (text !== "") yield say(deps, turn, text);
}

/** Stores what became of a turn. */
export async function closeTurn(
  deps: { threads: Threads; clock: Clock; log: Log },
  turnId: string,
  turn: OpenTurn,
  outcome: TurnEnd["outcome"],
): Promise<void> {
  const { startedAt, started: _, stored: __, ...end } = turn;
  const totalMs = deps.clock() - startedAt;
  await deps.threads.finish(turnId, { ...end, outcome, totalMs });
  turn.stored = true;
  deps.log.info("a turn ended", {
    turn: turnId,
    outcome,
    responder: end.responder,
    model: end.model,
    totalMs,
  });
}
