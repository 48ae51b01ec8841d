import { splitSuggestions } from "../markdown/suggestions.ts";
import { readAnswer } from "./answer.ts";
import { type Connection, post } from "./connection.ts";
import { sendFeedback } from "./lookups.ts";
import { afterReload, readSaved, toSaved } from "./saved.ts";
import { watchSilence } from "./silence.ts";
import type { AskOptions, ConversationState, Turn, TurnError } from "./state.ts";
import type { StreamPart } from "./stream-part.ts";
import { isComing, newTurn, withPart } from "./turn.ts";
import { ownError, readError } from "./turn-error.ts";

/** Where one conversation is kept between visits. Both may throw: then nothing is kept. */
export interface ConversationStorage {
  get(): string | null;
  set(value: string): void;
}

/** What a conversation is made with. */
export interface ConversationOptions extends Connection {
  /** Who asks: `anonymous`, or an id of the reader. */
  fp: string;
  storage?: ConversationStorage;
  now: () => number;
  newId: () => string;
  /** Calls back when it is time to draw; animation frames unless told otherwise. */
  schedule?: (run: () => void) => void;
  isOnline?: () => boolean;
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
const HIDDEN_PAGE_MS = 200;

/** A conversation that has not begun. */
export function createConversation(options: ConversationOptions): Conversation {
  const { fp, storage, now, newId, schedule = nextFrame, isOnline = () => navigator.onLine } = options;
  const { silenceMs = SILENCE_MS } = options;
  const listeners = new Set<(state: ConversationState) => void>();
  /** Turns with their answers as they came, with the block of suggestions. */
  let turns: readonly Turn[] = [];
  let threadId: string | undefined;
  const shownTurns = new WeakMap<Turn, Turn>();
  let shown: ConversationState | undefined;
  let isScheduled = false;
  let savedAt = 0;
  /** What the storage holds, as far as this page knows. */
  let kept = "";
  let asking: AbortController | undefined;

  function state(): ConversationState {
    shown ??= { turns: turns.map(shownTurn), threadId, isBusy: turns.some(isComing) };
    return shown;
  }

  /** A turn that has not changed is the same object. */
  function shownTurn(turn: Turn): Turn {
    const known = shownTurns.get(turn) ?? asShown(turn);
    shownTurns.set(turn, known);
    return known;
  }

  function changed(isKept = true): void {
    shown = undefined;
    if (isKept) save();
    if (isScheduled) return;
    isScheduled = true;
    schedule(() => {
      isScheduled = false;
      for (const listener of listeners) listener(state());
    });
  }

  /** What another page has kept since, and this one does not know of. */
  function savedElsewhere() {
    const found = textIn(storage);
    return found === kept ? undefined : readSaved(found);
  }

  /** Takes in what another page has asked meanwhile; an answer that is on its way there is that page's to keep. */
  function join(): void {
    const saved = savedElsewhere();
    if (saved === undefined) return;
    const joined = new Map(turns.map((turn) => [turn.id, turn]));
    for (const turn of saved.turns) {
      const own = joined.get(turn.id)?.status;
      // What looked broken off when it was taken up here was ended there.
      const isEnded = own === "stopped" && turn.status !== "stopped";
      if (!isComing(turn) && (own === undefined || isEnded)) joined.set(turn.id, turn);
    }
    turns = [...joined.values()].toSorted((one, other) => one.askedAt - other.askedAt);
    shown = undefined;
  }

  function save(): void {
    savedAt = now();
    join();
    try {
      const saved = toSaved(state());
      storage?.set(saved);
      kept = saved;
    } catch {
      // A conversation that cannot be kept goes on all the same.
    }
  }

  /** Changes the turn in place; `isKept`: at once, and not with the next one that is. */
  function update(id: string, change: (turn: Turn) => Turn, isKept = true): void {
    turns = turns.map((turn) => (turn.id === id ? change(turn) : turn));
    changed(isKept);
  }

  const postQuestion = ({ id, question, asked }: Turn, signal: AbortSignal) => {
    const { currentPath, ...more } = asked;
    const messages = [{ id, role: "user", parts: [{ type: "text", text: question }] }];
    const path = currentPath?.slice(0, PATH_CHARACTERS_MAX);
    const body = { fp, messages, threadId, currentPath: path, ...more };
    return post(options, ["/v2/assistant", "/message"], body, { signal });
  };

  /** Where the thread is gone from the server, a new one is begun without asking the reader. */
  async function open(turn: Turn, signal: AbortSignal): Promise<Response> {
    const response = await postQuestion(turn, signal);
    if (response.status !== 404 || threadId === undefined) return response;
    threadId = undefined;
    return postQuestion(turn, signal);
  }

  function take(id: string, part: StreamPart): void {
    if ("threadId" in part) threadId = part.threadId ?? threadId;
    const isDelta = part.type === "text" || part.type === "reasoning";
    update(id, (turn) => withPart(turn, part), !isDelta || now() - savedAt >= SAVE_EVERY_MS);
  }

  async function run(turn: Turn): Promise<void> {
    const abort = new AbortController();
    const { signal } = abort;
    asking = abort;
    /** Of a turn that has ended, or was stopped, nothing more is said. */
    const fail = (error: TurnError) => {
      const isOurs = asking === abort && turns.some((each) => each.id === turn.id && isComing(each));
      if (isOurs) update(turn.id, (failed) => ({ ...failed, status: "failed", error }));
    };
    let hasBegun = false;
    const silence = watchSilence(silenceMs, () => abort.abort());
    changed();
    try {
      const response = await open(turn, signal);
      hasBegun = response.ok;
      if (!response.ok || !response.body) {
        fail(await readError(response, now()));
        return;
      }
      for await (const part of readAnswer(response.body, silence.heard)) {
        if (asking !== abort) return;
        take(turn.id, part);
      }
      fail(ownError("broken_off"));
    } catch {
      fail(ownError(!isOnline() ? "offline" : hasBegun ? "broken_off" : "unreachable"));
    } finally {
      silence.end();
      if (asking === abort) asking = undefined;
    }
  }

  function stop(): void {
    const abort = asking;
    asking = undefined;
    abort?.abort();
    if (!turns.some(isComing)) return;
    turns = turns.map((turn) => (isComing(turn) ? { ...turn, status: "stopped" } : turn));
    changed();
  }

  /** Nothing is taken up while an answer is on its way. */
  function restore(): void {
    const saved = asking ? undefined : savedElsewhere();
    if (saved === undefined) return;
    kept = textIn(storage);
    turns = saved.turns.map(afterReload);
    threadId = saved.threadId;
    changed(false);
  }

  async function rate(messageId: string, helpful: boolean, comment?: string): Promise<boolean> {
    const rated = turns.findLast((turn) => turn.messageId === messageId);
    if (rated?.threadId === undefined) return false;
    const given = { helpful, comment, status: "sending" } as const;
    update(rated.id, (turn) => ({ ...turn, feedback: given }));
    const isSent = await sendFeedback(options, { messageId, threadId: rated.threadId, helpful, comment });
    const feedback = { ...given, status: isSent ? "sent" : "failed" } as const;
    // What was said since then counts.
    update(rated.id, (turn) => (turn.feedback === given ? { ...turn, feedback } : turn));
    return isSent;
  }

  return {
    state,
    stop,
    rate,
    restore,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async ask(text, asked = {}) {
      const question = text.trim();
      if (question === "" && !asked.context?.length) return;
      stop();
      restore();
      const turn = newTurn(newId(), question, asked, now());
      turns = [...turns, turn];
      await run(turn);
    },
    async retry() {
      stop();
      const last = turns.at(-1);
      if (last === undefined) return;
      const turn = newTurn(last.id, last.question, last.asked, now());
      turns = [...turns.slice(0, -1), turn];
      await run(turn);
    },
    clear() {
      stop();
      // What another page has kept up to now is forgotten as well.
      kept = textIn(storage);
      turns = [];
      threadId = undefined;
      changed();
    },
  };
}

function textIn(storage: ConversationStorage | undefined): string {
  try {
    return storage?.get() ?? "";
  } catch {
    return "";
  }
}

/** The turn as it is shown: what to read next stands apart from the answer. */
function asShown(turn: Turn): Turn {
  if (turn.suggestions.length > 0) return turn;
  const { text, suggestions } = splitSuggestions(turn.answer, isComing(turn));
  return { ...turn, answer: text, suggestions };
}

/** Frames stand still on a page that is not seen. */
function nextFrame(run: () => void): void {
  if (document.hidden) setTimeout(run, HIDDEN_PAGE_MS);
  else requestAnimationFrame(run);
}
