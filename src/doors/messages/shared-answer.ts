import type { AnswerEvent } from "@docent/answering/answer/events";
import type { Answering } from "../streaming/answering.ts";

/** An answer that may be read more than once while it is written. */
export interface SharedAnswer {
  /** All of it, from its start. Whoever reads it says with `return` when they are through, or have left. */
  read(): AsyncIterator<AnswerEvent>;
  isRead(): boolean;
  /** Stops it, whoever reads it. */
  end(): Promise<void>;
}

interface Sharing extends Pick<Answering, "abort" | "onEnd"> {
  first: AnswerEvent;
  /** What follows the first. */
  events: AsyncIterator<AnswerEvent>;
  /** How long it goes on when nobody reads it any more. 0: it ends at once. */
  unreadMs(): number;
  /** Called when it has been read to its end, or is not to be read any more. */
  onForgotten(): void;
  /** Hears why an answer that nobody reads could not be ended well. */
  onFailure(error: unknown): void;
}

interface State extends Sharing {
  /** What has been written, for readers who come later. */
  told: AnswerEvent[];
  readers: number;
  hasEnded: boolean;
  failure: { error: unknown } | undefined;
  /** Nobody comes any more. */
  isForgotten: boolean;
  isOver: boolean;
  pulling: Promise<void> | undefined;
  timer: ReturnType<typeof setTimeout> | undefined;
}

/** Shares an answer. It is written as fast as the fastest of its readers reads, and on when all have left for a while. */
export function shareAnswer(sharing: Sharing): SharedAnswer {
  const state: State = {
    ...sharing,
    told: [sharing.first],
    readers: 0,
    hasEnded: false,
    failure: undefined,
    isForgotten: false,
    isOver: false,
    pulling: undefined,
    timer: undefined,
  };
  return { read: () => read(state), isRead: () => state.readers > 0, end: () => end(state) };
}

function read(state: State): AsyncIterator<AnswerEvent> {
  let isHere = true;
  let at = 0;
  state.readers++;
  clearTimeout(state.timer);
  return {
    async next() {
      while (at === state.told.length && !state.hasEnded) await pull(state);
      const event = state.told[at++];
      if (event !== undefined) return { done: false, value: event };
      forget(state);
      if (state.failure !== undefined) throw state.failure.error;
      return { done: true, value: undefined };
    },
    async return() {
      if (isHere) {
        isHere = false;
        await leave(state);
      }
      return { done: true, value: undefined };
    },
  };
}

async function leave(state: State): Promise<void> {
  state.readers--;
  endIfOver(state);
  if (state.readers > 0 || state.isForgotten) return;
  const milliseconds = state.unreadMs();
  if (milliseconds === 0) await end(state).catch(state.onFailure);
  else void goOnUnread(state, milliseconds);
}

async function goOnUnread(state: State, milliseconds: number): Promise<void> {
  state.timer = setTimeout(() => void end(state).catch(state.onFailure), milliseconds);
  while (state.readers === 0 && !state.hasEnded) await pull(state);
}

async function end(state: State): Promise<void> {
  forget(state);
  if (state.hasEnded) return;
  state.abort.abort();
  try {
    await state.events.return?.();
  } finally {
    setEnded(state);
  }
}

/** One piece is waited for at a time, by all who read. */
function pull(state: State): Promise<void> {
  state.pulling ??= pullNext(state);
  return state.pulling;
}

async function pullNext(state: State): Promise<void> {
  try {
    const next = await state.events.next();
    if (next.done) setEnded(state);
    else state.told.push(next.value);
  } catch (error) {
    state.failure = { error };
    setEnded(state);
  }
  state.pulling = undefined;
}

function forget(state: State): void {
  clearTimeout(state.timer);
  if (!state.isForgotten) state.onForgotten();
  state.isForgotten = true;
}

function setEnded(state: State): void {
  state.hasEnded = true;
  endIfOver(state);
}

/** An answer is over when its last reader is through, too: a server that stops waits for them. */
function endIfOver(state: State): void {
  if (!state.hasEnded || state.readers > 0 || state.isOver) return;
  state.isOver = true;
  state.onEnd();
}
