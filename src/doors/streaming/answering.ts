import type { AnswerEvent } from "@docent/answering/answer/events";

/** The streams that are being read. */
export interface Streams {
  add(abort: AbortController): () => void;
}

/** Nobody sees it but the log: the connection is closed. */
const CLIENT_CLOSED_REQUEST = 499;

/** What ends an answer that is being written, and what is called when it has ended. */
export interface Answering {
  abort: AbortController;
  onEnd: () => void;
  /** From now on the answer goes on when its sender goes away, and this is called in place of ending it. */
  whenGone(act: () => void): void;
}

/** Takes up a request whose answer ends when its sender goes away, or the server does. */
export function beginAnswering(request: Request, streams: Streams, leave: () => void): Answering {
  const abort = new AbortController();
  let gone = () => abort.abort();
  if (request.signal.aborted) gone();
  request.signal.addEventListener("abort", () => gone(), { once: true });
  const done = streams.add(abort);
  return {
    abort,
    whenGone(act) {
      gone = act;
    },
    onEnd() {
      done();
      leave();
    },
  };
}

/** Whoever asked left before there was anything to say. */
export const gone = () => new Response(null, { status: CLIENT_CLOSED_REQUEST });

/** Events as they are written. An iterator and no generator: one that is ended before it began would not run its `finally`. */
export function encodeEvents(
  toWire: (event: AnswerEvent) => string,
  first: IteratorResult<AnswerEvent>,
  events: AsyncIterator<AnswerEvent>,
): AsyncIterator<string> {
  let waiting: IteratorResult<AnswerEvent> | undefined = first;
  return {
    async next() {
      const next = waiting ?? (await events.next());
      waiting = undefined;
      return next.done ? { done: true, value: undefined } : { done: false, value: toWire(next.value) };
    },
    async return() {
      await events.return?.();
      return { done: true, value: undefined };
    },
  };
}

/** The headers that name an answer, from the event that begins it. */
export function idHeaders(event: AnswerEvent | undefined, requestId: string): Record<string, string> {
  if (event?.type !== "start") throw new Error("an answer begins with its start");
  return { "x-thread-id": event.threadId, "x-message-id": event.messageId, "x-request-id": requestId };
}

/** Who sends a request: a page in a browser, or a program. */
export const callerOf = ({ headers }: Request) =>
  headers.has("origin") || headers.has("sec-fetch-mode") ? "web" : "api";
