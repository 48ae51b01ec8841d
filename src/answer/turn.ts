import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import type { Site } from "../sites/sites.ts";
import type { Threads, TurnEnd } from "../threads/threads.ts";
import type { AnswerEvent } from "./events.ts";

/** What becomes of a turn, filled in as it goes. */
export interface OpenTurn extends Omit<TurnEnd, "outcome" | "totalMs"> {
  site: Site;
  startedAt: number;
  /** The `start` event has left: from then on a failure is an event, not an exception. */
  started: boolean;
  stored: boolean;
}

/** A turn of which only the question is known. */
export function openTurn(site: Site, startedAt: number): OpenTurn {
  return {
    site,
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

/** Told of every turn that has ended, with what is stored of it. */
export type ObserveTurn = (end: TurnEnd, site: Site) => void;

/** Stores what became of a turn. */
export async function closeTurn(
  deps: { threads: Threads; observe?: ObserveTurn | undefined; clock: Clock; log: Log },
  turnId: string,
  turn: OpenTurn,
  outcome: TurnEnd["outcome"],
): Promise<void> {
  const { site, startedAt, started: _, stored: __, ...known } = turn;
  const totalMs = deps.clock() - startedAt;
  const end = { ...known, outcome, totalMs };
  // What failed may be the store.
  if (outcome === "failed") deps.observe?.(end, site);
  await deps.threads.finish(turnId, end);
  if (outcome !== "failed") deps.observe?.(end, site);
  turn.stored = true;
  deps.log.info("a turn ended", {
    turn: turnId,
    outcome,
    responder: end.responder,
    model: end.model,
    totalMs,
  });
}
