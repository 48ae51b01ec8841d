import { type Connection, post, sendFeedback } from "./connection.ts";
import { type AskOptions, type ConversationState, isComing, type Turn, type TurnError } from "./state.ts";
import { readAnswer, type StreamPart, watchSilence } from "./stream.ts";
import { newTurn, ownError, readError, withPart } from "./turn.ts";
import {
  changed,
  createTurnLog,
  restoreTurns,
  stateOf,
  type TurnLog,
  type TurnLogOptions,
  textIn,
  updateTurn,
} from "./turn-log.ts";

/** Where an answer comes from, who asks, and where the conversation is kept. */
export interface ConversationOptions extends Connection, TurnLogOptions {
  /** Who asks: `anonymous`, or an id of the reader. */
  fp: string;
  newId: () => string;
  isOnline: () => boolean;
  /** A server that says nothing for so long is gone; it gives signs of life far more often. */
  silenceMs?: number;
}

/** A conversation with a site's assistant. */
export interface Conversation {
  /** The state now: plain data that never changes; what changes is another object. */
  state(): ConversationState;
  /** Calls back when the state has changed, once a frame at most. Gives what ends that. */
  subscribe(listener: (state: ConversationState) => void): () => void;
  /** Asks; an answer that is on its way is stopped. Resolves when the turn has ended, and never rejects. */
  ask(text: string, options?: AskOptions): Promise<void>;
  stop(): void;
  /** Asks the last question again, in place of its turn. */
  retry(): Promise<void>;
  /** Begins a new conversation. */
  clear(): void;
  /** Says whether an answer helped; false where that could not be sent. */
  rate(messageId: string, helpful: boolean, comment?: string): Promise<boolean>;
  /**
   * Takes up what the storage holds, where another page has gone on with the conversation too. A turn that was broken off
   * is shown as stopped. Asking does it by itself, so that no page writes over what another has kept.
   */
  restore(): void;
}

const SILENCE_MS = 45_000;
const SAVE_EVERY_MS = 1000;
const PATH_CHARACTERS_MAX = 200;

/** A conversation and the answer that is on its way in it. */
interface Running {
  options: ConversationOptions;
  log: TurnLog;
  /** Ends the request whose answer is on its way. */
  asking: AbortController | undefined;
}

/** A conversation that has not begun. */
export function createConversation(options: ConversationOptions): Conversation {
  const { now, newId } = options;
  const log = createTurnLog(options);
  const running: Running = { options, log, asking: undefined };
  return {
    state: () => stateOf(log),
    stop: () => stop(running),
    rate: (messageId, helpful, comment) => rate(running, messageId, helpful, comment),
    restore: () => restore(running),
    subscribe(listener) {
      log.listeners.add(listener);
      return () => log.listeners.delete(listener);
    },
    async ask(text, asked = {}) {
      const question = text.trim();
      if (question === "" && !asked.context?.length) return;
      stop(running);
      restore(running);
      const turn = newTurn(newId(), question, asked, now());
      log.turns = [...log.turns, turn];
      await run(running, turn);
    },
    async retry() {
      stop(running);
      const last = log.turns.at(-1);
      if (last === undefined) return;
      const turn = newTurn(last.id, last.question, last.asked, now());
      log.turns = [...log.turns.slice(0, -1), turn];
      await run(running, turn);
    },
    clear() {
      stop(running);
      // What another page has kept up to now is forgotten as well.
      log.kept = textIn(log.storage);
      log.turns = [];
      log.threadId = undefined;
      changed(log);
    },
  };
}

/** Asks a turn's question, and takes in the answer until it ends, is stopped or breaks off. */
async function run(running: Running, turn: Turn): Promise<void> {
  const { log, options } = running;
  const { now, isOnline, silenceMs = SILENCE_MS } = options;
  const abort = new AbortController();
  const { signal } = abort;
  running.asking = abort;
  /** Marks the turn as failed, unless it has ended or was stopped meanwhile. */
  const fail = (error: TurnError) => {
    const isOurs =
      running.asking === abort && log.turns.some((each) => each.id === turn.id && isComing(each));
    if (isOurs) updateTurn(log, turn.id, (failed) => ({ ...failed, status: "failed", error }));
  };
  let hasBegun = false;
  const silence = watchSilence(silenceMs, () => abort.abort());
  changed(log);
  try {
    const response = await postQuestion(running, turn, signal);
    hasBegun = response.ok;
    if (!response.ok || !response.body) {
      fail(await readError(response, now()));
      return;
    }
    for await (const part of readAnswer(response.body, silence.heard)) {
      if (running.asking !== abort) return;
      take(log, turn.id, part);
    }
    fail(ownError("broken_off"));
  } catch {
    fail(ownError(!isOnline() ? "offline" : hasBegun ? "broken_off" : "unreachable"));
  } finally {
    silence.end();
    if (running.asking === abort) running.asking = undefined;
  }
}

/** Posts a turn's question. Where the thread is gone from the server, a new one is begun without asking the reader. */
async function postQuestion({ options, log }: Running, turn: Turn, signal: AbortSignal): Promise<Response> {
  const { id, question, asked } = turn;
  const { currentPath, ...more } = asked;
  const messages = [{ id, role: "user", parts: [{ type: "text", text: question }] }];
  const path = currentPath?.slice(0, PATH_CHARACTERS_MAX);
  const postTo = (threadId: string | undefined) => {
    const body = { fp: options.fp, messages, threadId, currentPath: path, ...more };
    return post(options, ["/v2/assistant", "/message"], body, { signal });
  };
  const response = await postTo(log.threadId);
  if (response.status !== 404 || log.threadId === undefined) return response;
  log.threadId = undefined;
  return postTo(undefined);
}

/** Takes a part of the stream into its turn; the pieces of a text are kept once a second only. */
function take(log: TurnLog, id: string, part: StreamPart): void {
  if ("threadId" in part) log.threadId = part.threadId ?? log.threadId;
  const isDelta = part.type === "text" || part.type === "reasoning";
  updateTurn(log, id, (turn) => withPart(turn, part), !isDelta || log.now() - log.savedAt >= SAVE_EVERY_MS);
}

function stop(running: Running): void {
  const { asking, log } = running;
  running.asking = undefined;
  asking?.abort();
  if (!log.turns.some(isComing)) return;
  log.turns = log.turns.map((turn) => (isComing(turn) ? { ...turn, status: "stopped" } : turn));
  changed(log);
}

/** Takes up what is kept, but not while an answer is on its way. */
function restore({ asking, log }: Running): void {
  if (!asking) restoreTurns(log);
}

async function rate(
  { options, log }: Running,
  messageId: string,
  helpful: boolean,
  comment: string | undefined,
): Promise<boolean> {
  const rated = log.turns.findLast((turn) => turn.messageId === messageId);
  if (rated?.threadId === undefined) return false;
  const given = { helpful, comment, status: "sending" } as const;
  updateTurn(log, rated.id, (turn) => ({ ...turn, feedback: given }));
  const isSent = await sendFeedback(options, { messageId, threadId: rated.threadId, helpful, comment });
  const feedback = { ...given, status: isSent ? "sent" : "failed" } as const;
  // What was said since then counts.
  updateTurn(log, rated.id, (turn) => (turn.feedback === given ? { ...turn, feedback } : turn));
  return isSent;
}

const ID_BYTES = 12;

/** A name for a question that no other has. Pages without TLS have no `randomUUID`. */
export function newMessageId(): string {
  const digits = crypto.getRandomValues(new Uint8Array(ID_BYTES));
  return Array.from(digits, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
